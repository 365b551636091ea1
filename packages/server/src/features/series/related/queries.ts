import { sql } from 'kysely'
import type { TermKind } from '../../../catalogue/terms/terms.ts'
import { listedTo, seesTermOfSeries, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../../database/database.ts'

interface Sharing {
  readonly kinds: readonly TermKind[]
  /** With fewer in common they have nothing to do with each other. */
  readonly least: number
  readonly limit: number
}

/** How many different terms of these kinds a series has. */
export const countTerms = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
  kinds: readonly TermKind[],
): Promise<number> => {
  const { count } = await db
    .selectFrom('series_term')
    .innerJoin('term', 'term.id', 'series_term.term_id')
    .where('series_term.series_id', '=', id)
    .where(seesTermOfSeries(viewer))
    .where('term.kind', 'in', kinds)
    .select(({ fn }) => fn.count<number>('term.id').distinct().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** What more series than these have says nothing of one, and takes long to count. */
const sharedMax = 2000

/** The series that have the most terms of these kinds in common with one, of terms that not too many have. */
export const selectSharing = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
  { kinds, least, limit }: Sharing,
): Promise<string[]> => {
  const rows = await db
    .selectFrom('series_term as own')
    .innerJoin('term', 'term.id', 'own.term_id')
    .innerJoin('series_term as other', 'other.term_id', 'own.term_id')
    .innerJoin('series', 'series.id', 'other.series_id')
    .where('own.series_id', '=', id)
    .where(seesTermOfSeries(viewer, 'own'))
    .where(seesTermOfSeries(viewer, 'other'))
    .where('other.series_id', '<>', id)
    .where('term.kind', 'in', kinds)
    .where(
      sql<boolean>`(select count(*) from (
        select 1 from series_term as sharing where sharing.term_id = own.term_id limit ${sharedMax + 1}) as shared) <= ${sharedMax}`,
    )
    .where(listedTo(viewer, 'series'))
    .groupBy(['series.id', 'series.sort_key'])
    .having(sql<boolean>`count(distinct term.id) >= ${least}`)
    .select('series.id')
    .orderBy(sql`count(distinct term.id)`, 'desc')
    .orderBy('series.sort_key')
    .orderBy('series.id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
