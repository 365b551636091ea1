import { type Kysely, type RawBuilder, sql } from 'kysely'
import { insertTogether } from './many.ts'
import type { RankedIndex, TextIndex, WordGroup, WordToFind } from '../dialect.ts'

/**
 * An FTS5 table beside each table, kept by triggers, so that it follows whatever removes a row. It holds no text, and
 * takes for words what stands between spaces: no sign of ASCII but the dot is left in them, so that two signs are free to
 * mark what stands in the title and what begins it. FTS5 reads the rows of a word by their rowids, which begin with the
 * length of the title: what it reads first is best, and it need read no further.
 */
export const sqliteTextIndex: TextIndex = {
  create: async (db, table) => {
    const text = sql.table(textOf(table))
    await createWith(db, table, { beginnings: 6, signs: '.' })
    await createTriggers(db, table, {
      insert: sql`after insert on ${sql.table(table)} begin
      insert into ${text} (rowid, words) values (new.number, new.words);
    end`,
      update: sql`after update of words on ${sql.table(table)} begin
      update ${text} set words = new.words where rowid = new.number;
    end`,
      delete: sql`after delete on ${sql.table(table)} begin
      delete from ${text} where rowid = old.number;
    end`,
    })
  },
  rank: async (db, table) => {
    for (const event of events) await sql`drop trigger ${triggerOf(table, event)}`.execute(db)
    await sql`drop table ${sql.table(textOf(table))}`.execute(db)
    // One more than of words without marks.
    await createWith(db, table, { beginnings: 7, signs: `.${marks.inTitle}${marks.first}` })
    await sql.raw(fillTextIndex(table)).execute(db)
    const text = sql.table(textOf(table))
    const remove = sql`delete from ${text} where rowid = ${sql.raw(placeOf('old'))};`
    const add = sql`insert into ${text} (rowid, words)
      values (${sql.raw(placeOf('new'))}, ${sql.raw(markedWordsOf('new'))});`
    await createTriggers(db, table, {
      insert: sql`after insert on ${sql.table(table)} begin ${add} end`,
      update: sql`after update of title, words on ${sql.table(table)} begin ${remove} ${add} end`,
      delete: sql`after delete on ${sql.table(table)} begin ${remove} end`,
    })
  },
  // FTS5 writes what it holds in memory whenever a statement begins, and whenever a row goes before the one that came last:
  // all old rows go first, and new ones come in the order of the index.
  replace: async (db, { table, key, shape, rows, upsert }) => {
    if (rows.length === 0) return
    const keys = JSON.stringify(rows.map((row) => row[key]))
    await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (select value from json_each(${keys}))`.execute(
      db,
    )
    const sorted = rows.toSorted((one, other) => titleLength(one) - titleLength(other))
    await insertTogether(db, { shape, rows: sorted }, upsert)
  },
  matching: (table, groups) => sql`(${rowsOf(table, holdingAll(groups))})`,
  // It stops where enough is found, and begins with what is likely to be best.
  someMatching: (table, groups, max) => {
    const some = (expression: string, most: number) => sql`select * from (${rowsOf(table, expression)} limit ${most})`
    const best = isMarked(groups) ? [beginning(groups), inTitle(groups)] : []
    const parts = [...best.map((each) => some(each, Math.ceil(max / 3))), some(holdingAll(groups), max)]
    return sql`(${sql.join(parts, sql` union all `)})`
  },
  ranked: (table, groups) => (isMarked(groups) ? rankedIn(table, groups) : undefined),
  holds: (table, word) => sql<boolean>`exists (select 1 from ${sql.table(textOf(table))}
    where ${sql.ref(textOf(table))} match '"' || replace(${word}, '"', '""') || '"')`,
}

const marks = { inTitle: '=', first: '^' } as const

const events = ['insert', 'update', 'delete'] as const
type TriggerEvent = (typeof events)[number]
const triggerOf = (table: string, event: TriggerEvent) => sql.id(`${textOf(table)}_after_${event}`)
const textOf = (table: string): string => `${table}_text`

/** Beginnings of so many characters have lists of their own. */
const createWith = async (
  db: Kysely<unknown>,
  table: string,
  { beginnings, signs }: { readonly beginnings: number; readonly signs: string },
): Promise<void> => {
  const lengths = Array.from({ length: beginnings }, (_, index) => index + 1).join(' ')
  const options = sql.raw(
    `words, content = '', contentless_delete = 1, detail = none, prefix = '${lengths}', tokenize = "ascii tokenchars '${signs}'"`,
  )
  await sql`create virtual table ${sql.table(textOf(table))} using fts5(${options})`.execute(db)
}

const createTriggers = async (
  db: Kysely<unknown>,
  table: string,
  triggers: Readonly<Record<TriggerEvent, RawBuilder<unknown>>>,
): Promise<void> => {
  for (const event of events) await sql`create trigger ${triggerOf(table, event)} ${triggers[event]}`.execute(db)
}

/** Longer titles are as good as one another; together with a number it is still an exact number in JavaScript. */
const titleLengthMax = 4095
const numberBits = 40

/** By this a row goes in the index: shorter titles first. */
const placeOf = (row: string): string =>
  `(min(length(${row}.title), ${titleLengthMax}) << ${numberBits}) + ${row}.number`
const titleLength = ({ title }: Readonly<Record<string, unknown>>): number => String(title).length
const numberOf = (position: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(${position} & ${sql.lit(2 ** numberBits - 1)})`

/** Longer words are cut when words are made: what begins a title is found as long as the title does begin so. */
const wordLengthMax = 64

const markedWordsOf = (row: string): string => {
  const title = `${row}.title`
  return `${row}.words || ' ${marks.inTitle}' || replace(${title}, ' ', ' ${marks.inTitle}')
    || ' ${marks.first}' || substr(${title}, 1, min(${wordLengthMax}, instr(${title} || ' ', ' ') - 1))`
}

/** The statement that takes all rows of the table into an index that is empty. */
export const fillTextIndex = (table: string): string =>
  `insert into "${textOf(table)}" (rowid, words) select ${placeOf('document')}, ${markedWordsOf('document')}
   from "${table}" as document`

const hitsOf = (table: string, expression: string) => sql`${sql.table(textOf(table))}(${expression}) as hit`
const rowOfHit = (row: string) => sql`${sql.ref(`${row}.number`)} = ${numberOf(sql.ref('hit.rowid'))}`

/** The rows are read in the order of the index, and no further than the caller asks for. */
const rowsOf = (table: string, expression: string) => sql`select ${sql.table(table)}.*
  from ${hitsOf(table, expression)} cross join ${sql.table(table)} on ${rowOfHit(table)}`

const rankedIn = (table: string, groups: readonly WordGroup[]): RankedIndex => {
  const [first, title, all] = [beginning(groups), inTitle(groups), holdingAll(groups)]
  const part = (expression: string) =>
    sql`${hitsOf(table, expression)} cross join ${sql.table(table)} as document on ${rowOfHit('document')}`
  return {
    beginning: part(first),
    inTitle: part(title),
    elsewhere: part(`(${all}) NOT (${title})`),
    place: sql`hit.rowid`,
    numbers: sql`(select ${numberOf(sql.ref('hit.rowid'))} as number from ${hitsOf(table, all)})`,
  }
}

/** In a script without spaces any two neighbours are a word, and the title has no marks on those. */
const isMarked = (groups: readonly WordGroup[]): boolean => !groups.flat().some(({ isOfRun }) => isOfRun)

const holdingAll = (groups: readonly WordGroup[]): string => expressionOf(groups, () => '')
const inTitle = (groups: readonly WordGroup[]): string => expressionOf(groups, () => marks.inTitle)
const beginning = (groups: readonly WordGroup[]): string =>
  expressionOf(groups, (index) => (index === 0 ? marks.first : marks.inTitle))

const expressionOf = (groups: readonly WordGroup[], markAt: (index: number) => string): string =>
  groups.map((group, index) => `(${group.map((each) => termOf(each, markAt(index))).join(' OR ')})`).join(' AND ')

const termOf = ({ word, isBeginning = false }: WordToFind, mark: string): string =>
  `"${mark}${word.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`
