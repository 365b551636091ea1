import type { Insertable, Updateable } from 'kysely'
import type { WriteDb } from './db.ts'
import type { ManyRows, ValueKind } from './dialects/dialect.ts'
import type { Schema } from './schema.ts'
import { dialectOf } from './transaction.ts'

type Conflict = 'fails' | 'is left as it is' | { readonly keys: readonly string[]; readonly sets: readonly string[] }

/** It inserts rows of one table that all have the same fields, however many there are. */
export const insertMany = <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  conflict: Conflict = 'fails',
): Promise<void> => insertBy(dialectOf(db).many.insert, db, { table, rows, conflict })

/** The same for a table with a text index. */
export const insertIndexed = <Table extends keyof Schema>(
  db: WriteDb,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  conflict: Conflict,
): Promise<void> => insertBy(dialectOf(db).textIndex.insert, db, { table, rows, conflict })

interface Insertion<Table extends keyof Schema> {
  readonly table: Table
  readonly rows: readonly Insertable<Schema[Table]>[]
  readonly conflict: Conflict
}

const insertBy = async <Table extends keyof Schema>(
  insert: ManyRows['insert'],
  db: WriteDb,
  { table, rows, conflict }: Insertion<Table>,
): Promise<void> => {
  const [first] = rows
  if (!first) return
  const sets = typeof conflict === 'string' ? conflict : `${conflict.keys.join()} ${conflict.sets.join()}`
  const shape = `${table} ${Object.keys(first).join()} ${sets}`
  await insert(db, { shape, rows }, (part) => {
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
  })
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
const idsAtOnce = 1000

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

/** It asks for rows of ten thousand ids in parts, a statement each. */
export const selectInParts = async <Row>(
  ids: readonly string[],
  select: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const rows: Row[] = []
  for (let from = 0; from < ids.length; from += idsAtOnce)
    for (const row of await select(ids.slice(from, from + idsAtOnce))) rows.push(row)
  return rows
}
