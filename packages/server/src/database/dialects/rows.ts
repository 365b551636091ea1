import { copiedTables } from '../copied-tables.ts'

export type Value = string | number | null | Buffer
export type Row = readonly Value[]

export interface TableShape {
  readonly name: string
  /** The columns are sorted by name, so that both databases have them in one order. */
  readonly columns: readonly string[]
}

/** It reads all rows of a database as they were at one moment, whatever is written meanwhile. */
export interface RowSource {
  readonly version: number
  /** These are the tables that a copy keeps and that exist at this version. */
  readonly tables: readonly TableShape[]
  /** The rows come in the order of their keys, byte by byte. */
  rows(table: TableShape): AsyncIterable<readonly Row[]>
  count(table: TableShape): Promise<number>
  close(): Promise<void>
}

/** An empty database of some version, to be filled. */
export interface RowTarget {
  readonly tables: readonly TableShape[]
  /** It takes out what the making of the tables has put in. */
  clear(): Promise<void>
  insert(table: TableShape, rows: readonly Row[]): Promise<void>
  /** Nothing comes any more. It fails when a row refers to one that is not there. */
  finish(): Promise<void>
  close(): Promise<void>
}

interface ColumnOfTable {
  readonly table: string
  readonly column: string
}

export const shapesFrom = (columns: readonly ColumnOfTable[]): TableShape[] => {
  const ofTables = Map.groupBy(columns, ({ table }) => table)
  return copiedTables.flatMap((name) => {
    const names = ofTables.get(name)?.map(({ column }) => column)
    return names ? [{ name, columns: names.sort() }] : []
  })
}
