import type { ReadDb } from '../../../database/database.ts'
import { type Layer, readLayers, type SeriesShown, shownFields } from '../../metadata/metadata.ts'
import type { Claims } from './claims/claims.ts'
import { selectClaimedIn } from './claims/queries.ts'
import { selectForRefresh } from './queries.ts'

/**
 * Series whose rating follows from their books and is about to fall, for books have left them: each with the rating that it
 * has until it is refreshed. One that has no book left keeps its own anyhow.
 */
export const findFalling = async (db: ReadDb, seriesIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await selectForRefresh(db, seriesIds)
  const rated = rows.filter(
    ({ books, age_rating, said_age_rating }) => books !== null && age_rating !== null && said_age_rating === null,
  )
  const ids = rated.map(({ id }) => id)
  const layersOf = await readLayers<SeriesShown>(db, ids)
  const claimed = Map.groupBy(await selectClaimedIn(db, ids), ({ series_id }) => series_id)
  return new Map(
    rated.flatMap(({ id, age_rating, max_rating }) => {
      const ownRating = ratingWithoutBooks(layersOf.get(id) ?? [])
      const highest = (claimed.get(id) ?? []).map(({ claims }) => ageIn(claims)).filter((each) => each !== undefined)
      const coming = ownRating ?? (highest.length > 0 ? Math.max(...highest) : max_rating)
      return age_rating === null || (coming !== null && coming >= age_rating) ? [] : [[id, age_rating] as const]
    }),
  )
}

/** By what is no book of it. */
const ratingWithoutBooks = (layers: readonly Layer<SeriesShown>[]): number | undefined =>
  shownFields(layers.filter(({ source }) => !source.startsWith('file:'))).ageRating

const ageIn = (claims: string): number | undefined => {
  const [age] = (JSON.parse(claims) as Claims)['ageRating'] ?? []
  return age === undefined ? undefined : (JSON.parse(age) as number)
}
