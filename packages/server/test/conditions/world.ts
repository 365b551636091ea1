import { newId } from '../../src/platform/ids.ts'
import { sample, constantFrom, integer, record, boolean } from 'fast-check'
import type { Database } from '../../src/database/database.ts'
import { insertMany } from '../../src/database/many.ts'
import type { Viewer } from '../../src/catalogue/visibility/visibility.ts'
import { fold, plainText, sortKey } from '../../src/platform/text/sort-key.ts'
import { addBooks, addLibrary, addManySeries } from '../content.ts'
import { maybe, moment, someWords, word } from './arbitrary.ts'
import type { PlainValues } from './plain.ts'

const ages = [null, 6, 12, 18] as const

const seriesLike = record({
  row: record({
    title: word,
    title_sort: maybe(word),
    summary: maybe(word),
    publisher: maybe(word),
    original_title: maybe(word),
    language: maybe(word),
    status: maybe(constantFrom('ongoing' as const, 'ended' as const)),
    year: maybe(constantFrom(1990, 2003)),
    community_rating: maybe(constantFrom(50, 72.5, 2.5)),
    total_volume_count: maybe(constantFrom(0, 1, 2, 3)),
    age_rating: constantFrom(...ages),
    created_at: moment,
  }),
  genres: someWords,
  tags: someWords,
  authors: someWords,
  sharing: someWords,
  rating: maybe(constantFrom(1, 50, 72, 100)),
  hasExternalId: boolean(),
  isCollected: boolean(),
  inFirstLibrary: boolean(),
  bookCount: integer({ min: 0, max: 3 }),
})

const bookLike = record({
  row: record({
    title: word,
    title_sort: maybe(word),
    summary: maybe(word),
    book_type: maybe(constantFrom('manga', 'comic')),
    format: constantFrom('cbz' as const, 'epub' as const),
    page_count: constantFrom(0, 1, 2, 50, 100),
    age_rating: constantFrom(...ages),
    created_at: moment,
  }),
  genres: someWords,
  tags: someWords,
  authors: someWords,
  isMissing: constantFrom(false, false, false, true),
  hasError: boolean(),
  isListed: boolean(),
  progress: constantFrom(null, 'read' as const, 'in_progress' as const),
})

interface Entry {
  readonly id: string
  readonly libraryId: string
  readonly age: number | null
  readonly sharing: readonly string[]
  /** It returns what the given viewer sees. */
  readonly plain: (viewer: Viewer) => PlainValues
}

export interface World {
  readonly series: readonly Entry[]
  readonly books: readonly (Entry & { readonly isMissing: boolean; readonly seriesId: string })[]
  readonly libraryIds: readonly string[]
}

const at = '2026-01-01T00:00:00.000Z'
const seed = 20260127

const seesAge = ({ rule: { ageCeiling, includeUnrated } }: Viewer, age: number | null): boolean =>
  ageCeiling === null || (age === null ? includeUnrated : age <= ageCeiling)

/**
 * It builds a few dozen series and books that have something of everything, and the values of each for a plain
 * evaluation.
 */
/** The books of a series are numbered as they come. */
const hasGaps = <Book>(some: readonly Book[], all: readonly Book[], total: number | null): boolean => {
  const numbers = some.map((book) => all.indexOf(book) + 1)
  if (numbers.length === 0) return false
  const last = Math.max(...numbers)
  const first = Math.min(...numbers)
  return numbers.length < (total !== null && total >= last ? total : last - first + 1)
}

export const buildWorld = async (db: Database, userId: string): Promise<World> => {
  const libraries = [
    await addLibrary(db, { name: 'One', path: '/data/Ünö' }),
    await addLibrary(db, { name: 'Two', path: '/data/two' }),
  ]
  const terms = termRows()
  await db.write(async (db) => {
    await insertMany(db, 'term', terms.rows)
    await insertMany(db, 'sharing_tag', sharingRows)
    await insertMany(db, 'collection', [named('collection')])
    await insertMany(db, 'read_list', [listed('list')])
  })
  const shapes = sample(seriesLike, { numRuns: 60, seed })
  const bookShapes = sample(bookLike, { numRuns: 180, seed })
  const series: Entry[] = []
  const books: World['books'][number][] = []
  for (const [index, shape] of shapes.entries()) {
    const { row, genres, tags, authors, sharing, rating, hasExternalId, isCollected, inFirstLibrary, bookCount } = shape
    const library = (inFirstLibrary ? libraries[0] : libraries[1]) ?? { id: '', rootId: '', name: '', path: '' }
    const sharingNames = [...new Set(sharing)]
    const path = index % 4 === 0 ? null : `${library.path}/${row.title} ${index}`
    const added = await addManySeries(db, library, [
      {
        ...row,
        number_total: row.total_volume_count,
        key: String(index),
        path,
        sharingTags: sharingNames.map((name) => sharingIds.get(name) ?? ''),
      },
    ])
    const [one] = added
    if (!one) throw new Error('No series')
    const own = bookShapes.slice(index * 3, index * 3 + bookCount)
    const ids = await addBooks(
      db,
      { ...one, title: `${row.title} ${index}` },
      own.map(({ row: book, isMissing, hasError }, number) => ({
        ...book,
        state: isMissing ? ('missing' as const) : ('present' as const),
        fileName: `${book.title} ${number}.${book.format}`,
        file: hasError ? { fault_code: 'damaged' as const, fault_message: 'x', fault_at: at } : {},
      })),
    )
    await db.write(async (db) => {
      const present = own.filter(({ isMissing }) => !isMissing)
      await db
        .updateTable('series')
        .set({ missing_count: hasGaps(present, own, row.total_volume_count) ? 1 : 0 })
        .where('id', '=', one.id)
        .execute()
      const of = (names: readonly string[], kind: 'genre' | 'tag' | 'person') =>
        [...new Set(names.map((name) => terms.idOf(kind, name)))].map((term_id, index) => ({
          term_id,
          role: '',
          place: index,
        }))
      const all = (entry: { genres: readonly string[]; tags: readonly string[]; authors: readonly string[] }) => [
        ...of(entry.genres, 'genre'),
        ...of(entry.tags, 'tag'),
        ...of(entry.authors, 'person'),
      ]
      await insertMany(
        db,
        'series_term',
        all({ genres, tags, authors }).map((term) => ({ series_id: one.id, ...term })),
      )
      await insertMany(
        db,
        'book_term',
        own.flatMap((book, number) => all(book).map((term) => ({ book_id: ids[number] ?? '', ...term }))),
      )
      await insertMany(
        db,
        'read_list_book',
        own.flatMap(({ isListed }, number) =>
          isListed
            ? [
                {
                  id: newId(),
                  read_list_id: 'list',
                  book_id: ids[number] ?? '',
                  position: index * 3 + number,
                  added_at: at,
                  wanted_series: null,
                  wanted_series_key: null,
                  wanted_number: null,
                  wanted_volume: null,
                  wanted_year: null,
                },
              ]
            : [],
        ),
      )
      await insertMany(
        db,
        'read_progress',
        own.flatMap(({ progress }, number) =>
          progress
            ? [
                {
                  user_id: userId,
                  book_id: ids[number] ?? '',
                  entry_id: newId(),
                  device_id: 'd',
                  page: 1,
                  percentage: 0.5,
                  page_count: 2,
                  completed: progress === 'read' ? (1 as const) : (0 as const),
                  rereading: 0 as const,
                  started_at: at,
                  updated_at: own[number]?.row.created_at ?? at,
                  completed_at: null,
                },
              ]
            : [],
        ),
      )
      const read = present.filter(({ progress }) => progress === 'read').length
      const opened = present.filter(({ progress }) => progress === 'in_progress').length
      if (read + opened > 0)
        await insertMany(db, 'series_progress', [
          {
            user_id: userId,
            series_id: one.id,
            read_count: read,
            in_progress_count: opened,
            last_read_at: present
              .filter(({ progress }) => progress)
              .map(({ row: { created_at } }) => created_at as string)
              .reduce((one, other) => (one > other ? one : other)),
          },
        ])
      const stamps = { created_at: at, updated_at: at }
      if (rating !== null)
        await insertMany(db, 'series_rating', [
          { user_id: userId, series_id: one.id, id: newId(), rating, notes: null, ...stamps },
        ])
      if (hasExternalId)
        await insertMany(db, 'external_id', [
          { entity_id: one.id, entity: 'series' as const, source: 'anilist', external_id: String(index), url: null },
        ])
      if (isCollected)
        await insertMany(db, 'collection_series', [
          { collection_id: 'collection', series_id: one.id, position: index, added_at: at },
        ])
    })
    const visible = (viewer: Viewer) => own.filter((book) => !book.isMissing && seesAge(viewer, book.row.age_rating))
    series.push({
      id: one.id,
      libraryId: library.id,
      age: row.age_rating,
      sharing: sharingNames.map((name) => sharingIds.get(name) ?? ''),
      plain: (viewer) => {
        const seen = visible(viewer)
        const isRead = seen.length > 0 && seen.every(({ progress }) => progress === 'read')
        const isOpened = seen.some(({ progress }) => progress !== null)
        return {
          libraryId: library.id,
          genre: genres,
          tag: tags,
          author: authors,
          status: row.status,
          publisher: row.publisher,
          originalTitle: row.original_title,
          language: row.language,
          title: row.title,
          titleSort: row.title_sort,
          summary: row.summary,
          readStatus: isRead ? 'read' : isOpened ? 'in_progress' : 'unread',
          sharingTag: viewer.seesPaths ? sharingNames : [],
          path: viewer.seesPaths ? path : null,
          hasGaps: hasGaps(seen, own, row.total_volume_count),
          completion: row.total_volume_count !== null && seen.length >= row.total_volume_count,
          hasExternalSourceId: hasExternalId,
          hasUserRating: rating !== null,
          isTracked: false,
          inCollection: isCollected,
          userRating: rating,
          communityRating: row.community_rating,
          year: row.year,
          dateAdded: row.created_at,
        }
      },
    })
    for (const [number, book] of own.entries()) {
      books.push({
        id: ids[number] ?? '',
        libraryId: library.id,
        seriesId: one.id,
        age: book.row.age_rating,
        sharing: sharingNames.map((name) => sharingIds.get(name) ?? ''),
        isMissing: book.isMissing,
        plain: (viewer) => ({
          libraryId: library.id,
          // A series that is rated above what this viewer sees is not there, though some of its books are.
          seriesId: seesAge(viewer, row.age_rating) ? one.id : null,
          genre: book.genres,
          tag: book.tags,
          author: book.authors,
          title: book.row.title,
          titleSort: book.row.title_sort,
          summary: book.row.summary,
          readStatus: book.progress ?? 'unread',
          bookType: book.row.book_type,
          path: viewer.seesPaths
            ? `${library.path}/${row.title} ${index}/${book.row.title} ${number}.${book.row.format}`
            : null,
          format: book.row.format,
          hasError: book.hasError,
          inReadList: book.isListed,
          pageCount: book.row.page_count,
          dateAdded: book.row.created_at,
        }),
      })
    }
  }
  return { series, books, libraryIds: libraries.map(({ id }) => id) }
}

const listed = (id: string) => ({
  id,
  name: id,
  name_key: id,
  sort_key: id,
  summary: null,
  ordered: 0 as const,
  created_at: at,
  updated_at: at,
})
const named = (id: string) => ({ ...listed(id), condition: null })

const allWords = [...new Set(sample(someWords, { numRuns: 400, seed }).flat())]
const sharingIds = new Map(allWords.map((name) => [name as string, newId()]))
const sharingRows = allWords.map((name) => ({
  id: sharingIds.get(name) ?? '',
  name,
  name_key: name,
  sort_key: sortKey(name),
  name_text: plainText(name),
  description: null,
  created_at: at,
  updated_at: at,
}))

/** One for all names that fold to the same, as the catalogue keeps them. */
const termRows = () => {
  const ids = new Map<string, string>()
  const rows = (['genre', 'tag', 'person'] as const).flatMap((kind) =>
    allWords.flatMap((name) => {
      const key = fold(name)
      if (ids.has(`${kind} ${key}`)) return []
      const id = newId()
      ids.set(`${kind} ${key}`, id)
      return [{ id, kind, name, key, sort_key: sortKey(name), created_at: at }]
    }),
  )
  return { rows, idOf: (kind: string, name: string): string => ids.get(`${kind} ${fold(name)}`) ?? '' }
}
