import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, scanNow, scanTasks } from '../../../test/scanning.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { startServer } from '../../../test/start-server.ts'
import { forgetLibrary, type Household, importing, shelfFolder, startHousehold } from '../../../test/stores.ts'
import { storePath } from '../../../test/stores/read.ts'
import { workOn } from '../../../test/work.ts'
import { enqueue } from '../../tasks/queue.ts'
import { importFromServer } from './tasks.ts'

let home: Household
beforeAll(async () => {
  home = await startHousehold()
})
afterAll(() => home[Symbol.asyncDispose]())

const komga = () => ({ kind: 'komga' as const, source: { path: storePath('komga', 'database.sqlite') } })
const bookAt = (where: string): string => home.bookAt(where)
const wind = 'manga/Kaze no Hanashi/Kaze no Hanashi v05.cbz'
const harbour = 'comics/The Lantern Coast (2019)/The Lantern Coast (2019) #001.cbz'

const seriesOf = async (bookId: string): Promise<string> =>
  bodyOf(await home.admin.call(api.readBook, { params: { id: bookId } })).seriesId ?? ''

const wordsOf = async (seriesId: string) =>
  bodyOf(await home.admin.call(api.readSeriesMetadata, { params: { id: seriesId } }))

test('C25 what people have said here stays, and what they do with an import stays when it is taken back', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const jonas = await home.server.person('reader', { username: 'jonas-here', email: 'jonas@household.example' })
  const windSeries = await seriesOf(bookAt(wind))
  await home.admin.call(api.editSeriesMetadata, { params: { id: windSeries }, body: { publisher: 'Said here' } })
  await jonas.call(api.saveProgress, { params: { id: bookAt(harbour) }, body: { currentPage: 3 } })
  const mine = bodyOf(await jonas.call(api.readProgress, { params: { id: bookAt(harbour) } }))

  const report = await read(komga())
  expect(report.users.find(({ ours }) => ours === jonas.id)).toMatchObject({ by: 'email' })
  const applied = await apply(report.id)
  expect(applied).toMatchObject({ state: 'applied', taken: { users: 3, metadataSaidHere: 1 } })
  expect(await wordsOf(windSeries)).toMatchObject({ publisher: 'Said here', publisherLock: false })
  expect(bodyOf(await jonas.call(api.readProgress, { params: { id: bookAt(harbour) } }))).toMatchObject({
    currentPage: mine?.currentPage,
    updatedAt: mine?.updatedAt,
  })

  // Somebody signs in, a list gets another book, and a word is said otherwise.
  const users = bodyOf(await home.admin.call(api.listUsers, { query: { pageSize: 100 } })).data
  const mara = users.find(({ email }) => email === 'mara@household.example')
  const { token } = bodyOf(await home.admin.call(api.createOneTimeLink, { params: { id: mara?.id ?? '' } }))
  await home.server.call(api.redeemOneTimeLink, { body: { token, password: 'brass-kettle-at-dawn' } })
  const lists = async () => bodyOf(await home.admin.call(api.listReadLists, { query: { pageSize: 100 } })).data
  const rainy = (await lists()).find(({ name }) => name === 'Rainy Sunday')
  const added = bookAt('comics/The Lantern Coast (2019)/The Lantern Coast 099 new.cbz')
  await home.admin.call(api.addToReadList, { params: { id: rainy?.id ?? '' }, body: { bookIds: [added] } })
  const [brought = ''] = bodyOf(
    await home.admin.call(api.listBooksOfReadList, { params: { id: rainy?.id ?? '' } }),
  ).data.map(({ id }) => id)
  await home.admin.call(api.removeFromReadList, { params: { id: rainy?.id ?? '', bookId: brought } })
  const ironSeries = await seriesOf(bookAt('comics/Iron Garden/Iron Garden 001.cbz'))
  expect(await wordsOf(ironSeries)).toMatchObject({ publisherLock: true })
  await home.admin.call(api.editSeriesMetadata, { params: { id: ironSeries }, body: { publisher: 'Said since' } })

  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
  const left = bodyOf(await home.admin.call(api.listUsers, { query: { pageSize: 100 } })).data
  expect(left.map(({ username }) => username).toSorted()).toEqual(['jonas-here', 'keeper', 'mara'])
  expect((await lists()).map(({ name, bookCount }) => [name, bookCount])).toEqual([['Rainy Sunday', 1]])
  expect(await wordsOf(ironSeries)).toMatchObject({ publisher: 'Said since' })
  expect(bodyOf(await jonas.call(api.readProgress, { params: { id: bookAt(harbour) } }))).toMatchObject({
    currentPage: mine?.currentPage,
  })
})

test('C25 what a reader may not see any more is taken over, and stays unseen', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const report = await read(komga())
  await apply(report.id)
  const users = bodyOf(await home.admin.call(api.listUsers, { query: { pageSize: 100 } })).data
  const tilda = users.find(({ email }) => email === 'tilda.k@household.example')
  const { token } = bodyOf(await home.admin.call(api.createOneTimeLink, { params: { id: tilda?.id ?? '' } }))
  await home.server.call(api.redeemOneTimeLink, { body: { token, password: 'brass-kettle-at-dawn' } })
  const signedIn = bodyOf(
    await home.server.call(api.login, { body: { username: tilda?.username ?? '', password: 'brass-kettle-at-dawn' } }),
  )
  const asTilda = home.server.callWith({ authorization: `Bearer ${signedIn.accessToken}` })
  const rows = await home.server.context.db.read
    .selectFrom('read_progress')
    .select('book_id')
    .where('user_id', '=', tilda?.id ?? '')
    .execute()
  const seen: string[] = []
  for (const { book_id } of rows)
    if ((await asTilda(api.readBook, { params: { id: book_id } })).status === 200) seen.push(book_id)
  expect(seen.length).toBeLessThan(rows.length)
  const { data } = bodyOf(await asTilda(api.listProgress, { query: { pageSize: 500 } }))
  expect(data.map(({ bookId }) => bookId).toSorted()).toEqual(seen.toSorted())
  await undo(report.id)
})

test('C25 a library is made of theirs, scanned, and matched before anything else is taken', async () => {
  await using other = await startServer()
  const keeper = await other.person('admin')
  for (const shelf of ['comics', 'ebooks'] as const)
    await scanNow(other, await addLibraryOn(other, { roots: [shelfFolder(shelf)], name: shelf }))
  const body = { ...komga(), libraries: [{ theirs: 'Manga', path: shelfFolder('manga') }] }
  const wrong = { ...komga(), libraries: [{ theirs: 'Manga', path: '/nowhere/at/all' }] }
  expect(errorOf(await keeper.call(api.startImport, { body: wrong }))).toMatchObject({ error: 'validation_failed' })

  const { read, apply, undo } = importing(other, keeper, importFromServer, scanTasks)
  const report = await read(body)
  expect(report.wouldCreate).toMatchObject({ libraries: 1 })
  expect(report.unmatched.some(({ reason }) => reason === 'library_to_come')).toBe(true)
  const applied = await apply(report.id)
  expect([applied.state, applied.fault]).toEqual(['applied', null])
  expect(applied.matched).toEqual({ byHash: 32, byPath: 21, byName: 4 })
  const made = async () =>
    bodyOf(await keeper.call(api.listLibraries, { query: {} })).data.map(({ name, bookCount }) => [name, bookCount])
  expect(await made()).toContainEqual(['Manga', 22])

  expect(await undo(report.id)).toMatchObject({ state: 'undone' })
  await using _ = workOn(other, [forgetLibrary])
  await waitUntil('a library that is forgotten', async () => {
    const rows = await other.context.db.read.selectFrom('library').select('name').execute()
    return rows.every(({ name }) => name !== 'Manga')
  })
  expect((await made()).map(([name]) => name)).toEqual(['comics', 'ebooks'])
})

test('C25 what was read is taken over, also while the task that has read it is run once more', async () => {
  const { read, apply } = importing(home.server, home.admin)
  const { id } = await read(komga())
  const { db, clock } = home.server.context
  await db.write((db) => enqueue(db, importFromServer, { importId: id, act: 'read' }, { now: clock() }))
  expect(await apply(id)).toMatchObject({ state: 'applied' })
})
