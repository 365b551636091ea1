import { isDeepStrictEqual } from 'node:util'
import type { WriteDb } from '../../database/database.ts'
import { type Announcement, announce, type Audience } from '../../events/outbox.ts'
import type { SeriesChange } from '../listeners/listeners.ts'
import { announcementsOfChange, selectAgeCeilings, selectGrantedTags } from '../visibility/visibility.ts'
import type { BookStanding } from './books/standing.ts'
import type { BookChange, Refreshed } from './refresh.ts'
import { selectTagIds } from './series/queries.ts'

/** Above this many, what is seen by others than before is told of by its library alone. */
export const announcedSinglyMax = 500

/** What has been told, so that nobody tells it twice. */
export interface AnnouncedChanges {
  readonly bookIds: ReadonlySet<string>
  /** How many changes of sight were told one by one. */
  readonly count: number
}

/**
 * After `refresh`, in the same transaction: whoever loses sight of a series or of a known book hears that it is gone, whoever
 * gains it that it is there, and all others who see a series that it has changed (pins W8). A run that changes the sight of
 * more than `singlyMax` tells the rest as their libraries, so that a first scan doesn't write rows for each of a million books.
 */
export const announceRefreshed = async (
  db: WriteDb,
  refreshed: Refreshed,
  now: Date,
  singlyMax: number = announcedSinglyMax,
): Promise<AnnouncedChanges> => {
  const labelled = await labelChanges(db, refreshed)
  const affected = labelled.filter(({ loses, gains }) => loses || gains)
  const isBounded = affected.length > Math.max(0, singlyMax)
  const bookIds = new Set(isBounded ? [] : affected.flatMap(({ bookId }) => bookId ?? []))
  const news = labelled.flatMap((each): Announcement[] => {
    if (!isBounded) return each.bookId === undefined || bookIds.has(each.bookId) ? announcementsOf(each) : []
    return each.bookId === undefined ? announcementsOf({ ...each, loses: false, gains: false }) : []
  })
  await announce(db, [...news, ...(isBounded ? announcementsOfLibraries(affected) : [])], now)
  return { bookIds, count: isBounded ? 0 : affected.length }
}

/** Something that is seen by others than before, or may be. */
interface Change {
  readonly bookId?: string
  readonly events: Parameters<typeof announcementsOfChange>[0]
  /** Undefined: it stood in no list. */
  readonly before: Audience | undefined
  /** Undefined: it stands in no list any more. */
  readonly after: Audience | undefined
}

interface LabelledChange extends Change {
  /** Whether anybody may lose sight of it. */
  readonly loses: boolean
  readonly gains: boolean
}

const announcementsOf = ({ events, before, after, loses, gains }: LabelledChange): Announcement[] => {
  if (after === undefined) return before === undefined ? [] : [{ event: events.deleted, to: before }]
  if (before === undefined) return [{ event: events.created, to: after }]
  if (!loses && !gains) return [{ event: events.updated, to: after }]
  return announcementsOfChange(events, { before, after }).filter(
    ({ event }) => (loses || event !== events.deleted) && (gains || event !== events.created),
  )
}

/** Whoever looks at one of these libraries looks again. */
const announcementsOfLibraries = (affected: readonly Change[]): Announcement[] => {
  const ids = new Set(affected.flatMap(({ before, after }) => [before?.libraryId, after?.libraryId]))
  return [...ids].flatMap((libraryId) =>
    libraryId === undefined
      ? []
      : [
          {
            event: { type: 'library_updated', libraryId } as const,
            to: { libraryId, permission: 'libraries:read' as const },
          },
        ],
  )
}

const labelChanges = async (
  db: WriteDb,
  { series, books, tagsBefore }: Refreshed,
): Promise<readonly LabelledChange[]> => {
  const seriesIds = new Set(series.map(({ id }) => id))
  for (const { before, after } of books) seriesIds.add(before.seriesId).add(after.seriesId)
  const tagsNow = await selectTagIds(db, [...seriesIds])
  const tagsThen = (seriesId: string) => tagsBefore.get(seriesId) ?? tagsNow(seriesId)
  const isTaggedOtherwise = remembered((from, to) => !isDeepStrictEqual(tagsThen(from), tagsNow(to)))
  const seenByOthers = books.filter(
    ({ before, after }) =>
      before.libraryId !== after.libraryId ||
      before.ageRating !== after.ageRating ||
      isTaggedOtherwise(before.seriesId, after.seriesId),
  )
  const changeOf = new Map(series.map((each) => [each.id, each]))
  const changes = [
    ...series.map((each) => changeOfSeries(each, tagsThen(each.id), tagsNow(each.id))),
    ...seenByOthers.map((each) => {
      const { before, after } = each
      const [then, now] = [changeOf.get(before.seriesId)?.ageRatingBefore, changeOf.get(after.seriesId)?.ageRating]
      return changeOfBook(
        each,
        audienceOf(before, tagsThen(before.seriesId), then),
        audienceOf(after, tagsNow(after.seriesId), now),
      )
    }),
  ]
  const isAnyOther = changes.some(({ before, after }) => before && after && !isDeepStrictEqual(before, after))
  const rules = isAnyOther ? await readRules(db, changes) : noRules
  return changes.map((each) => ({ ...each, ...whoIsAffected(rules, each) }))
}

/** Ten thousand books go from one series to another: what is asked of these two is answered once. */
const remembered = (ask: (from: string, to: string) => boolean) => {
  const answers = new Map<string, Map<string, boolean>>()
  return (from: string, to: string): boolean => {
    const answersFrom = answers.get(from) ?? new Map<string, boolean>()
    answers.set(from, answersFrom)
    const answer = answersFrom.get(to) ?? ask(from, to)
    answersFrom.set(to, answer)
    return answer
  }
}

const changeOfSeries = (change: SeriesChange, tagsThen: readonly string[], tagsNow: readonly string[]): Change => {
  const { id: seriesId, libraryId } = change
  const about = { seriesId, libraryId }
  const audienceOf = (ageRating: number | null, sharingTags: readonly string[]): Audience => ({
    libraryId,
    content: { ageRating, sharingTags },
  })
  // One without books stood in no list, and one that has none still has changed for those who can look at it all the same.
  const wasThere = change.bookCountBefore > 0 || change.bookCount === 0
  const isThere = change.bookCount > 0 || change.bookCountBefore === 0
  return {
    events: {
      updated: { type: 'series_updated', ...about },
      deleted: { type: 'series_deleted', ...about },
      created: { type: 'series_created', ...about },
    },
    before: wasThere ? audienceOf(change.ageRatingBefore, tagsThen) : undefined,
    after: isThere ? audienceOf(change.ageRating, tagsNow) : undefined,
  }
}

/** Whoever does not see the series of a book by its rating, if that is known, is not told which it is. */
const audienceOf = (
  { libraryId, ageRating }: BookStanding,
  sharingTags: readonly string[],
  ratingOfSeries: number | null | undefined,
): Audience => ({
  libraryId,
  content: { ageRating, sharingTags },
  ...(ratingOfSeries !== undefined && { series: { ageRating: ratingOfSeries, sharingTags } }),
})

const changeOfBook = ({ id: bookId, ...standing }: BookChange, before: Audience, after: Audience): Change => {
  const { libraryId, seriesId } = standing.after
  const about = { bookId, seriesId, libraryId }
  return {
    bookId,
    events: {
      updated: { type: 'book_updated', ...about },
      deleted: {
        type: 'book_deleted',
        bookId,
        seriesId: standing.before.seriesId,
        libraryId: standing.before.libraryId,
      },
      created: { type: 'book_created', ...about },
    },
    before,
    after,
  }
}

// Who there is to be affected

interface Rules {
  /** All that anybody has, by themselves or by a group. */
  readonly ageCeilings: readonly number[]
  /** By which somebody is let in, or kept out. */
  readonly tags: ReadonlySet<string>
}

const noRules: Rules = { ageCeilings: [], tags: new Set() }

const readRules = async (db: WriteDb, changes: readonly Change[]): Promise<Rules> => {
  const tagIds = [...new Set(changes.flatMap(({ before, after }) => tagsThatDiffer(before, after)))]
  const tags = await selectGrantedTags(db, tagIds, ['allow', 'deny'])
  return { ageCeilings: await selectAgeCeilings(db), tags: new Set(tags) }
}

const tagsThatDiffer = (before: Audience | undefined, after: Audience | undefined): readonly string[] => {
  const [then, now] = [before?.content?.sharingTags ?? [], after?.content?.sharingTags ?? []]
  return [...then.filter((tag) => !now.includes(tag)), ...now.filter((tag) => !then.includes(tag))]
}

/** Rather too many than too few: how the rules of people and of their groups combine is not asked here. */
const whoIsAffected = (rules: Rules, { before, after }: Change): Pick<LabelledChange, 'loses' | 'gains'> => {
  if (!before || !after) return { loses: false, gains: false }
  const isOpen =
    before.libraryId !== after.libraryId || tagsThatDiffer(before, after).some((tag) => rules.tags.has(tag))
  if (isOpen) return { loses: true, gains: true }
  const [then, now] = [before.content?.ageRating ?? null, after.content?.ageRating ?? null]
  const isSeen = (rating: number | null, ceiling: number, seesUnrated: boolean): boolean =>
    rating === null ? seesUnrated : rating <= ceiling
  const some = (from: number | null, to: number | null): boolean =>
    rules.ageCeilings.some((ceiling) =>
      [true, false].some((seesUnrated) => !isSeen(to, ceiling, seesUnrated) && isSeen(from, ceiling, seesUnrated)),
    )
  return { loses: some(then, now), gains: some(now, then) }
}
