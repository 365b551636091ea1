import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'

interface ContentLabels {
  readonly ageRating: number | null
  readonly sharingTags: readonly string[]
}

export const selectSeriesLabels = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<{ id: string; libraryId: string; content: ContentLabels }[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(['id', 'library_id', 'age_rating'])
    .where('id', 'in', seriesIds)
    .execute()
  const tags = await selectTags(db, seriesIds)
  return rows.map(({ id, library_id, age_rating }) => ({
    id,
    libraryId: library_id,
    content: { ageRating: age_rating, sharingTags: tags(id) },
  }))
}

export const selectBookLabels = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<{ id: string; seriesId: string; libraryId: string; content: ContentLabels }[]> => {
  if (bookIds.length === 0) return []
  const rows = await db
    .selectFrom('book')
    .select(['id', 'series_id', 'library_id', 'age_rating'])
    .where('id', 'in', bookIds)
    .where('state', '<>', sql.lit('hidden'))
    .execute()
  const tags = await selectTags(db, [...new Set(rows.map(({ series_id }) => series_id))])
  return rows.map(({ id, series_id, library_id, age_rating }) => ({
    id,
    seriesId: series_id,
    libraryId: library_id,
    content: { ageRating: age_rating, sharingTags: tags(series_id) },
  }))
}

const selectTags = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows =
    seriesIds.length === 0
      ? []
      : await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', seriesIds).execute()
  const bySeries = Map.groupBy(rows, ({ series_id }) => series_id)
  return (seriesId: string): string[] => (bySeries.get(seriesId) ?? []).map(({ tag_id }) => tag_id)
}

export const selectDeletedLibraries = async (db: ReadDb): Promise<string[]> => {
  const rows = await db.selectFrom('library').select('id').where('deleted_at', 'is not', null).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Of series that carry tags, which are told apart one by one. */
const taggedMax = 200

/**
 * Few labels that stand for all of these series or books: whoever sees one of them sees something with one of the
 * labels, and the other way round. Of those without tags the lowest rating of a library stands for the rest.
 */
export const selectLabelsAmong = async (
  db: ReadDb,
  content: 'book' | 'series',
  ids: RawBuilder<unknown>,
): Promise<{ libraryId: string; content: ContentLabels }[]> => {
  const table = sql.table(content)
  const seriesId = sql.ref(content === 'book' ? 'book.series_id' : 'series.id')
  const isTagged = sql`exists (select 1 from series_sharing_tag where series_sharing_tag.series_id = ${seriesId})`
  const plain = await sql<{ library_id: string; lowest: number | null; unrated: number }>`
    select ${table}.library_id, min(${table}.age_rating) as lowest,
      max(case when ${table}.age_rating is null then 1 else 0 end) as unrated
    from ${table} where ${table}.id in (${ids}) and not ${isTagged} group by ${table}.library_id`.execute(db)
  const tagged = await sql<{ library_id: string; age_rating: number | null; series_id: string }>`
    select distinct ${table}.library_id, ${table}.age_rating, ${seriesId} as series_id
    from ${table} where ${table}.id in (${ids}) and ${isTagged} limit ${taggedMax}`.execute(db)
  const tags = await selectTags(db, [...new Set(tagged.rows.map(({ series_id }) => series_id))])
  const labels = [
    ...plain.rows.flatMap(({ library_id, lowest, unrated }) => [
      ...(lowest === null ? [] : [labelsOf(library_id, lowest, [])]),
      ...(unrated === 1 ? [labelsOf(library_id, null, [])] : []),
    ]),
    ...tagged.rows.map((row) => labelsOf(row.library_id, row.age_rating, tags(row.series_id).toSorted())),
  ]
  return [...new Map(labels.map((each) => [JSON.stringify(each), each])).values()]
}

const labelsOf = (libraryId: string, ageRating: number | null, sharingTags: readonly string[]) => ({
  libraryId,
  content: { ageRating, sharingTags },
})
