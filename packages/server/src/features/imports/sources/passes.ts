import type { SessionRecord } from '../records.ts'
import { nowhere } from './positions.ts'

/** The same end may be told twice, a few milliseconds apart. */
const momentMs = 10

/**
 * A book that is finished once more was begun anew after it had been finished before. A log of ours counts it as another reading only
 * where it says so; what lies between the two belongs to the later one.
 */
export const begunAnew = (
  { id, user, book }: Pick<SessionRecord, 'id' | 'user' | 'book'>,
  finishedBefore: string,
): SessionRecord => ({
  type: 'session',
  id: `anew ${id}`,
  user,
  book,
  kind: 'reset',
  position: nowhere,
  pages: null,
  startedAt: null,
  at: new Date(Date.parse(finishedBefore) + momentMs).toISOString(),
  activeMs: null,
  pagesRead: null,
  device: null,
})
