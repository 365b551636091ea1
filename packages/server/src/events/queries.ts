import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../database/database.ts'
import { cachedStatement } from '../database/cached-statement.ts'
import { insertMany } from '../database/many.ts'
import type { EventTables } from './table.ts'

export const insertEvents = (db: WriteDb, rows: readonly Insertable<EventTables['event']>[]): Promise<void> =>
  insertMany(db, 'event', rows)

/** It returns the last of `count` numbers that are now taken. It locks the sequence until the transaction ends. */
export const raiseSequence = async (db: WriteDb, count: number): Promise<number> => {
  const [row] = await sequenceRaised(db, {}, count)
  if (!row) throw new Error('The events have no sequence')
  return row.last_number
}

const sequenceRaised = cachedStatement(
  (db: WriteDb, _, count: number) =>
    db
      .updateTable('event_sequence')
      .set(({ eb }) => ({ last_number: eb('last_number', '+', count) }))
      .where('the_one', '=', 1)
      .returning('last_number'),
  [],
)

export const selectLastNumber = async (db: ReadDb): Promise<number> => {
  const { last_number } = await db.selectFrom('event_sequence').select('last_number').executeTakeFirstOrThrow()
  return last_number
}

export const anyEventWithoutNumber = async (db: ReadDb): Promise<boolean> => {
  const row = await db.selectFrom('event').select('id').where('number', 'is', null).limit(1).executeTakeFirst()
  return row !== undefined
}

/** It gives the next `limit` events the numbers after `last`; those of one transaction are in the order of their ids. */
export const numberEvents = async (db: WriteDb, last: number, limit: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    with waiting as (select id from event where number is null order by id limit ${limit}),
      placed as (select id, row_number() over (order by id) as place from waiting)
    update event set number = cast(${last} as bigint) + placed.place from placed where event.id = placed.id`.execute(db)
  return Number(numAffectedRows)
}

/** Transactions that commit on PostgreSQL in the same instant keep an order: one at a time gets the lock. */
export const lockSequence = (db: WriteDb): Promise<number> => raiseSequence(db, 0)

export const selectEvents = (db: ReadDb, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('event')
    .select(['number', 'type', 'data', 'user_id', 'permission', 'library_id', 'age_rating', 'sharing_tags'])
    .select('sights')
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

export type StoredEvent = Awaited<ReturnType<typeof selectEvents>>[number]

/** The number before the oldest event there is, or the last number given if there is none. */
export const selectNumberBeforeOldest = async (db: ReadDb): Promise<number> => {
  const { oldest, last } = await db
    .selectFrom('event_sequence')
    .select('last_number as last')
    .select(({ selectFrom }) =>
      selectFrom('event')
        .select(({ fn }) => fn.min('number').as('oldest'))
        .as('oldest'),
    )
    .executeTakeFirstOrThrow()
  return oldest === null ? last : oldest - 1
}

/** The number up to which all are older. One from a time when the clock was wrong takes no newer one with it. */
export const selectNumberBefore = async (db: ReadDb, at: string): Promise<number> => {
  // It is read first: whatever is numbered after it is newer.
  const last = await selectLastNumber(db)
  const oldestKept = await db
    .selectFrom('event')
    .select('number')
    .where('number', 'is not', null)
    .where('at', '>=', at)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return oldestKept?.number == null ? last : oldestKept.number - 1
}

export const deleteEventsUpTo = async (db: WriteDb, number: number, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('event')
    .where('number', 'in', ({ selectFrom }) =>
      selectFrom('event').select('number').where('number', '<=', number).orderBy('number').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
