export type ColumnType = 'text' | 'integer' | 'real' | 'bytes'

/** A question mark lets null in. A default is for what was added to a table that had rows: whoever writes says all columns. */
export type ColumnDefinition =
  | `${ColumnType}${'' | '?'}`
  | { readonly type: ColumnType; readonly default: string | number }

/** Columns may be followed by `desc`; what has a bracket is an expression. */
export type IndexDefinition =
  | readonly string[]
  | {
      readonly columns: readonly string[]
      readonly where?: string
      readonly unique?: boolean
      /** There are texts of any length in it, which not every database takes. Where it does not, there is no such index. */
      readonly isLong?: boolean
    }

/** One column refers to the `id` of the table, several to those of the same names. */
type ForeignKey = readonly [column: string | readonly string[], table: string, onDelete?: 'cascade' | 'set null']

type Named<Definition> = Readonly<Record<string, Definition>>

/** The order of the indexes counts: a planner may choose by it between two that are as good. */
export interface TableDefinition {
  readonly columns: Named<ColumnDefinition>
  readonly primaryKey: readonly string[]
  /** Its rows lie in the order of the key, which is no index beside them, where that can be: for rows that are little more than it. */
  readonly liesByKey?: true
  readonly unique?: Named<readonly string[]>
  readonly foreignKeys?: Named<ForeignKey>
  readonly indexes?: Named<IndexDefinition>
}

export type Tables = Named<TableDefinition>
