import { seriesColumns, type ListedSeries } from '../../catalogue/lists/lists.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import {
  readerOf,
  shownOfOneSeries,
  showsBooks,
  type Sight,
  sightOf,
  type Viewer,
  visibleTo,
} from '../../catalogue/visibility/visibility.ts'
import { numberedUnit, volumeUnit } from '../../filtering/filtering.ts'
import type { SeriesTables } from '../../catalogue/shown/table.ts'

type SeriesRow = Selectable<SeriesTables['series']>

/** It leaves out what this viewer does not see in lists, and keeps the order of the ids. */
export const selectSeriesByIds = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ListedSeries[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(seriesColumns)
    .where('series.id', 'in', ids)
    .where('series.book_count', '>', sql.lit(0))
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const seenBooks = (db: ReadDb, sight: Sight) =>
  db.selectFrom('book').where('book.state', '=', sql.lit('present')).where(visibleTo(sight, 'book'))

/** What a series shows of its library, its books and its cover, in one statement for all of a page. */
const related = (db: ReadDb, reader: string, sight: Sight | undefined) =>
  db
    .selectFrom('series')
    .leftJoin('library', 'library.id', 'series.library_id')
    .leftJoin('cover', 'cover.id', 'series.cover_id')
    .leftJoin('book as first', (join) => join.on('first.id', '=', firstBook(db, sight)))
    .select([
      'series.id',
      'library.name as library_name',
      'cover.source as cover_source',
      'cover.placeholder as cover_placeholder',
      'cover.tone as cover_tone',
      'first.id as first_id',
      'first.cover_version as first_cover_version',
      'first.placeholder as first_placeholder',
      'first.tone as first_tone',
      'first.book_type as first_book_type',
      'series.sort_key',
      'first.sort_key as first_sort_key',
      'series.title_text',
      'first.title_text as first_title_text',
      'series.key',
      'library.grouping',
      firstPath.as('first_path'),
      'first.number_text as first_number',
      'first.volume as first_volume',
      'first.chapter as first_chapter',
      'first.writers as first_writers',
    ])
    .select(({ selectFrom }) =>
      selectFrom('want_to_read')
        .select('want_to_read.id')
        .where('want_to_read.user_id', '=', reader)
        .whereRef('want_to_read.series_id', '=', 'series.id')
        .as('wanted_id'),
    )
    .leftJoin('series_status', (join) =>
      join.onRef('series_status.series_id', '=', 'series.id').on('series_status.user_id', '=', reader),
    )
    .leftJoin('series_follow', (join) =>
      join.onRef('series_follow.series_id', '=', 'series.id').on('series_follow.user_id', '=', reader),
    )
    .select(['series_status.status as reading_status', 'series_follow.followed_at'])

/**
 * Only a series without a folder, or one of calibre, can have been made for one book by its grouping; for others nobody
 * looks where the book lies.
 */
const firstPath = sql<string | null>`case when series.path is null or library.grouping like '%"policy":"calibre"%'
  then (select file.folder || file.name from file where file.book_id = first.id) end`

const firstBook = (db: ReadDb, sight: Sight | undefined): RawBuilder<string | null> =>
  sight
    ? sql`${seenBooks(db, sight)
        .select('book.id')
        .where('book.series_id', '=', sql.ref<string>('series.id'))
        .orderBy('book.position_key')
        .orderBy('book.id')
        .limit(1)}`
    : sql`series.first_book_id`

export type RelatedToSeries = Awaited<ReturnType<ReturnType<typeof related>['executeTakeFirstOrThrow']>>

export const selectRelated = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RelatedToSeries>> => {
  if (ids.length === 0) return new Map()
  const rows = await relatedOf(db, { ids, reader: readerOf(viewer) }, sightOf(viewer))
  return new Map(rows.map((row) => [row.id, row]))
}

const relatedOf = cachedStatement(
  (db: ReadDb, { ids, reader }, sight: Sight | undefined) => related(db, reader, sight).where('series.id', 'in', ids),
  ['reader'],
  ['ids'],
)

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

/** In which years its books appeared. */
export const selectYears = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<{ readonly firstYear: number | null; readonly lastYear: number | null }> => {
  const row = await seenBooks(db, viewer)
    .where('book.series_id', '=', id)
    .select(({ fn }) => [fn.min('book.released').as('first'), fn.max('book.released').as('last')])
    .executeTakeFirst()
  const yearOf = (day: string | null | undefined): number | null => (day == null ? null : Number(day.slice(0, 4)))
  return { firstYear: yearOf(row?.first), lastYear: yearOf(row?.last) }
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

// Which numbers there are

const unitsOf = (db: ReadDb, viewer: Viewer, ids: readonly string[], unit: RawBuilder<number | null>) =>
  seenBooks(db, viewer)
    .select(['book.series_id', sql<number>`${unit}`.as('unit')])
    .distinct()
    .where('book.series_id', 'in', ids)
    .where(sql<boolean>`${unit} is not null`)

/** All different whole numbers and volumes of these series, of books that this viewer sees. */
const units = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  unitsOf(db, viewer, ids, numberedUnit)
    .select(sql.lit<'numbers' | 'volumes'>('numbers').as('kind'))
    .unionAll(unitsOf(db, viewer, ids, volumeUnit).select(sql.lit<'numbers' | 'volumes'>('volumes').as('kind')))

export const selectRuns = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom(units(db, viewer, ids).as('unit'))
        .innerJoin('series', 'series.id', 'unit.series_id')
        .select(({ fn }) => [
          'unit.series_id',
          'unit.kind',
          fn.countAll<number>().as('owned'),
          fn.min<number>('unit.unit').as('first'),
          fn.max<number>('unit.unit').as('last'),
          sql<number | null>`min(${totalFor(viewer)})`.as('total'),
        ])
        .groupBy(['unit.series_id', 'unit.kind'])
        .execute()

/** How many there should be, as far as what this viewer sees says so. */
const totalFor = (viewer: Viewer): RawBuilder<number | null> =>
  sql`case when unit.kind = 'volumes' then ${shownOfOneSeries(viewer, 'total_volume_count')}
    else ${shownOfOneSeries(viewer, 'number_total')} end`

export type RunRow = Awaited<ReturnType<typeof selectRuns>>[number]

/** Two that follow one another with others missing in between. */
export const selectSteps = async (db: ReadDb, viewer: Viewer, ids: readonly string[]) => {
  if (ids.length === 0) return []
  const steps = db
    .selectFrom(units(db, viewer, ids).as('unit'))
    .select(['unit.series_id', 'unit.kind', 'unit.unit'])
    .select(sql<number>`lag(unit.unit) over (partition by unit.series_id, unit.kind order by unit.unit)`.as('before'))
  return db
    .selectFrom(steps.as('step'))
    .selectAll()
    .where(sql<boolean>`step.unit - step.before > 1`)
    .orderBy('step.series_id')
    .orderBy('step.unit')
    .execute()
}

const columnOf = { numbers: 'number_unit', volumes: 'volume_unit' } as const

export interface UnitPositions {
  readonly first: number
  readonly last: number
}

/** Between which places in the order of its series the books with each of these numbers or volumes stand, from 1. */
export const selectUnitPositions = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
  { kind, units }: { readonly kind: keyof typeof columnOf; readonly units: readonly number[] },
): Promise<ReadonlyMap<number, UnitPositions>> => {
  if (units.length === 0) return new Map()
  const unit = columnOf[kind]
  const placed = seenBooks(db, viewer)
    .where('book.series_id', '=', id)
    .select([numberedUnit.as('number_unit'), volumeUnit.as('volume_unit')])
    .select(sql<number>`row_number() over (order by book.position_key, book.id)`.as('place'))
  const rows = await db
    .selectFrom(placed.as('placed'))
    .select(({ fn }) => [
      `placed.${unit} as unit`,
      fn.min<number>('placed.place').as('first'),
      fn.max<number>('placed.place').as('last'),
    ])
    .where(`placed.${unit}`, 'in', units)
    .groupBy(`placed.${unit}`)
    .execute()
  return new Map(rows.map(({ unit, first, last }) => [Number(unit), { first, last }]))
}
