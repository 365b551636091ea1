import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import { dialectOf } from '../../database/transaction.ts'
import { seesWholeSeries, showsBooks, type Viewer, visibleTo } from '../visibility/visibility.ts'
import type { SeriesTables } from './table.ts'

type SeriesRow = Selectable<SeriesTables['series']>

/** What a list shows of a series' own row. */
export const listed = [
  'series.id',
  'series.library_id',
  'series.title',
  'series.title_sort',
  'series.sort_key',
  'series.summary',
  'series.publisher',
  'series.year',
  'series.path',
  'series.book_count',
  'series.max_volume',
  'series.max_chapter',
  'series.volumes_owned',
  'series.cover_version',
  'series.created_at',
  'series.updated_at',
] as const

type Bare<Name extends string> = Name extends `${string}.${infer Column}` ? Column : never
export type ListedSeries = Pick<SeriesRow, Bare<(typeof listed)[number]> & keyof SeriesRow>

/** Those of them that this viewer sees in lists, in the order they are given in. */
export const selectSeriesByIds = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ListedSeries[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(listed)
    .where('series.id', 'in', ids)
    .where('series.book_count', '>', sql.lit(0))
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const seenBooks = (db: ReadDb, viewer: Viewer) =>
  db.selectFrom('book').where('book.state', '=', sql.lit('present')).where(visibleTo(viewer, 'book'))

/** What a series shows of its library, its books and its cover, in one statement for all of a page. */
const surroundings = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('series')
    .leftJoin('library', 'library.id', 'series.library_id')
    .leftJoin('cover', 'cover.id', 'series.cover_id')
    .leftJoin('book as first', (join) => join.on('first.id', '=', firstBook(db, viewer)))
    .select([
      'series.id',
      'library.name as library_name',
      'cover.source as cover_source',
      'cover.placeholder as cover_placeholder',
      'first.id as first_id',
      'first.cover_version as first_cover_version',
      'first.placeholder as first_placeholder',
    ])
    .select(({ selectFrom }) =>
      selectFrom('want_to_read')
        .select('want_to_read.id')
        .where('want_to_read.user_id', '=', viewer.userId)
        .whereRef('want_to_read.series_id', '=', 'series.id')
        .as('wanted_id'),
    )
    .leftJoin('series_status', (join) =>
      join.onRef('series_status.series_id', '=', 'series.id').on('series_status.user_id', '=', viewer.userId),
    )
    .leftJoin('series_follow', (join) =>
      join.onRef('series_follow.series_id', '=', 'series.id').on('series_follow.user_id', '=', viewer.userId),
    )
    .select(['series_status.status as reading_status', 'series_follow.followed_at'])

const firstBook = (db: ReadDb, viewer: Viewer): RawBuilder<string | null> =>
  seesWholeSeries(viewer)
    ? sql`series.first_book_id`
    : sql`${seenBooks(db, viewer)
        .select('book.id')
        .where('book.series_id', '=', sql.ref<string>('series.id'))
        .orderBy('book.position_key')
        .orderBy('book.id')
        .limit(1)}`

export type SeriesSurroundings = Awaited<ReturnType<ReturnType<typeof surroundings>['executeTakeFirstOrThrow']>>

export const selectSurroundings = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesSurroundings>> => {
  if (ids.length === 0) return new Map()
  const rows = await surroundings(db, viewer).where('series.id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type SeriesFigures = Pick<SeriesRow, 'book_count' | 'max_volume' | 'max_chapter' | 'volumes_owned'>

/** From the books that this viewer sees (pins W9). A series without any is not in the answer. */
export const countVisibleBooks = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesFigures>> => {
  if (ids.length === 0) return new Map()
  const rows = await seenBooks(db, viewer)
    .where('book.series_id', 'in', ids)
    .groupBy('book.series_id')
    .select(({ fn }) => [
      'book.series_id',
      fn.countAll<number>().as('book_count'),
      fn.max('book.volume').as('max_volume'),
      fn.max('book.chapter').as('max_chapter'),
      fn.count<number>('book.volume').distinct().as('volumes_owned'),
    ])
    .execute()
  return new Map(rows.map(({ series_id, ...figures }) => [series_id, figures]))
}

export const selectSeries = (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<(ListedSeries & Pick<SeriesRow, 'metadata' | 'locks'>) | undefined> =>
  db
    .selectFrom('series')
    .select([...listed, 'series.metadata', 'series.locks'])
    .where('series.id', '=', id)
    .where(visibleTo(viewer, 'series'))
    .executeTakeFirst()

/** Those of these that the viewer may see. */
export const selectVisibleIds = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('series')
    .select('series.id')
    .where('series.id', 'in', ids)
    .where(visibleTo(viewer, 'series'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What decides who sees it. */
export const selectLabels = async (db: ReadDb, id: string) => {
  const row = await db.selectFrom('series').select(['library_id', 'age_rating']).where('id', '=', id).executeTakeFirst()
  return row && { libraryId: row.library_id, ageRating: row.age_rating }
}

export const selectTagsOfSeries = (db: ReadDb, seriesId: string): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('series_sharing_tag')
    .innerJoin('sharing_tag', 'sharing_tag.id', 'series_sharing_tag.tag_id')
    .select(['sharing_tag.id', 'sharing_tag.name'])
    .where('series_sharing_tag.series_id', '=', seriesId)
    .orderBy('sharing_tag.sort_key')
    .orderBy('sharing_tag.id')
    .execute()

export const selectExistingTags = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('sharing_tag').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export const replaceTags = async (db: WriteDb, seriesId: string, tagIds: readonly string[]): Promise<void> => {
  await db.deleteFrom('series_sharing_tag').where('series_id', '=', seriesId).execute()
  await insertMany(
    db,
    'series_sharing_tag',
    tagIds.map((tag_id) => ({ series_id: seriesId, tag_id })),
  )
}

export const selectShownSeriesIds = async (db: ReadDb, libraryId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('series')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('book_count', '>', sql.lit(0))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** As of a series whose books are all away. */
export const updateEmpty = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db
    .updateTable('series')
    .set({ book_count: 0, max_volume: null, max_chapter: null, volumes_owned: 0, first_book_id: null })
    .where('id', 'in', ids)
    .execute()
}

export const selectSeriesIds = async (db: ReadDb, libraryId: string, limit: number): Promise<string[]> => {
  const rows = await db.selectFrom('series').select('id').where('library_id', '=', libraryId).limit(limit).execute()
  return rows.map(({ id }) => id)
}

export const deleteSeries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('series').where('id', 'in', ids).execute()
}

// For the scan

export const selectSeriesByKey = async (
  db: ReadDb,
  libraryId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('series')
    .select(['key', 'id'])
    .where('library_id', '=', libraryId)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, id }) => [key, id]))
}

export const forgetNames = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db.deleteFrom('series_name').where('series_id', 'in', seriesIds).execute()
}

export const keepNames = (
  db: WriteDb,
  series: readonly { readonly id: string; readonly keys: readonly string[] }[],
): Promise<void> =>
  insertMany(
    db,
    'series_name',
    series.flatMap(({ id, keys }) => keys.map((key) => ({ series_id: id, key }))),
  )

/** Nobody edits them meanwhile: what is then shown of them is worked out from all that is said. */
export const selectForRefresh = (db: WriteDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('series')
    .select(['id', 'library_id', 'name', 'path', 'title', 'metadata', 'book_count', 'age_rating', 'updated_at'])
    .select(({ selectFrom }) => {
      const books = selectFrom('book')
        .whereRef('book.series_id', '=', 'series.id')
        .where('book.state', '=', sql.lit('present'))
      return [
        books.select(({ fn }) => fn.countAll<number>().as('count')).as('books'),
        books.select(({ fn }) => fn.max('book.volume').as('volume')).as('max_volume'),
        books.select(({ fn }) => fn.max('book.chapter').as('chapter')).as('max_chapter'),
        books.select(({ fn }) => fn.max('book.own_age_rating').as('rating')).as('max_rating'),
        books.select(sql<number>`count(distinct book.volume)`.as('volumes')).as('volumes'),
        books.select('book.id').orderBy('book.position_key').orderBy('book.id').limit(1).as('first_book_id'),
      ]
    })
    .where('id', 'in', seriesIds)
    .modifyEnd(dialectOf(db).lockedRows('series'))
    .execute()

// Covers

/** What stands for a series from now on; null: its first book. */
export const setSeriesCover = async (db: WriteDb, id: string, coverId: string | null): Promise<void> => {
  await db
    .updateTable('series')
    .set(({ eb }) => ({ cover_id: coverId, cover_version: eb('cover_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const setSeriesLocks = async (db: WriteDb, id: string, locks: readonly string[]): Promise<void> => {
  await db
    .updateTable('series')
    .set({ locks: JSON.stringify(locks) })
    .where('id', '=', id)
    .execute()
}

/** The names of locked fields, as JSON. */
export const setLocksOfSeries = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly locks: string }[],
): Promise<void> => updateMany(db, 'series', { keys: { id: 'text' }, columns: { locks: 'text' } }, rows)

/** Series that are shown by one of these books look different now. */
export const renewCoversOfFirstBooks = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length === 0) return
  await db
    .updateTable('series')
    .set(({ eb }) => ({ cover_version: eb('cover_version', '+', 1) }))
    .where('first_book_id', 'in', bookIds)
    .where('cover_id', 'is', null)
    .execute()
}

// Ratings

/** Makes transactions that change what is counted of a series follow one another, where the database lets them overlap. */
export const lockSeries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('series')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', 'in', ids)
    .execute()
}

/** After ratings of series have changed; `lockSeries` before. */
export const updateCommunityRatings = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('series')
    .set(({ selectFrom }) => ({
      community_rating: selectFrom('series_rating')
        .select(({ fn }) => fn.avg<number | null>('series_rating.rating').as('average'))
        .whereRef('series_rating.series_id', '=', 'series.id'),
    }))
    .where('id', 'in', ids)
    .execute()
}
