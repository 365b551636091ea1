import type { ReadDb } from '../../database/database.ts'
import type { ContentLabels } from '../../events/outbox.ts'
import { conflict } from '../../platform/errors.ts'
import { isSeenUnder, readRestrictions } from '../../catalogue/visibility/visibility.ts'

/** What series are seen by, and their books: it decides who sees any of them. */
interface Seen {
  readonly tagIds: readonly string[]
  readonly ratings: readonly (number | null)[]
}

/**
 * Nobody may come to see what they could not see before, and nothing else is refused (decision 093). What becomes one carries
 * all the tags and the highest rating, which mostly hides more. But a tag that lets people in shows them what did not carry
 * it; and what had no rating shows to those who see nothing unrated, as soon as it has one that they may see.
 */
export const requireSameAudience = async (
  db: ReadDb,
  libraryId: string,
  { all, highest }: { readonly all: readonly Seen[]; readonly highest: number | null },
): Promise<void> => {
  const sharingTags = [...new Set(all.flatMap(({ tagIds }) => tagIds))]
  const changes = all.flatMap(({ tagIds, ratings }) =>
    [...new Set(ratings)].map((ageRating) => ({
      before: { ageRating, sharingTags: tagIds },
      after: { ageRating: ageRating ?? highest, sharingTags },
    })),
  )
  const differing = changes.filter(({ before, after }) => !areAlike(before, after))
  if (differing.length === 0) return
  for (const restriction of await readRestrictions(db, libraryId)) {
    const shown = differing.find(
      ({ before, after }) => isSeenUnder(restriction, after) && !isSeenUnder(restriction, before),
    )
    if (!shown) continue
    const isByTag = !isSeenUnder(restriction, { ...shown.after, sharingTags: shown.before.sharingTags })
    throw isByTag
      ? conflict(
          'tags_differ',
          'These series carry different sharing tags, and some people see series by such a tag alone. Give them the same tags first.',
        )
      : conflict(
          'ratings_differ',
          'Some of these series have an age rating and others have none, and some people see series up to an age. Rate them all first.',
        )
  }
}

const areAlike = (before: ContentLabels, after: ContentLabels): boolean =>
  before.ageRating === after.ageRating && before.sharingTags.length === after.sharingTags.length
