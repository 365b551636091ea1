import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { fingers } from './fingers.ts'
import { knowsHowToTurn, type ReaderApp, startReaderApp } from './reader-books.ts'

let app: ReaderApp
beforeAll(async () => {
  app = await startReaderApp()
  await knowsHowToTurn(app.admin)
})
afterAll(() => app[Symbol.asyncDispose]())

const eachWay = [
  { size: 'desktop', scheme: 'light' },
  { size: 'phone', scheme: 'dark' },
] as const

const reading = (page: Page, text: string) => page.getByRole('main', { name: text, exact: true }).waitFor()
const count = (page: Page, text: string) => page.getByTestId('page-count').getByText(text, { exact: true }).waitFor()
const closed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const progressOf = async (id: string) => bodyOf(await app.admin.call(api.readProgress, { params: { id } }))

test.each(eachWay)(
  'at $size size in $scheme: axe is content with all of it, nothing jumps',
  async ({ size, scheme }) => {
    await using screen = await app.screen({ size, scheme })
    const { page } = screen
    const name = `reader-${size}-${scheme}`
    await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
    await page.getByRole('img', { name: 'Page 1' }).waitFor()
    await screen.picture(name)
    expect(await screen.axe()).toEqual([])
    await page.keyboard.press('s')
    await page.getByRole('complementary', { name: 'How you read' }).waitFor()
    await screen.picture(`${name}-settings`)
    expect(await screen.axe()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Go to page 8' }).waitFor()
    await screen.picture(`${name}-pages`)
    await closed(page)
    expect(await screen.jumps()).toEqual([])
  },
)

test('by keyboard through a book with a wide page, to its end, and on to the next', async () => {
  await using screen = await app.screen()
  const { page } = screen
  const id = app.idOf('Saga 1.cbz')
  const next = bodyOf(await app.admin.call(api.readBook, { params: { id: app.idOf('Saga 2.cbz') } }))
  await screen.open(`/read/${id}`)
  for (const shown of ['2–3 of 8', '4 of 8', '5 of 8', '6–7 of 8', '8 of 8']) {
    await page.keyboard.press('ArrowRight')
    await count(page, shown)
  }
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await count(page, '2–3 of 8')
  await page.keyboard.press('x')
  await count(page, '2 of 8')
  await page.keyboard.press('ArrowRight')
  await count(page, '3–4 of 8')
  await page.waitForURL(/page=3&shift=2$/)
  await page.reload()
  await count(page, '3–4 of 8')
  await page.keyboard.press('d')
  await count(page, '3 of 8')
  await page.keyboard.press('d')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await keys.getByText('Pair pages up one later').waitFor()
  // Keys that do the same stand in one line, and are called what stands on them.
  const onwards = keys.getByRole('term').filter({ hasText: 'Read on' }).locator('..')
  expect(await onwards.locator('kbd').allInnerTexts()).toEqual(['→', '↓', 'Page Down', 'Space', 'j'])
  await screen.picture('reader-keys')
  await closed(page)

  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  const end = page.getByRole('region', { name: 'The end' })
  await end.getByText(next.title).waitFor()
  await screen.picture('reader-end')
  await end.getByRole('button', { name: 'Read on' }).click()
  await page.getByRole('heading', { name: next.title }).waitFor()
  await count(page, '1 of 8')
  expect(page.url()).toContain(app.idOf('Saga 2.cbz'))
  await waitUntil('the book is read', async () => (await progressOf(id))?.completed === true)
})

test('right to left, pages lie and keys turn the other way round; a read list leads on', async () => {
  const [manga, after] = [app.idOf('Manga 1.cbz'), app.idOf('Paper 1.pdf')]
  const list = bodyOf(await app.admin.call(api.createReadList, { body: { name: 'Both', ordered: true } }))
  bodyOf(await app.admin.call(api.addToReadList, { params: { id: list.id }, body: { bookIds: [manga, after] } }))
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/read/${manga}?readList=${list.id}`)
  await page.keyboard.press('ArrowLeft')
  await count(page, '2–3 of 8')
  const leftOf = async (name: string) => (await page.getByRole('img', { name, exact: true }).boundingBox())?.x ?? 0
  expect(await leftOf('Page 3')).toBeLessThan(await leftOf('Page 2'))
  await screen.picture('reader-rtl')
  await page.keyboard.press('p')
  const small = page.getByRole('dialog', { name: 'All pages' }).getByRole('button', { name: /^Go to page/ })
  await expect.poll(() => small.count()).toBe(8)
  const [firstX = 0, secondX = 0] = await small.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
  expect(secondX).toBeLessThan(firstX)
  await small.nth(1).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.evaluate('document.activeElement.dataset.go')).toBe('3')
  await screen.picture('reader-rtl-pages')
  await closed(page)
  await page.mouse.click(60, 400)
  await count(page, '4 of 8')
  await page.mouse.click(1200, 400)
  await count(page, '2–3 of 8')

  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('region', { name: 'The end' }).getByRole('button', { name: 'Read on' }).click()
  await expect.poll(() => page.getByTestId('page-field').getByRole('textbox').inputValue()).toBe('1')
  expect(page.url()).toContain(`${after}?readList=${list.id}`)
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
})

test('by touch: taps, swipes, two fingers and two taps', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 2.cbz')}`)
  await page.touchscreen.tap(370, 400)
  await reading(page, 'Page 2 of 8')
  await page.touchscreen.tap(20, 400)
  await reading(page, 'Page 1 of 8')
  const touch = await fingers(page)
  await touch([[300, 400]], [[80, 410]])
  await reading(page, 'Page 2 of 8')
  await touch([[80, 400]], [[300, 410]])
  await reading(page, 'Page 1 of 8')

  const widthOf = async () => (await page.getByRole('img', { name: 'Page 1' }).boundingBox())?.width ?? 0
  const fitting = await widthOf()
  await touch(
    [
      [180, 400],
      [210, 400],
    ],
    [
      [100, 400],
      [290, 400],
    ],
  )
  const pinched = await widthOf()
  expect(pinched).toBeGreaterThan(fitting * 2)
  await touch([[200, 400]], [[120, 300]])
  expect((await page.getByRole('img', { name: 'Page 1' }).boundingBox())?.x).toBeLessThan(-50)
  await page.touchscreen.tap(195, 420)
  await page.touchscreen.tap(195, 420)
  await expect.poll(widthOf).toBe(fitting)
  await page.touchscreen.tap(195, 420)
  await page.touchscreen.tap(195, 420)
  await expect.poll(widthOf).toBe(fitting * 2.5)
})

test('a long strip has its sizes from the start: one scrolls through pages of a pixel and as tall as a tower', async () => {
  const id = app.idOf('Strip 1.cbz')
  const { seriesId } = bodyOf(await app.admin.call(api.readBook, { params: { id } }))
  const params = { level: 'series', id: seriesId ?? '' } as const
  bodyOf(await app.admin.call(api.saveReaderSettings, { params, body: { values: { direction: 'webtoon', gap: 10 } } }))
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await screen.open(`/read/${id}`)
  const strip = page.getByTestId('strip')
  const scroll = (to: number) => strip.evaluate((element, top) => (element.scrollTop = top), to)
  const length = await strip.evaluate(({ scrollHeight }) => scrollHeight)
  await scroll(1500)
  await reading(page, 'Page 2 of 14')
  await screen.picture('reader-strip')
  await page.keyboard.press('PageDown')
  await reading(page, 'Page 3 of 14')
  await page.getByRole('slider', { name: 'Page' }).focus()
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight')
  await reading(page, 'Page 8 of 14')
  const eighth = await strip.getByRole('img', { name: 'Page 8' }).boundingBox()
  expect(Math.abs(eighth?.y ?? Number.NaN)).toBeLessThan(100)
  expect(await strip.getByRole('img').count()).toBeLessThan(8)
  expect(await strip.evaluate(({ scrollHeight }) => scrollHeight)).toBe(length)
  await scroll(length)
  await reading(page, 'Page 14 of 14')
  expect(await screen.jumps()).toEqual([])
  // At the end the reader does not go on by itself.
  expect(page.url()).toContain(id)
  await strip.focus()
  await page.keyboard.press('PageDown')
  await page.getByRole('region', { name: 'The end' }).getByText('This is the last book of its series here.').waitFor()
  await page.keyboard.press('Escape')
  await waitUntil('it is known where one is', async () => (await progressOf(id))?.currentPage === 14)
})

test('how one reads is kept: for the series everywhere, for this device here; a reset can be undone', async () => {
  const id = app.idOf('Manga 1.cbz')
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/read/${id}`)
  const sheet = page.getByRole('complementary', { name: 'How you read' })
  const open = () => page.keyboard.press('s')
  await open()
  await sheet.getByRole('radio', { name: 'Series' }).check()
  await sheet.getByRole('radio', { name: 'Paper' }).check()
  await sheet.getByRole('radio', { name: 'Device' }).check()
  await sheet.getByRole('radio', { name: 'One', exact: true }).check()
  await screen.picture('reader-settings-levels')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowLeft')
  await count(page, '2 of 8')

  await using elsewhere = await app.screen()
  await elsewhere.open(`/read/${id}?page=2`)
  await count(elsewhere.page, '2–3 of 8')
  await expect.poll(() => elsewhere.page.locator('[data-background=paper]').count()).toBe(1)

  await open()
  await sheet.getByRole('radio', { name: 'Series' }).check()
  await sheet.getByRole('button', { name: 'Reset for this series' }).click()
  await page.locator('[data-background=black]').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('[data-background=paper]').waitFor()
})

test('a damaged page says so and one reads on; a book without pages can be had as a file; both in German', async () => {
  await using screen = await app.screen({ language: 'de' })
  screen.forgive(/422|500/)
  const { page } = screen
  await screen.open(`/read/${app.idOf('Damaged 1.cbz')}?page=2`)
  await page.getByText('Seite 3 lässt sich nicht zeigen').waitFor()
  await page.getByText('Du kannst weiterlesen.').waitFor()
  await screen.picture('reader-damaged')
  await page.keyboard.press('ArrowRight')
  await count(page, '4 von 4')
  await page.getByRole('img', { name: 'Seite 4' }).waitFor()

  screen.forgive(/422/)
  await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Datei herunterladen' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.epub$/)
  await screen.picture('reader-no-pages')
  expect(await screen.axe()).toEqual([])
})
