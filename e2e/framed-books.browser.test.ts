import * as api from '@carrel/api'
import type { CompatManifest } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic } from '../packages/server/test/compat-app.ts'
import { epub } from '../packages/server/test/books/epub.ts'
import { jpeg } from '../packages/server/test/books/pictures.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { plainRequest } from '../packages/server/test/plain-request.ts'
import { testPassword } from '../packages/server/test/start-server.ts'
import type { Screen } from './app.ts'
import { foreignSite, type Site } from './browser.ts'
import { type EbookApp, hostileChapter, otherBooks, startEbookApp } from './ebook-books.ts'

const styled = epub({
  title: 'Styled',
  chapters: [
    {
      name: 'text/Kapitel über 1.xhtml',
      body: '<h1 style="color: rgb(1, 2, 3)">In a frame</h1><p>Words</p><img src="../images/blue%20whale.jpg" alt="A whale"/>',
    },
  ],
  items: [{ name: 'images/blue whale.jpg', mediaType: 'image/jpeg', bytes: jpeg({ width: 30, height: 20, seed: 3 }) }],
})

let app: EbookApp
let site: Site
beforeAll(async () => {
  site = await foreignSite()
  const hostile = otherBooks(callTo())['Hostile/Hostile 1.epub'] ?? Buffer.alloc(0)
  app = await startEbookApp({ 'Hostile/Hostile 1.epub': hostile, 'Styled/Styled 1.epub': styled })
  bodyOf(await app.admin.call(api.saveSetting, { params: { key: 'compat.enabled' }, body: { value: true } }))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})
const callTo = (): string => `http://127.0.0.1:${site.port}`

/** A page of the same origin that shows the first chapter in a frame, as the reader of Komga's web app does. */
const frameOf = async ({ page, context }: Screen, book: string) => {
  const at = `${app.carrel.url}/komga/api/v1/books/${app.idOf(book)}/manifest`
  const { headers, json } = await plainRequest(at, { headers: basic('ana', testPassword) })
  const [, value = ''] = /^KOMGA-SESSION=([^;]*)/.exec((headers['set-cookie'] ?? [])[0] ?? '') ?? []
  await context.addCookies([{ name: 'KOMGA-SESSION', value, url: `${app.carrel.url}/komga/` }])
  const [chapter] = (json as CompatManifest).readingOrder
  const body = `<!doctype html><title>Reader</title><iframe id="book" width="600" height="800" src="${chapter?.href}"></iframe>`
  await page.route(`${app.carrel.url}/frame`, (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${app.carrel.url}/frame`)
  return page.frameLocator('#book')
}
const chapterIn = ({ page }: Screen) => page.frames().find((frame) => frame.url().includes('/resource/'))
const ran = ({ page }: Screen): Promise<unknown> => page.evaluate('globalThis.ran')

test('C3 a chapter is shown in a frame of the same origin, with its styles and its pictures', async () => {
  await using screen = await app.screen({ as: null })
  const frame = await frameOf(screen, 'Styled 1.epub')
  await frame.getByRole('heading', { name: 'In a frame' }).waitFor()
  await frame.getByRole('img', { name: 'A whale' }).waitFor()
  await screen.picture('framed-chapter')
  const shown = <Value>(expression: string): Promise<Value | undefined> =>
    chapterIn(screen)?.evaluate<Value>(expression) ?? Promise.resolve(undefined)
  expect(await shown("getComputedStyle(document.querySelector('h1')).color")).toBe('rgb(1, 2, 3)')
  expect(await shown("getComputedStyle(document.querySelector('p')).marginTop")).toBe('0px')
  await expect.poll(() => shown<number>("document.querySelector('img').naturalWidth")).toBe(30)
})

test('C3 W5 a book that means ill runs nothing and calls nobody from within a frame', async () => {
  await using screen = await app.screen({ as: null })
  screen.forgive(/404|Content Security Policy|refused/)
  const frame = await frameOf(screen, 'Hostile 1.epub')
  await frame.getByText('a link that runs').click()
  await frame.getByText('Once upon a time.').click({ force: true })
  await frame.getByRole('img', { name: 'drawing' }).waitFor()
  await screen.page.waitForLoadState('networkidle')
  expect(await ran(screen)).toBeUndefined()
  expect([screen.requests.filter((address) => address.startsWith(callTo())), site.requests]).toEqual([[], []])
})

test('C3 W5 were the server to let everything of it through, the policy of the surface would hold', async () => {
  await using screen = await app.screen({ as: null })
  screen.forgive(/./)
  const { page } = screen
  await page.route(/\/resource\/.*ch1\.xhtml/, async (route) => {
    // It leaves the frame by itself, which no policy forbids and the sanitiser does.
    const body = hostileChapter(callTo()).replace(/<meta http-equiv[^>]*>/, '')
    await route.fulfill({ response: await route.fetch(), body })
  })
  const frame = await frameOf(screen, 'Hostile 1.epub')
  await frame.getByText('a link that runs').click()
  await frame.getByText('Once upon a time.').click({ force: true })
  await page.waitForLoadState('networkidle')
  expect(screen.complaints.length).toBeGreaterThan(0)
  expect([await ran(screen), site.requests]).toEqual([undefined, []])
})
