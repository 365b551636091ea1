import { sql } from 'kysely'
import type { IndexedColumn, WordIndex } from '../dialect.ts'

/**
 * An FTS5 table for one more column of a table, kept by triggers as `text-index.ts` does it. It has no lists of beginnings
 * and no order of its own: it answers which rows hold one of some words.
 */
export const sqliteWordIndex: WordIndex = {
  create: async (db, { table, column }) => {
    const index = sql.table(indexOf({ table, column }))
    const options = sql.raw(`words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'`)
    await sql`create virtual table ${index} using fts5(${options})`.execute(db)
    const [now, before] = [sql.ref(`new.${column}`), sql.ref(`old.${column}`)]
    const add = sql`insert into ${index} (rowid, words) values (new.number, ${now});`
    const remove = sql`delete from ${index} where rowid = old.number;`
    const when = {
      insert: sql`after insert on ${sql.table(table)} begin ${add} end`,
      update: sql`after update of ${sql.ref(column)} on ${sql.table(table)} when ${now} is not ${before}
        begin ${remove} ${add} end`,
      delete: sql`after delete on ${sql.table(table)} begin ${remove} end`,
    }
    for (const [event, trigger] of Object.entries(when))
      await sql`create trigger ${sql.id(`${indexOf({ table, column })}_after_${event}`)} ${trigger}`.execute(db)
  },
  isAmong: (value, { words, column, groups }) => sql`${value} in (select ${sql.ref(`${words.table}.${column}`)}
    from ${hitsOf(words, groups)} cross join ${sql.table(words.table)}
    where ${sql.ref(`${words.table}.number`)} = hit.rowid)`,
  numbers: (words, groups) => sql`(select hit.rowid as number from ${hitsOf(words, groups)})`,
  holds: (words, word, signs) => {
    const index = sql.ref(indexOf(words))
    const any = signs.map((sign) => sql`'"' || ${sql.lit(sign)} || ${word} || '"'`)
    return sql<boolean>`exists (select 1 from ${index} where ${index} match ${sql.join(any, sql` || ' OR ' || `)})`
  },
}

const hitsOf = (words: IndexedColumn, groups: readonly (readonly string[])[]) => {
  const expression = groups.map((group) => `(${group.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ')
  return sql`${sql.table(indexOf(words))}(${expression}) as hit`
}

const indexOf = ({ table, column }: IndexedColumn): string => `${table}_${column}_index`

/** The statement that takes all rows of the table into an index that is empty. */
export const fillWordIndex = (table: string, column: string): string =>
  `insert into "${indexOf({ table, column })}" (rowid, words) select number, "${column}" from "${table}"`
