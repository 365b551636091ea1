import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, runInParts, updateMany } from '../../../database/many.ts'
import { dialectOf } from '../../../database/transaction.ts'
import { numberedUnit, volumeUnit } from '../../../filtering/filtering.ts'
import type { SeriesTables } from '../table.ts'
import { seriesFieldColumns } from './columns.ts'

type NewSeries = Insertable<SeriesTables['series']>

export const selectTagIds = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows =
    seriesIds.length === 0
      ? []
      : await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', seriesIds).execute()
  const bySeries = Map.groupBy(rows, ({ series_id }) => series_id)
  return (seriesId: string): string[] => (bySeries.get(seriesId) ?? []).map(({ tag_id }) => tag_id).sort()
}

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

/** They are counted as if their books were all away. */
export const updateEmpty = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db
    .updateTable('series')
    .set({
      book_count: 0,
      max_volume: null,
      max_chapter: null,
      volumes_owned: 0,
      missing_count: 0,
      first_book_id: null,
      first_released: null,
    })
    .where('id', 'in', ids)
    .execute()
}

export const selectSeriesIds = async (db: ReadDb, libraryId: string, limit: number): Promise<string[]> => {
  const rows = await db.selectFrom('series').select('id').where('library_id', '=', libraryId).limit(limit).execute()
  return rows.map(({ id }) => id)
}

export const selectCounted = (db: ReadDb, ids: readonly string[]) =>
  db.selectFrom('series').select(['id', 'library_id', 'age_rating', 'book_count']).where('id', 'in', ids).execute()

export const deleteSeries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  await db.deleteFrom('series').where('id', 'in', ids).execute()
}

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

/** Some of the present books of a series. */
export const selectSomeBooks = async (db: ReadDb, seriesId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('series_id', '=', seriesId)
    .where('state', '=', sql.lit('present'))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** What decides whether a series goes with its books to another folder. */
export const selectSeriesToFollow = async (db: ReadDb, ids: readonly string[]) => {
  if (ids.length === 0) return []
  return db.selectFrom('series').select(['id', 'library_id', 'key', 'book_count']).where('id', 'in', ids).execute()
}

export type SeriesToFollow = Awaited<ReturnType<typeof selectSeriesToFollow>>[number]

const keyShape = { keys: { id: 'text' }, columns: { key: 'text' } } as const
const locationShape = {
  keys: { id: 'text' },
  columns: { library_id: 'text', key: 'text', name: 'text', path: 'text' },
} as const

/** They are what grouping knows by other keys from now on, maybe in another library. */
export const updateKeys = async (
  db: WriteDb,
  rows: readonly Pick<SeriesTables['series'], 'id' | 'library_id' | 'key' | 'name' | 'path'>[],
): Promise<void> => {
  // Two may have exchanged their keys, which no two may have for a moment. No path begins like these.
  await updateMany(
    db,
    'series',
    keyShape,
    rows.map(({ id }) => ({ id, key: `//${id}` })),
  )
  await updateMany(db, 'series', locationShape, rows)
}

/** Nobody rates them otherwise before the transaction ends: books that come into them meanwhile are rated as they are. */
export const lockRatings = async (db: WriteDb, ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('series')
    .select(['id', 'age_rating'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialectOf(db).lockedRows('series'))
    .execute()
  return new Map(rows.map(({ id, age_rating }) => [id, age_rating]))
}

/** Books of a series that are rated as it is, and by nothing else; `ids`: only these of them. */
export const selectRatedBySeries = async (
  db: ReadDb,
  seriesId: string,
  ids: readonly string[] | 'all',
): Promise<readonly string[]> => {
  const rated = db
    .selectFrom('book')
    .select('id')
    .where('series_id', '=', seriesId)
    .where('said_age_rating', 'is', null)
    .where('own_age_rating', 'is', null)
    .where('carried_age_rating', 'is', null)
  const rows =
    ids === 'all' ? await rated.execute() : await runInParts(ids, (part) => rated.where('id', 'in', part).execute())
  return rows.map(({ id }) => id)
}

export const forgetNames = async (db: WriteDb, seriesIds: readonly string[]): Promise<void> => {
  if (seriesIds.length === 0) return
  await db.deleteFrom('series_name').where('series_id', 'in', seriesIds).execute()
}

export const upsertNames = (
  db: WriteDb,
  series: readonly { readonly id: string; readonly keys: readonly string[] }[],
): Promise<void> =>
  insertMany(
    db,
    'series_name',
    series.flatMap(({ id, keys }) => keys.map((key) => ({ series_id: id, key }))),
  )

/** What a book is rated without its series. */
const ownOrCarried = sql<number | null>`case
  when book.said_age_rating is null and book.carried_age_rating > coalesce(book.own_age_rating, -1)
  then book.carried_age_rating else book.own_age_rating end`

const notLocked = sql``

/** What the present books of each of these series are together, in one pass over them. */
const booksTogether = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('book')
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', sql.lit('present'))
    .groupBy('book.series_id')
    .select(({ fn }) => [
      'book.series_id',
      fn.countAll<number>().as('books'),
      fn.max('book.volume').as('max_volume'),
      fn.max('book.chapter').as('max_chapter'),
      fn.max<number | null>(ownOrCarried).as('max_rating'),
      fn.max<number | null>('book.age_rating').as('strictest_seen'),
      sql<number>`count(distinct book.volume)`.as('volumes'),
      fn.min('book.released').as('first_released'),
      sql<number>`count(distinct ${numberedUnit})`.as('number_owned'),
      sql<number | null>`min(${numberedUnit})`.as('number_first'),
      sql<number | null>`max(${numberedUnit})`.as('number_last'),
      sql<number>`count(distinct ${volumeUnit})`.as('volume_owned'),
      sql<number | null>`min(${volumeUnit})`.as('volume_first'),
      sql<number | null>`max(${volumeUnit})`.as('volume_last'),
    ])
    .as('together')

/** `lock` ends the statement. */
export const selectForRefresh = (db: ReadDb, seriesIds: readonly string[], lock: RawBuilder<unknown> = notLocked) =>
  db
    .selectFrom('series')
    .leftJoin(booksTogether(db, seriesIds), 'together.series_id', 'series.id')
    .select([
      'series.id',
      'series.library_id',
      'series.name',
      'series.path',
      'series.title',
      'series.sort_key',
      'series.metadata',
      'series.book_count',
      'series.age_rating',
      'series.updated_at',
      'series.said_age_rating',
      'series.strictest_rating',
      'together.books',
      'together.strictest_seen',
      'together.max_volume',
      'together.max_chapter',
      'together.max_rating',
      'together.volumes',
      'together.first_released',
      'together.number_owned',
      'together.number_first',
      'together.number_last',
      'together.volume_owned',
      'together.volume_first',
      'together.volume_last',
    ])
    .select(({ selectFrom }) =>
      selectFrom('book')
        .whereRef('book.series_id', '=', 'series.id')
        .where('book.state', '=', sql.lit('present'))
        .select('book.id')
        .orderBy('book.position_key')
        .orderBy('book.id')
        .limit(1)
        .as('first_book_id'),
    )
    .where('series.id', 'in', seriesIds)
    .modifyEnd(lock)
    .execute()

/** What stands for series from now on; null: their first book. */
export const setSeriesCovers = async (
  db: WriteDb,
  covers: readonly { readonly id: string; readonly coverId: string | null }[],
): Promise<void> => {
  if (covers.length === 0) return
  await updateMany(
    db,
    'series',
    { keys: { id: 'text' }, columns: { cover_id: 'text' } },
    covers.map(({ id, coverId }) => ({ id, cover_id: coverId })),
  )
  const ids = covers.map(({ id }) => id)
  await db
    .updateTable('series')
    .set(({ eb }) => ({ cover_version: eb('cover_version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** The names of locked fields, as JSON. Where nothing else says when they have changed, `at` does. */
export const setLocksOfSeries = (
  db: WriteDb,
  rows: readonly { readonly id: string; readonly locks: string }[],
  at?: string,
): Promise<void> =>
  updateMany(
    db,
    'series',
    { keys: { id: 'text' }, columns: { locks: 'text', ...(at !== undefined && { updated_at: 'text' }) } },
    rows.map((row) => ({ ...row, ...(at !== undefined && { updated_at: at }) })),
  )

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

/** Makes transactions that change what is counted of a series follow one another, where the database lets them overlap. */
export const lockSeries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('series')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', 'in', ids)
    .execute()
}

/** After ratings of series have changed; `lockSeries` before. One that is what it was concerns nobody. */
export const updateCommunityRatings = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const average = sql<number | null>`(select avg(series_rating.rating) from series_rating
    where series_rating.series_id = series.id)`
  await db
    .updateTable('series')
    .set({ community_rating: average })
    .where('id', 'in', ids)
    .where(sql<boolean>`series.community_rating is distinct from ${average}`)
    .execute()
}

// What is kept, to be compared with what it should be

/** A part of all series of libraries that stand, in the order of their ids. */
export const selectSeriesAfter = (db: ReadDb, after: string, limit: number) =>
  db
    .selectFrom('series')
    .innerJoin('library', 'library.id', 'series.library_id')
    .select('series.id')
    .where('library.deleted_at', 'is', null)
    .where('series.id', '>', after)
    .orderBy('series.id')
    .limit(limit)
    .execute()

export const selectRowsOfSeries = (db: ReadDb, ids: readonly string[]) =>
  db.selectFrom('series').selectAll().where('id', 'in', ids).execute()

export const selectNameKeys = (db: ReadDb, ids: readonly string[]) =>
  db.selectFrom('series_name').selectAll().where('series_id', 'in', ids).execute()

/** Libraries that count other series and books than they have. */
export const selectMiscounted = (db: ReadDb) =>
  db
    .selectFrom('library')
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom('series')
          .where('book_count', '>', 0)
          .groupBy('library_id')
          .select(({ fn }) => [
            'library_id',
            fn.countAll<number>().as('series'),
            fn.sum<number>('book_count').as('books'),
          ])
          .as('counted'),
      (join) => join.onRef('counted.library_id', '=', 'library.id'),
    )
    .select('library.id')
    .where('library.deleted_at', 'is', null)
    .where(
      sql<boolean>`(library.series_count <> coalesce(counted.series, 0) or library.book_count <> coalesce(counted.books, 0))`,
    )
    .orderBy('library.id')
    .execute()

export const insertSeries = (db: WriteDb, rows: readonly NewSeries[]): Promise<void> => insertMany(db, 'series', rows)

const describedShape = {
  keys: { id: 'text' },
  columns: {
    ...seriesFieldColumns.kinds,
    title: 'text',
    title_text: 'text',
    path_text: 'text',
    sort_key: 'text',
    own_age_rating: 'integer',
    said_age_rating: 'integer',
    age_rating: 'integer',
    external_rating: 'real',
    metadata: 'text',
    writers: 'text',
    book_count: 'integer',
    max_volume: 'integer',
    max_chapter: 'real',
    volumes_owned: 'integer',
    missing_count: 'integer',
    number_total: 'integer',
    first_book_id: 'text',
    first_released: 'text',
    updated_at: 'text',
  },
} as const

export const saveDescribed = (
  db: WriteDb,
  rows: readonly (Pick<NewSeries, keyof typeof describedShape.columns> & { readonly id: string })[],
): Promise<void> => updateMany(db, 'series', describedShape, rows)
