import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jpeg } from '../packages/server/test/books/pictures.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword } from '../packages/server/test/smoke/carrel.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { type App, hostileTitle, type Screen, settled, startApp } from './app.ts'

const summary = 'A girl with green hair meets the world, one day after the other. '.repeat(8).trim()

/** The plugin of these tests has its cover from here. */
const elsewhere = createServer((_, response) => response.end(jpeg({ width: 300, height: 420, seed: 5, detail: 3 })))
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
const host = `localhost:${(elsewhere.address() as AddressInfo).port}`

/** The plugin of these tests knows only these. */
const entries = [
  {
    externalId: '30104',
    title: 'Yotsuba&!',
    alternateTitles: [{ title: 'よつばと!', language: 'ja', titleType: 'native' }],
    year: 2003,
    authors: ['Kiyohiko Azuma'],
    externalUrl: 'https://catalogue.example/30104',
    coverUrl: `http://${host}/30104.jpg`,
    relevanceScore: 0.97,
    summary,
    publisher: 'ASCII Media Works',
    status: 'ongoing',
    genres: ['Comedy', 'Slice of Life'],
  },
  { externalId: 'hostile', title: hostileTitle, authors: [hostileTitle], summary: hostileTitle, relevanceScore: 0.4 },
  { externalId: 'b1', title: 'Berserk of old', year: 1988, publisher: 'Hakusensha', confidence: 0.55 },
  { externalId: 'b2', title: 'Berserk of new', year: 2020, publisher: 'Young Animal' },
  { externalId: 'm1', title: 'Monster Hunt', publisher: 'Shogakukan', confidence: 0.4 },
  { externalId: 'm2', title: 'Monster', publisher: 'Viz' },
  { externalId: 'a1', title: 'Akira', publisher: 'Kodansha', year: 1982 },
  { externalId: 'volume', title: 'The first volume', publisher: 'Yen Press', year: 2005 },
]

const program = `import { createInterface } from 'node:readline'
const known = ${JSON.stringify(entries)}
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const resultOf = ({ externalId, title, alternateTitles = [], year, coverUrl, relevanceScore, authors = [], genres, summary }) => ({
  externalId, title, year, coverUrl, relevanceScore, alternateTitles: alternateTitles.map((each) => each.title),
  preview: { authors, genres, description: summary },
})
const found = (words) => known.filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()))
const answers = {
  initialize: () => ({ name: 'librarian', displayName: 'Librarian', version: '1.0.0', protocolVersion: '1.0',
    capabilities: { metadataProvider: ['series', 'book'] } }),
  ping: () => 'pong',
  shutdown: () => null,
  search: ({ query, cursor }) => query === 'everything'
    ? { results: (cursor ? known.slice(3) : known.slice(0, 3)).map(resultOf), ...(!cursor && { nextCursor: 'rest' }) }
    : { results: found(query).map(resultOf) },
  match: ({ title }) => {
    const [best, ...others] = found(title)
    return best
      ? { match: resultOf(best), confidence: best.confidence ?? 1, alternatives: others.map(resultOf) }
      : { match: null, confidence: 0 }
  },
  get: ({ externalId }) => known.find((each) => each.externalId === externalId),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (params.query === 'busy') return say({ id, error: { code: -32001, message: 'Not so fast.', data: { retryAfterSeconds: 42 } } })
  if (params.query === 'crash') process.exit(3)
  const result = answers[method.split('/').at(-1)]?.(params)
  if (result === undefined) return say({ id, error: { code: -32002, message: 'There is no such thing.' } })
  say({ id, result })
  if (method === 'shutdown') process.exit(0)
})
`

const one = (series: string) => ({ path: `${series}/${series} 1.cbz`, info: { Series: series, Number: 1 } })

let app: App
let pluginId: string
const seriesIds = new Map<string, string>()
const idOf = (title: string): string => seriesIds.get(title) ?? ''
const shownOf = async (title: string) =>
  bodyOf(await app.admin.call(api.readSeriesMetadata, { params: { id: idOf(title) } }))

beforeAll(async () => {
  app = await startApp({ books: ['Yotsuba', 'Berserk', 'Monster', 'Akira', 'Nobody knows it'].map(one) })
  const { admin, carrel, libraryId } = app
  const hosts = { params: { key: 'plugins.cover_hosts' }, body: { value: ['localhost'] } }
  bodyOf(await admin.call(api.saveSetting, hosts))
  await mkdir(join(carrel.dataDir, 'plugins'), { recursive: true })
  await writeFile(join(carrel.dataDir, 'plugins', 'librarian.mjs'), program)
  const writes = ['title', 'summary', 'publisher', 'year', 'genres', 'authors', 'external_ids', 'covers']
  const basics = { command: 'node', args: ['librarian.mjs'], enabled: true, rateLimitRequestsPerMinute: null }
  const permissions = writes.map((each) => `metadata:write:${each}`)
  const setUp = async (name: string, displayName: string): Promise<string> => {
    const { plugin } = bodyOf(
      await admin.call(api.createPlugin, { body: { name, displayName, permissions, ...basics } }),
    )
    bodyOf(await admin.call(api.testPlugin, { params: { id: plugin.id } }))
    await waitUntil('the plugin to have said what it can do', async () =>
      bodyOf(await admin.call(api.readPlugin, { params: { id: plugin.id } })).manifest === null ? undefined : true,
    )
    return plugin.id
  }
  pluginId = await setUp('a-librarian', 'Librarian')
  await setUp('b-attic', 'Attic')
  for (const { id, title } of bodyOf(await admin.call(api.listSeries, { query: { libraryId } })).data)
    seriesIds.set(title, id)
  const lock = { params: { id: idOf('Yotsuba') }, body: { publisherLock: true, year: 1999 } }
  bodyOf(await admin.call(api.editSeriesMetadata, lock))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  elsewhere.close()
})

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

/** The test looks at both themes, wide and narrow: nothing is cut off, and everything can be read. */
const pictures = async (screen: Screen, name: string): Promise<void> => {
  const { page } = screen
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 860 })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.locator(`:root[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
      expect(await screen.axe('color-contrast')).toEqual([])
      await screen.picture(`${name}-${width}-${scheme}`)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 860 })
}

test('CAT-2 metadata is found from the page of a series, looked at field by field, applied in part, and undone by u', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.series(idOf('Yotsuba')))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Find metadata' }).click()
  await heading(page, 'Find metadata').waitFor()
  expect(await page.getByLabel('Look for').inputValue()).toBe('Yotsuba')
  const results = page.getByRole('list', { name: 'Results' })
  const row = results.getByRole('listitem').filter({ hasText: 'Yotsuba&!' })
  await row.getByText('97%, as good as certain').waitFor()
  await row.getByText('2003 · Kiyohiko Azuma').waitFor()
  // Pictures of other hosts are named, and seen through our server alone.
  const cover = row.getByRole('link', { name: `Cover of Yotsuba&! at ${host}` })
  expect(await cover.getAttribute('href')).toBe(`http://${host}/30104.jpg`)
  await row.locator('img[src^="/media/found-covers"][data-state=here]').waitFor()
  expect(screen.requests.filter((address) => address.includes(host))).toEqual([])
  expect(await screen.axe()).toEqual([])

  await row.getByRole('link', { name: 'Yotsuba&!', exact: true }).click()
  const fields = page.getByRole('listitem')
  const field = (name: string) => fields.filter({ has: page.getByText(name, { exact: true }) })
  await field('Title').getByText('Will be written').waitFor()
  expect(page.url()).toContain('candidate=30104')
  await field('Publisher').getByText('Locked').waitFor()
  await field('Year').getByText('Said by hand, and stays').waitFor()
  await field('Status').getByText('Librarian may not write this').waitFor()
  await field('Cover').getByRole('img', { name: 'The cover now' }).waitFor()
  await field('Cover').getByRole('img', { name: 'The proposed cover' }).waitFor()
  expect(await screen.axe()).toEqual([])
  await page.reload()
  await settled(page)

  await page.getByRole('button', { name: 'Choose none' }).click()
  expect(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true)
  await page.getByLabel('Genres').check()
  await page.getByLabel('Summary').check()
  await page.getByRole('button', { name: 'Apply 2 fields' }).click()
  await heading(page, '2 fields were written').waitFor()
  await page.getByText('Summary, Genres', { exact: true }).waitFor()
  await page.getByText('Title: Left out').waitFor()
  await page.getByText('Publisher: Locked').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('match-applied-desktop-light')
  expect(await shownOf('Yotsuba')).toMatchObject({ genres: ['Comedy', 'Slice of Life'], summary, publisher: null })

  await page.keyboard.press('u')
  await toasts(page).getByText('Taken back').waitFor()
  expect(await shownOf('Yotsuba')).toMatchObject({ genres: [], summary: null, year: 1999 })
  await field('Genres').getByText('Will be written').waitFor()
})

test('CAT-2 what is found and what it would change, in both looks, wide and narrow', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.matchSeries(idOf('Yotsuba'), { plugin: pluginId, q: 'everything' }))
  await page.getByText('2003 · Kiyohiko Azuma').waitFor()
  await pictures(screen, 'match-results')
  await screen.open(paths.matchSeries(idOf('Yotsuba'), { plugin: pluginId, candidate: '30104' }))
  await page.getByText('Said by hand, and stays').waitFor()
  await pictures(screen, 'match-preview')
  expect(await screen.jumps()).toEqual([])
})

test('CAT-2 somebody who has edited meanwhile is not gone over', async () => {
  await using screen = await app.screen()
  screen.forgive(/412/)
  const { page } = screen
  await screen.open(paths.matchSeries(idOf('Akira'), { plugin: pluginId, candidate: 'a1' }))
  await page.getByText('Kodansha').waitFor()
  const edit = { params: { id: idOf('Akira') }, body: { publisher: 'By hand' } }
  bodyOf(await app.admin.call(api.editSeriesMetadata, edit))
  await page.getByRole('button', { name: /^Apply \d fields/ }).click()
  await toasts(page).getByText('Somebody has changed it meanwhile.').waitFor()
  await page.getByText('Said by hand, and stays').waitFor()
  expect(await shownOf('Akira')).toMatchObject({ publisher: 'By hand', year: null })
})

test('PLG-1 a plugin that is busy, fails or finds nothing: what is the matter, and what to do; more on demand; text is text', async () => {
  await using screen = await app.screen()
  screen.forgive(/503/)
  const { page } = screen
  await screen.open(paths.matchSeries(idOf('Yotsuba')))
  const search = async (words: string): Promise<void> => {
    await page.getByLabel('Look for').fill(words)
    await page.getByRole('button', { name: 'Search', exact: true }).last().click()
  }
  await search('busy')
  await page.getByText('Librarian may not be asked again so soon. It can be asked in 42 seconds.').waitFor()
  await page.getByText('Not so fast.').waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('match-busy-desktop-light')
  await search('crash')
  await page.getByText('Librarian has failed. Try again').waitFor()
  await page.getByRole('link', { name: 'To the plugin', exact: true }).waitFor()
  await search('zzz')
  await page.getByText('Librarian found nothing').waitFor()
  await search('everything')
  const results = page.getByRole('list', { name: 'Results' })
  await results.getByText(hostileTitle).first().waitFor()
  await expect.poll(() => results.getByRole('listitem').count()).toBe(3)
  await page.getByRole('button', { name: 'Show more' }).last().click()
  await results.getByText('Berserk of new').waitFor()
  await expect.poll(() => results.getByRole('listitem').count()).toBe(entries.length)
  expect(await page.locator('img[src=x]').count()).toBe(0)
  await page.getByLabel('Ask').selectOption('Attic')
  await results.getByText('Berserk of old').waitFor({ state: 'hidden' })
  await results.getByRole('link', { name: hostileTitle, exact: true }).click()
  await page.getByText('Attic says nothing of').waitFor()
  expect(await page.locator('img[src=x]').count()).toBe(0)
  // An id of one plugin is never sent to another.
  await screen.open(paths.matchSeries(idOf('Yotsuba'), { plugin: idOf('Akira'), candidate: 'a1' }))
  await page.getByText('This plugin cannot be asked now').waitFor()
  await page.getByRole('button', { name: 'Ask another' }).click()
  await page.getByLabel('Look for').waitFor()
})

test('PLG-1 a library is matched, what is uncertain is refused and accepted by keyboard, and a job asks again', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.adminLibrary(app.libraryId))
  await page.getByRole('link', { name: 'Metadata', exact: true }).click()
  await heading(page, 'Match the library').waitFor()
  await page.getByRole('button', { name: 'Match now' }).click()
  await page.getByText(/[12] matched\. 2 uncertain\. Nothing found for 6\./).waitFor()
  expect(await screen.axe()).toEqual([])
  await screen.picture('match-library-desktop-light')

  await page.getByRole('link', { name: '2 series wait for your word' }).click()
  await heading(page, 'Uncertain matches').waitFor()
  const queue = page.getByRole('list', { name: 'Uncertain matches' })
  await queue.getByText('Librarian takes it for (55%, not sure)').waitFor()
  expect(await screen.axe()).toEqual([])
  await pictures(screen, 'match-queue')
  const cards = page.locator('[data-match]')
  const berserk = cards.filter({ has: page.getByRole('link', { name: 'Berserk', exact: true }) })
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""')
  await page.keyboard.press('j')
  if ((await focused()) !== 'Berserk') await page.keyboard.press('j')
  expect(await focused()).toBe('Berserk')
  await page.keyboard.press('x')
  await toasts(page).getByText('That is not proposed again').waitFor()
  await berserk.getByText('Berserk of old').waitFor({ state: 'hidden' })
  await page.keyboard.press('o')
  await page.getByText('Young Animal').waitFor()
  await page.getByRole('button', { name: 'Not this one' }).waitFor()
  await page.getByRole('button', { name: 'Back to what waits' }).click()
  await berserk.getByText('Berserk of new').waitFor()
  await berserk.focus()
  await page.keyboard.press('y')
  await toasts(page)
    .getByText(/^Berserk: \d fields? written/)
    .waitFor()
  await berserk.waitFor({ state: 'hidden' })
  expect(await shownOf('Berserk')).toMatchObject({ publisher: 'Young Animal' })
  // The next has the focus: one goes on from there.
  await expect.poll(focused).toBe('Monster')
  await page.getByRole('button', { name: 'None of these is Monster' }).click()
  await page.getByText('Nothing waits').waitFor()
  expect(await shownOf('Monster')).toMatchObject({ publisher: null })

  await screen.open(paths.matchSeries(idOf('Berserk'), { plugin: pluginId, q: 'Berserk' }))
  await page.getByRole('listitem').filter({ hasText: 'Berserk of old' }).getByText('Refused before').waitFor()
  await page.getByRole('button', { name: 'Take back all that Librarian said' }).click()
  await page.getByRole('button', { name: 'Take it back', exact: true }).click()
  await toasts(page).getByText('What Librarian said is taken back').waitFor()
  expect(await shownOf('Berserk')).toMatchObject({ publisher: null })
})

test('PLG-1 a job is made, run, changed, switched off, deleted and brought back', async () => {
  await using screen = await app.screen()
  const { page } = screen
  await screen.open(paths.adminLibraryMatching(app.libraryId))
  await page.getByRole('button', { name: 'New job' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Publishers and genres')
  await dialog.getByLabel('Publisher').check()
  await dialog.getByLabel('Genres').check()
  await dialog.getByLabel('Leave alone for (hours)').fill('0')
  await dialog.getByLabel('Day', { exact: true }).selectOption('Monday')
  await dialog.getByLabel('Time', { exact: true }).fill('05:30')
  expect(await screen.axe()).toEqual([])
  await screen.picture('match-job-desktop-light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const job = page.getByRole('list', { name: 'Again and again' }).getByRole('listitem')
  await job.getByText(/Every Monday at 05:30/).waitFor()
  await job.getByText('Series: Genres, Publisher').waitFor()
  await job.getByRole('button', { name: 'Run Publishers and genres now' }).click()
  await job.getByText(/Ran .*: \d asked about/).waitFor()
  expect(await screen.axe()).toEqual([])
  await pictures(screen, 'match-jobs')

  await job.getByRole('button', { name: 'Change Publishers and genres' }).click()
  await page.waitForURL(/job=/)
  await dialog.getByLabel('About').selectOption('Series and books')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await job.getByText('Series and books: Genres, Publisher').waitFor()
  await job.getByLabel('Publishers and genres is on').press('Space')
  await toasts(page).getByText('Publishers and genres is off').waitFor()
  await job.getByRole('button', { name: 'Delete Publishers and genres' }).click()
  await page.getByText('There are none so far.').waitFor()
  await page.keyboard.press('u')
  await job.getByText('Series and books: Genres, Publisher').waitFor()
  const { jobs } = bodyOf(await app.admin.call(api.listLibraryJobs, { params: { id: app.libraryId } }))
  expect(jobs).toMatchObject([{ name: 'Publishers and genres', enabled: false, cronSchedule: '30 5 * * 1' }])
})

test('CAT-2 a book is matched on a phone, in German, and what a plugin said is taken back where sources are shown', async () => {
  await using screen = await app.screen({ size: 'phone', scheme: 'dark', language: 'de' })
  const { page } = screen
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { seriesId: idOf('Yotsuba') } }))
  const id = data[0]?.id ?? ''
  await screen.open(paths.book(id))
  await page.getByRole('button', { name: 'Mehr' }).last().click()
  await page.getByRole('menuitem', { name: 'Metadaten suchen' }).click()
  await page.getByLabel('Suchen nach').fill('first')
  await page.getByRole('button', { name: 'Suchen', exact: true }).last().click()
  await page.getByRole('link', { name: 'The first volume', exact: true }).click()
  await page.getByText('Yen Press').waitFor()
  expect(await screen.axe()).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await screen.picture('match-preview-320-dark-de')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: /Felder übernehmen/ }).click()
  await page.getByRole('heading', { name: /Felder wurden geschrieben/ }).waitFor()
  await screen.picture('match-applied-phone-dark-de')
  const publisher = async () => bodyOf(await app.admin.call(api.readBookMetadata, { params: { id } })).publisher
  expect(await publisher()).toBe('Yen Press')

  await screen.open(paths.editBook(id))
  await page.getByRole('button', { name: /^Verlag: Plugin: a-librarian/ }).click()
  await page.getByRole('button', { name: 'Alles von a-librarian zurücknehmen' }).click()
  expect(await screen.axe()).toEqual([])
  await page.getByRole('button', { name: 'Zurücknehmen', exact: true }).click()
  await page.getByText('Alles von a-librarian ist zurückgenommen').waitFor()
  expect(await publisher()).toBe(null)
})

test('who may not edit is not offered to find metadata, is told so kindly, and nothing is asked that would be refused', async () => {
  const body = { username: 'lena', password: testPassword, role: 'reader' } as const
  bodyOf(await app.admin.call(api.createUser, { body }))
  await using screen = await app.screen({ as: await signIn(app.carrel, 'lena') })
  const { page } = screen
  await screen.open(paths.series(idOf('Yotsuba')))
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem').first().waitFor()
  expect(await page.getByRole('menuitem', { name: 'Find metadata' }).count()).toBe(0)
  for (const address of [
    paths.matchSeries(idOf('Yotsuba')),
    paths.matches(),
    paths.adminLibraryMatching(app.libraryId),
  ]) {
    await screen.open(address)
    await page.getByText('This page is for others').waitFor()
  }
})
