import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { comic } from '../packages/server/test/library-folder.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, testPassword, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { paths } from '../packages/web/src/navigation/paths.ts'
import { type App, scannedLibrary, type Screen, startApp } from './app.ts'
import { type SchemeName, wear } from './schemes.ts'

/**
 * Names and texts may contain any of these: markup, words without an end, characters that turn the direction of a line.
 */
const markup = '<img src=x onerror=alert(1)>'
const script = `"><script>alert(document.domain)</script>`
const endless = `${'Rhabarberbarbara'.repeat(32)} end`.slice(-500)
const turned = 'Ends in \u202Egnp.exe \u2066first\u200F שלום 👩‍👩‍👧‍👦 \u0301\u0301\u0301'

interface Ids {
  readonly library: string
  readonly series: string
  readonly book: string
  readonly collection: string
  readonly readList: string
  readonly user: string
  readonly group: string
  readonly plugin: string
  readonly import: string
}

interface Row {
  readonly at: (ids: Ids) => string
  /** It leads here instead, to whoever is signed in. */
  readonly leadsTo?: string
  /** The reader: not one of the app's own document. */
  readonly isDocument?: true
}

/** Every page there is. `paths.unit.test.ts` holds `paths` against the routes: a page without a row does not compile. */
const rows: { readonly [Name in keyof typeof paths]: Row } = {
  home: { at: () => paths.home() },
  libraries: { at: () => paths.libraries() },
  library: { at: ({ library }) => paths.library(library) },
  libraryBooks: { at: ({ library }) => paths.libraryBooks(library) },
  byHand: { at: ({ library }) => paths.byHand(library) },
  newLibrary: { at: () => paths.newLibrary() },
  seriesList: { at: () => `${paths.seriesList()}?view=table&sort=-name` },
  series: { at: ({ series }) => paths.series(series) },
  editSeries: { at: ({ series }) => paths.editSeries(series) },
  seriesCover: { at: ({ series }) => paths.seriesCover(series) },
  bookList: { at: () => paths.bookList() },
  book: { at: ({ book }) => paths.book(book) },
  editBook: { at: ({ book }) => paths.editBook(book) },
  matchSeries: { at: ({ series }) => paths.matchSeries(series) },
  matchBook: { at: ({ book }) => paths.matchBook(book) },
  bookCover: { at: ({ book }) => paths.bookCover(book) },
  bookHistory: { at: ({ book }) => paths.bookHistory(book) },
  read: { at: ({ book }) => paths.read(book), isDocument: true },
  people: { at: () => paths.people() },
  person: { at: () => paths.person(script) },
  genres: { at: () => paths.genres() },
  genre: { at: () => paths.genre(markup) },
  tags: { at: () => paths.tags() },
  tag: { at: () => paths.tag(turned) },
  collections: { at: () => paths.collections() },
  collection: { at: ({ collection }) => paths.collection(collection) },
  readLists: { at: () => paths.readLists() },
  readList: { at: ({ readList }) => paths.readList(readList) },
  wantToRead: { at: () => paths.wantToRead() },
  search: { at: () => paths.search({ q: 'img' }) },
  advancedSearch: { at: () => paths.advancedSearch({ of: 'books', where: 'format=cbz' }) },
  bulkEdit: { at: ({ series }) => paths.bulkEdit({ of: 'series', ids: [series] }) },
  duplicates: { at: () => paths.duplicates({ of: 'books' }) },
  mySeries: { at: () => paths.mySeries({ of: 'followed' }) },
  recommendations: { at: () => paths.recommendations() },
  statistics: { at: () => paths.statistics({ window: '30d' }) },
  yearInReview: { at: () => paths.yearInReview(new Date().getUTCFullYear()) },
  notifications: { at: () => paths.notifications() },
  account: { at: () => paths.account() },
  accountSecurity: { at: () => paths.accountSecurity() },
  accountKeys: { at: () => paths.accountKeys() },
  accountApps: { at: () => paths.accountApps() },
  accountPlugins: { at: () => paths.accountPlugins() },
  accountDevices: { at: () => paths.accountDevices() },
  accountHistory: { at: () => paths.accountHistory() },
  accountNotifications: { at: () => paths.accountNotifications() },
  admin: { at: () => paths.admin() },
  adminLibraries: { at: () => paths.adminLibraries() },
  adminLibrary: { at: ({ library }) => paths.adminLibrary(library) },
  adminLibrarySettings: { at: ({ library }) => paths.adminLibrarySettings(library) },
  adminLibraryMatching: { at: ({ library }) => paths.adminLibraryMatching(library) },
  matches: { at: () => paths.matches() },
  adminHeldChanges: { at: ({ library }) => paths.adminHeldChanges(library) },
  adminBookErrors: { at: () => paths.adminBookErrors() },
  adminTasks: { at: () => paths.adminTasks() },
  adminTaskFigures: { at: () => paths.adminTaskFigures() },
  users: { at: () => paths.users() },
  newUser: { at: () => paths.newUser() },
  signIns: { at: () => paths.signIns() },
  user: { at: ({ user }) => paths.user(user) },
  userAccess: { at: ({ user }) => paths.userAccess(user) },
  userSignIn: { at: ({ user }) => paths.userSignIn(user) },
  userApps: { at: ({ user }) => paths.userApps(user) },
  groups: { at: () => paths.groups() },
  group: { at: ({ group }) => paths.group(group) },
  sharingTags: { at: () => paths.sharingTags() },
  serverSettings: { at: () => paths.serverSettings() },
  plugins: { at: () => paths.plugins() },
  newPlugin: { at: () => paths.newPlugin() },
  plugin: { at: ({ plugin }) => paths.plugin(plugin) },
  pluginSettings: { at: ({ plugin }) => paths.pluginSettings(plugin) },
  backups: { at: () => paths.backups() },
  imports: { at: () => paths.imports() },
  oneImport: { at: ({ import: id }) => paths.oneImport(id) },
  server: { at: () => paths.server() },
  signIn: { at: () => paths.signIn() },
  setup: { at: () => paths.setup(), leadsTo: paths.home() },
  // Nothing is open: what was begun has been read.
  continueReading: { at: () => paths.continueReading(), leadsTo: paths.home() },
}
export const pages = Object.entries(rows).map(([name, row], index) => ({ name, index, ...row }))
/** A dozen at a time, so that one that fails says where. */
export const groups = Array.from({ length: Math.ceil(pages.length / 12) }, (_, at) => {
  const some = pages.slice(at * 12, at * 12 + 12)
  return { from: some[0]?.name ?? '', to: some.at(-1)?.name ?? '', some }
})

interface HostileApp extends App {
  readonly ids: Ids
  /** This administrator reads there, and has a hostile name. */
  readonly visitor: Visitor
}

/** A server whose every name and text means ill. */
export const startHostileApp = async (): Promise<HostileApp> => {
  const app = await startApp({ books: [] })
  await writeHostileBooks(app)
  const { admin, folder, carrel } = app
  const library = await scannedLibrary(admin, folder.path, `${markup} ${turned}`)
  const { data } = bodyOf(await admin.call(api.listBooks, { query: { libraryId: library } }))
  const book = data.find(({ title }) => title === markup)
  if (!book) throw new Error('There is no book with a hostile title')
  const series = book.seriesId ?? ''
  const other = data.find(({ id, seriesName }) => seriesName === 'Twice' && id !== book.id)
  if (!other) throw new Error('There is no book to put elsewhere')
  const apart = { bookIds: [other.id], title: `${markup} ${endless}`, follow: true }
  bodyOf(await admin.call(api.splitSeries, { params: { id: other.seriesId ?? '' }, body: apart }))
  const collection = bodyOf(await admin.call(api.createCollection, { body: { name: markup, summary: script } }))
  bodyOf(await admin.call(api.addToCollection, { params: collection, body: { seriesIds: [series] } }))
  const name = endless.slice(0, 200)
  const readList = bodyOf(await admin.call(api.createReadList, { body: { name, summary: turned, ordered: true } }))
  bodyOf(await admin.call(api.addToReadList, { params: readList, body: { bookIds: data.map(({ id }) => id) } }))
  const username = '<svg onload=alert(1)>'
  bodyOf(await admin.call(api.createUser, { body: { username, password: testPassword, role: 'admin' } }))
  const visitor = await signIn(carrel, username)
  bodyOf(await visitor.call(api.addWantToRead, { body: { seriesId: series } }))
  bodyOf(await visitor.call(api.createApiKey, { body: { name: script } }))
  bodyOf(await admin.call(api.findDuplicates, {}))
  await waitUntil('the duplicates are found', async () =>
    bodyOf(await admin.call(api.listBookDuplicates, { query: {} })).totalGroups > 0 ? true : undefined,
  )
  const headers = { 'x-device-id': 'hostile-device', 'x-device-name': markup }
  bodyOf(await visitor.call(api.saveProgress, { params: book, body: { currentPage: 2 } }, { headers }))
  bodyOf(await visitor.call(api.markBookRead, { params: book }, { headers }))
  bodyOf(await visitor.call(api.followSeries, { params: { id: series } }))
  const group = bodyOf(await admin.call(api.createAccessGroup, { body: { name: `${turned} ${markup}` } }))
  const hostile = { name: 'hostile', displayName: markup, description: `${script} ${turned}`, command: 'node' }
  await mkdir(join(carrel.dataDir, 'plugins'), { recursive: true })
  await writeFile(join(carrel.dataDir, 'plugins', 'none.mjs'), '')
  const config = { [markup]: script, far: endless }
  const { plugin } = bodyOf(await admin.call(api.createPlugin, { body: { ...hostile, args: ['none.mjs'], config } }))
  const lists = { collection: collection.id, readList: readList.id }
  const importId = await hostileImport(app)
  const made = { user: visitor.user.id, group: group.id, plugin: plugin.id, import: importId }
  const ids = { library, series, book: book.id, ...lists, ...made }
  return { ...app, ids, visitor }
}

/** What another server holds means ill as well. */
const hostileImport = async ({ admin, carrel }: App): Promise<string> => {
  const store = join(carrel.dataDir, 'backup.json')
  const archives = ['1', '2'].map((digit) => ({
    arcid: digit.repeat(40),
    title: markup,
    tags: `series:${script}, ${endless}`,
    filename: turned,
  }))
  const categories = [{ catid: 'SET_1', name: `${markup} ${endless}`, search: 'x', archives: [] }]
  await writeFile(store, JSON.stringify({ categories, archives }))
  const { importId: id } = bodyOf(
    await admin.call(api.startImport, { body: { kind: 'lanraragi', source: { path: store } } }),
  )
  await waitUntil('the import is read', async () =>
    bodyOf(await admin.call(api.readImport, { params: { id } })).state === 'ready' ? true : undefined,
  )
  return id
}

const writeHostileBooks = async ({ folder }: App): Promise<void> => {
  const info = { Summary: `${script} ${endless}`, Writer: script, Publisher: markup, Genre: `${markup}, ${endless}` }
  const books = {
    [`${markup}/${markup}.cbz`]: { Series: markup, Title: markup, Number: 1, ...info },
    'Twice/One.cbz': { Series: 'Twice', Title: turned, Number: 1, ...info },
    'Twice/Other.cbz': { Series: 'Twice', Title: script, Number: 2, ...info },
    [`Endless/${endless.slice(0, 100)} ${turned}.cbz`]: { Series: endless, Title: endless, Number: 1 },
  }
  for (const [path, fields] of Object.entries(books)) {
    // The two of one series are the same file: duplicates.
    const isCopy = path.startsWith('Twice')
    const comicInfo = isCopy ? comicInfoXml({ Series: 'Twice', ...info }) : comicInfoXml(fields)
    await folder.write(path, comic({ seed: isCopy ? 7 : path.length, pages: 3, comicInfo }))
  }
}

/** The limit holds for all pages together, beside other tests. */
export const long = 180_000

/** Nothing takes this long: a page that does not come by then is broken, and the machine is not just slow. */
export const timeout = 15_000

export const evaluate = <Result>(page: Page, text: string): Promise<Result> => page.evaluate<Result>(text)

/** All of what axe knows, and that a text with markup in it is a text. */
export const checkPage = async (screen: Screen, name: string, scheme: SchemeName): Promise<void> => {
  const { page } = screen
  await wear(page, scheme)
  await screen.picture(`every-${name}-${page.viewportSize()?.width ?? 0}-${scheme}`)
  expect.soft(await screen.axe(), `${name} in ${scheme}`).toEqual([])
  expect.soft(await page.locator('img[src=x], svg[onload], #app script').count(), `${name}: text is text`).toBe(0)
}
