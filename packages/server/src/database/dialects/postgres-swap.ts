import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { copiedTables, leftOutTables } from '../copied-tables.ts'

/** The right to put other tables in the place of ours, one at a time. It ends with the connection. */
export interface PostgresSwap {
  /** The tables behind this address lie apart from ours, and do not exist yet. */
  readonly scratchUrl: string
  hasTables(): Promise<boolean>
  /** It returns whether servers, workers or commands have the database open. */
  isInUse(): Promise<boolean>
  /** Our tables go into the schema `kept`, those of the scratch database take their place: all of it or nothing. */
  swap(asideName: string): Promise<void>
  close(): Promise<void>
}

const scratchPrefix = 'carrel_restore_'
/** It names an advisory lock in this database; any number will do. */
const lockNumber = 7_243_551
const ours = [...copiedTables, ...leftOutTables]

/** It is undefined when another restore is running. */
export const openPostgresSwap = async (url: string, label: string): Promise<PostgresSwap | undefined> => {
  const client = new Client({ connectionString: url, application_name: 'carrel restore', keepAlive: true })
  // Its next statement fails.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockNumber])
  if (rows[0]?.taken !== true) {
    await client.end()
    return undefined
  }
  const scratch = scratchPrefix + label
  await dropScratches(client)
  await client.query(`create schema ${quoted(scratch)}`)
  return {
    scratchUrl: inSchema(url, scratch),
    hasTables: async () => (await tablesIn(client, await homeOf(client))).length > 0,
    isInUse: () => isInUse(client),
    swap: (asideName) => swap(client, scratch, asideName),
    close: async () => {
      await dropScratches(client)
      await client.end()
    },
  }
}

/** It also drops the schemas of restores that were interrupted. */
const dropScratches = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where starts_with(nspname, $1) and pg_has_role(nspowner, 'usage')`,
    [scratchPrefix],
  )
  for (const { name } of rows) {
    // Table by table: of many at once each would take a lock of the one table of locks.
    for (const table of await tablesIn(client, name))
      await client.query(`drop table ${quoted(name)}.${quoted(table)} cascade`)
    await client.query(`drop schema ${quoted(name)} cascade`)
  }
}

const swap = async (client: Client, scratch: string, asideName: string): Promise<void> => {
  const home = await homeOf(client)
  await client.query('begin')
  try {
    const old = await tablesIn(client, home)
    if (old.length > 0) await client.query(`create schema ${quoted(asideName)}`)
    for (const table of old) await move(client, table, home, asideName)
    for (const table of await tablesIn(client, scratch)) await move(client, table, scratch, home)
    if (old.includes('secret'))
      await client.query(
        `insert into ${quoted(home)}.secret select * from ${quoted(asideName)}.secret on conflict do nothing`,
      )
    // The statement has no `cascade`: tables left in the schema would be lost.
    await client.query(`drop schema ${quoted(scratch)}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const move = (client: Client, table: string, from: string, to: string) =>
  client.query(`alter table ${quoted(from)}.${quoted(table)} set schema ${quoted(to)}`)

const homeOf = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ home: string }>('select current_schema() as home')
  return rows[0]?.home ?? 'public'
}

const tablesIn = async (client: Client, schema: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = $1 and tablename = any($2)',
    [schema, ours],
  )
  return rows.map(({ name }) => name)
}

const checksMax = 20
const pollMs = 100

/** The database takes a moment to notice that a connection has ended. */
const isInUse = async (client: Client): Promise<boolean> => {
  for (let checks = 1; await isAnybodyThere(client); checks += 1) {
    if (checks === checksMax) return true
    await delay(pollMs)
  }
  return false
}

const isAnybodyThere = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name in ('carrel', 'carrel wake-ups')`,
  )
  return (rows[0]?.others ?? 0) > 0
}

const inSchema = (url: string, schema: string): string => {
  const changed = new URL(url)
  const options = changed.searchParams.get('options')
  changed.searchParams.set('options', `${options === null ? '' : `${options} `}-c search_path=${schema}`)
  // The driver reads a plus as a plus.
  changed.search = changed.search.replaceAll('+', '%20')
  return changed.href
}

const quoted = (name: string): string => `"${name}"`
