import { sql } from 'kysely'
import type { ReadDb, WriteDb } from './db.ts'
import { updateMany } from './many.ts'

/**
 * A table of items in the order somebody has given them, in lists of their own: `position` is another number for each of
 * a list. Whoever changes one locks the list first.
 */
export interface OrderedTable {
  readonly table: 'want_to_read' | 'collection_series' | 'read_list_book'
  /** The columns that say in which list a row is, and which item it is there. */
  readonly list: string
  readonly item: string
}

/** The position is after all others. */
export const nextPosition = async (db: ReadDb, { table, list }: OrderedTable, listId: string): Promise<number> => {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from ${sql.table(table)} where ${sql.ref(list)} = ${listId}`.execute(db)
  return (rows[0]?.last ?? 0) + 1
}

const positionsOf = async (
  db: ReadDb,
  { table, list, item }: OrderedTable,
  listId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (itemIds.length === 0) return new Map()
  const { rows } = await sql<{ item: string; position: number }>`
    select ${sql.ref(item)} as item, position from ${sql.table(table)}
    where ${sql.ref(list)} = ${listId} and ${sql.ref(item)} in (${sql.join(itemIds)})`.execute(db)
  return new Map(rows.map((row) => [row.item, row.position]))
}

export interface Rearranged {
  /** The first that is not in the list: nothing has been changed. */
  readonly stranger: string | undefined
  /** It moves as few rows as possible, so that the others stay in the order they had among themselves. */
  readonly moved: readonly string[]
}

/** These items share the positions they have, in this order; all others stay. */
export const rearrange = async (
  db: WriteDb,
  ordered: OrderedTable,
  listId: string,
  itemIds: readonly string[],
): Promise<Rearranged> => {
  const now = await positionsOf(db, ordered, listId, itemIds)
  const stranger = itemIds.find((id) => !now.has(id))
  if (stranger !== undefined) return { stranger, moved: [] }
  const free = [...now.values()].sort((one, other) => one - other)
  const { table, list, item } = ordered
  const changed = itemIds
    .map((id, index) => ({ id, position: free[index] ?? 0 }))
    .filter(({ id, position }) => now.get(id) !== position)
    .map(({ id, position }) => ({ [list]: listId, [item]: id, position }))
  await updateMany(db, table, { keys: { [list]: 'text', [item]: 'text' }, columns: { position: 'integer' } }, changed)
  const unmoved = longestRise(itemIds.map((id) => now.get(id) ?? 0))
  return { stranger: undefined, moved: itemIds.filter((_, index) => !unmoved.has(index)) }
}

/** It returns the positions of the longest rising subsequence. */
export const longestRise = (numbers: readonly number[]): ReadonlySet<number> => {
  // For each length it holds where the run of that length ends whose last number is the smallest.
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before.push(ends[low - 1])
    ends[low] = index
  }
  const rise = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.add(index)
  return rise
}

/** Rows between the two positions move up by one. */
export const moveItem = async (
  db: WriteDb,
  { table, list, item }: OrderedTable,
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
