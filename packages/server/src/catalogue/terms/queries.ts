import type { Insertable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { TermTables } from './table.ts'

type Kind = TermTables['term']['kind']

/** By kind and key, as in `genre science fiction`. */
export const selectTermIds = async (
  db: ReadDb,
  terms: readonly { readonly kind: Kind; readonly key: string }[],
): Promise<ReadonlyMap<string, string>> => {
  const idsByKey = new Map<string, string>()
  for (const [kind, of] of Map.groupBy(terms, (each) => each.kind)) {
    const keys = of.map(({ key }) => key)
    const rows = await db
      .selectFrom('term')
      .select(['id', 'key'])
      .where('kind', '=', kind)
      .where('key', 'in', keys)
      .execute()
    for (const { id, key } of rows) idsByKey.set(`${kind} ${key}`, id)
  }
  return idsByKey
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

export const selectSeriesTerms = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('series_term')
    .innerJoin('term', 'term.id', 'series_term.term_id')
    .select(['series_term.series_id', 'series_term.term_id', 'series_term.role', 'series_term.from_rating'])
    .select(['term.kind', 'term.key'])
    .where('series_term.series_id', 'in', seriesIds)
    .execute()

export const setTermRatings = (
  db: WriteDb,
  rows: readonly Pick<TermTables['series_term'], 'series_id' | 'term_id' | 'role' | 'from_rating'>[],
): Promise<void> =>
  updateMany(
    db,
    'series_term',
    { keys: { series_id: 'text', term_id: 'text', role: 'text' }, columns: { from_rating: 'integer' } },
    rows,
  )

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
