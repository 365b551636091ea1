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
