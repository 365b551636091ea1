import { mkdir, writeFile } from 'node:fs/promises'
import { listBooks } from '@carrel/api'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bodyOf } from '../../packages/server/test/outcome.ts'
import { waitUntil } from '../../packages/server/test/smoke/wait-until.ts'
import { type App, cookieFor, settled, startApp } from '../app.ts'
import { sharedBrowser } from '../browser.ts'
import { type SchemeName, schemes, wear } from '../schemes.ts'
import { fontFaces } from './draw.ts'
import { indexOf } from './index-page.ts'
import { pages, type Pictured } from './pages.ts'
import { fillShelf, type ShelfIds, writeWorks } from './shelf.ts'

// `npm run pictures` runs this: all pages in all looks, from books that are drawn here and belong to nobody. Look at each of them.

const folder = process.env['PICTURES'] ?? ''
const only = process.env['ONLY']?.split(',')
const onlyScreens = process.env['SCREENS']?.split(',')

const screens = [
  { name: 'light', viewport: { width: 1440, height: 900 }, scheme: 'light', isPhone: false },
  { name: 'dark', viewport: { width: 1440, height: 900 }, scheme: 'dark', isPhone: false },
  { name: 'black', viewport: { width: 1440, height: 900 }, scheme: 'oled', isPhone: false },
  { name: 'sepia', viewport: { width: 1440, height: 900 }, scheme: 'sepia', isPhone: false },
  { name: 'eink', viewport: { width: 1440, height: 900 }, scheme: 'eink', isPhone: false },
  { name: 'tablet', viewport: { width: 820, height: 1180 }, scheme: 'light', isPhone: false },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, scheme: 'light', isPhone: true },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, scheme: 'dark', isPhone: true },
] as const satisfies readonly { readonly scheme: SchemeName; readonly [name: string]: unknown }[]

/** Pictures below the fold come when somebody scrolls, and those that are not shown never. */
const hasAllPictures = `[...document.images].every((image) => {
  const { top, width } = image.getBoundingClientRect()
  return width === 0 || top > innerHeight || (image.complete && image.naturalWidth > 0)
})`

/** Letters as people have them who use it: the test browser brings only one kind. */
const withLetters = async (page: Page): Promise<void> => {
  await page.addStyleTag({
    content: `${await fontFaces()} :root{--mantine-font-family:'Inter Variable',sans-serif !important;--mantine-font-family-headings:'Inter Variable',sans-serif !important;--font-works:'Source Serif 4 Variable',serif !important} body,button,input,select,textarea{font-family:'Inter Variable',sans-serif}`,
  })
}

const openContext = async (
  { carrel, admin }: App,
  { viewport, scheme, isPhone }: (typeof screens)[number],
): Promise<BrowserContext> => {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport,
    colorScheme: schemes[scheme],
    locale: 'en',
    hasTouch: isPhone,
    isMobile: isPhone,
    deviceScaleFactor: isPhone ? 2 : 1,
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  await context.addCookies([cookieFor(carrel, admin)])
  return context
}

const take = async (
  page: Page,
  {
    url,
    name,
    scheme,
    pictured,
    ids,
  }: {
    readonly url: string
    readonly name: string
    readonly scheme: SchemeName
    readonly pictured: Pictured
    readonly ids: ShelfIds
  },
): Promise<void> => {
  await page.goto(url + pictured.path(ids))
  await withLetters(page)
  await settled(page)
  await wear(page, scheme)
  await pictured.prepare?.(page)
  await settled(page)
  await waitUntil('every picture that is in view', () => page.evaluate<boolean>(hasAllPictures))
  await page.screenshot({ path: join(folder, name), type: 'jpeg', quality: 88 })
}

/** Pages wear the colours of covers, which are made in the background. */
const hasAllCovers = async ({ admin }: App): Promise<boolean> =>
  bodyOf(await admin.call(listBooks, { query: { pageSize: 500 } })).data.every(
    ({ placeholder }) => placeholder !== null,
  )

test('pictures of all pages', { timeout: 3_600_000 }, async () => {
  await using app = await startApp({ books: [] })
  await writeWorks(await sharedBrowser(), app.folder)
  const ids = await fillShelf(app)
  await waitUntil('every cover and its colour', () => hasAllCovers(app))
  await mkdir(folder, { recursive: true })
  const taken = pages.filter(({ name }) => only === undefined || only.includes(name))
  const failed: string[] = []
  for (const screen of screens.filter((each) => onlyScreens?.includes(each.name) ?? true)) {
    await using context = await openContext(app, screen)
    const page = await context.newPage()
    for (const pictured of taken) {
      const name = `${pictured.name}-${screen.name}.jpg`
      await take(page, { url: app.carrel.url, name, scheme: screen.scheme, pictured, ids }).catch((error: unknown) =>
        failed.push(`${name}: ${String(error)}`),
      )
    }
  }
  await writeFile(
    join(folder, 'index.html'),
    indexOf(
      taken.map(({ name }) => name),
      screens.map(({ name }) => name),
    ),
  )
  expect(failed).toEqual([])
})
