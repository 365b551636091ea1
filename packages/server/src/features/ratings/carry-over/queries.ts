import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'

/** What each user said last stands for the series that stays; no note is lost. In the transaction of the merge. */
export const carryRatingsOver = async (db: WriteDb, fromIds: readonly string[], intoId: string): Promise<void> => {
  const given = await selectGiven(db, [intoId, ...fromIds])
  const merged = [...Map.groupBy(given, ({ user_id }) => user_id).values()]
    .filter((rows) => rows.some(({ series_id }) => series_id !== intoId))
    .flatMap((rows) => {
      const own = rows.find(({ series_id }) => series_id === intoId)
      const newestFirst = rows.toSorted((a, b) =>
        a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0,
      )
      const [newest] = newestFirst
      if (!newest) return []
      const notes = [...new Set(newestFirst.flatMap(({ notes }) => notes ?? []))].join('\n\n')
      return { ...newest, series_id: intoId, id: own?.id ?? newest.id, notes: notes === '' ? null : notes }
    })
  await insertMany(db, 'series_rating', merged, {
    keys: ['user_id', 'series_id'],
    sets: ['rating', 'notes', 'created_at', 'updated_at'],
  })
}

/** The series that stays comes first: of ratings given at one time its own counts. */
const selectGiven = async (db: ReadDb, seriesIds: readonly string[]) => {
  const rows = await db.selectFrom('series_rating').selectAll().where('series_id', 'in', seriesIds).execute()
  return rows.sort((a, b) => seriesIds.indexOf(a.series_id) - seriesIds.indexOf(b.series_id))
}
