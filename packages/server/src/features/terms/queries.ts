import { sql } from 'kysely'
import type { TermKind } from '../../catalogue/terms/terms.ts'
import {
  seesTermOfSeries,
  showsBooks,
  toldSeriesId,
  type Viewer,
  visibleTo,
} from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'

/** A term stands on something this viewer sees, else it would tell of what is hidden. */
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
  readonly kind: TermKind
  /** Folded; empty: all. */
  readonly prefix: string
}

const seriesWith = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('series_term')
    .innerJoin('series', 'series.id', 'series_term.series_id')
    .where('series.book_count', '>', sql.lit(0))
    .where(seesTermOfSeries(viewer))
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

interface Carriers {
  readonly term_id: string
  readonly count: number
  /** The series that came first and last, and those of such books: ids are as old as what they name. Null: none of them may be told. */
  readonly first_id: string | null
  readonly last_id: string | null
}

/** Somebody who has written and drawn a series counts once. */
export const countWithTerms = async (
  db: ReadDb,
  viewer: Viewer,
  termIds: readonly string[],
): Promise<{ series: ReadonlyMap<string, Carriers>; books: ReadonlyMap<string, Carriers> }> => {
  if (termIds.length === 0) return { series: new Map(), books: new Map() }
  const series = await seriesWith(db, viewer)
    .where('series_term.term_id', 'in', termIds)
    .groupBy('series_term.term_id')
    .select(({ fn }) => [
      'series_term.term_id',
      fn.count<number>('series.id').distinct().as('count'),
      fn.min('series.id').as('first_id'),
      fn.max('series.id').as('last_id'),
    ])
    .execute()
  const told = toldSeriesId(viewer)
  const books = await booksWith(db, viewer)
    .where('book_term.term_id', 'in', termIds)
    .groupBy('book_term.term_id')
    .select(({ fn }) => [
      'book_term.term_id',
      fn.count<number>('book.id').distinct().as('count'),
      sql<string | null>`min(${told})`.as('first_id'),
      sql<string | null>`max(${told})`.as('last_id'),
    ])
    .execute()
  const byTerm = (rows: readonly Carriers[]) => new Map(rows.map((row) => [row.term_id, row]))
  return { series: byTerm(series), books: byTerm(books) }
}

export const selectTermByKey = (db: ReadDb, kind: TermKind, key: string) =>
  db.selectFrom('term').select(['id', 'name']).where('kind', '=', kind).where('key', '=', key).executeTakeFirst()

/** How many series and books somebody made in each role, of those that this viewer sees. */
export const countByRole = async (db: ReadDb, viewer: Viewer, termId: string) => {
  const series = await seriesWith(db, viewer)
    .where('series_term.term_id', '=', termId)
    .groupBy('series_term.role')
    .select(({ fn }) => ['series_term.role', fn.count<number>('series.id').distinct().as('count')])
    .execute()
  const books = await booksWith(db, viewer)
    .where('book_term.term_id', '=', termId)
    .groupBy('book_term.role')
    .select(({ fn }) => ['book_term.role', fn.count<number>('book.id').distinct().as('count')])
    .execute()
  return { series, books }
}

/** Who else made series that somebody made. */
export const selectWorkedWith = (db: ReadDb, viewer: Viewer, termId: string, limit: number) =>
  seriesWith(db, viewer)
    .innerJoin('series_term as other', 'other.series_id', 'series.id')
    .innerJoin('term', 'term.id', 'other.term_id')
    .where('series_term.term_id', '=', termId)
    .where('term.kind', '=', sql.lit('person'))
    .where('term.id', '<>', termId)
    .where(seesTermOfSeries(viewer, 'other'))
    .groupBy(['term.id', 'term.name', 'term.sort_key'])
    .select(({ fn }) => ['term.name', fn.count<number>('series.id').distinct().as('count')])
    .orderBy(({ fn }) => fn.count('series.id').distinct(), 'desc')
    .orderBy('term.sort_key')
    .limit(limit)
    .execute()
