import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedLibrary, addBooks, addLibrary, addSeries, type SeriesOptions } from '../../../../test/content.ts'
import { comic, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { addLibraryOn, scanNow } from '../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'
import type { SeriesFields } from '../../../formats/book-format.ts'
import type { WriteDb } from '../../../database/database.ts'
import { saveLayers } from '../../../catalogue/metadata/metadata.ts'
import { refresh } from '../../../catalogue/shown/shown.ts'
import { importReadList } from './import-list.ts'

let server: TestServer
let library: AddedLibrary
let editor: Person
beforeAll(async () => {
  server = await startServer()
  library = await addLibrary(server.context.db)
  editor = await server.person('editor')
})
afterAll(() => server[Symbol.asyncDispose]())

interface Entry {
  readonly series: string
  readonly number?: string
  readonly volume?: string
  readonly year?: string
}

const escaped = (text: string): string => text.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const cbl = (name: string | undefined, entries: readonly Entry[]): Uint8Array<ArrayBuffer> => {
  const books = entries.map(({ series, number, volume, year }) => {
    const attributes = { Series: series, Number: number, Volume: volume, Year: year }
    const written = Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : `${key}="${escaped(value)}"`,
    )
    return `<Book ${written.join(' ')}><Database Name="cv" Series="1" Issue="2"/><Id>x</Id></Book>`
  })
  return new Uint8Array(
    Buffer.from(`<?xml version="1.0"?>
<ReadingList xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  ${name === undefined ? '' : `<Name>${escaped(name)}</Name>`}<NumIssues>${entries.length}</NumIssues>
  <Books>${books.join('\n')}</Books><Matchers/>
</ReadingList>`),
  )
}

const addNumbered = async (row: SeriesOptions, numbers: readonly number[], years: readonly (string | null)[] = []) => {
  const { db } = server.context
  const series = await addSeries(db, library, row)
  return addBooks(
    db,
    series,
    numbers.map((number, index) => ({ number, released: years[index] ?? null, age_rating: row.age_rating ?? null })),
  )
}

const importFile = (by: Person, body: Uint8Array<ArrayBuffer>, query: { name?: string; dryRun?: boolean } = {}) =>
  by.call(api.importReadList, { query, body })

const titlesIn = async (id: string) => {
  const { data } = bodyOf(await editor.call(api.listBooksOfReadList, { params: { id }, query: { pageSize: 500 } }))
  return data.map(({ title }) => title)
}

test('CAT-8 entries are found by any name of the series and the number, and the report says which are not', async () => {
  await addNumbered({ title: 'The Amazing Spider-Man', year: 1999 }, [529, 530, 1.5])
  await addNumbered({ title: 'Wolverine (2003)', year: 2003 }, [42])
  await addNumbered({ title: 'Frontline', name: 'Civil War - Front Line' }, [1])
  const file = cbl('Civil War & more', [
    { series: 'Amazing Spiderman, The', number: '529', volume: '1999', year: '2006' },
    { series: 'WOLVERINE', number: '#042' },
    { series: 'Nobody', number: '1', volume: '2006', year: '2006' },
    { series: 'Civil War: Front Line', number: '1' },
    { series: 'Amazing Spider-Man', number: '1.50' },
    { series: 'Amazing Spider-Man', number: '531' },
    // A book named twice stands where it is named first.
    { series: 'Amazing Spider-Man', number: '529' },
  ])
  const dry = bodyOf(await importFile(editor, file, { dryRun: true }))
  expect(dry).toEqual({
    readListId: null,
    name: 'Civil War & more',
    matched: 5,
    unmatched: [
      { position: 3, series: 'Nobody', number: '1', volume: '2006', year: '2006' },
      { position: 6, series: 'Amazing Spider-Man', number: '531', volume: null, year: null },
    ],
    ambiguous: [],
  })
  const names = async () => bodyOf(await editor.call(api.listReadLists, {})).data.map(({ name }) => name)
  expect(await names()).not.toContain('Civil War & more')

  const { readListId, ...report } = bodyOf(await importFile(editor, file))
  expect({ ...report, readListId: null }).toEqual(dry)
  expect(await titlesIn(readListId ?? '')).toEqual([
    'The Amazing Spider-Man 529',
    'Wolverine (2003) 42',
    'Frontline 1',
    'The Amazing Spider-Man 1.5',
  ])
  const missing = bodyOf(await editor.call(api.listMissingOfReadList, { params: { id: readListId ?? '' } }))
  expect(missing.data.map(({ series, number }) => `${series} ${number}`)).toEqual([
    'Nobody 1',
    'Amazing Spider-Man 531',
  ])
  // The name is taken now; another one is not.
  expect(errorOf(await importFile(editor, file)).error).toBe('already_exists')
  expect(bodyOf(await importFile(editor, file, { name: 'Again' })).name).toBe('Again')
  const [first] = missing.data
  const entry = { id: readListId ?? '', entryId: first?.id ?? '' }
  expect((await editor.call(api.removeMissingOfReadList, { params: entry })).status).toBe(204)
  expect((await editor.call(api.removeMissingOfReadList, { params: entry })).status).toBe(404)
})

test('CAT-8 a series goes by the names that are said of it, and no longer by those that are not', async () => {
  const { db, clock } = server.context
  const [book = ''] = await addNumbered({ title: 'Nichijou' }, [1])
  const { series_id: id } = await db.read
    .selectFrom('book')
    .select('series_id')
    .where('id', '=', book)
    .executeTakeFirstOrThrow()
  const say = (fields: SeriesFields) =>
    db.write(async (db) => {
      await saveLayers(db, [{ entityId: id, source: 'sidecar:series', fields }], clock())
      await refresh(db, { series: [id] }, clock())
    })
  const matchNames = async () => {
    const names = ['Nichijou', 'My Ordinary Life', 'Everyday', '日常']
    const file = cbl(
      'Names',
      names.map((series) => ({ series, number: '1' })),
    )
    const { unmatched } = bodyOf(await importFile(editor, file, { dryRun: true }))
    return names.filter((name) => unmatched.every(({ series }) => series !== name))
  }

  expect(await matchNames()).toEqual(['Nichijou'])
  await say({ title: 'My Ordinary Life', alternateTitles: [{ label: 'ja', title: '日常' }] })
  expect(await matchNames()).toEqual(['Nichijou', 'My Ordinary Life', '日常'])
  await say({ title: 'Everyday' })
  expect(await matchNames()).toEqual(['Nichijou', 'Everyday'])
})

test('CAT-8 volume and year tell series of one name apart, and what nothing tells apart is said to be so', async () => {
  await addNumbered({ title: 'Batman', key: 'b1', year: 1940 }, [1], ['1940'])
  await addNumbered({ title: 'Batman (2011)', year: 2011 }, [1, 2], ['2011-11', '2011-12'])
  await addNumbered({ title: 'Batman (2016)', year: 2016 }, [1, 2], ['2016-08', '2016-08'])
  const file = cbl('Batmen', [
    { series: 'Batman', number: '1', volume: '2011' },
    { series: 'Batman', number: '1', year: '2016' },
    { series: 'Batman', number: '1', volume: '1940', year: '1940' },
    { series: 'Batman', number: '2' },
    { series: 'Batman', number: '2', volume: '1940', year: '1940' },
    { series: 'Batman (2011)', number: '2' },
  ])
  const { readListId, matched, ambiguous, unmatched } = bodyOf(await importFile(editor, file))
  expect(matched).toBe(4)
  expect(await titlesIn(readListId ?? '')).toEqual([
    'Batman (2011) 1',
    'Batman (2016) 1',
    'Batman 1',
    'Batman (2011) 2',
  ])
  expect(unmatched.map(({ position }) => position)).toEqual([5])
  expect(
    ambiguous.map(({ position, candidates }) => [
      position,
      candidates.map(({ year }) => year ?? 0).toSorted((one, other) => one - other),
    ]),
  ).toEqual([[4, [2011, 2016]]])
})

test('HTTP-3 CAT-8 what the importer does not see is not found', async () => {
  await addNumbered({ title: 'Grown-ups only', age_rating: 18 }, [1])
  const access: api.Access = {
    libraries: 'all',
    ageCeiling: 12,
    includeUnrated: true,
    allowTags: [],
    denyTags: [],
    groups: [],
  }
  const youngEditor = await server.person('editor', { access })
  const file = cbl('Hidden', [{ series: 'Grown-ups only', number: '1' }])
  expect(bodyOf(await importFile(youngEditor, file, { dryRun: true })).matched).toBe(0)
  expect(bodyOf(await importFile(editor, file, { dryRun: true })).matched).toBe(1)
})

test('CAT-8 LIB-5 a place that was kept is filled as soon as a scan finds the book', async () => {
  await using folder = await libraryFolder()
  await folder.write('Saga/Saga 001.cbz', comic({ seed: 1 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Scanned' })
  await scanNow(server, libraryId)
  const file = cbl('Sagas', [
    { series: 'Saga', number: '2' },
    { series: 'Saga', number: '1' },
    { series: 'Saga', number: '3' },
    { series: 'Paper Girls', number: '1' },
  ])
  const { readListId: id } = bodyOf(await importFile(editor, file))
  const params = { id: id ?? '' }
  const numbers = async () => {
    const { data } = bodyOf(await editor.call(api.listBooksOfReadList, { params }))
    return data.map(({ seriesName, number }) => `${seriesName} ${number}`)
  }
  expect(await numbers()).toEqual(['Saga 1'])
  const again = cbl('Saga twice', [
    { series: 'Saga', number: '2' },
    { series: 'SAGA', number: '002' },
  ])
  const { readListId: twice } = bodyOf(await importFile(editor, again))

  await folder.write('Saga/Saga 002.cbz', comic({ seed: 2 }))
  await folder.write('Paper Girls/Paper Girls 001.cbz', comic({ seed: 3 }))
  await scanNow(server, libraryId)
  expect(await numbers()).toEqual(['Saga 2', 'Saga 1', 'Paper Girls 1'])
  const missing = bodyOf(await editor.call(api.listMissingOfReadList, { params }))
  expect(missing.data.map(({ number }) => number)).toEqual(['3'])

  // A book that was missing twice is there once.
  const params2 = { id: twice ?? '' }
  expect(await titlesIn(params2.id)).toHaveLength(1)
  expect(bodyOf(await editor.call(api.listMissingOfReadList, { params: params2 })).total).toBe(0)
  const events = await server.context.db.read
    .selectFrom('event')
    .select('type')
    .where('data', 'like', `%${twice}%`)
    .orderBy('number')
    .execute()
  // For those who see the book, the list begins to exist only now.
  expect(events.map(({ type }) => type)).toEqual(['read_list_created', 'read_list_created'])
})

test('CAT-8 CAT-2 a place that was kept is filled as soon as somebody gives the series or the book its name', async () => {
  const series = await addSeries(server.context.db, library, { title: 'Nameless', key: 'Nameless' })
  const [first = '', second = ''] = await addBooks(server.context.db, series, [
    { fileName: 'One.cbz', number: 71 },
    { fileName: 'Two.cbz', number: 72 },
  ])
  const file = cbl('Named later', [
    { series: 'The Found One', number: '72' },
    { series: 'The Found One', number: '500' },
  ])
  const { readListId } = bodyOf(await importFile(editor, file))
  const params = { id: readListId ?? '' }
  const inList = async () => bodyOf(await editor.call(api.listBooksOfReadList, { params })).data.map(({ id }) => id)
  expect(await inList()).toEqual([])
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id: series.id }, body: { title: 'The Found One' } }))
  expect(await inList()).toEqual([second])
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: first }, body: { number: '500' } }))
  expect(await inList()).toEqual([second, first])
  expect(bodyOf(await editor.call(api.listMissingOfReadList, { params })).total).toBe(0)
})

test('CAT-8 a place that was kept is filled however many others wait for the same series', async () => {
  const series = await addSeries(server.context.db, library, { title: 'Hardly Here', key: 'Hardly Here' })
  const [book = ''] = await addBooks(server.context.db, series, [{ fileName: 'Late.cbz', number: 9999 }])
  const entries = Array.from({ length: 1100 }, (_, index) => ({ series: 'Hardly Here', number: `${index + 1}` }))
  const params = { id: bodyOf(await importFile(editor, cbl('Hardly any of it', entries))).readListId ?? '' }
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: book }, body: { number: '1050' } }))
  const { data } = bodyOf(await editor.call(api.listBooksOfReadList, { params }))
  expect(data.map(({ id }) => id)).toEqual([book])
})

test('CAT-8 what is no list is refused, and nothing of it is kept', async () => {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))
  const many = Array.from({ length: 10_001 }, (_, index) => ({ series: `S${index}`, number: '1' }))
  const wrong: [Uint8Array<ArrayBuffer>, number][] = [
    [bytes(''), 422],
    [bytes('not xml'), 422],
    [bytes('<ReadingList><Name>Broken</Name><Books><Book Series="x"'), 422],
    [bytes('<Other><Books><Book Series="x" Number="1"/></Books></Other>'), 422],
    [bytes('<ReadingList><Name>Nothing</Name><Books/></ReadingList>'), 422],
    [bytes('<!DOCTYPE r [<!ENTITY a "b">]><ReadingList><Name>&a;</Name></ReadingList>'), 422],
    [bytes('<a>'.repeat(100_000)), 422],
    [cbl('Endless', many), 422],
    [cbl(undefined, [{ series: 'Saga', number: '1' }]), 400],
    [new Uint8Array(6 * 1024 * 1024), 413],
  ]
  for (const [body, status] of wrong) {
    const outcome = await importFile(editor, body)
    expect([body.length, outcome.status]).toEqual([body.length, status])
  }
  const names = bodyOf(await editor.call(api.listReadLists, { query: { pageSize: 500 } })).data.map(({ name }) => name)
  expect(names.filter((name) => ['Broken', 'Nothing', 'Endless'].includes(name))).toEqual([])
})

test('CAT-8 a list is there with all of its places or not at all, and a book that has gone meanwhile keeps its place', async () => {
  const [one = '', two = ''] = await addNumbered({ title: 'Going' }, [1, 2])
  const entries = Array.from({ length: 1200 }, (_, index) => ({ series: 'Going', number: `${index + 1}` }))
  const { db, decoders } = server.context
  const rule = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
  const viewer = { userId: editor.id, rule, deletedLibraries: [], seesPaths: false }
  // What others do between the search for books and the first write.
  const between = (work: (db: WriteDb) => Promise<unknown>): typeof db => ({
    ...db,
    write: async (given) => {
      await db.write(work)
      return db.write(given)
    },
  })
  const purging = between((db) => db.deleteFrom('book').where('id', '=', two).execute())
  const bytes = cbl('Going away', entries)
  const { readListId } = await importReadList({ db: purging, decoders }, viewer, { bytes }, new Date())
  const params = { id: readListId ?? '' }
  const { data } = bodyOf(await editor.call(api.listBooksOfReadList, { params }))
  expect(data.map(({ id }) => id)).toEqual([one])
  const missingOf = async (id = '') => bodyOf(await editor.call(api.listMissingOfReadList, { params: { id } })).total
  expect(await missingOf(params.id)).toBe(1199)

  let writes = 0
  const killed: typeof db = {
    ...db,
    write: (work) => {
      writes += 1
      if (writes > 1) throw new Error('The server was killed')
      return db.write(work)
    },
  }
  await importReadList({ db: killed, decoders }, viewer, { bytes, name: 'Killed' }, new Date()).catch(() => undefined)
  const { data: lists } = bodyOf(await editor.call(api.listReadLists, { query: { pageSize: 500 } }))
  const list = lists.find(({ name }) => name === 'Killed')
  expect(list ? await missingOf(list.id) : 1199).toBe(1199)
})

test('C18 D ten thousand entries are taken in, each of them keeping its place', async () => {
  const { db } = server.context
  const series = await addSeries(db, library, { title: 'Endless Comic' })
  await addBooks(
    db,
    series,
    Array.from({ length: 300 }, (_, index) => ({ number: index + 1 })),
  )
  const entries = Array.from({ length: 10_000 }, (_, index) => ({ series: 'Endless Comic', number: `${index + 1}` }))
  const report = bodyOf(await importFile(editor, cbl('All of it', entries)))
  expect([report.matched, report.unmatched.length]).toEqual([300, 9700])
  const missing = await editor.call(api.listMissingOfReadList, {
    params: { id: report.readListId ?? '' },
    query: { pageSize: 1, page: 9700 },
  })
  expect(bodyOf(missing)).toMatchObject({ total: 9700, data: [{ number: '10000' }] })
})
