import * as api from '@carrel/api'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { foreignSite, type Site } from './browser.ts'
import { type EbookApp, hostileChapter, otherBooks, startEbookApp } from './ebook-books.ts'
import { chapterOf, closed, eachWay, gotIt, reader, sees, standing } from './ebook-steps.ts'
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

const inFolder = (name: string): string => `resources/OEBPS/${name}`

/** Whether anything of the book has run, in the reader or in the chapter. */
const ran = (page: Page) => page.evaluate('globalThis.ran')

test('W5 a book that means ill: nothing of it runs and nobody is called, in the reader and opened directly', async () => {
  const as = await reader(app, 'role-wary')
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
  const hrefs = [...manifest.readingOrder, ...manifest.resources].map(({ href }) => href)
  expect(hrefs).toEqual(expect.arrayContaining(['drawing.svg', 'aside.xhtml', 'old.html', 'deep.css'].map(inFolder)))
  for (const href of [...hrefs, inFolder('program.js')]) {
    await bare.page.goto(`${app.carrel.url}/api/v1/books/${id}/${href}`).catch(() => undefined)
    for (const link of await bare.page.getByText('press here').all()) await link.click()
    expect([href, await ran(bare.page)]).toEqual([href, undefined])
  }
  expect(site.asked).toEqual([])
})

test('W5 a PDF that means ill is saved and never opened; its pages are pictures', async () => {
  const as = await reader(app, 'role-papers')
  await using screen = await app.screen({ as })
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
    expect(path).toContain(file.suggestedFilename())
    await page.goto(`${app.carrel.url}/api/v1/books/${id}/pages/1`)
    expect([path, await page.evaluate('document.contentType')]).toEqual([path, expect.stringMatching(/^image\//)])
    await page.mouse.click(200, 200)
    expect([path, await ran(page), page.url()]).toEqual([path, undefined, expect.stringContaining(`${id}/pages/1`)])
  }
  expect(site.asked).toEqual([])
})

const bareBooks = [
  { book: 'Hostile 1.epub', after: 'Nothing has happened.' },
  { book: 'Small 1.epub', after: 'These are the words of page 6.' },
]

test.each(bareBooks)('W5 were the server to let everything of $book through, sandbox and policy would hold', async ({ book, after }) => {
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
  await gotIt(page)
  await sees(page, 'Once upon a time.')
  await chapterOf(page).getByText('a link that runs').click()
  await chapterOf(page).getByText('Once upon a time.').click({ force: true })
  await page.keyboard.press('End')
  await sees(page, after)
  expect(sent).toBeGreaterThan(0)
  expect(await ran(page)).toBeUndefined()
  expect(site.asked).toEqual([])
})
