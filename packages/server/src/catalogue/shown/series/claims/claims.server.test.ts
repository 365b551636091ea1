import * as api from '@carrel/api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { comicInfoXml } from '../../../../../test/books/metadata.ts'
import { addBooks, addLibrary, addSeries } from '../../../../../test/content.ts'
import { comic, libraryFolder } from '../../../../../test/library-folder.ts'
import { bodyOf } from '../../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../../../test/start-server.ts'
import { saveLayers } from '../../../metadata/metadata.ts'
import { newId } from '../../../../platform/ids.ts'
import { insertOverrides, markMissing, moveBooks, refresh } from '../../shown.ts'

let server: TestServer
let editor: Person

beforeAll(async () => {
  server = await startServer()
  editor = await server.person('editor')
})
afterAll(() => server[Symbol.asyncDispose]())

const sourcesOf = async (id: string, person = editor) =>
  bodyOf(await person.call(api.readSeriesMetadataSources, { params: { id } })).fields

test('C20 F2 a series is what most of its books say, whichever of them is the first', async () => {
  await using folder = await libraryFolder()
  const issue = (number: number, fields: Readonly<Record<string, string | number>> | null) =>
    folder.write(
      `Planetary (1998) [cv-1]/Planetary ${number}.cbz`,
      comic({ seed: 40 + number, comicInfo: fields === null ? false : comicInfoXml({ Number: number, ...fields }) }),
    )
  const shared = { Series: 'Planetary', LanguageISO: 'en', Publisher: 'WildStorm', AgeRating: 'Teen' }
  await issue(1, null)
  await issue(2, { ...shared, Genre: 'Mystery', Writer: 'Warren Ellis', Tags: 'archaeology', Count: 27 })
  await issue(3, {
    ...shared,
    Genre: 'Mystery, Science Fiction',
    Summary: 'The third one.',
    Web: 'https://example.org/3',
  })
  await issue(4, {
    ...shared,
    Series: 'Planetary!',
    Publisher: 'DC',
    Genre: 'science fiction',
    AgeRating: 'Mature 17+',
  })
  await issue(5, { ...shared, Series: 'Batman', Genre: 'Mystery', CoverArtist: 'John Cassaday', Count: 26 })
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Comics of C20' })
  await scanNow(server, libraryId)
  const books = await booksOf(server, libraryId)
  const hidden = books.get('Planetary (1998) [cv-1]/Planetary 4.cbz')
  const id = hidden?.series_id ?? ''

  const metadata = bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
  expect(metadata).toMatchObject({
    title: 'Planetary',
    publisher: 'WildStorm',
    language: 'en',
    totalVolumeCount: 27,
    summary: 'The third one.',
    genres: ['Mystery', 'Science Fiction'],
    tags: ['archaeology'],
    status: null,
  })
  expect(metadata.authors.map(({ name, role }) => [name, role])).toEqual([
    ['John Cassaday', 'cover_artist'],
    ['Warren Ellis', 'writer'],
  ])
  const sources = await sourcesOf(id)
  expect(sources['publisher']?.values).toMatchObject([
    { source: 'file:comicinfo', value: 'WildStorm', books: 3, of: 5 },
  ])
  expect(sources['title']?.values).toMatchObject([{ value: 'Planetary', books: 3, of: 5 }])
  expect(sources['genres']?.values).toMatchObject([{ books: 4, of: 5 }])
  expect(sources['summary']?.values).toMatchObject([{ books: 1, of: 5, summaryFrom: '3' }])

  // Somebody from whom one of them is hidden is not told how many there are: those are counted that they see.
  await editor.call(api.editSeriesMetadata, { params: { id }, body: { ageRating: 6 } })
  await editor.call(api.editBookMetadata, { params: { id: hidden?.id ?? '' }, body: { ageRating: 18 } })
  const young = await server.person('reader', { access: { ageCeiling: 12 } })
  const [value] = (await sourcesOf(id, young))['publisher']?.values ?? []
  expect(value).toMatchObject({ source: 'file:comicinfo', value: 'WildStorm', of: 4 })
  expect((await sourcesOf(id))['publisher']?.values[0]).toMatchObject({ books: 3, of: 5 })
})

test('C20 a series that was read before claims were stored loses nothing when one of its books changes', async () => {
  await using folder = await libraryFolder()
  for (const number of [1, 2, 3])
    await folder.write(
      `Ghost World/Ghost World ${number}.cbz`,
      comic({ seed: 60 + number, comicInfo: number === 1 ? comicInfoXml({ Publisher: 'Fantagraphics' }) : false }),
    )
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Comics from before' })
  await scanNow(server, libraryId)
  const last = (await booksOf(server, libraryId)).get('Ghost World/Ghost World 3.cbz')
  const { db, clock } = server.context
  await db.write(async (db) => {
    await db.deleteFrom('book_claim').execute()
    await db.deleteFrom('series_claim').execute()
    await refresh(db, { books: [last?.id ?? ''] }, clock())
  })
  const metadata = bodyOf(await editor.call(api.readSeriesMetadata, { params: { id: last?.series_id ?? '' } }))
  expect(metadata.publisher).toBe('Fantagraphics')
})

test('C20 what files leave open is taken from their paths, and a file goes before all paths', async () => {
  await using folder = await libraryFolder()
  const write = (path: string, seed: number, fields: Readonly<Record<string, string | number>> | null) =>
    folder.write(path, comic({ seed, comicInfo: fields === null ? false : comicInfoXml(fields) }))
  await write('Vertigo/Neil Gaiman/Sandman (1989)/Sandman 1.cbz', 71, null)
  await write('Vertigo/Neil Gaiman/Sandman (1989)/Sandman 2.cbz', 72, { Number: 2, Publisher: 'DC', Year: 1991 })
  await write('Vertigo/Garth Ennis/Preacher (1995)/Preacher 1.cbz', 73, null)
  await write('Vertigo/Bill Willingham/Fables/Fables 1.cbz', 74, { Number: 1, Year: 2002 })
  await write('Vertigo/Bill Willingham/Fables/Fables 2.cbz', 75, { Number: 2, Year: 1996, Volume: 2003 })
  const libraryId = await addLibraryOn(server, {
    roots: [folder.path],
    name: 'Comics by publisher',
    policy: 'publisher_folders',
    config: { levels: ['publisher', 'author', 'series'] },
  })
  await scanNow(server, libraryId)
  const books = await booksOf(server, libraryId)
  const seriesOf = (path: string): string => books.get(path)?.series_id ?? ''
  const metadataOf = async (id: string) => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))
  const [sandman, preacher] = [
    seriesOf('Vertigo/Neil Gaiman/Sandman (1989)/Sandman 1.cbz'),
    seriesOf('Vertigo/Garth Ennis/Preacher (1995)/Preacher 1.cbz'),
  ]

  expect(await metadataOf(preacher)).toMatchObject({
    publisher: 'Vertigo',
    year: 1995,
    authors: [{ name: 'Garth Ennis', role: 'author' }],
  })
  expect(await metadataOf(sandman)).toMatchObject({ publisher: 'DC', year: 1989 })
  const sources = await sourcesOf(sandman)
  expect(sources['publisher']).toMatchObject({
    shown: 'file:comicinfo',
    values: [
      { source: 'file:comicinfo', value: 'DC', books: 1, of: 2 },
      { source: 'path', value: 'Vertigo', books: 2, of: 2 },
    ],
  })
  expect(sources['authors']?.values).toMatchObject([{ source: 'path', books: 2, of: 2 }])
  expect(sources['year']?.values).toMatchObject([{ source: 'path', value: 1989, books: 2, of: 2 }])
  const fables = seriesOf('Vertigo/Bill Willingham/Fables/Fables 1.cbz')
  expect(await metadataOf(fables)).toMatchObject({ year: 1996 })
  expect((await sourcesOf(fables))['year']?.values).toMatchObject([{ source: 'file:comicinfo', value: 1996 }])
})

interface ExpectedFields {
  readonly title?: string
  readonly publisher?: string
  readonly language?: string
  readonly ageRating?: number
  readonly year?: number
  readonly totalVolumeCount?: number
  readonly genres?: readonly string[]
  readonly externalIds?: readonly { readonly source: string; readonly id: string }[]
  readonly summary?: string
}

interface SaidByPath {
  readonly publisher?: string
  readonly author?: string
  readonly language?: string
  readonly year?: number
}

interface NaiveBook {
  readonly id: string
  isPresent: boolean
  said: ExpectedFields
  byPath: SaidByPath
}

const some = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const saids: fc.Arbitrary<ExpectedFields> = fc
  .record({
    title: some(['Nemo', 'nemo', 'Nautilus']),
    publisher: some(['Odd', 'Even', 'Third']),
    language: some(['en', 'ja']),
    ageRating: some([6, 12, 18]),
    year: some([1998, 2003]),
    totalVolumeCount: some([5, 7]),
    genres: some([['Fantasy'], ['Fantasy', 'Drama'], ['drama', 'War']]),
    externalIds: some([[{ source: 'isfdb', id: '1' }], [{ source: 'isfdb', id: '2' }], [{ source: 'mal', id: '3' }]]),
    summary: some(['One.', 'Two.']),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

const paths: fc.Arbitrary<SaidByPath> = fc
  .record({
    publisher: some(['Odd', 'Even', 'Fourth']),
    author: some(['Ann', 'Ben']),
    language: some(['en', 'fr']),
    year: some([1990, 2001]),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))
const pattern =
  '^(?:p=(?<publisher>\\w+) )?(?:a=(?<author>\\w+) )?(?:l=(?<language>\\w+) )?(?:y=(?<year>\\d+) )?(?<series>.+?)/'
const folderOf = ({ publisher, author, language, year }: SaidByPath): string =>
  [
    ...(publisher === undefined ? [] : [`p=${publisher}`]),
    ...(author === undefined ? [] : [`a=${author}`]),
    ...(language === undefined ? [] : [`l=${language}`]),
    ...(year === undefined ? [] : [`y=${year}`]),
    'Somewhere/',
  ].join(' ')

const commands = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('lie' as const), book: fc.nat(11), path: paths }),
    fc.record({ kind: fc.constant('say' as const), book: fc.nat(11), said: saids }),
    fc.record({ kind: fc.constant('go' as const), book: fc.nat(11) }),
    fc.record({ kind: fc.constant('return' as const), book: fc.nat(11) }),
    fc.record({ kind: fc.constant('merge' as const), into: fc.nat(2) }),
    fc.record({ kind: fc.constant('lock' as const), series: fc.nat(2), isLocked: fc.boolean() }),
  ),
  { maxLength: 12 },
)

/** The value that most books say; where as many say another, that of the first book in order. */
const mostFrequent = (values: readonly unknown[]): unknown => {
  const counts = Map.groupBy(values, (value) => value)
  const most = Math.max(0, ...[...counts.values()].map(({ length }) => length))
  return values.find((value) => counts.get(value)?.length === most) ?? null
}

const naively = (expected: readonly ExpectedFields[], byPath: readonly SaidByPath[]) => {
  const single = <Field extends keyof ExpectedFields>(field: Field) =>
    expected.flatMap((each) => (each[field] === undefined ? [] : [each[field]]))
  /** What no file says at all is what the paths say. */
  const orByPath = (field: 'publisher' | 'language'): readonly unknown[] => {
    const ofFiles: readonly unknown[] = single(field)
    return ofFiles.length > 0 ? ofFiles : byPath.flatMap((each) => each[field] ?? [])
  }
  const people = Map.groupBy(
    byPath.flatMap(({ author = [] }) => author),
    (author) => author,
  )
  const titles = Map.groupBy(single('title'), (title) => title.toLowerCase())
  const agreed = [...titles.values()].find(({ length }) => length * 2 > single('title').length)
  const spellings = Object.entries(Object.groupBy(agreed ?? [], (title) => title))
  const [spelling] = spellings.sort(([a, as = []], [b, bs = []]) => bs.length - as.length || (a < b ? -1 : 1))
  const genres = Map.groupBy(
    expected.flatMap(({ genres = [] }) => genres),
    (genre) => genre.toLowerCase(),
  )
  const ids = Map.groupBy(
    expected.flatMap(({ externalIds = [] }) => externalIds),
    ({ source }) => source,
  )
  return {
    title: spelling?.[0] ?? null,
    publisher: mostFrequent(orByPath('publisher')),
    language: mostFrequent(orByPath('language')),
    authors: [...people.values()].map((all) => [all.length, all[0]]).sort(byCountThenName),
    ageRating: Math.max(-1, ...single('ageRating')),
    year: Math.min(9999, ...single('year'), ...byPath.flatMap(({ year = [] }) => year)),
    totalVolumeCount: Math.max(-1, ...single('totalVolumeCount')),
    genres: [...genres.values()].map((all) => [all.length, all[0]?.toLowerCase()]).sort(byCountThenName),
    externalIds: [...ids]
      .flatMap(([source, all]) => (all.every(({ id }) => id === all[0]?.id) ? [`${source} ${all[0]?.id}`] : []))
      .sort(),
    summary: single('summary')[0] ?? null,
  }
}

const byCountThenName = (one: unknown[], other: unknown[]): number =>
  Number(other[0]) - Number(one[0]) || (String(one[1]).toLowerCase() < String(other[1]).toLowerCase() ? -1 : 1)

test('C20 what is counted step by step is what is counted from the beginning', async () => {
  const { db, clock } = server.context
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(saids, paths), { minLength: 12, maxLength: 12 }),
      commands,
      async (first, steps) => {
        const grouping = JSON.stringify({ policy: 'custom', config: { pattern } })
        const library = await addLibrary(db, { path: `/data/${Math.random()}`, grouping })
        const series = [
          await addSeries(db, library, { title: 'One' }),
          await addSeries(db, library, { title: 'Two' }),
          await addSeries(db, library, { title: 'Three' }),
        ]
        const books: NaiveBook[] = []
        for (const [index, each] of series.entries()) {
          const firstOf = (of: number) => first[index * 4 + of] ?? [{}, {}]
          const made = [0, 1, 2, 3].map((of) => ({ file: { folder: folderOf(firstOf(of)[1]) } }))
          const ids = await addBooks(db, each, made)
          books.push(...ids.map((id, of) => ({ id, isPresent: true, said: firstOf(of)[0], byPath: firstOf(of)[1] })))
          await keepIn(each.id, library.id, ids)
        }
        const say = (...saying: readonly NaiveBook[]) =>
          db.write(async (db) => {
            const layers = saying.map(({ id, said: { summary, ...series } }) => {
              const book = summary === undefined ? {} : { summary }
              return { entityId: id, source: 'file:comicinfo', fields: { book, series } }
            })
            await saveLayers(db, layers, clock())
            await refresh(db, { books: saying.map(({ id }) => id) }, clock())
          })
        await say(...books)
        const locked = new Map<string, unknown>()
        for (const step of steps) await take(step)
        const placed = await db.read
          .selectFrom('book')
          .select(['id', 'series_id', 'state'])
          .where(
            'id',
            'in',
            books.map(({ id }) => id),
          )
          .orderBy('position_key')
          .orderBy('id')
          .execute()
        const bookOf = new Map(books.map((book) => [book.id, book]))

        for (const { id } of series) {
          const own = placed.filter(({ series_id, state }) => series_id === id && state === 'present')
          if (own.length === 0) continue
          const { title, ageRating, year, totalVolumeCount, genres, externalIds, ...rest } = naively(
            own.map(({ id }) => bookOf.get(id)?.said ?? {}),
            own.map(({ id }) => bookOf.get(id)?.byPath ?? {}),
          )
          const row = await db.read.selectFrom('series').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
          const shown = JSON.parse(row.metadata) as Record<string, unknown>
          expect(row.title).toBe(title ?? row.name)
          expect({ publisher: shown['publisher'] ?? null, language: shown['language'] ?? null }).toEqual({
            publisher: locked.has(id) ? locked.get(id) : rest.publisher,
            language: rest.language,
          })
          expect([shown['ageRating'] ?? -1, shown['year'] ?? 9999, shown['totalVolumeCount'] ?? -1]).toEqual([
            ageRating,
            year,
            totalVolumeCount,
          ])
          expect(((shown['genres'] ?? []) as string[]).map((genre) => genre.toLowerCase())).toEqual(
            genres.map(([, genre]) => genre),
          )
          expect(((shown['authors'] ?? []) as { name: string }[]).map(({ name }) => name)).toEqual(
            rest.authors.map(([, name]) => name),
          )
          const ids = (shown['externalIds'] ?? []) as { source: string; id: string }[]
          expect(ids.map(({ source, id }) => `${source} ${id}`).sort()).toEqual(externalIds)
          expect(shown['summary'] ?? null).toBe(rest.summary)
        }
        const tallied = await tallies()
        await db.write((db) => refresh(db, { series: series.map(({ id }) => id), isInDoubt: true }, clock()))
        expect(await tallies()).toEqual(tallied)

        async function tallies() {
          const ids = series.map(({ id }) => id)
          const rows = db.read.selectFrom('series_claim').selectAll().where('series_id', 'in', ids)
          return rows.orderBy('series_id').orderBy('field').orderBy('value').execute()
        }

        /** Wherever they lie they are of this series, so that their paths say something of it. */
        async function keepIn(seriesId: string, libraryId: string, bookIds: readonly string[]) {
          const at = clock().toISOString()
          const rows = bookIds.map((book_id) => ({
            id: newId(),
            library_id: libraryId,
            book_id,
            folder: null,
            series_id: seriesId,
            folder_before: null,
            through_id: null,
            at,
            by_user_id: null,
          }))
          await db.write((db) => insertOverrides(db, rows))
        }

        async function take(step: (typeof steps)[number]): Promise<void> {
          if (step.kind === 'lock') {
            const { id } = series[step.series] ?? { id: '' }
            const at = await db.read
              .selectFrom('series')
              .select('metadata')
              .where('id', '=', id)
              .executeTakeFirstOrThrow()
            const shown = (JSON.parse(at.metadata) as { publisher?: string }).publisher ?? null
            await editor.call(api.editSeriesMetadata, { params: { id }, body: { publisherLock: step.isLocked } })
            if (!step.isLocked) locked.delete(id)
            else if (!locked.has(id)) locked.set(id, shown)
            return
          }
          if (step.kind === 'merge') {
            const into = series[step.into]?.id ?? ''
            const from = series.map(({ id }) => id).filter((id) => id !== into)
            await db.write(async (db) => {
              await moveBooks(db, from, into, clock().toISOString())
              await refresh(db, { seriesWithBooks: [into], series: from }, clock())
            })
            return
          }
          const book = books[step.book]
          if (!book) return
          if (step.kind === 'lie') {
            book.byPath = step.path
            await db.write(async (db) => {
              await db
                .updateTable('file')
                .set({ folder: folderOf(step.path) })
                .where('book_id', '=', book.id)
                .execute()
              await refresh(db, { books: [book.id] }, clock())
            })
            return
          }
          if (step.kind === 'say') book.said = step.said
          else book.isPresent = step.kind === 'return'
          if (step.kind === 'say' && book.isPresent) return say(book)
          await db.write(async (db) => {
            if (book.isPresent)
              await db.updateTable('book').set({ state: 'present' }).where('id', '=', book.id).execute()
            else await markMissing(db, [book.id], clock().toISOString())
            const row = await db
              .selectFrom('book')
              .select('series_id')
              .where('id', '=', book.id)
              .executeTakeFirstOrThrow()
            await refresh(db, { series: [row.series_id] }, clock())
          })
          if (step.kind === 'say') return say(book)
        }
      },
    ),
    { numRuns: 20 },
  )
})
