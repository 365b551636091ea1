import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { TermTables } from './table.ts'

type Kind = TermTables['term']['kind']

/** By kind and key, as in `genre science fiction`. */
export const selectTermIds = async (
  db: ReadDb,
  terms: readonly { readonly kind: Kind; readonly key: string }[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const [kind, of] of Map.groupBy(terms, (each) => each.kind)) {
    const keys = of.map(({ key }) => key)
    const rows = await db
      .selectFrom('term')
      .select(['id', 'key'])
      .where('kind', '=', kind)
      .where('key', 'in', keys)
      .execute()
    for (const { id, key } of rows) found.set(`${kind} ${key}`, id)
  }
  return found
}

/** One that another has just made is the same. */
export const insertTerms = (db: WriteDb, rows: readonly Insertable<TermTables['term']>[]): Promise<void> =>
  insertMany(db, 'term', rows, 'is left as it is')

export const deleteTermsOf = async (db: WriteDb, entity: 'series' | 'book', ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  if (entity === 'series') await db.deleteFrom('series_term').where('series_id', 'in', ids).execute()
  else await db.deleteFrom('book_term').where('book_id', 'in', ids).execute()
}

/** It reads the terms of all these books or series in one statement. */
export const selectTermsOf = async (db: ReadDb, entity: 'series' | 'book', ids: readonly string[]) => {
  if (ids.length === 0) return []
  const columns = ['term.kind', 'term.key', 'link.role', 'link.place'] as const
  return entity === 'series'
    ? db
        .selectFrom('series_term as link')
        .innerJoin('term', 'term.id', 'link.term_id')
        .select(columns)
        .select('link.series_id as id')
        .where('link.series_id', 'in', ids)
        .execute()
    : db
        .selectFrom('book_term as link')
        .innerJoin('term', 'term.id', 'link.term_id')
        .select(columns)
        .select('link.book_id as id')
        .where('link.book_id', 'in', ids)
        .execute()
}

interface TermOf {
  readonly id: string
  readonly termId: string
  readonly role: string
  readonly place: number
}

export const insertTermsOf = async (db: WriteDb, entity: 'series' | 'book', rows: readonly TermOf[]): Promise<void> => {
  const shared = ({ termId, role, place }: TermOf) => ({ term_id: termId, role, place })
  if (entity === 'series')
    await insertMany(
      db,
      'series_term',
      rows.map((row) => ({ series_id: row.id, ...shared(row) })),
    )
  else
    await insertMany(
      db,
      'book_term',
      rows.map((row) => ({ book_id: row.id, ...shared(row) })),
    )
}

const writingRoles = ['author', 'co_author', 'writer', '']

/** Who has written series, in the order they are named in. */
export const selectWritersOfSeries = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('series_term')
    .innerJoin('term', 'term.id', 'series_term.term_id')
    .where('series_term.series_id', 'in', seriesIds)
    .where('term.kind', '=', sql.lit('person'))
    .where(sql`lower(series_term.role)`, 'in', writingRoles)
    .groupBy(['series_term.series_id', 'term.id', 'term.name'])
    .select(['series_term.series_id as id', 'term.name'])
    .orderBy(({ fn }) => fn.min('series_term.place'))
    .orderBy('term.name')
    .execute()
  return namesById(rows)
}

/** Who has written books, in the order they are named in. */
export const selectWriters = async (db: ReadDb, bookIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('book_term')
    .innerJoin('term', 'term.id', 'book_term.term_id')
    .where('book_term.book_id', 'in', bookIds)
    .where('term.kind', '=', sql.lit('person'))
    .where(sql`lower(book_term.role)`, 'in', writingRoles)
    .groupBy(['book_term.book_id', 'term.id', 'term.name'])
    .select(['book_term.book_id as id', 'term.name'])
    .orderBy(({ fn }) => fn.min('book_term.place'))
    .orderBy('term.name')
    .execute()
  return namesById(rows)
}

const namesById = (rows: readonly { readonly id: string; readonly name: string }[]): ReadonlyMap<string, string[]> =>
  new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, named]) => [id, named.map(({ name }) => name)]))
