import { sql } from 'kysely'
import type { TextIndex, WordGroup, WordToFind } from '../dialect.ts'

/**
 * An FTS5 table beside each table, kept by triggers, so that it follows whatever removes a row. It holds no text, and
 * takes for words what stands between spaces: no sign of ASCII but the dot is left in them.
 */
export const sqliteTextIndex: TextIndex = {
  create: async (db, table) => {
    const text = sql.table(textOf(table))
    const each = (event: 'insert' | 'update' | 'delete') => sql.id(`${textOf(table)}_after_${event}`)
    const options = sql.raw(
      `words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6', tokenize = "ascii tokenchars '.'"`,
    )
    await sql`create virtual table ${text} using fts5(${options})`.execute(db)
    await sql`create trigger ${each('insert')} after insert on ${sql.table(table)} begin
      insert into ${text} (rowid, words) values (new.number, new.words);
    end`.execute(db)
    await sql`create trigger ${each('update')} after update of words on ${sql.table(table)} begin
      update ${text} set words = new.words where rowid = new.number;
    end`.execute(db)
    await sql`create trigger ${each('delete')} after delete on ${sql.table(table)} begin
      delete from ${text} where rowid = old.number;
    end`.execute(db)
  },
  found: (table, groups) => sql`(${rowsOf(table, groups)})`,
  // It stops where enough is found.
  someFound: (table, groups, max) => sql`(${rowsOf(table, groups)} limit ${max})`,
  holds: (table, word) => sql<boolean>`exists (select 1 from ${sql.table(textOf(table))}
    where ${sql.ref(textOf(table))} match '"' || replace(${word}, '"', '""') || '"')`,
}

/** The rows are read in the order of the index, and no further than the caller asks for. */
const rowsOf = (table: string, groups: readonly WordGroup[]) => sql`select ${sql.table(table)}.*
  from ${sql.table(textOf(table))}(${expressionOf(groups)}) as hit
  cross join ${sql.table(table)} on ${sql.ref(`${table}.number`)} = hit.rowid`

const textOf = (table: string): string => `${table}_text`

const expressionOf = (groups: readonly WordGroup[]): string =>
  groups.map((group) => `(${group.map(termOf).join(' OR ')})`).join(' AND ')

const termOf = ({ word, isBeginning = false }: WordToFind): string =>
  `"${word.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`
