import { sql } from 'kysely'
import type { IndexedColumn, WordIndex } from './dialect.ts'

/** Recent writes wait in a list that every search reads, so it is kept as small as that of `postgres-text-index.ts`. */
const pendingKib = 512

/** A GIN index over the words as they are. Without words a row is not in it. */
export const postgresWordIndex: WordIndex = {
  create: async (db, { table, column }) => {
    await sql`create index ${sql.id(`${table}_by_${column}`)} on ${sql.table(table)} using gin ((${wordsIn(column)}))
      with (gin_pending_list_limit = ${sql.lit(pendingKib)})`.execute(db)
  },
  // A list that is made first: it would rather go through all rows in their order until a page is full.
  isAmong: (value, { words, column, groups }) => sql`${value} = any(array(${holding(column, words, groups)}))`,
  numbers: (words, groups) => sql`(${holding('number', words, groups)})`,
  // The rows are counted, although one is enough: to find one row the planner would rather read the table.
  holds: ({ table, column }, word, signs) => {
    const any = signs.map((sign) => sql`'''' || ${sql.lit(sign)} || ${word} || ''''`)
    return sql<boolean>`(select count(*) from ${sql.table(table)}
      where ${wordsIn(column)} @@ cast(${sql.join(any, sql` || ' | ' || `)} as tsquery)) > 0`
  },
}

/** The words are a query of their own, so that they are unknown when the plan is made: it would rather read the table. */
const holding = (selected: string, { table, column }: IndexedColumn, groups: readonly (readonly string[])[]) => {
  const expression = groups.map((group) => `(${group.map((word) => `'${word}'`).join(' | ')})`).join(' & ')
  return sql`select ${sql.ref(selected)} from ${sql.table(table)}
    where ${wordsIn(column)} @@ (select cast(${expression} as tsquery))`
}

const wordsIn = (column: string) => sql`array_to_tsvector(string_to_array(${sql.ref(column)}, ' '))`
