import { sql } from 'kysely'
import type { ReadDb, WriteDb } from './db.ts'
import { updateMany } from './many.ts'

/**
 * A table of items in the order somebody has given them, in lists of their own: `position` is another number for each of
 * a list. Whoever changes one locks the list first.
 */
export interface Places {
  readonly table: 'want_to_read' | 'collection_series' | 'read_list_book'
  /** The columns that say in which list a row is, and which item it is there. */
  readonly list: string
  readonly item: string
}

/** Behind all others. */
export const nextPosition = async (db: ReadDb, { table, list }: Places, listId: string): Promise<number> => {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from ${sql.table(table)} where ${sql.ref(list)} = ${listId}`.execute(db)
  return (rows[0]?.last ?? 0) + 1
}

const positionsOf = async (
  db: ReadDb,
  { table, list, item }: Places,
  listId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (itemIds.length === 0) return new Map()
  const { rows } = await sql<{ item: string; position: number }>`
    select ${sql.ref(item)} as item, position from ${sql.table(table)}
    where ${sql.ref(list)} = ${listId} and ${sql.ref(item)} in (${sql.join(itemIds)})`.execute(db)
  return new Map(rows.map((row) => [row.item, row.position]))
}

/** These items share the places they have, in this order; all others stay. Answers the first that is not in the list. */
export const rearrange = async (
  db: WriteDb,
  places: Places,
  listId: string,
  itemIds: readonly string[],
): Promise<string | undefined> => {
  const now = await positionsOf(db, places, listId, itemIds)
  const stranger = itemIds.find((id) => !now.has(id))
  if (stranger !== undefined) return stranger
  const free = [...now.values()].sort((one, other) => one - other)
  const { table, list, item } = places
  const moved = itemIds
    .map((id, index) => ({ id, position: free[index] ?? 0 }))
    .filter(({ id, position }) => now.get(id) !== position)
    .map(({ id, position }) => ({ [list]: listId, [item]: id, position }))
  await updateMany(db, table, { keys: { [list]: 'text', [item]: 'text' }, columns: { position: 'integer' } }, moved)
  return undefined
}

/** What stands between the two places moves up by one. */
export const moveItem = async (
  db: WriteDb,
  { table, list, item }: Places,
  listId: string,
  { itemId, from, to }: { itemId: string; from: number; to: number },
): Promise<void> => {
  if (from === to) return
  const step = from < to ? sql`- 1` : sql`+ 1`
  await sql`
    update ${sql.table(table)}
    set position = case when ${sql.ref(item)} = ${itemId} then cast(${to} as integer) else position ${step} end
    where ${sql.ref(list)} = ${listId}
      and position between cast(${Math.min(from, to)} as integer) and cast(${Math.max(from, to)} as integer)`.execute(
    db,
  )
}
