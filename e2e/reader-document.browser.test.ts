import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type App, settled, startApp } from './app.ts'
import { foreignSite, type Site } from './browser.ts'

const summary = 'Two families, one star, and a long way home. '.repeat(120)

let app: App
let site: Site
let bookId: string
let seriesId: string
beforeAll(async () => {
  const info = { Series: 'Saga', Number: 1, Title: 'Saga One', Summary: summary }
  site = await foreignSite()
  app = await startApp({ books: [{ path: 'Saga/Saga 1.cbz', pages: 4, info }] })
  const [book] = bodyOf(await app.admin.call(api.listBooks, {})).data
  bookId = book?.id ?? ''
  seriesId = book?.seriesId ?? ''
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

test.each(['link', 'key'] as const)(
  'W5 by a %s one comes into the reader, another document; left it leads back to where one had scrolled to',
  async (way) => {
    await using screen = await app.screen({ size: 'phone' })
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 420 })
    await screen.open(`/books/${bookId}`)
    // What comes below makes the page long enough.
    await expect.poll(() => page.evaluate<number>('scrollTo(0, 60), scrollY')).toBe(60)
    const before = await page.evaluate<number>('globalThis.isApp = true, scrollY')
    if (way === 'key') await page.keyboard.press('r')
    else await page.evaluate(`document.querySelector('a[href^="/read/"]').click()`)
    await page.getByRole('img', { name: 'Page 1' }).waitFor()
    expect(await page.evaluate('globalThis.isApp')).toBeUndefined()

    const leave = page.getByRole('button', { name: 'Close the book' })
    if (!(await leave.isVisible())) await page.keyboard.press('m')
    await leave.click()
    await page.getByRole('heading', { name: 'Saga One', level: 1 }).waitFor()
    await settled(page)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(before)
    expect(new URL(page.url()).pathname).toBe(`/books/${bookId}`)
  },
)

test('W5 a series left at its top is found at its top, though its books begin far below', async () => {
  await using screen = await app.screen({ size: 'phone' })
  const { page } = screen
  await page.setViewportSize({ width: 390, height: 420 })
  await screen.open(`/series/${seriesId}`)
  const firstBook = page.getByRole('gridcell').getByRole('link').first()
  await firstBook.waitFor()
  await page.evaluate(`document.querySelector('a[href^="/read/"]').click()`)
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  await page.goBack()
  await firstBook.waitFor()
  await settled(page)
  expect(await page.evaluate<number>('scrollY')).toBe(0)
})

test('W5 the reader says where one is before it leaves, so that the page behind it can know', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/series/${seriesId}`)
  await page.evaluate(`document.querySelector('a[href^="/read/"]').click()`)
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  const order: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/progress')) order.push('said')
    if (request.isNavigationRequest()) order.push('left')
  })
  await page.keyboard.press('ArrowRight')
  await page.getByRole('img', { name: 'Page 2' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => url.pathname === `/series/${seriesId}`)
  await expect.poll(() => order).toEqual(['said', 'left'])
  bodyOf(await app.admin.call(api.deleteProgress, { params: { id: bookId } }))
})

test('W5 whoever came from outside leaves to the start; who is signed out signs in, and reads', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(`/read/${bookId}`)
  await page.getByRole('button', { name: 'Close the book' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

  await using nobody = await app.screen({ as: null })
  nobody.forgive(/401/)
  await nobody.open(`/read/${bookId}?page=2`)
  await nobody.page.getByLabel('User name').fill('ana')
  await nobody.page.getByLabel('Password', { exact: true }).fill('quiet-lamp-over-snow')
  await nobody.page.getByRole('button', { name: 'Sign in' }).click()
  await nobody.page.getByRole('img', { name: 'Page 2' }).waitFor()
  expect(nobody.page.url()).toContain(`/read/${bookId}?page=2`)
})

/** A chapter as a hostile book would have it, shown as an engine for books shows one: from memory, in a frame without scripts. */
const showChapter = (port: number): string =>
  `
  const chapter = \`<!doctype html><title>chapter</title><p id="text">Once upon a time</p>
    <style>p { color: rgb(1, 2, 3) }</style>
    <img src="http://127.0.0.1:${port}/spy.png" onerror="parent.ran = 'attribute'">
    <link rel="stylesheet" href="http://127.0.0.1:${port}/spy.css">
    <iframe src="http://127.0.0.1:${port}/spy.html"></iframe>
    <script>parent.ran = 'script'</` +
  `script><script src="http://127.0.0.1:${port}/spy.js"></` +
  `script>\`
  const frame = document.createElement('iframe')
  frame.sandbox = 'allow-same-origin'
  frame.src = URL.createObjectURL(new Blob([chapter], { type: 'text/html' }))
  new Promise((resolve) => { frame.onload = resolve; document.body.append(frame) })
    .then(() => frame.contentDocument.querySelector('#text')?.textContent)`

test('W5 the reader can show what is in a book; it runs nothing, calls nobody, and the app shows no such thing', async () => {
  await using screen = await app.screen()
  const { page } = screen
  screen.forgive(/Content Security Policy|refused|sandboxed|ERR_BLOCKED_BY_CSP|: csp$/)
  await screen.open(`/read/${bookId}`)
  expect(await page.evaluate(showChapter(site.port))).toBe('Once upon a time')
  expect(await page.evaluate('globalThis.ran')).toBeUndefined()
  const refused = (text: string) => page.evaluate(`${text}.then(() => 'let through', () => 'refused')`)
  expect(await refused(`fetch('http://127.0.0.1:${site.port}/', { mode: 'no-cors' })`)).toBe('refused')
  // Scripts come from our folder alone: neither from what our own server has of books, nor out of memory.
  for (const address of [`/api/v1/books/${bookId}/file`, 'blob', `http://127.0.0.1:${site.port}/assets/spy.js`]) {
    expect([address, await page.evaluate(loading(address))]).toEqual([address, 'refused'])
  }
  expect(site.requests).toEqual([])

  await screen.open(`/books/${bookId}`)
  expect(await page.evaluate(showChapter(site.port)).catch(() => 'refused')).not.toBe('Once upon a time')
})

/** `import()` needs no markup, so that only the policy of scripts stands before it. */
const loading = (address: string): string => `
  import(${address === 'blob' ? `URL.createObjectURL(new Blob(['0'], { type: 'text/javascript' }))` : JSON.stringify(address)})
    .then(() => 'ran', () => 'refused')`
