import { loadPostgres } from './server-drivers.ts'

/** It holds what PostgreSQL's planner knows of a table or an index. */
export interface RelationStatistics {
  readonly relation: string
  readonly pages: number
  readonly rows: number
  readonly columns: readonly ColumnStatistics[]
}

interface ColumnStatistics {
  readonly name: string
  readonly nulls: number
  readonly width: number
  readonly distinct: number
  readonly common: string | null
  readonly shares: readonly number[] | null
  readonly bounds: string | null
  readonly order: number | null
}

/** The statistics come from an `analyze` that is coarser than usual, so that the stored file stays small. */
export const postgresStatistics = async (url: string): Promise<RelationStatistics[]> => {
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set default_statistics_target = 10')
    await client.query('analyze')
    const { rows } = await client.query<RelationStatistics>(`
      select relname as relation, relpages as pages, reltuples::float8 as rows, coalesce((
        select json_agg(json_build_object(
            'name', attname, 'nulls', null_frac, 'width', avg_width, 'distinct', n_distinct,
            'common', most_common_vals::text, 'shares', most_common_freqs,
            'bounds', histogram_bounds::text, 'order', correlation) order by attname)
          from pg_stats where schemaname = 'public' and tablename = relname), '[]') as columns
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and relpages > 1
      order by relname`)
    return rows
  } finally {
    await client.end()
  }
}
