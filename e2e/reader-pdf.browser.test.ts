import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfFile } from '../packages/server/test/books/pdf.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { type App, scannedLibrary, startApp } from './app.ts'
import { reader } from './ebook-steps.ts'

const pageCount = 40
const hebrew = 'שלום עולם'.split('').toReversed().join('')

/** Each page says its number; on some a lighthouse is spoken of. */
const textOf = (page: number): readonly string[] => [
  `Chapter ${page}`,
  `This is the text of page ${page}, and it is quiet.`,
  'Two lines further down nothing happens for a while,',
  ...(page % 10 === 0 ? ['but here a Lighthouse stands, and a second lighthouse'] : ['and that is all there is.']),
  ...(page === 3 ? [hebrew] : []),
]

let app: App
let id: string
beforeAll(async () => {
  app = await startApp({ books: [] })
  const pages = Array.from({ length: pageCount }, (_, index) => ({ text: textOf(index + 1) }))
  const outline = [
    { title: 'The beginning', page: 1, children: [{ title: 'A second page', page: 2 }] },
    { title: 'The middle', page: 20 },
    { title: 'The end', page: 40 },
  ]
  await app.folder.write('Manual/Manual.pdf', pdfFile({ pages, outline, info: { Title: 'A quiet manual' } }))
  const libraryId = await scannedLibrary(app.admin, app.folder.path)
  id = bodyOf(await app.admin.call(api.listBooks, { query: { libraryId } })).data[0]?.id ?? ''
})
afterAll(() => app[Symbol.asyncDispose]())

const field = (page: Page) => page.getByTestId('page-field').getByRole('textbox')
const isOn = (page: Page, shown: string) => expect.poll(() => field(page).inputValue()).toBe(shown)
const words = (page: Page, number: number) => page.locator(`[data-text-of="${number}"] [data-word]`)
const hasWords = (page: Page, number: number) => words(page, number).first().waitFor({ state: 'attached' })
const selected = (page: Page) => page.evaluate<string>('getSelection().toString()')
const drawer = (page: Page) => page.getByRole('complementary')

/** A word of a page, by how it begins. */
const boxOf = async (page: Page, number: number, text: string) => {
  const box = await words(page, number).filter({ hasText: text }).first().boundingBox()
  if (!box) throw new Error(`There is no ${text}`)
  return { ...box, y: box.y + box.height / 2, end: box.x + box.width }
}

test('F3 text of a page is selected by the mouse from word to word, copied with its lines, and turns no page', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-1') })
  const { page } = screen
  await screen.open(`/read/${id}?page=4`)
  await isOn(page, '4–5')
  await hasWords(page, 4)
  const [from, to] = [await boxOf(page, 4, 'This'), await boxOf(page, 4, 'further')]
  await page.mouse.move(from.x + 1, from.y)
  await page.mouse.down()
  // Between two lines, and beside them, the selection does not jump.
  await page.mouse.move(from.end + 400, from.y + from.height * 0.4, { steps: 4 })
  expect(await selected(page)).toBe('This is the text of page 4, and it is quiet.')
  await page.mouse.move(to.x + 1, to.y, { steps: 4 })
  await page.mouse.up()
  expect(await selected(page)).toBe('This is the text of page 4, and it is quiet.\nTwo lines ')
  await screen.picture('reader-pdf-selected')
  await isOn(page, '4–5')

  await page.mouse.dblclick(to.x + to.width / 2, to.y)
  expect((await selected(page)).trim()).toBe('further')
  // One press beside it takes the selection away and does nothing else; the next one turns.
  await page.mouse.click(1100, 600)
  expect(await selected(page)).toBe('')
  await isOn(page, '4–5')
  await page.mouse.click(1270, 500)
  await isOn(page, '6–7')
  expect(await screen.jumps()).toEqual([])
})

test('F3 words lie where they are on the picture, and text from right to left is selected as it is read', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-2') })
  const { page } = screen
  await screen.open(`/read/${id}?page=3`)
  await hasWords(page, 3)
  const [shalom, world] = [await boxOf(page, 3, 'שלום'), await boxOf(page, 3, 'עולם')]
  expect(shalom.x).toBeGreaterThan(world.x)
  await page.mouse.move(shalom.end - 1, shalom.y)
  await page.mouse.down()
  await page.mouse.move(world.x + 1, world.y, { steps: 3 })
  await page.mouse.up()
  expect((await selected(page)).trim()).toBe('שלום עולם')

  // The layer is where the picture is, at every zoom.
  const layerIsOnPicture = async () => {
    const [picture, layer] = await Promise.all([
      page.getByRole('img', { name: 'Page 3', exact: true }).boundingBox(),
      page.locator('[data-text-of="3"]').boundingBox(),
    ])
    expect(layer).toEqual(picture)
    const word = await boxOf(page, 3, 'Chapter')
    return (word.end - word.x) / (picture?.width ?? 1)
  }
  const share = await layerIsOnPicture()
  await page.keyboard.press('+')
  expect(await layerIsOnPicture()).toBeCloseTo(share, 2)
})

test('F3 Ctrl+F finds in the whole book: places are counted, marked on their pages, and gone through', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-3') })
  const { page } = screen
  await screen.open(`/read/${id}?page=12`)
  await page.keyboard.press('Control+f')
  const input = page.getByRole('searchbox', { name: 'Words to look for' })
  await input.fill('lighthouse')
  await page.getByText('8 places').waitFor()
  await input.press('Enter')
  await page.getByText('3 of 8').waitFor()
  await isOn(page, '20–21')
  const marks = page.locator('[data-text-of="20"] mark')
  await expect.poll(() => marks.count()).toBe(2)
  await expect.poll(() => page.locator('mark[data-is-current=true]').textContent()).toBe('Lighthouse')
  await screen.picture('reader-pdf-find')
  await input.press('Enter')
  await page.getByText('4 of 8').waitFor()
  await expect.poll(() => page.locator('mark[data-is-current=true]').textContent()).toBe('lighthouse')
  await input.press('Shift+Enter')
  await input.press('Shift+Enter')
  await page.getByText('2 of 8').waitFor()
  await isOn(page, '10–11')
  expect(await screen.axe()).toEqual([])

  // A place that the zoom has left outside of the window comes into it.
  await page.getByTestId('page-field').waitFor()
  await page.getByRole('radio', { name: 'Width' }).check()
  await input.focus()
  await input.press('Enter')
  const mark = page.locator('mark[data-is-current=true]')
  await mark.waitFor()
  await expect.poll(async () => (await mark.boundingBox())?.y ?? -1).toBeGreaterThan(0)

  await input.fill('nowhere at all')
  await page.getByText('Found nowhere in this book.').waitFor()
  await input.press('Escape')
  await drawer(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('[data-text-of] mark').count()).toBe(0)
})

test('the contents stand at the left, beside the pages, show where one is and lead there', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-4') })
  const { page } = screen
  await screen.open(`/read/${id}?page=22`)
  await page.getByRole('button', { name: 'Contents' }).click()
  const entry = (name: string) => drawer(page).getByRole('button', { name })
  await entry('The middle').waitFor()
  expect(await entry('The middle').getAttribute('aria-current')).toBe('location')
  const box = await drawer(page).boundingBox()
  expect([box?.x, box?.width]).toEqual([0, 280])
  const picture = page.getByRole('img', { name: 'Page 22', exact: true })
  await expect.poll(async () => (await picture.boundingBox())?.x ?? 0).toBeGreaterThanOrEqual(280)
  expect(await screen.axe()).toEqual([])
  await screen.picture('reader-pdf-contents')
  await entry('The end').click()
  await isOn(page, '40')
  await field(page).fill('7')
  await field(page).press('Enter')
  await isOn(page, '6–7')
})

test('a document has its own zoom: width, page, and as large as on paper', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-5') })
  const { page } = screen
  await screen.open(`/read/${id}?page=1`)
  const width = async () =>
    Math.round((await page.getByRole('img', { name: 'Page 1', exact: true }).boundingBox())?.width ?? 0)
  const zoom = (name: string) => page.getByRole('radio', { name, exact: true }).check()
  await zoom('Width')
  await expect.poll(width).toBe(1280)
  await zoom('100 %')
  // 595 points at 96 dots an inch.
  await expect.poll(width).toBe(794)
  await zoom('Page')
  await expect.poll(width).toBeLessThan(794)
  // It lies on a ground of its own until somebody chooses one.
  await page.getByRole('button', { name: 'How you read' }).click()
  const grounds = page.getByRole('radiogroup', { name: 'Ground' })
  await grounds.getByRole('radio', { name: 'Black' }).waitFor({ state: 'attached' })
  expect(await grounds.getByRole('radio', { checked: true }).count()).toBe(0)
})

test('F4 the next pages are there in small before one turns, and none is ever grey', async () => {
  await using screen = await app.screen({ as: await reader(app, 'pdf-6') })
  const { page, requests } = screen
  await screen.open(`/read/${id}?page=30`)
  const hasRequested = (number: number, what: RegExp) =>
    requests.some((each) => each.includes(`/pages/${number}?`) && what.test(each))
  await waitUntil(
    'the next pages, and more of them in small',
    () =>
      [32, 33].every((each) => hasRequested(each, /width=1600/)) &&
      [34, 36].every((each) => hasRequested(each, /width=160\b/)),
  )
  await waitUntil('nothing under way', () =>
    page.evaluate<boolean>('[...document.images].every(({ complete }) => complete)'),
  )
  // Large pictures of what follows do not come any more.
  await page.route(/pages\/3[2-9]\?.*width=1600/, () => undefined)
  await page.route(/pages\/40\?.*width=1600/, () => undefined)
  for (const shown of ['32–33', '34–35', '36–37']) {
    await page.keyboard.press('ArrowRight')
    await isOn(page, shown)
    const isDrawn = `[...document.querySelectorAll('main [data-page]')].every((place) =>
      [...place.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 0))`
    await expect.poll(() => page.evaluate<boolean>(isDrawn)).toBe(true)
  }
})

test('on a phone the drawer lies below the page, the bars have room, and fingers turn pages over text', async () => {
  await using screen = await app.screen({ size: 'phone', as: await reader(app, 'pdf-phone') })
  const { page } = screen
  await screen.open(`/read/${id}?page=5`)
  await hasWords(page, 5)
  await screen.picture('reader-pdf-phone')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.touchscreen.tap(370, 400)
  await isOn(page, '6')
  await page.touchscreen.tap(195, 420)
  await page.getByRole('button', { name: 'Contents' }).tap()
  await drawer(page).getByRole('button', { name: 'The middle' }).waitFor()
  await screen.picture('reader-pdf-phone-contents')
  expect(await screen.axe()).toEqual([])
})
