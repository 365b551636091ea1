import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type EbookApp, startEbookApp, textBooks } from './ebook-books.ts'
import { chapterOf, closed, eachWay, follow, inView, isAt, reader, sees, standing } from './ebook-steps.ts'
import { fingers } from './fingers.ts'

let app: EbookApp
beforeAll(async () => {
  app = await startEbookApp(textBooks())
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(eachWay)(
  'at $size size in $scheme: axe is content with all of it, nothing jumps',
  async ({ size, scheme }) => {
    await using screen = await app.screen({ size, scheme, as: await reader(app, `role-${size}`) })
    const { page } = screen
    const name = `ebook-${size}-${scheme}`
    await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
    await sees(page, 'Paragraph 1 of chapter 1')
    await screen.picture(name)
    expect(await screen.axe()).toEqual([])
    for (const [key, role, title] of [
      ['c', 'dialog', 'Contents'],
      ['/', 'dialog', 'Search in the book'],
      ['s', 'complementary', 'How it looks'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole(role, { name: title }).waitFor()
      await screen.picture(`${name}-${title.split(' ')[0]}`)
      expect(await screen.axe()).toEqual([])
      await closed(page)
    }
    expect(await screen.jumps()).toEqual([])
  },
)

test('READ-1 by keyboard: pages, contents, search, notes, links, and back; the place is kept for windows of any size', async () => {
  const as = await reader(app, 'role-keys')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Novel 1.epub')
  await screen.open(`/read/${id}`)
  await sees(page, 'Paragraph 1 of chapter 1')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => inView(page)).not.toContainEqual(expect.stringContaining('Paragraph 1 of'))
  await page.keyboard.press('ArrowLeft')
  await sees(page, 'Paragraph 1 of chapter 1')

  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Chapter 2' }).click()
  await sees(page, 'A remark.')
  await page.getByText('25 %', { exact: true }).first().waitFor()
  const chapter = () => chapterOf(page)
  await chapter().getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('dialog', { name: 'Note' }).getByText('1. Whales are no fish.').waitFor()
  await screen.picture('ebook-note')
  await closed(page)
  await chapter().getByRole('img', { name: 'A whale, breaching' }).click()
  await page.getByRole('dialog', { name: 'Picture' }).getByRole('img', { name: 'A whale, breaching' }).waitFor()
  await screen.picture('ebook-picture')
  await closed(page)
  await follow(page, 'the ninth paragraph')
  await sees(page, 'Paragraph 9 of chapter 3')
  await page.keyboard.press('Backspace')
  await sees(page, 'A remark.')

  await page.keyboard.press('/')
  await page.getByLabel('Words to look for').fill('zanzibar IS')
  await page.getByRole('button', { name: /Zanzibar is named/ }).click()
  await sees(page, 'Zanzibar is named')
  await page.keyboard.press(']')
  await sees(page, 'Paragraph 1 of chapter 3')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => inView(page)).not.toContainEqual(expect.stringContaining('Paragraph 1 of'))
  const [first = ''] = (await inView(page)).slice(-1)
  await expect.poll(() => page.url()).toMatch(/at=0\.(5[1-9]|6)/)
  await page.reload()
  await sees(page, first)
  await expect.poll(() => standing(as, id)).toMatchObject({ href: expect.stringContaining('ch3.xhtml') })
  const locator = await standing(as, id)
  expect(locator).toMatchObject({
    type: 'application/xhtml+xml',
    title: 'Chapter 3',
    text: { highlight: expect.any(String) },
  })

  const quote = String((locator as { text?: { highlight?: string } } | undefined)?.text?.highlight).slice(0, 20)
  await using phone = await app.screen({ size: 'phone', as })
  await phone.open(`/read/${id}`)
  await sees(phone.page, 'of chapter 3')
  const around = await chapterOf(phone.page).evaluate<string>(`document.body.textContent.replace(/\\s+/g, ' ')`)
  expect(around).toContain(quote)
  await isAt(phone.page, /^[56]\d %/)

  // The end takes a whole column: half of one would stop in the middle of a line.
  await page.keyboard.press('End')
  await isAt(page, /^100 %/)
  await page.keyboard.press('Space')
  const end = page.getByRole('region', { name: 'The end' })
  await end.waitFor()
  await screen.picture('ebook-end')
  expect(await end.boundingBox()).toMatchObject({ x: 640, y: 0, width: 640, height: 860 })
})

test('what is set shows at once and is kept by the server: colours, size, scrolling', async () => {
  const as = await reader(app, 'role-setter')
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0.3`)
  await page.keyboard.press('s')
  const sheet = page.getByRole('complementary', { name: 'How it looks' })
  await sheet.getByRole('radio', { name: 'Sepia' }).check()
  await sheet.getByRole('radio', { name: 'Sans' }).check()
  for (let step = 0; step < 8; step += 1) await sheet.getByRole('button', { name: 'Larger' }).click()
  await screen.picture('ebook-settings-sepia')
  await closed(page)
  const styleOf = (of: string) =>
    chapterOf(page).evaluate<string>(`getComputedStyle(document.querySelector('p')).${of}`)
  await expect.poll(() => styleOf('fontSize')).toBe('23.68px')
  expect(await styleOf('color')).toBe('rgb(67, 53, 31)')
  expect(await styleOf('fontFamily')).toContain('Inter')
  await page.keyboard.press('v')
  await expect.poll(() => styleOf('columnWidth')).toBe('auto')
  await screen.picture('ebook-scrolled')
  const me = bodyOf(await as.call(api.readMe, {}))
  await expect
    .poll(async () => {
      const { levels } = bodyOf(await as.call(api.readReaderSettings, {}))
      return levels.find(({ id }) => id === me.id)?.values
    })
    .toMatchObject({ textTheme: 'sepia', textFont: 'sans', textSize: 148 })
  await page.getByRole('slider', { name: 'Place in the book' }).waitFor()
  await page.keyboard.press('End')
  await sees(page, 'Paragraph 24 of chapter 4')
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'The end' }).waitFor()
})

test('C17 text is marked and noted, pages get bookmarks; all of it is listed, leads back, and can be undone', async () => {
  const as = await reader(app, 'role-notes')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Novel 1.epub')
  await screen.open(`/read/${id}`)
  await sees(page, 'Paragraph 1 of chapter 1')
  await chapterOf(page).evaluate(`(() => {
    const text = document.querySelector('#p1-2').firstChild
    getSelection().setBaseAndExtent(text, 0, text, 24)
  })()`)
  await page.getByRole('toolbar', { name: 'The selected text' }).waitFor()
  await screen.picture('ebook-selection')
  await page.getByRole('button', { name: 'Mark in green' }).click()
  await page.getByText('Marked.').waitFor()
  const annotations = async () => bodyOf(await as.call(api.listAnnotations, { params: { id } })).data
  expect(await annotations()).toMatchObject([
    { quote: 'Paragraph 2 of chapter 1', colour: 'green', before: expect.stringContaining('word.') },
  ])

  // The mark is drawn where no test can see it, as soon as it has come.
  const marks = page.waitForResponse(/\/annotations/)
  await page.reload()
  await marks
  await sees(page, 'Paragraph 1 of chapter 1')
  await chapterOf(page)
    .getByText('Paragraph 2 of chapter 1')
    .click({ position: { x: 40, y: 10 } })
  const dialog = page.getByRole('dialog', { name: 'What you have marked' })
  await dialog.getByLabel('Your note').fill('So it begins')
  await screen.picture('ebook-mark')
  expect(await screen.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await annotations())[0]?.note).toBe('So it begins')
  await page.keyboard.press(']')
  await isAt(page, /^25 %/)
  await page.keyboard.press('b')
  await page.getByText('The bookmark is in.').waitFor()
  await page.keyboard.press('n')
  const notes = page.getByRole('dialog', { name: 'Bookmarks and notes' })
  await notes.getByRole('button', { name: /^Chapter 2/ }).waitFor()
  await screen.picture('ebook-notes')
  expect(await screen.axe()).toEqual([])
  await notes.getByRole('button', { name: /So it begins/ }).click()
  await sees(page, 'Paragraph 2 of chapter 1')
  await page.keyboard.press('n')
  await notes.getByRole('button', { name: 'Remove' }).first().click()
  await page.getByText('The mark is gone.').waitFor()
  expect(await annotations()).toEqual([])
  await closed(page)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await annotations())[0]?.note).toBe('So it begins')
})

test('vertical writing from right to left: pages and keys go the other way', async () => {
  const as = await reader(app, 'role-vertical')
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Neko 1.epub')}`)
  const mode = await chapterOf(page).evaluate('getComputedStyle(document.body).writingMode')
  expect(mode).toBe('vertical-rl')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.getByTestId('where').textContent()).not.toMatch(/^0 %/)
  await screen.picture('ebook-vertical')
  await page.keyboard.press('ArrowRight')
  await isAt(page, /^0 %/)
})

test('by touch: the edges turn, the middle brings the controls, and one swipes', async () => {
  const as = await reader(app, 'role-touch')
  await using screen = await app.screen({ size: 'phone', as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0`)
  await sees(page, 'Paragraph 1 of chapter 1')
  await page.touchscreen.tap(370, 400)
  await sees(page, 'Paragraph 6 of chapter 1')
  await page.touchscreen.tap(20, 400)
  await sees(page, 'Paragraph 1 of chapter 1')
  const touch = await fingers(page)
  await touch([[330, 400]], [[40, 410]])
  await sees(page, 'Paragraph 6 of chapter 1')
  await touch([[40, 400]], [[330, 410]])
  await sees(page, 'Paragraph 1 of chapter 1')
  await page.touchscreen.tap(195, 400)
  await page.getByRole('button', { name: 'Contents' }).click()
  const contents = page.getByRole('dialog', { name: 'Contents' })
  await contents.waitFor()
  await expect.poll(() => contents.getByRole('button', { name: /^Chapter 4/ }).count()).toBe(1)
})
