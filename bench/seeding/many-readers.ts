import { loadPostgres } from '../databases/server-drivers.ts'

type Client = InstanceType<ReturnType<typeof loadPostgres>['Client']>

export interface ManyReaders {
  readonly url: string
  /** What this reader has read, the others have read of other series. */
  readonly templateId: string
  /** Readers that exist already; they are the first. */
  readonly actorIds: readonly string[]
  /** All readers, with the actors and without the template. */
  readonly readers: number
}

/** Tables of what somebody has read, with their columns that name a book or a series, under whatever subject. */
const tables: Readonly<Record<string, readonly string[]>> = {
  device: [],
  figure_zone: [],
  reading_log: ['book_id', 'series_id'],
  reading_head: ['book_id'],
  reading_snapshot: ['book_id'],
  read_progress: ['book_id'],
  read_completion: ['book_id'],
  reading_session: ['book_id', 'series_id'],
  reading_figure: ['subject_id', 'series_id'],
  series_progress: ['series_id', 'next_book_id'],
}
const booksEach = 20
/** Each reader has read series this far from those of the one before. */
const apart = 37
const readersAtOnce = 500

/**
 * Rows of reading of as many readers as there are to be, as the server would have written them: those of one reader, whom the server
 * itself has written, with other series in their place. It returns how many entries of the log there are then.
 */
export const addManyReaders = async ({ url, templateId, actorIds, readers }: ManyReaders): Promise<number> => {
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'`,
    )
    await placeSeries(client)
    await addUsers(client, templateId, actorIds, readers)
    for (const [table, places] of Object.entries(tables)) await multiply(client, { table, places, templateId, readers })
    await client.query('drop table bench_series; drop table bench_book; drop table bench_reader')
    await client.query('vacuum analyze')
    const { rows } = await client.query<{ count: string }>('select count(*) as count from reading_log')
    return Number(rows[0]?.count)
  } finally {
    await client.end()
  }
}

/** Series of one size, numbered, so that the books of one can stand for those of another. */
const placeSeries = async (client: Client): Promise<void> => {
  await client.query(`
    create unlogged table bench_series as
      select id, row_number() over (order by id) - 1 as number from series where book_count = ${booksEach};
    create unique index on bench_series (id); create unique index on bench_series (number);
    create unlogged table bench_book as
      select book.id, bench_series.number as series, row_number() over (partition by series_id order by position_key, book.id) as place
      from book join bench_series on bench_series.id = series_id where state = 'present';
    create unique index on bench_book (id); create unique index on bench_book (series, place);
    analyze bench_series; analyze bench_book`)
}

const addUsers = async (client: Client, templateId: string, actorIds: readonly string[], readers: number) => {
  await client.query('create unlogged table bench_reader (id text primary key, number integer unique not null)')
  await client.query(
    `insert into bench_reader select id, place from unnest($1::text[]) with ordinality as actor (id, place)`,
    [actorIds],
  )
  await client.query(
    `insert into bench_reader select 'bench-reader-' || number, number from generate_series($1::integer, $2::integer) as number`,
    [actorIds.length + 1, readers],
  )
  const own = ['id', 'username', 'username_key', 'sort_key', 'email', 'email_key']
  const copied = (await columnsOf(client, 'user')).filter((column) => !own.includes(column))
  await client.query(
    `insert into "user" (id, username, username_key, sort_key, ${copied.join(', ')})
     select bench_reader.id, bench_reader.id, bench_reader.id, bench_reader.id, ${copied.map((column) => `model.${column}`).join(', ')}
     from bench_reader cross join "user" as model where model.id = $1
     on conflict do nothing`,
    [templateId],
  )
}

const columnsOf = async (client: Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name)
}

interface Multiplied extends Pick<ManyReaders, 'templateId' | 'readers'> {
  readonly table: string
  readonly places: readonly string[]
}

const multiply = async (client: Client, { table, places, templateId, readers }: Multiplied): Promise<void> => {
  const columns = await columnsOf(client, table)
  const otherSeries = (number: string) =>
    `(${number} + bench_reader.number * ${apart}) % (select count(*) from bench_series)`
  const values = columns.map((column) => {
    if (column === 'user_id') return 'bench_reader.id'
    return places.includes(column)
      ? `coalesce(${column}_to_book.id, ${column}_to_series.id, own.${column})`
      : `own.${column}`
  })
  const joins = places.map(
    (column) => `
      left join bench_book as ${column}_book on ${column}_book.id = own.${column}
      left join bench_book as ${column}_to_book
        on ${column}_to_book.series = ${otherSeries(`${column}_book.series`)} and ${column}_to_book.place = ${column}_book.place
      left join bench_series as ${column}_series on ${column}_series.id = own.${column}
      left join bench_series as ${column}_to_series on ${column}_to_series.number = ${otherSeries(`${column}_series.number`)}`,
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select index.relname as name, pg_get_indexdef(index.oid) as definition
     from pg_index join pg_class as index on index.oid = indexrelid
     where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = index.oid)`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (let from = 1; from <= readers; from += readersAtOnce)
    await client.query(
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
       from bench_reader cross join ${table} as own ${joins.join('')}
       where own.user_id = $1 and bench_reader.number >= $2 and bench_reader.number < $3`,
      [templateId, from, from + readersAtOnce],
    )
  for (const { definition } of indexes) await client.query(definition)
}
