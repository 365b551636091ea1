import * as api from '@carrel/api'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { type App, settled, startApp } from './app.ts'

const seriesNames = ['Anchor', 'Bell', 'Candle', 'Drum', 'Ember']
let app: App
let books: readonly api.BookDto[]
let series: readonly api.SeriesDto[]
beforeAll(async () => {
  app = await startApp({
    books: seriesNames.flatMap((name) =>
      [1, 2].map((volume) => ({
        path: `${name}/${name} v0${volume}.cbz`,
        pages: 3,
        info: { Series: name, Volume: volume, Writer: 'Ada Vaughan' },
      })),
    ),
  })
  books = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100 } })).data
  series = bodyOf(await app.admin.call(api.listSeries, { query: { pageSize: 100 } })).data
})
afterAll(() => app[Symbol.asyncDispose]())

const bookOf = (name: string, volume: number): string =>
  books.find((book) => book.seriesName === name && book.volume === volume)?.id ?? ''
const seriesOf = (name: string): string => series.find(({ title }) => title === name)?.id ?? ''
const makeReadList = async (name: string, bookIds: string[]): Promise<string> => {
  const { id } = bodyOf(await app.admin.call(api.createReadList, { body: { name } }))
  bodyOf(await app.admin.call(api.addToReadList, { params: { id }, body: { bookIds } }))
  return id
}
const makeCollection = async (name: string, seriesIds: string[]): Promise<string> => {
  const { id } = bodyOf(await app.admin.call(api.createCollection, { body: { name } }))
  bodyOf(await app.admin.call(api.addToCollection, { params: { id }, body: { seriesIds } }))
  return id
}
const card = (page: Page, name: string): Locator => page.getByRole('article').filter({ hasText: name })
/** A finger that stays until the sheet is there. */
const hold = async (page: Page, target: Locator): Promise<Locator> => {
  const box = await target.boundingBox()
  const touchPoints = [{ x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 30 }]
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  const sheet = page.getByRole('dialog')
  await sheet.waitFor()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  return sheet
}
const isFocused = (locator: Locator): Promise<boolean> => locator.evaluate((element) => element.matches(':focus'))

test('L1 read lists are fans of covers that say how far one is and lead on, on either look', async () => {
  const order = [bookOf('Candle', 1), bookOf('Anchor', 1), bookOf('Bell', 2), bookOf('Drum', 1), bookOf('Ember', 1)]
  const id = await makeReadList('The long way', order)
  bodyOf(await app.admin.call(api.markBookRead, { params: { id: order[0] ?? '' } }))
  for (const scheme of ['light', 'dark'] as const) {
    await using screen = await app.screen({ scheme })
    await screen.open('/read-lists')
    await card(screen.page, 'The long way').getByText('5 books · 1 read').waitFor()
    await card(screen.page, 'The long way').getByText('Next: Anchor 1').waitFor()
    await expect.poll(() => card(screen.page, 'The long way').locator('img').count()).toBe(4)
    expect(await screen.axe()).toEqual([])
    expect(await screen.jumps()).toEqual([])
    await screen.picture(`read-lists-${scheme}`)
  }
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/read-lists')
  await card(page, 'The long way').getByRole('link').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Continue' }).click()
  await page.waitForURL((url) => url.pathname === paths.read(order[1] ?? ''))
  expect(new URL(page.url()).searchParams.get('readList')).toBe(id)
  await app.admin.call(api.deleteProgress, { params: { id: order[0] ?? '' } })
})

test('L1 G4 a collection is renamed, deleted and put back from its card, by mouse and by keyboard', async () => {
  const id = await makeCollection('Things', [seriesOf('Anchor'), seriesOf('Bell')])
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/collections')
  await card(page, 'Things').getByText('2 series').waitFor()
  await expect.poll(() => card(page, 'Things').locator('img').count()).toBe(2)
  await card(page, 'Things').click({ button: 'right' })
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Open' }).waitFor()
  expect(await menu.getByRole('menuitem').allTextContents()).toEqual(['Open', 'Change', 'Delete'])
  expect(await screen.axe()).toEqual([])
  await menu.getByRole('menuitem', { name: 'Change' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Old things')
  await page.getByRole('button', { name: 'Save' }).click()
  await card(page, 'Old things').waitFor()
  expect(bodyOf(await app.admin.call(api.readCollection, { params: { id } })).name).toBe('Old things')

  const link = card(page, 'Old things').getByRole('link')
  await link.focus()
  await page.keyboard.press('ContextMenu')
  await expect.poll(() => isFocused(menu.getByRole('menuitem', { name: 'Open' }))).toBe(true)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await isFocused(link)).toBe(true)
  await page.keyboard.press('ContextMenu')
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('“Old things” is deleted.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/collections')
  await page.getByRole('button', { name: /^Undo/ }).click()
  await card(page, 'Old things').getByText('2 series').waitFor()
})

test('G4 whoever may only read is offered no change of a list', async () => {
  await makeReadList('For all', [bookOf('Drum', 1)])
  const username = 'only-reader'
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role: 'reader' } }))
  const reader = await signIn(app.carrel, username)
  await using screen = await app.screen({ as: reader })
  const { page } = screen
  await screen.open('/read-lists')
  await card(page, 'For all').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Open' }).waitFor()
  expect(await page.getByRole('menu').getByRole('menuitem').allTextContents()).toEqual(['Read', 'Open'])
})

test('G4 a finger that stays on a library or a name opens its menu as a sheet', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open('/libraries')
  const sheet = await hold(page, card(page, 'Comics'))
  await sheet.getByText('5 series · 10 books').waitFor()
  await sheet.getByRole('button', { name: 'Look for changes' }).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('library-sheet')
  await sheet.getByRole('link', { name: 'Books', exact: true }).click()
  await page.waitForURL(`${app.carrel.url}${paths.libraryBooks(app.libraryId)}`)
  await screen.open('/people')
  await hold(page, page.getByRole('listitem').filter({ hasText: 'Ada Vaughan' }))
  await sheet.getByRole('link', { name: 'Search for “Ada Vaughan”' }).waitFor()
})

test('G4 what one wants to read are cards with their menu, chosen from and put in order', async () => {
  const body = { seriesIds: [seriesOf('Candle'), seriesOf('Anchor')], bookIds: [bookOf('Bell', 2)] }
  bodyOf(await app.admin.call(api.addManyWantToRead, { body }))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open('/want-to-read')
  await card(page, 'Candle').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(3)
  expect(await screen.axe()).toEqual([])
  await screen.picture('want-to-read')
  await card(page, 'Bell').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Mark as read', exact: true }).click()
  await page.getByRole('button', { name: /^Undo/ }).click()

  // A series and a book, chosen together.
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await card(page, 'Candle').getByRole('link').click()
  await card(page, 'Bell').getByRole('link').click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'No longer want to read' }).click()
  await card(page, 'Candle').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  bodyOf(await app.admin.call(api.addManyWantToRead, { body }))

  await screen.open('/want-to-read?view=rows')
  await page.getByRole('button', { name: 'Move Candle, now number 2' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Move Candle, now number 1' }).waitFor()
  await page.getByRole('button', { name: 'As covers' }).click()
  await expect.poll(() => page.getByRole('article').first().textContent()).toContain('Candle')
})

test('H3 where two shelves stand on one line their headings do, in every language', async () => {
  bodyOf(await app.admin.call(api.saveProgress, { params: { id: bookOf('Ember', 1) }, body: { currentPage: 2 } }))
  bodyOf(await app.admin.call(api.markBookRead, { params: { id: bookOf('Drum', 1) } }))
  for (const language of ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ko', 'zh-Hans', 'ar']) {
    await using screen = await app.screen({ language })
    const { page } = screen
    for (const width of [1040, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await screen.open('/')
      await settled(page)
      const lines = await page
        .getByRole('main')
        .locator('section[data-count] h2')
        .evaluateAll((headings) => headings.map((heading) => heading.getBoundingClientRect().height))
      expect(lines.length).toBeGreaterThan(1)
      expect(Math.max(...lines), `${language} ${width}`).toBeLessThan(32)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  }
})
