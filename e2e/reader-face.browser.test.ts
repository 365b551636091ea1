import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic } from '../packages/server/test/library-folder.ts'
import { pixelsOf } from '../packages/server/test/pixels.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import type { Visitor } from '../packages/server/test/smoke/carrel.ts'
import { reader } from './ebook-steps.ts'
import { type ReaderApp, startReaderApp } from './reader-books.ts'

let app: ReaderApp
let longId: string
beforeAll(async () => {
  app = await startReaderApp()
  await app.folder.write('Long/Long 1.cbz', comic({ seed: 77, pages: 150 }))
  bodyOf(await app.admin.call(api.scanLibrary, { params: { id: app.libraryId } }))
  longId = await waitUntil('the long book', async () => {
    const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { libraryId: app.libraryId, pageSize: 50 } }))
    return data.find(({ pageCount }) => pageCount === 150)?.id
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const count = (page: Page, text: string) => page.getByTestId('page-count').getByText(text, { exact: true }).waitFor()
const picture = (page: Page, number: number) => page.getByRole('img', { name: `Page ${number}`, exact: true })
const sheetOf = (page: Page) => page.getByRole('complementary', { name: 'How you read' })
const barsAre = (page: Page, isShown: boolean) => page.locator(`[data-at=top][data-shown=${isShown}]`).waitFor()

/** The layer of the pages, as the browser shows it. */
const layerOf = (page: Page) =>
  page.evaluate<{ filter: string; width: number; height: number }>(`(() => {
    const { filter, width, height } = getComputedStyle(document.querySelector('[data-testid=stage]').parentElement)
    return { filter, width: parseFloat(width), height: parseFloat(height) }
  })()`)

test('R1 in the light look nothing around the pages is lighter than #222', async () => {
  await using screen = await app.screen({ scheme: 'light', as: await reader(app, 'face-dark') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  await page.keyboard.press('ArrowRight')
  await count(page, '2–3 of 8')
  await barsAre(page, false)
  const boxes = await Promise.all([2, 3].map((number) => picture(page, number).boundingBox()))
  const { width, height, at } = await pixelsOf(await page.screenshot())
  const light: string[] = []
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isOfPage = boxes.some(
        (box) => box && x >= box.x - 1 && x <= box.x + box.width && y >= box.y - 1 && y <= box.y + box.height,
      )
      if (!isOfPage && Math.max(...at(x, y)) > 0x22) light.push(`${x} ${y}: ${at(x, y).join(' ')}`)
    }
  }
  expect(light.slice(0, 5)).toEqual([])
})

test('R2 on a phone a strip has the whole height, and the bars come with a scroll upwards and a tap', async () => {
  const as = await reader(app, 'face-strip')
  const id = app.idOf('Strip 1.cbz')
  const { seriesId } = bodyOf(await as.call(api.readBook, { params: { id } }))
  const params = { level: 'series', id: seriesId ?? '' } as const
  bodyOf(await as.call(api.saveReaderSettings, { params, body: { values: { direction: 'webtoon' } } }))
  await using screen = await app.screen({ size: 'phone', as })
  const { page } = screen
  await screen.open(`/read/${id}`)
  await barsAre(page, true)
  const strip = page.getByTestId('strip')
  const scroll = (to: number) => strip.evaluate((element, top) => (element.scrollTop = top), to)
  await scroll(1500)
  await barsAre(page, false)
  expect(await strip.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  for (const y of [4, 840]) {
    const isStrip = `document.elementFromPoint(195, ${y}).closest('[data-testid=strip]') !== null`
    expect(await page.evaluate(isStrip)).toBe(true)
  }
  await scroll(1300)
  await barsAre(page, true)
  await scroll(1600)
  await barsAre(page, false)
  await page.touchscreen.tap(195, 420)
  await barsAre(page, true)
})

/** What the server has for the browser of this page. */
const contrastOn = async (page: Page, as: Visitor): Promise<number | undefined> => {
  const deviceId = await page.evaluate<string>("localStorage.getItem('carrel.device')")
  return bodyOf(await as.call(api.readReaderSettings, { query: { deviceId } })).effective.contrast
}

test('R3 R5 every choice is seen on the page beside the sheet, the picture as drawn again, and kept for this device', async () => {
  const as = await reader(app, 'face-sheet')
  const id = app.idOf('Saga 1.cbz')
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${id}?page=2`)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await barsAre(page, false)
  await page.keyboard.press('s')
  const sheet = sheetOf(page)
  const [box, shown] = [await sheet.boundingBox(), await picture(page, 3).boundingBox()]
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0)
  // The bars are there too, and cut nothing off.
  await barsAre(page, true)
  const bars = { top: 56, bottom: 860 - 84 }
  await expect
    .poll(async () => Math.round((await picture(page, 3).boundingBox())?.y ?? 0))
    .toBeGreaterThanOrEqual(bars.top)
  const beside = await picture(page, 3).boundingBox()
  expect((beside?.y ?? 0) + (beside?.height ?? 0)).toBeLessThanOrEqual(bars.bottom + 1)
  expect(await layerOf(page)).toMatchObject({ filter: 'none', width: 1280 - 352 })

  for (const [name, value, filter] of [
    ['Brightness', '80', 'brightness(0.8)'],
    ['Contrast', '120', 'brightness(0.8) contrast(1.2)'],
  ] as const) {
    await sheet.getByRole('slider', { name }).fill(value)
    await expect.poll(async () => (await layerOf(page)).filter).toBe(filter)
  }
  await sheet.getByRole('switch', { name: 'Grey' }).check()
  await expect.poll(async () => (await layerOf(page)).filter).toContain('grayscale(1)')
  const heightOf = async () => (await picture(page, 2).boundingBox())?.height ?? 0
  const fitting = await heightOf()
  await sheet.getByRole('radio', { name: 'Height' }).check()
  await expect.poll(heightOf).not.toBe(fitting)
  await sheet.getByRole('radio', { name: 'Page', exact: true }).check()
  await expect.poll(heightOf).toBe(fitting)
  await sheet.getByRole('radio', { name: 'One', exact: true }).check()
  await count(page, '2 of 8')
  await sheet.getByRole('radio', { name: 'White' }).check()
  const ground = () => page.evaluate<string>("getComputedStyle(document.querySelector('main')).backgroundColor")
  await expect.poll(ground).toBe('rgb(255, 255, 255)')
  const themeColour = `document.querySelector('meta[name=theme-color]').content`
  expect(await page.evaluate(themeColour)).toBe('#ffffff')
  await screen.picture('reader-face-sheet')

  await waitUntil('the device has it', async () => (await contrastOn(page, as)) === 120)
  await page.reload()
  await count(page, '2 of 8')
  expect((await layerOf(page)).filter).toBe('grayscale(1) brightness(0.8) contrast(1.2)')
  await using elsewhere = await app.screen({ as })
  await elsewhere.open(`/read/${id}?page=2`)
  expect((await layerOf(elsewhere.page)).filter).toBe('none')

  await page.keyboard.press('s')
  await sheet.getByRole('button', { name: 'As drawn' }).click()
  await expect.poll(async () => (await layerOf(page)).filter).toBe('none')
})

test('R3 on a phone the sheet is below the page, is pulled down to close, and the focus goes back', async () => {
  await using screen = await app.screen({ size: 'phone', as: await reader(app, 'face-phone') })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}?page=2`)
  await page.getByRole('button', { name: 'How you read' }).click()
  const sheet = sheetOf(page)
  await sheet.waitFor()
  const [box, shown] = [await sheet.boundingBox(), await picture(page, 2).boundingBox()]
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
  expect(await screen.axe()).toEqual([])
  await sheet.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('How you read')
})

test('R4 a page that is turned to is there already, filtered or not: nothing is asked for', async () => {
  const as = await reader(app, 'face-ready')
  await using screen = await app.screen({ as })
  const { page, requests } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  await page.keyboard.press('s')
  await sheetOf(page).getByRole('slider', { name: 'Warmth' }).fill('40')
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await layerOf(page)).filter).toContain('sepia')
  const pagesAsked = () => requests.filter((each) => /\/media\/.*\/pages\/\d+\?v=/.test(each))
  await waitUntil('the next pages', () =>
    [2, 3].every((each) => pagesAsked().some((one) => one.includes(`/pages/${each}?`))),
  )
  await waitUntil('nothing under way', () =>
    page.evaluate<boolean>('[...document.images].every(({ complete }) => complete)'),
  )
  const before = pagesAsked().filter((each) => /\/pages\/[23]\?/.test(each)).length
  await page.keyboard.press('ArrowRight')
  await count(page, '2–3 of 8')
  expect(await page.evaluate(`document.querySelector('img[alt="Page 2"]').naturalWidth > 0`)).toBe(true)
  expect(pagesAsked().filter((each) => /\/pages\/[23]\?/.test(each))).toHaveLength(before)
})

test('R6 the strip of a long book has at most 60 pictures, leads anywhere, and shows where', async () => {
  await using screen = await app.screen({ as: await reader(app, 'face-long') })
  const { page, requests } = screen
  await screen.open(`/read/${longId}`)
  const strip = page.getByRole('slider', { name: 'Page' })
  await waitUntil('the pictures of the strip', async () => (await strip.locator('img').count()) > 30)
  await strip.focus()
  await page.keyboard.press('End')
  await count(page, '150 of 150')
  const box = await strip.boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 30)
  await page.mouse.down()
  await page.getByText(/^Page 7\d of 150$/).waitFor()
  await screen.picture('reader-face-peek')
  await page.mouse.up()
  await expect.poll(() => page.getByTestId('page-count').textContent()).toMatch(/^7\d–7\d of 150$/)
  expect(await strip.locator('img').count()).toBeLessThanOrEqual(60)
  expect(new Set(requests.filter((each) => each.includes('width=160'))).size).toBeLessThanOrEqual(64)
})

test('a wide page on an upright screen is split into halves, or turned', async () => {
  const as = await reader(app, 'face-wide')
  await using screen = await app.screen({ size: 'phone', as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}?page=5`)
  const partIs = (part: string) => page.locator(`img[data-part=${part}]`).waitFor()
  const set = async (name: string) => {
    await page.keyboard.press('s')
    await sheetOf(page).getByRole('radio', { name }).check()
    await page.keyboard.press('Escape')
  }
  await set('Halves')
  await partIs('left')
  await page.keyboard.press('ArrowRight')
  await partIs('right')
  await count(page, '5 of 8')
  await page.keyboard.press('ArrowRight')
  await count(page, '6 of 8')
  await page.keyboard.press('ArrowLeft')
  await partIs('right')
  await set('Turned')
  await partIs('turned')
  const box = await picture(page, 5).boundingBox()
  expect(box?.height ?? 0).toBeGreaterThan(box?.width ?? 0)
})

test('the hint goes with the first turn, for the account; a key is bound anew, and both are so on another device', async () => {
  const as = await reader(app, 'face-keys')
  bodyOf(await as.call(api.deletePreference, { params: { key: 'web.reader.hint' } }))
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Saga 1.cbz')}`)
  const hint = page.getByRole('note', { name: 'How to turn pages' })
  await hint.waitFor()
  await page.keyboard.press('ArrowRight')
  await hint.waitFor({ state: 'detached' })

  await page.keyboard.press('s')
  await page.getByText('Keys', { exact: true }).click()
  await page.getByRole('button', { name: 'Read on: j. Change' }).click()
  await page.keyboard.press('w')
  await page.getByRole('button', { name: 'Read on: w. Change' }).waitFor()
  await page.keyboard.press('Escape')

  await using other = await app.screen({ as })
  await other.open(`/read/${app.idOf('Saga 1.cbz')}?page=2`)
  await count(other.page, '2–3 of 8')
  await other.page.keyboard.press('w')
  await count(other.page, '4 of 8')
  expect(await other.page.getByRole('note').count()).toBe(0)
})

test('after the last page half a page is ours: it is rated, one turns back, and one more turn leads on', async () => {
  const as = await reader(app, 'face-end')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Saga 1.cbz')
  await screen.open(`/read/${id}?page=8`)
  await count(page, '8 of 8')
  await page.keyboard.press('ArrowRight')
  const end = page.getByRole('region', { name: 'The end' })
  await end.waitFor()
  await screen.picture('reader-face-end')
  expect(await screen.axe()).toEqual([])
  const [box, shown] = [await end.boundingBox(), await picture(page, 8).boundingBox()]
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + 1)
  await end.getByRole('checkbox', { name: '4 stars' }).click()
  await waitUntil(
    'the rating',
    async () => bodyOf(await as.call(api.readBookRating, { params: { id } }))?.rating === 80,
  )
  await page.keyboard.press('ArrowLeft')
  await end.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await end.getByRole('button', { name: 'Read on' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(new RegExp(app.idOf('Saga 2.cbz')))
  await count(page, '1 of 8')
})
