import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, settled, startApp } from './app.ts'
import { startEbookApp, textBooks } from './ebook-books.ts'
import { reader } from './ebook-steps.ts'

// What people do every day, counted: each click, and each key that is pressed. Whoever adds a step to one of these sees it here.

interface Hand {
  readonly click: (target: Locator, options?: { readonly button?: 'right' }) => Promise<void>
  readonly press: (key: string) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** It says what it took, and returns it. */
  readonly counted: (task: string) => { readonly clicks: number; readonly keys: number }
}

const handOn = (page: Page): Hand => {
  let [clicks, keys] = [0, 0]
  return {
    click: async (target, options) => {
      clicks += 1
      await target.click(options)
    },
    press: async (key) => {
      keys += 1
      await page.keyboard.press(key)
    },
    type: async (text) => {
      keys += text.length
      await page.keyboard.type(text)
    },
    counted: (task) => {
      console.log(`  figure: ${task}: ${clicks} clicks, ${keys} keys`)
      return { clicks, keys }
    },
  }
}

let app: App
beforeAll(async () => {
  app = await startApp({
    books: [
      ...Array.from({ length: 12 }, (_, index) => ({
        path: `Saga/Saga ${index + 1}.cbz`,
        info: { Series: 'Saga', Number: index + 1 },
      })),
      { path: 'Saga/Stray.cbz', info: { Series: 'Saga', Number: 13, Title: 'Stray' } },
      { path: 'Orchard/Orchard 1.cbz', info: { Series: 'Orchard', Number: 1 } },
      ...Array.from({ length: 38 }, (_, index) => ({
        path: `Short ${index + 1}/Short ${index + 1}.cbz`,
        pages: 1,
        info: { Series: `Short ${String.fromCodePoint(65 + (index % 26))}${index}`, Number: 1 },
      })),
    ],
  })
  const [first] = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 1, sort: 'name,asc' } })).data
  bodyOf(await app.admin.call(api.saveProgress, { params: { id: first?.id ?? '' }, body: { currentPage: 2 } }))
})
afterAll(() => app[Symbol.asyncDispose]())

const seriesId = async (title: string): Promise<string> =>
  bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } })).data.find((each) => each.title === title)
    ?.id ?? ''

const booksOf = async (title: string) =>
  bodyOf(
    await app.admin.call(api.listBooks, {
      query: { seriesId: await seriesId(title), pageSize: 50, sort: 'number,asc' },
    }),
  ).data

test('H1 from the start to the page one was on', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/')
  const hand = handOn(page)
  await hand.click(page.getByRole('link', { name: 'Continue', exact: true }).first())
  await page.waitForURL(/\/read\//)
  await settled(page)
  expect(hand.counted('from the start to the page')).toEqual({ clicks: 1, keys: 0 })
})

test('P3 a volume is found by its number, and read', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/account')
  const hand = handOn(page)
  await hand.press('Control+k')
  await hand.type('saga 10')
  await hand.press('Enter')
  await page.waitForURL(/\/read\//)
  const [, , , , , , , , , tenth] = await booksOf('Saga')
  expect(new URL(page.url()).pathname).toBe(`/read/${tenth?.id}`)
  expect(hand.counted('find a volume by number, and read it')).toEqual({ clicks: 0, keys: 9 })
})

const card = (page: Page, title: RegExp) => page.getByRole('article').filter({ hasText: title }).first()

test('everything up to here is marked as read', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${await seriesId('Saga')}`)
  const hand = handOn(page)
  await hand.click(card(page, /^No\. 6/).getByRole('link'), { button: 'right' })
  await hand.click(page.getByRole('menuitem', { name: 'Mark read up to here' }))
  await waitUntil('six books to be read', async () => {
    const books = await booksOf('Saga')
    return books.filter(({ readProgress }) => readProgress?.completed === true).length === 6
  })
  expect(hand.counted('mark read up to here')).toEqual({ clicks: 2, keys: 0 })
})

test('a book in a wrong series is put into the right one', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${await seriesId('Saga')}`)
  const hand = handOn(page)
  await hand.click(card(page, /Stray/).getByRole('link'), { button: 'right' })
  await hand.click(page.getByRole('menuitem', { name: 'Move to series…' }))
  const dialog = page.getByRole('dialog', { name: 'Move to series' })
  await dialog.getByLabel('Find a series').waitFor()
  await hand.type('orch')
  await hand.click(dialog.getByRole('button', { name: /^Orchard/ }))
  await hand.click(dialog.getByRole('button', { name: 'Move', exact: true }))
  await waitUntil('the book to be there', async () => (await booksOf('Orchard')).length === 2)
  expect(hand.counted('fix a wrong series')).toEqual({ clicks: 4, keys: 4 })
})

test('forty series become a collection', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/series')
  const hand = handOn(page)
  await hand.click(page.getByRole('button', { name: 'Select', exact: true }))
  await hand.click(page.getByRole('button', { name: 'Select all' }))
  const bar = page.getByRole('region', { name: 'Selection' })
  await hand.click(bar.getByRole('button', { name: 'Add to a collection' }))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').waitFor()
  await hand.type('All')
  await hand.click(dialog.getByRole('button', { name: 'Create “All”' }))
  const made = await waitUntil('the collection', async () =>
    bodyOf(await app.admin.call(api.listCollections, {})).data.find(({ name }) => name === 'All'),
  )
  const params = { id: made.id }
  await waitUntil('forty series in it', async () => {
    const { total } = bodyOf(await app.admin.call(api.listSeriesOfCollection, { params, query: {} }))
    return total === 40
  })
  expect(hand.counted('make a collection of forty')).toEqual({ clicks: 4, keys: 3 })
})

test('E3 the colours of the reader are changed', async () => {
  await using ebooks = await startEbookApp(textBooks())
  await using screen = await ebooks.screen({ as: await reader(ebooks, 'counted') })
  const { page } = screen
  await screen.open(`/read/${ebooks.idOf('Novel 1.epub')}?at=0.3`)
  const hand = handOn(page)
  await hand.press('s')
  await hand.click(
    page.getByRole('complementary', { name: 'How it looks' }).getByRole('radio', { name: 'Sepia', exact: true }),
  )
  await expect.poll(() => page.evaluate('document.querySelector("meta[name=theme-color]").content')).toBe('#f4ead6')
  expect(hand.counted('change the colours of the reader')).toEqual({ clicks: 1, keys: 1 })
})
