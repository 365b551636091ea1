import * as api from '@carrel/api'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { foreignSite, type Site } from './browser.ts'
import { type EbookApp, hostileBook, hostileChapter, startEbookApp } from './ebook-books.ts'

let app: EbookApp
let site: Site
const callTo = (): string => `http://127.0.0.1:${site.port}`
beforeAll(async () => {
  site = await foreignSite()
  app = await startEbookApp(hostileBook(callTo()))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** Somebody of their own for each test: nobody has read on elsewhere. */
const reader = async (username: string): Promise<Visitor> => {
  bodyOf(await app.admin.call(api.createUser, { body: { username, password: testPassword, role: 'reader' } }))
  return signIn(app.carrel, username)
}

const gotIt = (page: Page) => {
  page.setDefaultTimeout(10_000)
  return page.getByRole('button', { name: 'Got it' }).click()
}

const chapterOf = (page: Page): Frame => {
  const frame = page.frames().find((each) => each.url().startsWith('blob:'))
  if (!frame) throw new Error('No chapter is shown')
  return frame
}

/** The beginnings of the paragraphs of which anything is in the window. */
const inView = async (page: Page): Promise<string[]> => {
  try {
    return await chapterOf(page).evaluate<string[]>(`(() => {
      const { left, top } = frameElement.getBoundingClientRect()
      return [...document.querySelectorAll('p, h1')].filter((each) => [...each.getClientRects()].some((rect) =>
        rect.left + left < parent.innerWidth - 8 && rect.right + left > 8 && rect.top + top < parent.innerHeight - 8 && rect.bottom + top > 8
      )).map((each) => each.textContent.slice(0, 26))
    })()`)
  } catch {
    // A chapter that is being left has nothing in view.
    return []
  }
}

const sees = (page: Page, text: string) =>
  expect.poll(() => inView(page), { timeout: 10_000 }).toContainEqual(expect.stringContaining(text))

const isAt = (page: Page, percent: RegExp) =>
  expect.poll(() => page.getByTestId('where').textContent()).toMatch(percent)

/** The chapter with the link may be gone before the click has been told of. */
const follow = (page: Page, link: string) =>
  chapterOf(page)
    .getByRole('link', { name: link })
    .click()
    .catch((error: unknown) => expect(String(error)).toContain('detached'))

const standing = async (as: Visitor, id: string) =>
  bodyOf(await as.call(api.readProgression, { params: { id } }))?.locator

const closed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const eachWay = [
  { size: 'desktop', look: 'light' },
  { size: 'phone', look: 'dark' },
] as const

test.each(eachWay)('at $size size in $look: axe is content with all of it, nothing jumps', async ({ size, look }) => {
  await using screen = await app.screen({ size, look, as: await reader(`role-${size}`) })
  const { page } = screen
  const name = `ebook-${size}-${look}`
  await screen.open(`/read/${app.idOf('Novel 1.epub')}`)
  await sees(page, 'Paragraph 1 of chapter 1')
  await screen.picture(name)
  expect(await screen.axe()).toEqual([])
  await gotIt(page)
  for (const [key, title] of [
    ['c', 'Contents'],
    ['/', 'Search in the book'],
    ['s', 'How you read'],
  ] as const) {
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name: title }).waitFor()
    await screen.picture(`${name}-${title.split(' ')[0]}`)
    expect(await screen.axe()).toEqual([])
    await closed(page)
  }
  expect(await screen.jumps()).toEqual([])
})

test('READ-1 by keyboard: pages, contents, search, notes, links, and back; the place is kept for windows of any size', async () => {
  const as = await reader('role-keys')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Novel 1.epub')
  await screen.open(`/read/${id}`)
  await gotIt(page)
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
  await expect.poll(() => page.url()).toMatch(/at=0\.[56]/)
  await page.reload()
  await sees(page, first)
  await expect.poll(() => standing(as, id)).toMatchObject({ href: expect.stringContaining('ch3.xhtml') })
  const kept = await standing(as, id)
  expect(kept).toMatchObject({
    type: 'application/xhtml+xml',
    title: 'Chapter 3',
    text: { highlight: expect.any(String) },
  })

  const quote = String((kept as { text?: { highlight?: string } } | undefined)?.text?.highlight).slice(0, 20)
  await using phone = await app.screen({ size: 'phone', as })
  await phone.open(`/read/${id}`)
  await gotIt(phone.page)
  await sees(phone.page, 'of chapter 3')
  const around = await chapterOf(phone.page).evaluate<string>(`document.body.textContent.replace(/\\s+/g, ' ')`)
  expect(around).toContain(quote)
  await isAt(phone.page, /^[56]\d %/)
})

test('what is set shows at once and is kept by the server: colours, size, scrolling', async () => {
  const as = await reader('role-setter')
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0.3`)
  await gotIt(page)
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'How you read' })
  await dialog.getByLabel('Colours').selectOption('Sepia')
  await dialog.getByLabel('Font', { exact: true }).selectOption('Without serifs')
  await dialog.getByLabel('Size').fill('150')
  await screen.picture('ebook-settings-sepia')
  await closed(page)
  const styleOf = (of: string) =>
    chapterOf(page).evaluate<string>(`getComputedStyle(document.querySelector('p')).${of}`)
  await expect.poll(() => styleOf('fontSize')).toBe('24px')
  expect(await styleOf('color')).toBe('rgb(67, 50, 28)')
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
    .toMatchObject({ textTheme: 'sepia', textFont: 'sans', textSize: 150 })
  await page.getByRole('slider', { name: 'Place in the book' }).waitFor()
  await page.keyboard.press('End')
  await sees(page, 'Paragraph 24 of chapter 4')
  await page.keyboard.press('Space')
  await page.getByRole('dialog', { name: 'The end' }).waitFor()
})

test('C17 text is marked and noted, pages get bookmarks; all of it is listed, leads back, and can be undone', async () => {
  const as = await reader('role-notes')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Novel 1.epub')
  await screen.open(`/read/${id}`)
  await gotIt(page)
  await sees(page, 'Paragraph 1 of chapter 1')
  await chapterOf(page).evaluate(`(() => {
    const text = document.querySelector('#p1-2').firstChild
    getSelection().setBaseAndExtent(text, 0, text, 24)
  })()`)
  await page.getByRole('toolbar', { name: 'The selected text' }).waitFor()
  await screen.picture('ebook-selection')
  await page.getByRole('button', { name: 'Mark in green' }).click()
  await page.getByText('Marked.').waitFor()
  const kept = async () => bodyOf(await as.call(api.listAnnotations, { params: { id } })).data
  expect(await kept()).toMatchObject([
    { quote: 'Paragraph 2 of chapter 1', colour: 'green', before: expect.stringContaining('word.') },
  ])

  await page.reload()
  await sees(page, 'Paragraph 1 of chapter 1')
  await chapterOf(page)
    .getByText('Paragraph 2 of chapter 1')
    .click({ position: { x: 40, y: 10 } })
  const dialog = page.getByRole('dialog', { name: 'What you have marked' })
  await dialog.getByLabel('Your note').fill('So it begins')
  await screen.picture('ebook-mark')
  expect(await screen.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await kept())[0]?.note).toBe('So it begins')
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
  expect(await kept()).toEqual([])
  await closed(page)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(async () => (await kept())[0]?.note).toBe('So it begins')
})

test('vertical writing from right to left: pages and keys go the other way', async () => {
  const as = await reader('role-vertical')
  await using screen = await app.screen({ as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Neko 1.epub')}`)
  await gotIt(page)
  const mode = await chapterOf(page).evaluate('getComputedStyle(document.body).writingMode')
  expect(mode).toBe('vertical-rl')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => page.getByTestId('where').textContent()).not.toMatch(/^0 %/)
  await screen.picture('ebook-vertical')
  await page.keyboard.press('ArrowRight')
  await isAt(page, /^0 %/)
})

test('by touch: the edges turn, the middle brings the controls, and one swipes', async () => {
  const as = await reader('role-touch')
  await using screen = await app.screen({ size: 'phone', as })
  const { page } = screen
  await screen.open(`/read/${app.idOf('Novel 1.epub')}?at=0`)
  await gotIt(page)
  await sees(page, 'Paragraph 1 of chapter 1')
  await page.touchscreen.tap(370, 400)
  await sees(page, 'Paragraph 6 of chapter 1')
  await page.touchscreen.tap(20, 400)
  await sees(page, 'Paragraph 1 of chapter 1')
  await page.touchscreen.tap(195, 400)
  await page.getByRole('button', { name: 'Contents' }).click()
  const contents = page.getByRole('dialog', { name: 'Contents' })
  await contents.waitFor()
  expect(await contents.getByRole('button', { name: /^Chapter 4/ }).count()).toBe(1)
})

/** Whether anything of the book has run, in the reader or in the chapter. */
const ran = (page: Page) => page.evaluate('globalThis.ran')

test('W5 a book that means ill: nothing of it runs and nobody is called, in the reader and opened directly', async () => {
  const as = await reader('role-wary')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Hostile 1.epub')
  // A picture that is not in the book.
  screen.forgive(/404/)
  await screen.open(`/read/${id}`)
  await gotIt(page)
  await sees(page, 'The trap')
  const frame = await chapterOf(page).frameElement()
  expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
  for (const name of ['a link that runs', 'a drawn link']) await chapterOf(page).getByText(name).click()
  await page.keyboard.press('End')
  await sees(page, 'Nothing has happened.')
  expect(await ran(page)).toBeUndefined()

  await using bare = await app.screen({ as })
  // What a chapter would need to look like something is refused here, and the scripts of these tests are.
  bare.forgive(/Content Security Policy|: csp|Blocked script execution|404/)
  const manifest = bodyOf(await app.admin.call(api.readManifest, { params: { id } }))
  for (const { href } of [...manifest.readingOrder, ...manifest.resources]) {
    await bare.page.goto(`${app.carrel.url}/api/v1/books/${id}/${href}`).catch(() => undefined)
    expect([href, await ran(bare.page)]).toEqual([href, undefined])
  }
  expect(site.asked).toEqual([])
})

test('W5 were the server to let everything through, the sandbox and the policy would still hold', async () => {
  const as = await reader('role-bare')
  await using screen = await app.screen({ as })
  const { page } = screen
  screen.forgive(/Content Security Policy|: csp|: origin|Unsafe attempt|refused|sandbox|404/)
  let sent = 0
  await page.route(/resources\/.*ch1\.xhtml/, (route) => {
    sent += 1
    return route.fulfill({ contentType: 'application/xhtml+xml', body: hostileChapter(callTo()) })
  })
  await page.route(/resources\/.*trap\.css/, (route) =>
    route.fulfill({
      contentType: 'text/css',
      body: `@import url("${callTo()}/raw.css"); p { background: url("${callTo()}/raw.png") }`,
    }),
  )
  await screen.open(`/read/${app.idOf('Hostile 1.epub')}?at=0`)
  await gotIt(page)
  await sees(page, 'Once upon a time.')
  await chapterOf(page).getByText('a link that runs').click()
  await chapterOf(page).getByText('Once upon a time.').click({ force: true })
  await page.keyboard.press('End')
  await sees(page, 'Nothing has happened.')
  expect(sent).toBeGreaterThan(0)
  expect(await ran(page)).toBeUndefined()
  expect(site.asked).toEqual([])
})
