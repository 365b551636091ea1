import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { cachedStatement } from '../../../../database/cached-statement.ts'
import { insertMany } from '../../../../database/many.ts'
import type { ReadingTables } from '../../table.ts'
import type { Snapshot } from '../queries.ts'

export interface Head extends Snapshot {
  /** Entries since the last snapshot. */
  readonly unsaved: number
  /** Where sessions and figures do not have the log yet. Absent: what is stored of that stays as it is. */
  readonly uncounted?: Uncounted | undefined
}

export interface Uncounted {
  readonly from: string
  readonly to: string
  /** Nobody has been told yet that what shows of it has changed. */
  readonly isUntold: boolean
}

const headsOf = (db: ReadDb, userId: string) => db.selectFrom('reading_head').selectAll().where('user_id', '=', userId)
const headOf = cachedStatement((db, { user, book }) => headsOf(db, user).where('book_id', '=', book), ['user', 'book'])

export const selectHeads = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<Map<string, Head>> => {
  const [only, ...others] = bookIds
  if (only === undefined) return new Map()
  const rows =
    others.length === 0
      ? await headOf(db, { user: userId, book: only }, undefined)
      : await headsOf(db, userId).where('book_id', 'in', bookIds).execute()
  return new Map(rows.map((row) => [row.book_id, toHead(row)]))
}

export const toHead = (row: Omit<Selectable<ReadingTables['reading_head']>, 'user_id' | 'book_id'>): Head => {
  const { at, entry_id: id, unsaved, state, uncounted_from: from, uncounted_to: to, untold } = row
  const uncounted = from === null || to === null ? undefined : { from, to, isUntold: untold === 1 }
  return { position: { at, id }, unsaved, state, uncounted }
}

/** There is one head for each book and each of its readers. */
export const countHeads = async (db: ReadDb): Promise<number> => {
  const { count } = await db
    .selectFrom('reading_head')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Either all of these heads say what is uncounted, or none. */
export const saveHeads = (
  db: WriteDb,
  userId: string,
  heads: readonly { readonly bookId: string; readonly head: Head }[],
): Promise<void> => {
  const isCountedLater = heads[0]?.head.uncounted !== undefined
  return insertMany(
    db,
    'reading_head',
    heads.map(({ bookId, head: { position, unsaved, state, uncounted } }) => ({
      user_id: userId,
      book_id: bookId,
      at: position.at,
      entry_id: position.id,
      unsaved,
      state,
      ...(isCountedLater && {
        uncounted_from: uncounted?.from ?? null,
        uncounted_to: uncounted?.to ?? null,
        untold: uncounted?.isUntold ? (1 as const) : null,
      }),
    })),
    {
      keys: ['user_id', 'book_id'],
      sets: [
        'at',
        'entry_id',
        'unsaved',
        'state',
        ...(isCountedLater ? ['uncounted_from', 'uncounted_to', 'untold'] : []),
      ],
    },
  )
}
