import type { Fact, Permission } from '@carrel/api'
import type { WriteDb } from '../database/database.ts'
import { dialectOf, wakeAfterCommit } from '../database/transaction.ts'
import { newId } from '../platform/ids.ts'
import { insertFacts, raiseSequence } from './queries.ts'

/** Who may hear of a fact. All that is said must hold; content is as it was, so that its end is heard of too. */
interface Audience {
  readonly userId?: string
  readonly permission?: Permission
  readonly libraryId?: string | undefined
  readonly content?: { readonly ageRating: number | null; readonly sharingTags: readonly string[] }
}

export interface Announcement {
  readonly fact: Fact
  readonly to: Audience
}

/** Within the transaction that makes them true: whoever may see the facts hears of them once it is committed. */
export const announce = async (db: WriteDb, announcements: readonly Announcement[], now: Date): Promise<void> => {
  if (announcements.length === 0) return
  const timestamp = now.toISOString()
  const { numbersAtOnce } = dialectOf(db)
  const last = numbersAtOnce ? await raiseSequence(db, announcements.length) : undefined
  await insertFacts(
    db,
    announcements.map(({ fact: { type, ...fields }, to }, index) => ({
      id: newId(now.getTime()),
      number: last === undefined ? null : last - announcements.length + 1 + index,
      type,
      at: timestamp,
      data: JSON.stringify({ type, timestamp, ...fields }),
      user_id: to.userId ?? null,
      permission: to.permission ?? null,
      library_id: to.libraryId ?? null,
      age_rating: to.content?.ageRating ?? null,
      sharing_tags: to.content ? JSON.stringify(to.content.sharingTags) : null,
    })),
  )
  wakeAfterCommit(db, numbersAtOnce ? 'facts' : 'unnumbered')
}
