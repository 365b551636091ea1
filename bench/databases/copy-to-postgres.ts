import { migrateFresh } from '../../packages/server/test/migrate-fresh.ts'
import { copiedTables } from '../../packages/server/src/database/copied-tables.ts'
import { loadPostgres, loadSqlite } from './server-drivers.ts'

type Client = InstanceType<ReturnType<typeof loadPostgres>['Client']>
type Value = string | number | Buffer | null

const chunkBytes = 256 * 1024
const memory = "set maintenance_work_mem = '512MB'"

/** All rows of a file of SQLite into an empty database, which gets its tables on the way. The account must be its master. */
export const copyToPostgres = async (file: string, url: string): Promise<void> => {
  await migrateFresh({ kind: 'postgres', url })
  const { Client } = loadPostgres()
  const client = new Client({ connectionString: url })
  const source = new (loadSqlite())(file, { readonly: true })
  await client.connect()
  try {
    await client.query(memory)
    // The references are correct already, and are not looked up again.
    await client.query('set session_replication_role = replica')
    for (const table of copiedTables) {
      const columns = source.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
      const list = columns.map((column) => `"${column}"`).join(', ')
      const rows = source.prepare<[], Value[]>(`select ${list} from "${table}"`).raw().iterate()
      await fillTable(client, table, list, rows)
    }
    await numberOn(client)
    await client.query('vacuum analyze')
  } finally {
    source.close()
    await client.end()
  }
}

const fillTable = async (client: Client, table: string, list: string, rows: Iterable<readonly Value[]>) => {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select index.relname as name, pg_get_indexdef(index.oid) as definition
     from pg_index join pg_class as index on index.oid = indexrelid
     where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = index.oid)`,
    [`"${table}"`],
  )
  await client.query(`delete from "${table}"`)
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  await copyIn(client, `copy "${table}" (${list}) from stdin`, linesOf(rows))
  for (const { definition } of indexes) await client.query(definition)
}

function* linesOf(rows: Iterable<readonly Value[]>): Generator<Buffer> {
  let waiting = ''
  for (const row of rows) {
    waiting += `${row.map(fieldOf).join('\t')}\n`
    if (waiting.length < chunkBytes) continue
    yield Buffer.from(waiting)
    waiting = ''
  }
  if (waiting !== '') yield Buffer.from(waiting)
}

const fieldOf = (value: Value): string => {
  if (value === null) return '\\N'
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  return typeof value === 'number' ? String(value) : value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign)
}
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** The driver calls these on the way of a statement; `pg` has no way to copy of its own. */
interface Wire {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean }
}

const copyIn = (client: Client, text: string, chunks: Iterable<Buffer>): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined
    const send = async (wire: Wire): Promise<void> => {
      for (const chunk of chunks) {
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await new Promise((drained) => wire.stream.once('drain', drained))
      }
      wire.endCopyFrom()
    }
    client.query({
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => void send(wire).catch(reject),
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => {
        if (!failure) resolve()
      },
    } as never)
  })

/** Columns that the database numbers by itself go on after the greatest number that came in. */
const numberOn = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`)
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(1, (select max("${column}") from "${table}")))`,
      [`"${table}"`, column],
    )
}
