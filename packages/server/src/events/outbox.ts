import type { ServerEvent, Permission } from '@carrel/api'
import type { WriteDb } from '../database/database.ts'
import { dialectOf, wakeAfterCommit } from '../database/transaction.ts'
import { newId } from '../platform/ids.ts'
import { insertEvents, raiseSequence } from './queries.ts'

export interface ContentLabels {
  readonly ageRating: number | null
  readonly sharingTags: readonly string[]
}

/** These decide who sees a series or a book. */
export interface Audience {
  readonly libraryId?: string | undefined
  readonly content?: ContentLabels
  /** A book of the series: whoever sees none of its books does not see the series in lists. */
  readonly within?: ContentLabels
  /** The series of a book, which the event names: whoever does not see it is not told which it is (HTTP-3). */
  readonly series?: ContentLabels | undefined
  /** These are figures of whole libraries: only those hear of them from whom nothing in a library is hidden. */
  readonly isWhole?: true
}

/** The event is only for those who see one of these, or only for those who see none. */
export interface AudienceCondition {
  readonly of: readonly Audience[]
  readonly isSeen: boolean
}

/**
 * It says who may hear of an event. All conditions must hold; content is described as it was, so that its end is heard of
 * too.
 */
interface EventAudience extends Audience {
  readonly userId?: string
  readonly permission?: Permission
  /** It describes visibility before or after a change, where more than one label decides. */
  readonly audiences?: readonly AudienceCondition[]
}

export interface Announcement {
  readonly event: ServerEvent
  readonly to: EventAudience
}

/**
 * The call belongs in the transaction that makes the events true: whoever may see them hears of them once it is
 * committed.
 */
export const announce = async (db: WriteDb, announcements: readonly Announcement[], now: Date): Promise<void> => {
  if (announcements.length === 0) return
  const events = announcements.flatMap(toldApart)
  const timestamp = now.toISOString()
  const { numbersAtOnce } = dialectOf(db)
  const last = numbersAtOnce ? await raiseSequence(db, events.length) : undefined
  await insertEvents(
    db,
    events.map(({ event: { type, ...fields }, to }, index) => ({
      id: newId(now.getTime()),
      number: last === undefined ? null : last - events.length + 1 + index,
      type,
      at: timestamp,
      data: JSON.stringify({ type, timestamp, ...fields }),
      user_id: to.userId ?? null,
      permission: to.permission ?? null,
      library_id: to.libraryId ?? null,
      age_rating: to.content?.ageRating ?? null,
      sharing_tags: to.content ? JSON.stringify(to.content.sharingTags) : null,
      sights: to.audiences ? JSON.stringify(to.audiences) : null,
    })),
  )
  wakeAfterCommit(db, numbersAtOnce ? 'events' : 'unnumbered')
}

interface ToldEvent {
  readonly event: Readonly<Record<string, unknown>> & Pick<ServerEvent, 'type'>
  readonly to: EventAudience
}

/** Who sees a book but not its series is decided for each kind of viewer, like all else: there are two events then. */
const toldApart = ({ event, to }: Announcement): ToldEvent[] => {
  const { series, content } = to
  if (!series || (content && !isStricter(series.ageRating, content.ageRating))) return [{ event, to }]
  const toThose = (isSeen: boolean): EventAudience => ({
    ...to,
    audiences: [...(to.audiences ?? []), { of: [{ libraryId: to.libraryId, content: series }], isSeen }],
  })
  return [
    { event, to: toThose(true) },
    { event: { ...event, seriesId: null }, to: toThose(false) },
  ]
}

/** Whether somebody may see what has the other rating, and not what has this. */
const isStricter = (rating: number | null, other: number | null): boolean =>
  rating === null ? other !== null : other === null || rating > other
