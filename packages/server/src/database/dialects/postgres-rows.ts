import { Client } from 'pg'
import { type Row, type RowSource, type RowTarget, shapesFrom, type TableShape, type Value } from './rows.ts'
import { readPostgresNumbers } from './postgres-numbers.ts'

const rowsAtOnce = 500
const connectMs = 10_000

const connect = async (url: string): Promise<Client> => {
  readPostgresNumbers()
  const client = new Client({
    connectionString: url,
    application_name: 'carrel copy',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    // It may take hours, and nothing waits for it.
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  })
  // Its next statement fails.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export const postgresSource = async (url: string): Promise<RowSource> => {
  const client = await connect(url)
  await client.query('begin isolation level repeatable read read only')
  return {
    version: await versionOf(client),
    tables: await tablesOf(client),
    rows: async function* ({ name, columns }) {
      const key = await keyOf(client, name)
      const list = columns.map(quoted).join(', ')
      await client.query(
        `declare kept no scroll cursor for select ${list} from ${quoted(name)} order by ${key.map(quoted).join(', ')}`,
      )
      try {
        for (;;) {
          const { rows } = await client.query<Row[number][]>({
            text: `fetch ${rowsAtOnce} from kept`,
            rowMode: 'array',
          })
          if (rows.length > 0) yield rows
          if (rows.length < rowsAtOnce) return
        }
      } finally {
        await client.query('close kept')
      }
    },
    count: async ({ name }) => {
      const { rows } = await client.query<{ count: number }>(`select count(*) as count from ${quoted(name)}`)
      return rows[0]?.count ?? 0
    },
    close: () => client.end(),
  }
}

export const postgresTarget = async (url: string): Promise<RowTarget> => {
  const client = await connect(url)
  const tables = await tablesOf(client)
  return {
    tables,
    clear: async () => {
      for (const { name } of tables.toReversed()) await client.query(`delete from ${quoted(name)}`)
    },
    insert: async ({ name, columns }, rows) => {
      const list = columns.map(quoted).join(', ')
      // The database takes each value to be what the column is.
      await client.query(
        `insert into ${quoted(name)} (${list}) select ${list} from json_populate_recordset(null::${quoted(name)}, $1::json)`,
        [JSON.stringify(rows.map((row) => objectOf(columns, row)))],
      )
    },
    finish: async () => {
      await numberOn(client)
      await client.query(`analyze ${tables.map(({ name }) => quoted(name)).join(', ')}`)
    },
    close: () => client.end(),
  }
}

/** Columns that the database numbers by itself go on after the greatest number that came in. */
const numberOn = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`)
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(1, (select max(${quoted(column)}) from ${quoted(table)})))`,
      [quoted(table), column],
    )
}

const objectOf = (columns: readonly string[], row: Row): Record<string, string | number | null> =>
  Object.fromEntries(columns.map((column, index) => [column, plain(row[index] ?? null)]))

/** PostgreSQL keeps no NUL in a text. */
const plain = (value: Value): string | number | null => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}

const quoted = (name: string): string => `"${name}"`

const versionOf = async (client: Client): Promise<number> => {
  const { rows: versionTables } = await client.query(`select 1 from pg_tables
    where schemaname = current_schema() and tablename = 'schema_version'`)
  if (versionTables.length === 0) return 0
  const { rows } = await client.query<{ version: number }>('select version from schema_version')
  return rows[0]?.version ?? 0
}

const tablesOf = async (client: Client): Promise<TableShape[]> => {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_generated = 'NEVER'`)
  return shapesFrom(rows)
}

const keyOf = async (client: Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select attribute.attname as name
     from pg_index as key
       join pg_class as of on of.oid = key.indrelid
       cross join unnest(key.indkey) with ordinality as part (number, place)
       join pg_attribute as attribute on attribute.attrelid = of.oid and attribute.attnum = part.number
     where key.indisprimary and of.relname = $1 and of.relnamespace = current_schema()::regnamespace
     order by part.place`,
    [table],
  )
  return rows.map(({ name }) => name)
}
