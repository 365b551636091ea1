import { loadPostgres } from './server-drivers.ts'

interface TableSize {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  /** Its indexes take this part of `bytes`. */
  readonly indexBytes: number
}

/** It returns the largest tables of a database on PostgreSQL, with as many rows as were counted when they were last analysed. */
export const largestTables = async (url: string, count: number): Promise<TableSize[]> => {
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('analyze')
    const { rows } = await client.query<Record<keyof TableSize, string>>(
      `select relname as name, reltuples::bigint as rows, pg_total_relation_size(oid) as bytes, pg_indexes_size(oid) as "indexBytes"
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       order by pg_total_relation_size(oid) desc limit $1`,
      [count],
    )
    return rows.map(({ name, rows, bytes, indexBytes }) => ({
      name,
      rows: Number(rows),
      bytes: Number(bytes),
      indexBytes: Number(indexBytes),
    }))
  } finally {
    await client.end()
  }
}
