import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type Client, createUser, listBooks, login, saveProgress } from '../../packages/api/src/index.ts'
import { comicInfoXml } from '../../packages/server/test/books/metadata.ts'
import { jpeg } from '../../packages/server/test/books/pictures.ts'
import { zip } from '../../packages/server/test/books/zip.ts'
import { type LibraryFolder, libraryFolder } from '../../packages/server/test/library-folder.ts'
import { launchChromium, unpackChromium } from '../../e2e/chromium.ts'
import { openContent } from '../books/content.ts'
import { addLibrary, scanOnce } from '../books/scan.ts'
import { seededLibrary } from '../books/seeded-library.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt } from '../installation.ts'

const rounds = 3
const tooLongMs = 120_000
const pollMs = 100
const paintMs = { max: 1200 }
const answerMs = { max: 100 }
/** What is called a slow 4G: 150 ms there and back, 1.6 Mbit/s down, 0.75 up. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }
const slowerCpu = 4
const window = { width: 1440, height: 900 }
const covered = { series: 10, volumes: 6 }

/**
 * What somebody sees and feels of the app in a library of 20,000 books, with a processor four times as slow as ours behind a slow 4G. Most
 * books are rows without files; what came last are real ones, so that home, the grid and a series have pictures to wait for.
 */
export const webApp: Bench = {
  names: ['web.paint', 'web.answer'],
  isLong: true,
  run: async ({ database }) => {
    await using seeded = await seededLibrary(database, '20k')
    const { installation } = seeded
    await using folder = await libraryFolder()
    await writeComics(folder)
    await using server = await installation.start()
    const admin = callerAt(server.port, installation.token)
    await using content = await openContent(installation)
    const libraryId = await addLibrary(admin, folder.path)
    await scanOnce(admin, content, libraryId)
    const reader = await makeReader(server.port, admin, libraryId)
    await using unpacked = await unpackChromium()
    const browser = await launchChromium(unpacked.folder)
    try {
      return await measure({ browser, port: server.port, ...reader })
    } finally {
      await browser.close()
    }
  },
}

const writeComics = async (folder: LibraryFolder): Promise<void> => {
  for (let series = 1; series <= covered.series; series += 1)
    for (let volume = 1; volume <= covered.volumes; volume += 1) {
      const name = `Covered ${series}`
      const pages = [1, 2, 3, 4].map((page) => ({
        name: `${page}.jpg`,
        bytes: jpeg({ width: 1000, height: 1500, seed: series * 1000 + volume * 10 + page }),
        method: 'stored' as const,
      }))
      const info = comicInfoXml({ Series: name, Volume: volume, Writer: 'Ada Vaughan', Genre: 'Drama', Year: 2013 })
      const infoFile = { name: 'ComicInfo.xml', bytes: Buffer.from(info), method: 'stored' as const }
      await folder.write(`${name}/${name} ${volume}.cbz`, zip([...pages, infoFile]))
    }
}

interface Reader {
  readonly cookie: string
  readonly seriesId: string
}

const required = <Body>(
  outcome: { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: { message: string } },
): Body => {
  if (!outcome.ok) throw new Error(outcome.error.message)
  return outcome.body
}

/** Somebody who is in the midst of five books. */
const makeReader = async (port: number, admin: Client, libraryId: string): Promise<Reader> => {
  const account = { username: 'web-app', password: 'seven-lanterns-on-a-slow-river' }
  required(await admin(createUser, { body: { ...account, role: 'reader' } }))
  const signedIn = await callerAt(port, {})(login, { body: account })
  const { accessToken } = required(signedIn)
  const call = callerAt(port, { authorization: `Bearer ${accessToken}` })
  const { data } = required(await call(listBooks, { query: { libraryId, pageSize: 50 } }))
  for (const { id } of data.slice(0, 5))
    required(await call(saveProgress, { params: { id }, body: { currentPage: 2 } }))
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, seriesId: data[0]?.seriesId ?? '' }
}

interface Surface extends Reader {
  readonly browser: Browser
  readonly port: number
}

const pagesOf = ({ seriesId }: Reader) => ({
  home: '/',
  'library grid': '/series?sort=-added',
  series: `/series/${seriesId}`,
})

const measure = async (surface: Surface): Promise<Figure[]> => {
  const figures = new Map<string, number[]>()
  const note = (name: string, value: number): void => {
    figures.set(name, [...(figures.get(name) ?? []), value])
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, path] of Object.entries(pagesOf(surface))) {
      const context = await openContext(surface)
      note(`web.paint ${name}, first visit`, await paintOf(context, surface, path))
      note(`web.paint ${name}, next visit`, await paintOf(context, surface, path))
      await context.close()
    }
    for (const [name, value] of Object.entries(await answersOf(surface))) note(`web.answer ${name}`, value)
  }
  return [...figures].map(([name, values]) => ({ name, unit: 'ms', values, ...gateOf(name) }))
}

/** Nobody's first visit is within it: the scripts alone take 0.9 s to come that way. */
const gateOf = (name: string): Pick<Figure, 'gate'> =>
  name.endsWith('first visit') ? {} : { gate: name.startsWith('web.paint') ? paintMs : answerMs }

const openContext = async ({ browser, port, cookie }: Surface): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: window, locale: 'en' })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: `http://127.0.0.1:${port}` }])
  return context
}

const observe = `globalThis.paint = 0
globalThis.slowest = 0
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) paint = startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) slowest = Math.max(slowest, duration)
}).observe({ type: 'event', durationThreshold: 16, buffered: true })`

const openThrottled = async (context: BrowserContext, { port }: Surface, path: string): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(tooLongMs)
  await page.addInitScript({ content: observe })
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
  await page.goto(`http://127.0.0.1:${port}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await until('nothing is on its way', () => page.evaluate<boolean>(isThere))
  return page
}

/** Nothing says that it is coming, and all pictures in view are there. */
const isThere = `document.querySelector('[aria-busy=true]') === null && paint > 0 && [...document.images].every((image) =>
  image.complete || image.loading === 'lazy' || image.getBoundingClientRect().top > innerHeight)`

/** The policy of the app lets no browser wait by a text that is a program. */
const until = async (what: string, ask: () => Promise<boolean>): Promise<void> => {
  const givenUpAt = performance.now() + tooLongMs
  while (!(await ask())) {
    if (performance.now() > givenUpAt) throw new Error(`${tooLongMs} ms went by without: ${what}`)
    await delay(pollMs)
  }
}

const paintOf = async (context: BrowserContext, surface: Surface, path: string): Promise<number> => {
  const page = await openThrottled(context, surface, path)
  const paint = await page.evaluate<number>('paint')
  await page.close()
  return paint
}

/** How long it took until what was pressed or typed was answered by a picture: the slowest of each. */
const answersOf = async (surface: Surface): Promise<Readonly<Record<string, number>>> => {
  const context = await openContext(surface)
  const { 'library grid': path } = pagesOf(surface)
  const page = await openThrottled(context, surface, path)
  const firstCard = page.getByRole('gridcell').first()
  const slowestOf = async (act: () => Promise<void>, until: Locator): Promise<number> => {
    await page.evaluate('slowest = 0')
    await act()
    await until.waitFor()
    // The picture that answers is counted once it is painted.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200)))')
    return page.evaluate<number>('slowest')
  }
  // Whoever presses something has been over it before, and its page is fetched meanwhile.
  await firstCard.hover()
  await until('what is hovered over is there', () => page.evaluate<boolean>(isThere))
  const menu = await slowestOf(() => firstCard.click({ button: 'right' }), page.getByRole('menuitem').first())
  await page.keyboard.press('Escape')
  const palette = await slowestOf(
    () => page.keyboard.press('Control+k'),
    page.getByRole('combobox', { name: 'Search or jump to…' }),
  )
  const typing = await slowestOf(
    () => page.keyboard.type('covered', { delay: 120 }),
    page.getByRole('option').filter({ hasText: 'Covered' }).first(),
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const genre = page.getByRole('region', { name: 'Filter' }).getByRole('checkbox').first()
  await genre.waitFor()
  const filter = await slowestOf(() => genre.click(), page.getByRole('button', { name: /Take away/ }).first())
  await context.close()
  return {
    'opening a menu': menu,
    'opening the palette': palette,
    'typing in the palette': typing,
    'a click on a filter': filter,
  }
}
