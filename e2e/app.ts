import { join } from 'node:path'
import * as api from '@carrel/api'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFailed, TestRunner } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { deadlineMs } from '../packages/server/test/deadline.ts'
import { comic, type LibraryFolder, libraryFolder } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { type Carrel, claim, startCarrel, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { findAmiss } from './axe.ts'
import { sharedBrowser, watch } from './browser.ts'

/** Titles and file names contain it: it must never become markup. @public */
export const hostileTitle = '<img src=x onerror=alert(1)> & "Friends"'

interface BookOptions {
  readonly path: string
  readonly pages?: number
  /** Fields of ComicInfo.xml. */
  readonly info?: Readonly<Record<string, string | number>>
}

/** A small library with a bit of everything: long, short, foreign and hostile titles, numbers, right to left. @public */
export const usualBooks: readonly BookOptions[] = [
  ...[1, 2, 3, 10].map((number) => ({
    path: `Saga of the Stars/Saga of the Stars ${number}.cbz`,
    pages: 6,
    info: {
      Series: 'Saga of the Stars',
      Number: number,
      Title: `Part ${number}`,
      Writer: 'Ada Vaughan',
      Publisher: 'Picture House',
      Genre: 'Science Fiction, Fantasy',
      Summary: 'Two families, one star. '.repeat(20),
      Year: 2013,
    },
  })),
  ...[1, 2].map((number) => ({
    path: `進撃の巨人/進撃の巨人 第${number}巻.cbz`,
    pages: 5,
    info: { Series: '進撃の巨人', Volume: number, Number: number, LanguageISO: 'ja', Manga: 'YesAndRightToLeft' },
  })),
  {
    path: 'Hostile/Hostile 1.cbz',
    info: { Series: hostileTitle, Title: hostileTitle, Number: 1, Summary: '<script>alert(1)</script>' },
  },
  {
    path: 'The Extraordinarily Long and Winding Title of a Series That Nobody Ever Shortened, Not Even Once/1.cbz',
    info: {
      Series: 'The Extraordinarily Long and Winding Title of a Series That Nobody Ever Shortened, Not Even Once',
      Number: 1,
    },
  },
  { path: 'Alone/Alone.cbz', pages: 3 },
]

export interface App extends AsyncDisposable {
  readonly carrel: Carrel
  /** The administrator, through the API. */
  readonly admin: Visitor
  readonly folder: LibraryFolder
  /** It is the library that was scanned; empty without one. */
  readonly libraryId: string
  /** It opens a window of its own, signed in, that fails the test when anything is wrong in it at its end. */
  screen(options?: ScreenOptions): Promise<Screen>
}

interface AppOptions {
  /** `[]`: no library, as after the setup. `undefined`: `usualBooks`. */
  readonly books?: readonly BookOptions[]
  readonly env?: Readonly<Record<string, string>>
}

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const

export const everySize = ['desktop', 'phone'] as const

interface ScreenOptions {
  readonly size?: keyof typeof sizes
  readonly scheme?: 'light' | 'dark'
  /** What the browser asks for. */
  readonly language?: string
  /** `null`: nobody. Absent: the administrator. */
  readonly as?: Visitor | null
}

export interface Screen extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
  /** Every address that was asked for. */
  readonly requests: readonly string[]
  /** It opens an address of the app, and waits until nothing is on its way any more. */
  open(path: string): Promise<void>
  /** It lists what axe finds wrong with the present page once that has come, by all its rules or by one; the list should be empty. */
  axe(rule?: string): Promise<readonly string[]>
  /** It lists elements that have moved since the page was opened, from where to where; the list should be empty. */
  jumps(): Promise<readonly string[]>
  /** It keeps a picture where `SCREENSHOTS=folder` says, for people to look at. */
  picture(name: string): Promise<void>
  /** Complaints of this kind are part of the test: a refused sign-in, a server that is away. */
  forgive(pattern: RegExp): void
}

/** The real server with real books, and a browser. Share one for a file of tests: it takes two seconds. */
export const startApp = async ({ books = usualBooks, env = {} }: AppOptions = {}): Promise<App> => {
  const stack = new AsyncDisposableStack()
  try {
    const home = stack.use(await temporaryFolder())
    const folder = stack.use(await libraryFolder())
    for (const [index, { path, pages = 3, info }] of books.entries()) {
      await folder.write(path, comic({ seed: index + 1, pages, ...(info && { comicInfo: comicInfoXml(info) }) }))
    }
    const carrel = stack.use(await startCarrel({ cwd: home.path, env: { CARREL_RATE_LIMIT_ENABLED: 'false', ...env } }))
    const admin = await claim(carrel)
    const libraryId = books.length === 0 ? '' : await scannedLibrary(admin, folder.path)
    return {
      carrel,
      admin,
      folder,
      libraryId,
      screen: (options = {}) => openScreen({ carrel, admin }, options),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

/** Scanned, and every book read. @public */
export const scannedLibrary = async (admin: Visitor, path: string, name = 'Comics'): Promise<string> => {
  const { id } = bodyOf(await admin.call(api.createLibrary, { body: { name, roots: [path] } }))
  await waitUntil('the scan and all that is read after it', async () => {
    const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id } }))
    return scan?.status === 'completed' && scan.analysisPending === 0
  })
  return id
}

export const openScreen = async (
  { carrel, admin }: Pick<App, 'carrel'> & { readonly admin?: Visitor },
  { size = 'desktop', scheme = 'light', language = 'en', as = admin ?? null }: ScreenOptions,
): Promise<Screen> => {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: sizes[size],
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    colorScheme: scheme,
    locale: language,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(deadlineMs)
  if (as !== null) await context.addCookies([cookieFor(carrel, as)])
  const page = await context.newPage()
  const { complaints, requests } = await watch(page)
  await page.addInitScript({ content: noteJumps })
  const forgiven: RegExp[] = []
  let atTheEnd = ''
  // What a test has waited for in vain is explained by what was there instead.
  if (TestRunner.getCurrentTest()) onTestFailed(() => console.error(atTheEnd))
  return {
    page,
    context,
    complaints,
    requests,
    open: async (path) => {
      await page.goto(carrel.url + path)
      await settled(page)
    },
    axe: async (rule) => {
      await settled(page)
      await waitForNames(page)
      return findAmiss(page, rule)
    },
    jumps: () => page.evaluate('globalThis.jumps ?? []'),
    picture: async (name) => {
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) })
    },
    forgive: (pattern) => {
      forgiven.push(pattern)
    },
    [Symbol.asyncDispose]: async () => {
      atTheEnd = `${page.url()}\n${await page.evaluate<string>('document.body.innerText').catch(String)}`
      await context.close()
      const amiss = complaints.filter((complaint) => !forgiven.some((pattern) => pattern.test(complaint)))
      expect(amiss, 'nothing is amiss in the browser').toEqual([])
    },
  }
}

/**
 * It lists what axe finds wrong with the present page in either theme. Both have the same elements, and only the colours
 * differ: axe looks at these alone in the dark.
 */
export const amissInBothSchemes = async (screen: Screen, name: string): Promise<readonly string[]> => {
  const { page } = screen
  const amiss: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
    await screen.picture(`${name}-${page.viewportSize()?.width ?? 0}-${scheme}`)
    const violations = scheme === 'light' ? await screen.axe() : await screen.axe('color-contrast')
    amiss.push(...violations.map((each) => `${scheme}: ${each}`))
  }
  return amiss
}

/** The page says that it has nothing to wait for: no skeleton, no picture that is still coming. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('h1, [role="alert"]').first().waitFor({ state: 'attached' })
  // The wait does not use `waitForFunction`, which evaluates text within the page: the policy refuses that.
  await waitUntil('the page to have nothing on its way', () =>
    page.evaluate<boolean>(
      'document.querySelector("[aria-busy=true]") === null && [...document.images].every((image) => image.complete || image.loading === "lazy")',
    ),
  )
}

/** A dialog learns what it is called a moment after it is there. */
const waitForNames = async (page: Page): Promise<void> => {
  await waitUntil('every dialog to have a name', () =>
    page.evaluate<boolean>(
      '[...document.querySelectorAll("[role=dialog]")].every((dialog) => dialog.ariaLabel || document.getElementById(dialog.getAttribute("aria-labelledby")))',
    ),
  )
}

/**
 * What moves after somebody has pressed or typed something, or pulled at the window, was asked for. The browser itself
 * forgets that after half a second, which a busy machine may need for its answer.
 */
const noteJumps = `// Nothing may run in the frame of a book: an observer there would be a script that is refused at its first jump.
if (self === top) {
  globalThis.jumps = []
  let touchedAt = Infinity
  for (const input of ['pointerdown', 'keydown', 'resize'])
    addEventListener(input, ({ timeStamp }) => { touchedAt = Math.min(touchedAt, timeStamp) }, { capture: true })
  const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput || startTime > touchedAt) continue
      const what = sources.map(({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? String(node?.textContent)).slice(0, 200) + ' from ' + placeOf(previousRect) + ' to ' + placeOf(currentRect))
      globalThis.jumps.push(value.toFixed(6) + ': ' + what.join(', '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}`

export const cookieFor = ({ url }: Carrel, { cookie }: Visitor) => {
  const [name = '', value = ''] = cookie.split('=')
  return { name, value, url, httpOnly: true, sameSite: 'Lax' as const }
}
