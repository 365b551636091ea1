import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../db.ts'

/** Every difference between the two databases that reaches beyond their folder. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Several processes may serve from it. */
  readonly hasSeveralNodes: boolean
  /** Column types. Text compares byte by byte on both. */
  readonly text: RawBuilder<unknown>
  readonly integer: RawBuilder<unknown>
  readonly real: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** Follows the closing bracket of `create table`. */
  readonly tableEnd: RawBuilder<unknown>
  /** Indexes take texts of any length. */
  readonly indexesAnyText: boolean
  /** There is one writer at a time, so that what is written gets its number on the spot and in order. */
  readonly numbersAtOnce: boolean
  /** Ends a `select` of rows to take: those that somebody else is taking are left out. */
  readonly skipLocked: RawBuilder<unknown>
  /** Ends a `select` of rows of a table that are then changed: nobody else changes them before the transaction ends. */
  readonly lockedRows: (table: string) => RawBuilder<unknown>
  /** Until the transaction ends, nobody else locks or changes this row; it may still be referred to. */
  readonly lockRow: (db: WriteDb, table: string, id: string) => Promise<void>
  readonly many: ManyRows
  readonly turns: Turns
  readonly textIndex: TextIndex
  tableExists(db: ReadDb, name: string): Promise<boolean>
  /** How much room the whole of it takes on its disk, in bytes. */
  size(db: ReadDb): Promise<number>
  /** The database was busy or two transactions got in each other's way: nothing happened, and it may work now. */
  shouldTryAgain(error: unknown): boolean
  /** Faults of the database that a caller should hear of in other words; everything else stays as it is. */
  explain(error: unknown): unknown
}

/** `like` on a column that is stored folded, matching `part` anywhere and taking it literally. */
export const contains = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

export const escapedLike = (column: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`${column} like ${pattern} escape '\\'`

/** The fastest way each database has to write many rows that are alike. `database/many.ts` is its front door. */
export interface ManyRows {
  /** `insert` makes the statement for the rows it is given; beyond their values it holds no parameters. */
  insert(db: WriteDb, rows: readonly Row[], insert: (rows: readonly Row[]) => Compilable): Promise<void>
  /** Sets `columns` of the rows that have these `keys`. */
  update(db: WriteDb, shape: UpdateShape, rows: readonly Row[]): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

interface UpdateShape {
  readonly table: string
  readonly keys: Readonly<Record<string, ValueKind>>
  readonly columns: Readonly<Record<string, ValueKind>>
}

export type ValueKind = 'text' | 'integer' | 'real'

/**
 * Until their transactions end, any number may do something in company, and one may do something alone while nobody does.
 * Where there is one writer at a time everybody is alone.
 */
export interface Turns {
  inCompany(db: WriteDb): Promise<void>
  /** False: others are at it. Nobody waits for them. */
  alone(db: WriteDb): Promise<boolean>
}

/** Finds rows by the words in them. What a word is was decided before: the database takes them as they come. */
export interface TextIndex {
  /** From now on the rows of this table are found by their column `words`, words with spaces between; it has a `number`. */
  create(db: Kysely<unknown>, table: string): Promise<void>
  /** Where an index finds all rows or none, a few of them are looked at first. */
  sampleMore(db: Kysely<unknown>, table: string): Promise<void>
  /** To select from: the rows of the table that hold one of each of these groups, in the order that costs least. */
  found(table: string, groups: readonly WordGroup[]): RawBuilder<unknown>
  /** The same where about `max` of them will do, whichever they are; some may come twice. */
  someFound(table: string, groups: readonly WordGroup[], max: number): RawBuilder<unknown>
  /** That some row of the table holds this word, which is a column of the statement around it. */
  holds(table: string, word: RawBuilder<unknown>): RawBuilder<boolean>
}

export interface WordToFind {
  readonly word: string
  /** Whatever begins with it will do. */
  readonly isBeginning?: boolean
}
export type WordGroup = readonly WordToFind[]
