import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import type { WriteDb } from '../../../database/database.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { verifyCatalogue } from '../tasks.ts'

let server: TestServer
let folder: LibraryFolder
let libraryId: string
let bookId: string
let seriesId: string

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  await folder.write('Nausicaä/Nausicaä v01.cbz', comic({ seed: 1, comicInfo: true }))
  await folder.write('Nausicaä/Nausicaä v02.cbz', comic({ seed: 2 }))
  await folder.write('Berserk/Berserk 001.cbz', comic({ seed: 3, comicInfo: true }))
  libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const editor = await server.person('editor')
  const book = (await booksOf(server, libraryId)).get('Nausicaä/Nausicaä v01.cbz')
  bookId = book?.id ?? ''
  seriesId = book?.series_id ?? ''
  const externalIds = [{ source: 'isfdb', id: '17', url: null }]
  const ofSeries = {
    ageRating: 12,
    genres: ['Fantasy'],
    alternateTitles: [{ label: 'ja', title: '風の谷' }],
    externalIds,
  }
  await editor.call(api.editSeriesMetadata, { params: { id: seriesId }, body: ofSeries })
  const ofBook = { authors: [{ name: 'Hayao Miyazaki', role: 'writer' }], numberSort: 7, externalIds }
  await editor.call(api.editBookMetadata, { params: { id: bookId }, body: ofBook })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const verified = async () => {
  const { db, clock } = server.context
  await using _ = workOn(server, [verifyCatalogue])
  const { taskId } = await db.write((db) => enqueue(db, verifyCatalogue, { byHand: true }, { now: clock() }))
  const taskRow = () =>
    db.read.selectFrom('task').select(['status', 'result']).where('id', '=', taskId).executeTakeFirst()
  await expect.poll(async () => (await taskRow())?.status).toBe('completed')
  const { drift } = JSON.parse((await taskRow())?.result ?? '{}') as { drift: Record<string, number> }
  return Object.fromEntries(Object.entries(drift).filter(([, count]) => count > 0))
}

/** All that is kept of the catalogue beside its sources, but for when it was written. */
const keptNow = async () => {
  const { read } = server.context.db
  const [books, series] = [
    await read.selectFrom('book').selectAll().orderBy('id').execute(),
    await read.selectFrom('series').selectAll().orderBy('id').execute(),
  ]
  return {
    books: books.map((row) => ({ ...row, updated_at: '' })),
    series: series.map((row) => ({ ...row, updated_at: '' })),
    names: await read.selectFrom('series_name').selectAll().orderBy('series_id').orderBy('key').execute(),
    ids: await read.selectFrom('external_id').selectAll().orderBy('entity_id').execute(),
    bookTerms: await read.selectFrom('book_term').selectAll().orderBy('book_id').orderBy('term_id').execute(),
    seriesTerms: await read.selectFrom('series_term').selectAll().orderBy('series_id').orderBy('term_id').execute(),
    bookSearch: await read.selectFrom('book_search').select(['book_id', 'title', 'words']).orderBy('book_id').execute(),
    seriesSearch: await read
      .selectFrom('series_search')
      .select(['series_id', 'title', 'words'])
      .orderBy('series_id')
      .execute(),
    lists: await read.selectFrom('list_claim').selectAll().orderBy('book_id').execute(),
    counts: await read.selectFrom('library').select(['book_count', 'series_count']).execute(),
  }
}

const setBook = (db: WriteDb, columns: object) => db.updateTable('book').set(columns).where('id', '=', bookId).execute()
const setSeries = (db: WriteDb, columns: object) =>
  db.updateTable('series').set(columns).where('id', '=', seriesId).execute()

const damages: readonly {
  readonly of: string
  readonly damage: (db: WriteDb) => Promise<unknown>
  readonly drift: Readonly<Record<string, number>>
}[] = [
  { of: 'the title of a book', damage: (db) => setBook(db, { title: 'Else' }), drift: { columns: 1, search: 1 } },
  { of: 'what is shown of a book', damage: (db) => setBook(db, { metadata: '{}' }), drift: { columns: 1, search: 1 } },
  { of: 'an inherited rating', damage: (db) => setBook(db, { age_rating: null }), drift: { ratings: 1 } },
  {
    of: 'people who made a book',
    damage: (db) => db.deleteFrom('book_term').where('book_id', '=', bookId).execute(),
    drift: { terms: 1 },
  },
  {
    of: 'the ids of a book and of a series',
    damage: (db) => db.deleteFrom('external_id').execute(),
    drift: { ids: 2 },
  },
  {
    of: 'what a book is found by',
    damage: (db) => db.updateTable('book_search').set({ words: 'nothing' }).where('book_id', '=', bookId).execute(),
    drift: { search: 1 },
  },
  {
    of: 'what a series is found by',
    damage: (db) => db.deleteFrom('series_search').where('series_id', '=', seriesId).execute(),
    drift: { search: 1 },
  },
  { of: 'the summary of a series', damage: (db) => setSeries(db, { summary: 'Else.' }), drift: { columns: 1 } },
  { of: 'the rating of a series', damage: (db) => setSeries(db, { age_rating: 3 }), drift: { ratings: 1 } },
  {
    of: 'the counts of a series',
    damage: (db) => setSeries(db, { book_count: 9, first_book_id: null }),
    drift: { counts: 1 },
  },
  {
    of: 'the counts of a library',
    damage: (db) => db.updateTable('library').set({ book_count: 100, series_count: 7 }).execute(),
    drift: { counts: 1 },
  },
  {
    of: 'the names of a series',
    damage: (db) => db.deleteFrom('series_name').where('series_id', '=', seriesId).execute(),
    drift: { names: 1 },
  },
  {
    of: 'the lists that the file of a book names',
    damage: (db) => db.deleteFrom('list_claim').where('book_id', '=', bookId).execute(),
    drift: { claims: 1 },
  },
  {
    of: 'the genres of a series',
    damage: (db) => db.updateTable('series_term').set({ place: 5 }).where('series_id', '=', seriesId).execute(),
    drift: { terms: 1 },
  },
]

test('CAT-2 LIB-5 what a scan, an edit and their follow-ups leave is what follows from its sources', async () => {
  expect(await verified()).toEqual({})
})

test.each(damages)('CAT-2 $of can be damaged, is found by the night and put right', async ({ damage, drift }) => {
  const before = await keptNow()
  await server.context.db.write(damage)
  expect(await keptNow()).not.toEqual(before)

  expect(await verified()).toEqual(drift)
  expect(await keptNow()).toEqual(before)
  expect(await verified()).toEqual({})
})
