import type { ReadDb } from '../../database/database.ts'
import { conflict } from '../../platform/errors.ts'
import { selectAgeCeilings, selectGrantedTags } from '../../catalogue/visibility/visibility.ts'

interface Seen {
  readonly tagIds: readonly string[]
  readonly ratings: readonly (number | null)[]
}

/**
 * Nobody may come to see what they could not see before. Tags that hide and the highest age rating are taken
 * over, which can only hide more. But a tag that lets people in, on some of them only, would have to be both taken over
 * and left; and what is without a rating shows to others than what has any: that is for people to decide.
 */
export const requireSameAudience = async (db: ReadDb, all: readonly Seen[]): Promise<void> => {
  const tags = new Set(all.flatMap(({ tagIds }) => tagIds))
  const differing = [...tags].filter((tag) => !all.every(({ tagIds }) => tagIds.includes(tag)))
  if ((await selectGrantedTags(db, differing, ['allow'])).length > 0)
    throw conflict(
      'tags_differ',
      'These series carry different sharing tags, and some people see series by such a tag alone. Give them the same tags first.',
    )
  const ratings = new Set(all.flatMap((each) => each.ratings))
  if (ratings.size > 1 && ratings.has(null) && (await selectAgeCeilings(db)).length > 0)
    throw conflict(
      'ratings_differ',
      'Some of these series have an age rating and others have none, and some people see series up to an age. Rate them all first.',
    )
}
