import { type Insertable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import { showsBooks, type Viewer, visibleTo } from '../visibility/visibility.ts'
import type { TermTables } from './table.ts'

type Kind = TermTables['term']['kind']

/** By kind and key, as in `genre science fiction`. */
export const selectTermIds = async (
  db: ReadDb,
  wanted: readonly { readonly kind: Kind; readonly key: string }[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const [kind, of] of Map.groupBy(wanted, (each) => each.kind)) {
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

/** Of a kind, those that stand on something this viewer sees. */
const seenTerms = (db: ReadDb, viewer: Viewer, { kind, prefix }: TermFilter) =>
  db
    .selectFrom('term')
    .where('term.kind', '=', kind)
    .$if(prefix !== '', (query) => query.where('term.key', '>=', prefix).where('term.key', '<', `${prefix}\u{10ffff}`))
    .where(({ or, exists }) =>
      or([
        exists(
          seriesWith(db, viewer).where('series_term.term_id', '=', sql.ref<string>('term.id')).select('series.id'),
        ),
        exists(booksWith(db, viewer).where('book_term.term_id', '=', sql.ref<string>('term.id')).select('book.id')),
      ]),
    )

export interface TermFilter {
  readonly kind: Kind
  /** Folded; empty: all. */
  readonly prefix: string
}

const seriesWith = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('series_term')
    .innerJoin('series', 'series.id', 'series_term.series_id')
    .where('series.book_count', '>', sql.lit(0))
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))

const booksWith = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book_term')
    .innerJoin('book', 'book.id', 'book_term.book_id')
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))

export const countTerms = async (db: ReadDb, viewer: Viewer, filter: TermFilter): Promise<number> => {
  const { count } = await seenTerms(db, viewer, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectTerms = (db: ReadDb, viewer: Viewer, filter: TermFilter, { limit, offset }: Paging) =>
  seenTerms(db, viewer, filter)
    .select(['term.id', 'term.name', 'term.created_at'])
    .orderBy('term.sort_key')
    .orderBy('term.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** Somebody who has written and drawn a series counts once. */
export const countWithTerms = async (
  db: ReadDb,
  viewer: Viewer,
  termIds: readonly string[],
): Promise<{ series: ReadonlyMap<string, number>; books: ReadonlyMap<string, number> }> => {
  if (termIds.length === 0) return { series: new Map(), books: new Map() }
  const series = await seriesWith(db, viewer)
    .where('series_term.term_id', 'in', termIds)
    .groupBy('series_term.term_id')
    .select(({ fn }) => ['series_term.term_id', fn.count<number>('series.id').distinct().as('count')])
    .execute()
  const books = await booksWith(db, viewer)
    .where('book_term.term_id', 'in', termIds)
    .groupBy('book_term.term_id')
    .select(({ fn }) => ['book_term.term_id', fn.count<number>('book.id').distinct().as('count')])
    .execute()
  const counts = (rows: readonly { term_id: string; count: number }[]) =>
    new Map(rows.map(({ term_id, count }) => [term_id, count]))
  return { series: counts(series), books: counts(books) }
}
