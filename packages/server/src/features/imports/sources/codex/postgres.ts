import Sqlite from 'better-sqlite3'
import { Client, DatabaseError } from 'pg'
import { type DatabaseAddress, recordLimits, SourceFault } from '../../records.ts'

/** The tables that the reader of Codex looks into. */
const copied = [
  'seaql_migrations',
  'libraries',
  'users',
  'user_sharing_tags',
  'sharing_tags',
  'user_access_groups',
  'access_group_sharing_tags',
  'series',
  'series_metadata',
  'series_sharing_tags',
  'series_genres',
  'genres',
  'series_tags',
  'tags',
  'series_alternate_titles',
  'series_aliases',
  'series_external_ids',
  'series_external_links',
  'series_external_ratings',
  'books',
  'book_metadata',
  'book_genres',
  'book_tags',
  'book_external_ids',
  'book_external_links',
  'read_progress',
  'reading_sessions',
  'read_completions',
  'user_series_ratings',
  'want_to_read',
  'collections',
  'collection_series',
  'read_lists',
  'read_list_books',
  'series_covers',
  'book_covers',
  'filter_presets',
  'plugins',
]
/** It wants to know how many rows these have, and no more. */
const counted = [
  'api_keys',
  'oidc_connections',
  'user_plugins',
  'user_preferences',
  'settings',
  'library_jobs',
  'access_groups',
  'series_tracking',
  'release_ledger',
  'metadata_sources',
]
const columnsOfCounted: ReadonlySet<string> = new Set(['id', 'tracked'])
const secretColumn = /password|secret|token|credential/

const connectMs = 10_000
const statementMs = 5 * 60_000
const rowsAtOnce = 500
const textMax = 2 * recordLimits.prose

interface Column {
  readonly name: string
  readonly declared: string
  /** How PostgreSQL is asked for what SQLite would hold. */
  readonly selected: string
}

/**
 * It copies the tables of a Codex on PostgreSQL into a file as Codex on SQLite writes it, so that one reader knows both. All of it is read in
 * one transaction, at one instant, which writes nothing.
 */
export const copyCodex = async (address: DatabaseAddress, store: string): Promise<void> => {
  const client = await connected(address)
  const copy = new Sqlite(store)
  try {
    copy.pragma('journal_mode = off')
    copy.pragma('synchronous = off')
    await client.query('begin isolation level repeatable read read only')
    const tables = await tablesIn(client)
    for (const [table, columns] of tables) await copyTable({ client, copy }, table, columns)
    await client.query('rollback')
  } catch (error) {
    throw faultOf(error)
  } finally {
    copy.close()
    await client.end().catch(() => undefined)
  }
}

const connected = async ({ host, port, user, database, password, encryption }: DatabaseAddress): Promise<Client> => {
  const client = new Client({
    host,
    port,
    user,
    database,
    ...(password !== null && { password }),
    ssl: encryption === 'none' ? false : { rejectUnauthorized: encryption === 'checked' },
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    application_name: 'Carrel',
  })
  // A connection that breaks is told by the statement that waits for it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw faultOf(error)
  }
}

const faultOf = (cause: unknown): unknown => {
  if (cause instanceof SourceFault || cause instanceof Sqlite.SqliteError) return cause
  if (!(cause instanceof DatabaseError))
    return new SourceFault('unreachable', 'The database cannot be reached, or the connection to it broke.', { cause })
  const { code = '' } = cause
  if (code.startsWith('28'))
    return new SourceFault('refused', 'The database does not know this user or password.', { cause })
  if (code === '3D000') return new SourceFault('not_found', 'There is no database of this name.', { cause })
  if (code === '42501') return new SourceFault('refused', 'This user may not read the tables of Codex.', { cause })
  return new SourceFault('unreachable', `The database refuses to be read (${code}).`, { cause })
}

const tablesIn = async (client: Client): Promise<ReadonlyMap<string, readonly Column[]>> => {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `select c.table_name as "table", c.column_name as name, c.data_type as type
      from information_schema.columns c
        join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name = any($1)
      order by c.table_name, c.ordinal_position`,
    [[...copied, ...counted]],
  )
  const readable = rows.filter(({ table, name }) =>
    counted.includes(table) ? columnsOfCounted.has(name) : !secretColumn.test(name),
  )
  return new Map(
    [...Map.groupBy(readable, ({ table }) => table)].map(([table, columns]) => [table, columns.map(columnOf)]),
  )
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const columnOf = ({ name, type }: { readonly name: string; readonly type: string }): Column => {
  const column = quoted(name)
  if (type === 'uuid') return { name, declared: 'blob', selected: `uuid_send(${column})` }
  if (type === 'boolean') return { name, declared: 'integer', selected: `${column}::int` }
  if (type === 'timestamp with time zone')
    return { name, declared: 'text', selected: written(`${column} at time zone 'UTC'`) }
  if (type === 'timestamp without time zone') return { name, declared: 'text', selected: written(column) }
  if (/int/.test(type)) return { name, declared: 'integer', selected: `${column}::float8` }
  if (/numeric|real|double/.test(type)) return { name, declared: 'real', selected: `${column}::float8` }
  return { name, declared: 'text', selected: `left(${column}::text, ${textMax})` }
}

const written = (time: string): string => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`

interface Copying {
  readonly client: Client
  readonly copy: Sqlite.Database
}

/** Rows come in the order in which they were made, as the other database keeps them. */
const copyTable = async ({ client, copy }: Copying, table: string, columns: readonly Column[]): Promise<void> => {
  const order = ['created_at', 'id'].filter((each) => columns.some(({ name }) => name === each)).map(quoted)
  const selected = columns.map((column, index) => `${column.selected} as c${index}`).join(', ')
  const orderBy = order.length === 0 ? '' : `order by ${order.join(', ')}`
  copy.exec(
    `create table ${quoted(table)} (${columns.map(({ name, declared }) => `${quoted(name)} ${declared}`).join(', ')})`,
  )
  const insert = copy.prepare(`insert into ${quoted(table)} values (${columns.map(() => '?').join(', ')})`)
  const insertAll = copy.transaction((rows: readonly unknown[][]) => {
    for (const row of rows) insert.run(row)
  })
  await client.query(`declare copied no scroll cursor for select ${selected} from ${quoted(table)} ${orderBy}`)
  for (let count = 0; count <= recordLimits.rows; count += rowsAtOnce) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${rowsAtOnce} from copied`, rowMode: 'array' })
    insertAll(rows)
    if (rows.length < rowsAtOnce) break
  }
  await client.query('close copied')
  for (const { name } of columns)
    if (name === 'id' || name.endsWith('_id'))
      copy.exec(`create index ${quoted(`${table} by ${name}`)} on ${quoted(table)} (${quoted(name)})`)
}
