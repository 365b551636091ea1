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
  /** It follows the closing bracket of `create table`. */
  readonly tableEnd: RawBuilder<unknown>
  /** The same of a table whose rows lie in the order of their key, without an index beside them, where that can be. */
  readonly keyTableEnd: RawBuilder<unknown>
  /** Indexes take texts of any length. */
  readonly indexesAnyText: boolean
  /** There is one writer at a time, so that what is written gets its number on the spot and in order. */
  readonly numbersAtOnce: boolean
  /** It ends a `select` of rows to take: rows that another transaction has locked are skipped. */
  readonly skipLocked: RawBuilder<unknown>
  /** It ends a `select` of rows that nobody else changes before the transaction ends; others may select them so too. */
  readonly unchangedRows: RawBuilder<unknown>
  /**
   * It ends a `select` of rows of a table that are then changed: nobody else changes them before the transaction ends.
   */
  readonly lockedRows: (table: string) => RawBuilder<unknown>
  /** Nobody else locks or changes this row until the transaction ends; other rows may still refer to it. */
  readonly lockRow: (db: WriteDb, table: string, id: string) => Promise<void>
  readonly many: ManyRows
  readonly turns: Turns
  readonly textIndex: TextIndex
  readonly wordIndex: WordIndex
  /** The tables that the other database has no use for. */
  createOwnTables(db: Kysely<unknown>): Promise<void>
  tableExists(db: ReadDb, name: string): Promise<boolean>
  /** It returns a table that is in the way of ours, of a database in which none of ours is. */
  foreignTable(db: ReadDb): Promise<string | undefined>
  /** It returns the size of the database on its disk, in bytes. */
  size(db: ReadDb): Promise<number>
  /** The database was busy or two transactions got in each other's way: nothing happened, and it may work now. */
  shouldTryAgain(error: unknown): boolean
  /** There is a row already with which this one cannot be. */
  isDuplicate(error: unknown): boolean
  /** It words faults of the database that a caller should understand; everything else stays as it is. */
  explain(error: unknown): unknown
}

/** `like` on a column that is stored folded, matching `part` anywhere and taking it literally. */
export const contains = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

export const escapedLike = (column: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> =>
  sql<boolean>`${column} like ${pattern} escape '\\'`

/** The fastest way each database has to write many rows that are alike. `database/many.ts` is its front door. */
export interface ManyRows {
  /**
   * `insert` makes the statement for the rows it is given; beyond their values it holds no parameters. It is made once for
   * each `shape`.
   */
  insert(db: WriteDb, shaped: ShapedRows, insert: (rows: readonly Row[]) => Compilable): Promise<void>
  /** It sets `columns` of the rows that have these `keys`. */
  update(db: WriteDb, shape: UpdateShape, rows: readonly Row[]): Promise<void>
}

type Row = Readonly<Record<string, unknown>>

interface ShapedRows {
  readonly shape: string
  readonly rows: readonly Row[]
}

interface Replacement extends ShapedRows {
  readonly table: string
  /** A column by which no two rows are alike. */
  readonly key: string
  /** It makes the statement that inserts rows, or changes those that are there; the rest is as in `many.insert`. */
  readonly upsert: (rows: readonly Row[]) => Compilable
}

interface UpdateShape {
  readonly table: string
  readonly keys: Readonly<Record<string, ValueKind>>
  readonly columns: Readonly<Record<string, ValueKind>>
}

export type ValueKind = 'text' | 'integer' | 'real'

/**
 * It is a shared and an exclusive lock, held until the transaction ends: any number may hold the shared lock together,
 * the exclusive lock only one. With one writer at a time every lock is exclusive.
 */
export interface Turns {
  inCompany(db: WriteDb): Promise<void>
  /** The result is false when others hold the lock. Nobody waits for them. */
  alone(db: WriteDb): Promise<boolean>
}

/** It finds rows by the words in them. What a word is was decided before: the database takes them as they come. */
export interface TextIndex {
  /**
   * It creates the index by which the rows of this table are found by their column `words`, words with spaces between;
   * the table has a `number`.
   */
  create(db: Kysely<unknown>, table: string): Promise<void>
  /** It makes the index anew, where it can be read in the order of what fits best; until then `ranked` must not be used. */
  rank(db: Kysely<unknown>, table: string): Promise<void>
  /** It inserts rows of such a table in place of those that have the same `key`. */
  replace(db: WriteDb, replacement: Replacement): Promise<void>
  /**
   * It is a source to select from: the rows of the table that hold one word of each group, in the order that costs
   * least.
   */
  matching(table: string, groups: readonly WordGroup[]): RawBuilder<unknown>
  /** The same where about `max` of them will do, whichever they are; some may come twice. */
  someMatching(table: string, groups: readonly WordGroup[], max: number): RawBuilder<unknown>
  /** All of them, the best first. Undefined where the index cannot say which are best. */
  ranked(table: string, groups: readonly WordGroup[]): RankedIndex | undefined
  /** The condition is true when some row of the table holds this word, which is a column of the statement around it. */
  holds(table: string, word: RawBuilder<unknown>): RawBuilder<boolean>
}

/** Sources to select from, each in the order of `place`. The row of the table goes by the name of `document`. */
export interface RankedIndex {
  /** All words stand in the title, and the first of them begins it. */
  readonly beginning: RawBuilder<unknown>
  /** All words stand in the title. */
  readonly inTitle: RawBuilder<unknown>
  /** All others that are found. */
  readonly elsewhere: RawBuilder<unknown>
  /** The shorter the title, the smaller it is. */
  readonly place: RawBuilder<unknown>
  /** A source of the column `number` of all rows found, for which the table need not be read. */
  readonly numbers: RawBuilder<unknown>
}

export interface WordToFind {
  readonly word: string
  /** It is a part of what was written without spaces. */
  readonly isOfRun?: boolean
  /** Any word that begins with it matches. */
  readonly isBeginning?: boolean
}
export type WordGroup = readonly WordToFind[]

/** It finds rows by words in a column of theirs, of letters and digits with spaces between; the table has a `number`. */
export interface WordIndex {
  create(db: Kysely<unknown>, words: IndexedColumn): Promise<void>
  /** That a value is in a column of some row that holds one word of each group: such rows are found first, and then the value. */
  isAmong(value: RawBuilder<unknown>, source: WordSource): RawBuilder<boolean>
  /** A source to select from: the column `number` of all rows that hold one word of each group. */
  numbers(words: IndexedColumn, groups: WordGroups): RawBuilder<unknown>
  /** That some row holds this word, a column of the statement around it, behind one of these signs. */
  holds(words: IndexedColumn, word: RawBuilder<unknown>, signs: readonly string[]): RawBuilder<boolean>
}

type WordGroups = readonly (readonly string[])[]

interface WordSource {
  readonly words: IndexedColumn
  readonly column: string
  readonly groups: WordGroups
}

export interface IndexedColumn {
  readonly table: string
  readonly column: string
}
