import { basename } from 'node:path'
import * as api from '@carrel/api'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { foreignSite, type Site } from './browser.ts'
import { settled } from './app.ts'
import { type EbookApp, hostileChapter, otherBooks, startEbookApp } from './ebook-books.ts'
import { chapterOf, closed, eachWay, reader, sees, standing } from './ebook-steps.ts'
import { fingers } from './fingers.ts'

let app: EbookApp
let site: Site
const callTo = (): string => `http://127.0.0.1:${site.port}`
beforeAll(async () => {
  site = await foreignSite()
  app = await startEbookApp(otherBooks(callTo()))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** A click within a book that has to be waited for is waited for by a script, which is refused there as all others are. */
const waitingInside = /Blocked script execution in 'blob:/

/** The page count says which fixed pages are open. */
const on = (page: Page, text: string) => page.getByTestId('page-count').getByText(text, { exact: true }).waitFor()

interface Leaf {
  readonly left: number
  readonly width: number
  readonly height: number
  /** It is the width of the page itself, however large it is shown. */
  readonly own: number
  readonly text: string
}

/** The pages that lie open, from left to right. */
const leaves = async (page: Page): Promise<Leaf[]> => {
  const frames = page.frames().filter((each) => each.url().startsWith('blob:'))
  const open = frames.map((frame) =>
    frame.evaluate<Leaf>(`(() => {
      const { left, width, height } = frameElement.getBoundingClientRect()
      return { left, width, height, own: innerWidth, text: document.body.textContent.trim() }
    })()`),
  )
  return (await Promise.all(open)).toSorted((one, other) => one.left - other.left)
}

test.each(eachWay)('pages that are laid out, at $size size in $scheme: axe is content, nothing jumps', async (way) => {
  await using screen = await app.screen({ ...way, as: await reader(app, `role-laid-${way.size}`) })
  const { page } = screen
  const name = `ebook-pages-${way.size}-${way.scheme}`
  await screen.open(`/read/${app.idOf('Small 1.epub')}?at=0.1667`)
  await on(page, way.size === 'phone' ? 'Page 2 of 6' : 'Pages 2–3 of 6')
  await screen.picture(name)
  expect(await screen.axe()).toEqual([])
  await page.keyboard.press('s')
  const sheet = page.getByRole('complementary', { name: 'How you read' })
  await sheet.waitFor()
  await screen.picture(`${name}-settings`)
  expect(await screen.axe()).toEqual([])
  expect(await screen.jumps()).toEqual([])
  const ground = () => page.evaluate<string>("getComputedStyle(document.querySelector('main')).backgroundColor")
  expect(await ground()).toBe('rgb(0, 0, 0)')
  await sheet.getByRole('radio', { name: 'Paper' }).check()
  await closed(page)
  await expect.poll(ground).toBe('rgb(242, 239, 230)')
})

test('READ-1 pages that are laid out lie side by side, and are turned, found, marked and kept as others are', async () => {
  const as = await reader(app, 'role-leaves')
  await using screen = await app.screen({ as })
  screen.forgive(waitingInside)
  const { page } = screen
  const id = app.idOf('Small 1.epub')
  await screen.open(`/read/${id}`)
  await on(page, 'Page 1 of 6')
  await page.keyboard.press('ArrowRight')
  await on(page, 'Pages 2–3 of 6')
  const [left, right] = await leaves(page)
  expect([left?.text, right?.text]).toEqual([
    'The whale swam far away. What came of it',
    'These are the words of page 3.',
  ])
  expect([left?.own, right?.own]).toEqual([600, 600])
  expect((left?.left ?? 0) + (left?.width ?? 0)).toBeCloseTo(right?.left ?? 0, 0)
  expect([left?.width ?? 0, (left?.height ?? 0) / (left?.width ?? 1)]).toEqual([
    expect.closeTo(640, 1),
    expect.closeTo(4 / 3, 3),
  ])
  await page.keyboard.press('+')
  await expect.poll(async () => (await leaves(page))[0]?.width).toBeCloseTo(800, 1)
  await page.keyboard.press('0')
  await expect.poll(async () => (await leaves(page))[0]?.width).toBeCloseTo(640, 1)

  await chapterWith(page, 'What came of it').then((frame) =>
    frame.getByRole('link', { name: 'What came of it' }).click(),
  )
  await on(page, 'Pages 4–5 of 6')
  await page.keyboard.press('Backspace')
  await on(page, 'Pages 2–3 of 6')
  // A drawing with its own styles, whose words are words.
  const third = await chapterWith(page, 'words of page 3')
  expect(await third.evaluate(`getComputedStyle(document.querySelector('.words')).fill`)).toBe('rgb(27, 27, 27)')
  await third.evaluate(`(() => {
    const text = document.querySelector('.words').firstChild
    getSelection().setBaseAndExtent(text, 0, text, 15)
  })()`)
  await page.getByRole('toolbar', { name: 'The selected text' }).waitFor()
  // The mark is drawn where no test can see it, as soon as it has come back.
  const marks = page.waitForResponse((response) => /\/annotations\?/.test(response.url()))
  await page.getByRole('button', { name: 'Mark in green' }).click()
  await page.getByText('Marked.').waitFor()
  await marks
  expect(bodyOf(await as.call(api.listAnnotations, { params: { id } })).data).toMatchObject([
    { quote: 'These are the w', locator: { href: expect.stringContaining('ch3.svg'), locations: { position: 3 } } },
  ])
  await screen.picture('ebook-pages-marked')
  await third.getByText('These are the words').click({ position: { x: 30, y: 15 } })
  await page.getByRole('dialog', { name: 'What you have marked' }).waitFor()
  await closed(page)

  await page.keyboard.press('/')
  await page.getByLabel('Words to look for').fill('narwhal')
  await page.getByRole('button', { name: /narwhal is named/ }).click()
  await on(page, 'Pages 4–5 of 6')
  await page.keyboard.press('d')
  await on(page, 'Page 4 of 6')
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Leaf 5' }).click()
  await on(page, 'Page 5 of 6')
  await expect.poll(() => page.url()).toMatch(/at=0\.6667/)
  await page.reload()
  await on(page, 'Page 5 of 6')
  await waitUntil('the place is kept', async () => (await standing(as, id))?.locations?.position === 5)
  await page.keyboard.press('End')
  await on(page, 'Page 6 of 6')
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'The end' }).waitFor()
  await waitUntil(
    'the book is read',
    async () => bodyOf(await as.call(api.readProgress, { params: { id } }))?.completed === true,
  )
})

const chapterWith = async (page: Page, text: string): Promise<Frame> => {
  for (const frame of page.frames().filter((each) => each.url().startsWith('blob:')))
    if ((await frame.getByText(text).count()) > 0) return frame
  throw new Error(`No page that is open says “${text}”`)
}

test('pages that are laid out from right to left, by touch: taps and swipes go the other way', async () => {
  const as = await reader(app, 'role-umi')
  await using screen = await app.screen({ as })
  await screen.open(`/read/${app.idOf('Umi 1.epub')}?at=0.6`)
  await on(screen.page, 'Pages 4–5 of 5')
  const [left, right] = await leaves(screen.page)
  expect([left?.text, right?.text]).toEqual(['These are the words of page 5.', 'Here a narwhal is named.'])
  await screen.picture('ebook-pages-rtl')
  // A reader who sees the last page has come to the end, though it lies beside another.
  await waitUntil('the book is read', async () => {
    const progress = bodyOf(await as.call(api.readProgress, { params: { id: app.idOf('Umi 1.epub') } }))
    return progress?.completed === true && progress.currentPage === 5
  })

  await using phone = await app.screen({ size: 'phone', as: await reader(app, 'role-umi-phone') })
  const { page } = phone
  await phone.open(`/read/${app.idOf('Umi 1.epub')}?at=0`)
  await on(page, 'Page 1 of 5')
  await page.touchscreen.tap(20, 400)
  await on(page, 'Page 2 of 5')
  await page.touchscreen.tap(370, 400)
  await on(page, 'Page 1 of 5')
  const touch = await fingers(page)
  await touch([[80, 400]], [[300, 410]])
  await on(page, 'Page 2 of 5')
  await touch([[300, 400]], [[80, 410]])
  await on(page, 'Page 1 of 5')
  // One who scrolls does not turn.
  await touch([[300, 300]], [[240, 600]])
  await page.touchscreen.tap(195, 400)
  await on(page, 'Page 1 of 5')
})

const playing = (page: Page, id: string, what: string) =>
  chapterOf(page).evaluate<number | boolean | string | null>(
    `(() => { const it = document.getElementById('${id}'); return ${what} })()`,
  )

test('W5 sound of the book plays when one says so, from anywhere in it; none by itself, none from elsewhere', async () => {
  const as = await reader(app, 'role-songs')
  await using screen = await app.screen({ as })
  screen.forgive(waitingInside)
  const { page } = screen
  await screen.open(`/read/${app.idOf('Songs 1.epub')}`)
  await sees(page, 'Listen.')
  for (const id of ['own', 'film']) {
    await expect.poll(() => playing(page, id, 'it.duration')).toBe(4)
    expect(await playing(page, id, '[it.paused, it.controls, it.autoplay, it.currentTime].join()')).toBe(
      'true,true,false,0',
    )
  }
  await screen.picture('ebook-songs')
  await playing(page, 'own', '(it.muted = true, it.currentTime = 3, it.play(), null)')
  await expect.poll(() => playing(page, 'own', 'it.currentTime > 3 && it.error === null')).toBe(true)
  const text = await chapterOf(page).evaluate<string>('document.body.textContent')
  expect(text).toContain('This song is sung elsewhere.')
  // Its controls turn no pages.
  await chapterOf(page)
    .locator('#own')
    .click({ position: { x: 120, y: 27 } })
  await sees(page, 'Listen.')
  // Keys are theirs until one goes on in the text, which begins here.
  await chapterOf(page).getByText('Listen.').click()
  await page.keyboard.press(']')
  await sees(page, 'Silence.')
  expect(site.requests).toEqual([])
})

test('W5 a book is read aloud by its own sound: what is heard is marked, held, skipped, and goes on from chapter to chapter', async () => {
  const as = await reader(app, 'role-talking')
  await using screen = await app.screen({ as })
  const { page } = screen
  /** It reads the marked text in the chapter in view. */
  const visibleIds = () =>
    chapterOf(page)
      .evaluate<string>("[...document.querySelectorAll('.said')].map((each) => each.id).join()")
      .catch(() => 'turning')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await screen.open(`/read/${app.idOf('Talking 1.epub')}`)
  await sees(page, 'Waves')
  expect(await visibleIds()).toBe('')
  await button('Read aloud').click()
  await expect.poll(visibleIds).toBe('s1')
  await expect.poll(visibleIds).toBe('s2')
  await button('Pause').click()
  await button('Read aloud').waitFor()
  await settled(page)
  await screen.picture('ebook-aloud')
  expect(await screen.axe()).toEqual([])
  await button('Previous part').click()
  await expect.poll(visibleIds).toBe('s1')
  await button('Next part').click()
  await button('Next part').click()
  await expect.poll(visibleIds).toBe('s3')
  await page.keyboard.press('p')
  await button('Pause').waitFor()
  await sees(page, 'The wind rose.')
  await expect.poll(visibleIds).toBe('s4')
  // The book is over: nothing is marked, and nothing plays.
  await button('Pause').waitFor({ state: 'detached' })
  expect(await visibleIds()).toBe('')
  await button('Next part').waitFor({ state: 'detached' })
  expect(site.requests).toEqual([])
})

test('a book that nobody has read aloud has no button for it', async () => {
  const as = await reader(app, 'role-silent')
  await using screen = await app.screen({ as })
  screen.forgive(waitingInside)
  const { page } = screen
  await screen.open(`/read/${app.idOf('Songs 1.epub')}`)
  await sees(page, 'Listen.')
  expect(await page.getByRole('button', { name: 'Read aloud' }).count()).toBe(0)
})

const inFolder = (name: string): string => `resources/OEBPS/${name}`

/** It returns whether anything of the book has run, in the reader or in the chapter. */
const ran = (page: Page) => page.evaluate('globalThis.ran')

test('W5 a book that means ill: nothing of it runs and nobody is called, in the reader and opened directly', async () => {
  const as = await reader(app, 'role-wary')
  await using screen = await app.screen({ as })
  const { page } = screen
  const id = app.idOf('Hostile 1.epub')
  // A picture that is not in the book.
  screen.forgive(/404/)
  await screen.open(`/read/${id}`)
  await sees(page, 'The trap')
  const frame = await chapterOf(page).frameElement()
  expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
  for (const name of ['a link that runs', 'a drawn link']) await chapterOf(page).getByText(name).click()
  await page.keyboard.press('End')
  await sees(page, 'Nothing has happened.')
  expect(await ran(page)).toBeUndefined()

  await using bare = await app.screen({ as })
  // The styles of a chapter are refused here, and so are the scripts of these tests.
  bare.forgive(/Content Security Policy|: csp|Blocked script execution|404/)
  const manifest = bodyOf(await app.admin.call(api.readManifest, { params: { id } }))
  const hrefs = [...manifest.readingOrder, ...manifest.resources].map(({ href }) => href)
  expect(hrefs).toEqual(expect.arrayContaining(['drawing.svg', 'aside.xhtml', 'old.html', 'deep.css'].map(inFolder)))
  for (const href of [...hrefs, inFolder('program.js')]) {
    await bare.page.goto(`${app.carrel.url}/api/v1/books/${id}/${href}`).catch(() => undefined)
    for (const link of await bare.page.getByText('press here').all()) await link.click()
    expect([href, await ran(bare.page)]).toEqual([href, undefined])
  }
  expect(site.requests).toEqual([])
})

test('W5 a PDF that means ill is saved and never opened; its pages are pictures', async () => {
  const as = await reader(app, 'role-papers')
  await using screen = await app.screen({ as })
  // The browser's own page for a picture wants styles, and the scripts of these tests are refused.
  screen.forgive(/Content Security Policy|: csp|Blocked script execution/)
  const { page } = screen
  const papers = bodyOf(await app.admin.call(api.listBooks, { query: { pageSize: 100 } })).data.filter(({ path }) =>
    path?.endsWith('.pdf'),
  )
  expect(papers).toHaveLength(4)
  for (const { id, path } of papers) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`${app.carrel.url}/api/v1/books/${id}/file`).catch(() => undefined),
    ])
    expect(file.suggestedFilename()).toContain(basename(path ?? ''))
    await page.goto(`${app.carrel.url}/api/v1/books/${id}/pages/1`)
    expect([path, await page.evaluate('document.contentType')]).toEqual([path, expect.stringMatching(/^image\//)])
    await page.mouse.click(200, 200)
    expect([path, await ran(page), page.url()]).toEqual([path, undefined, expect.stringContaining(`${id}/pages/1`)])
  }
  expect(site.requests).toEqual([])
})

const bareBooks = [
  { book: 'Hostile 1.epub', after: 'Nothing has happened.' },
  { book: 'Small 1.epub', after: 'These are the words' },
]

test.each(bareBooks)(
  'W5 were the server to let everything of $book through, sandbox and policy would hold',
  async ({ book, after }) => {
    const as = await reader(app, `role-bare-${book.slice(0, 5)}`)
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
    await screen.open(`/read/${app.idOf(book)}?at=0`)
    await sees(page, 'Once upon a time.')
    const frame = await chapterOf(page).frameElement()
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
    await chapterOf(page).getByText('a link that runs').click()
    await chapterOf(page).getByText('Once upon a time.').click({ force: true })
    await page.keyboard.press('End')
    await sees(page, after)
    expect(sent).toBeGreaterThan(0)
    expect(await ran(page)).toBeUndefined()
    expect(site.requests).toEqual([])
  },
)
