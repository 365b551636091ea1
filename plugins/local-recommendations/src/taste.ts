import type { LibraryEntry } from '@carrel/plugin-sdk'

/** Having finished or dropped a series says how much somebody likes it; a rating says more. */
const likingOfState: Readonly<Record<string, number>> = {
  completed: 0.6,
  reading: 0.4,
  plan_to_read: 0.25,
  on_hold: -0.1,
  dropped: -0.7,
}
const ratingShare = 0.75
const neutralRating = 55
/** Something liked a year before counts half as much more as something liked now, and never less than half. */
const halvingDays = 365

/** Only series that are not begun can be recommended. */
export const isBegun = ({ readingStatus, booksRead, startedAt, userRating }: LibraryEntry): boolean => {
  if (readingStatus === 'unread' || readingStatus === 'plan_to_read') return false
  return readingStatus != null || (booksRead ?? 0) > 0 || startedAt != null || userRating != null
}

export const stateOf = (entry: LibraryEntry): string =>
  entry.readingStatus ?? ((entry.booksRead ?? 0) > 0 ? 'reading' : 'unread')

/** It rates how much each series of the library is liked: -1 to 1, 0 where nothing is known. */
export const tasteOf = (library: readonly LibraryEntry[], disliked: ReadonlySet<string>): number[] => {
  const latest = Math.max(0, ...library.map(lastReadOf))
  return library.map((entry) => {
    if (disliked.has(entry.seriesId)) return -0.4
    return likingOf(entry) * freshnessOf(lastReadOf(entry), latest)
  })
}

const likingOf = (entry: LibraryEntry): number => {
  const state = likingOfState[stateOf(entry)] ?? 0
  if (entry.userRating == null) return state
  const rating = Math.min(1, Math.max(-1, (entry.userRating - neutralRating) / (100 - neutralRating)))
  return ratingShare * rating + (1 - ratingShare) * state
}

const freshnessOf = (at: number, latest: number): number =>
  at === 0 ? 0.75 : 0.5 + 0.5 * 2 ** (-(latest - at) / (halvingDays * 86_400_000))

const lastReadOf = ({ lastReadAt, completedAt, startedAt }: LibraryEntry): number => {
  const at = Date.parse(lastReadAt ?? completedAt ?? startedAt ?? '')
  return Number.isNaN(at) ? 0 : at
}
