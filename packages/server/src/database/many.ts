import type { Insertable, Updateable } from 'kysely'
import type { WriteDb } from './db.ts'
import type { ValueKind } from './dialects/dialect.ts'
import type { Schema } from './schema.ts'
import { dialectOf } from './transaction.ts'

type Conflict = 'fails' | 'is left as it is' | { readonly keys: readonly string[]; readonly sets: readonly string[] }

/** It inserts rows of one table that all have the same fields, however many there are. */
export const insertMany = async <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  conflict: Conflict = 'fails',
): Promise<void> => {
  const { shape, insert } = insertion(db, table, rows, conflict)
  await dialectOf(db).many.insert(db, { shape, rows }, insert)
}

/** It does so for a table with a text index; rows that have the same key are replaced. */
export const replaceIndexed = async <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  key: string & keyof Schema[Table],
): Promise<void> => {
  const sets = Object.keys(rows[0] ?? {}).filter((name) => name !== key)
  const { shape, insert } = insertion(db, table, rows, { keys: [key], sets })
  await dialectOf(db).textIndex.replace(db, { table, key, shape, rows, upsert: insert })
}

const insertion = <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  [first = {}]: readonly object[],
  conflict: Conflict,
) => {
  const sets = typeof conflict === 'string' ? conflict : `${conflict.keys.join()} ${conflict.sets.join()}`
  return {
    shape: `${table} ${Object.keys(first).join()} ${sets}`,
    insert: (part: readonly object[]) => {
      const query = db.insertInto(table).values(part as never)
      if (conflict === 'fails') return query
      if (conflict === 'is left as it is') return query.onConflict((each) => each.doNothing())
      const { keys, sets } = conflict
      return query.onConflict((each) =>
        each
          .columns(keys as never)
          .doUpdateSet(
            ({ ref }) => Object.fromEntries(sets.map((name) => [name, ref(`excluded.${name}` as never)])) as never,
          ),
      )
    },
  }
}

/** It changes many rows of one table, each to values of its own. `rows` hold the keys and every column that is set. */
export const updateMany = async <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  shape: {
    readonly keys: { readonly [Column in keyof Schema[Table]]?: ValueKind }
    readonly columns: { readonly [Column in keyof Schema[Table]]?: ValueKind }
  },
  rows: readonly Updateable<Schema[Table]>[],
): Promise<void> => {
  if (rows.length === 0) return
  const { keys, columns } = shape as unknown as Record<'keys' | 'columns', Record<string, ValueKind>>
  await dialectOf(db).many.update(db, { table, keys, columns }, rows)
}

/** The rows of so many are read in a millisecond or two, after which others are answered. */
const idsAtOnce = 250

/** It asks for ten thousand rows in parts, in the order of an id: each part begins after the last row of the one before. */
export const selectPartByPart = async <Row>(
  select: (after: string, limit: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (;;) {
    const last = rows.at(-1)
    const part = await select(last === undefined ? '' : idOf(last), idsAtOnce)
    for (const row of part) rows.push(row)
    if (part.length < idsAtOnce) return rows
  }
}

/** It runs a statement for ten thousand ids in parts: a list of all of them takes 20 ms to be made and sent. It returns the rows of all. */
export const runInParts = async <Row>(
  ids: readonly string[],
  run: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce)
    for (const row of await run(ids.slice(from, from + idsAtOnce))) rows.push(row)
  return rows
}
