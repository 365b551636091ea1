import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { type TestPostgres, startPostgres } from './postgres.ts'
import { selfSigned } from './self-signed.ts'

export interface ManagedPostgres extends AsyncDisposable {
  /** The address of an empty database, for a role that may do nothing but own it, over TLS alone. */
  newDatabase(): Promise<string>
  /** It asks as those do who run the service. */
  ask<Row extends object>(database: string, statement: string): Promise<Row[]>
}

const role = 'tenant'
const password = 'only-for-tests-too'

/** Whoever is no superuser comes over TLS, or not at all. */
const hostRules = `
hostssl all ${role} 127.0.0.1/32 scram-sha-256
host all carrel 127.0.0.1/32 password
`

/** Services that run PostgreSQL for others refuse unlogged tables like this. */
const refuseUnlogged = `
create function refuse_unlogged() returns event_trigger language plpgsql security definer as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands() made join pg_class on pg_class.oid = made.objid
    where relpersistence = 'u'
  ) then
    raise exception 'unlogged tables are not supported' using errcode = 'feature_not_supported';
  end if;
end $$;
create event trigger refuse_unlogged on ddl_command_end execute function refuse_unlogged();`

/** PostgreSQL as it is offered as a service: TLS, no superuser, no unlogged tables, few connections. */
export const startManagedPostgres = async ({
  connections,
}: {
  readonly connections: number
}): Promise<ManagedPostgres> => {
  const server = await startPostgres()
  try {
    await offer(server, connections)
  } catch (error) {
    await server.stop()
    throw error
  }
  let databases = 0
  return {
    newDatabase: async () => {
      const name = `tenant_${(databases += 1)}`
      await ask(server, 'postgres', `create database ${name} owner ${role} encoding 'UTF8' template template0`)
      await ask(server, name, refuseUnlogged)
      const { port } = new URL(server.urlOf(name))
      const authority = encodeURIComponent(join(server.folder, 'server.crt'))
      return `postgres://${role}:${password}@localhost:${port}/${name}?sslmode=verify-full&sslrootcert=${authority}`
    },
    ask: (database, statement) => ask(server, database, statement),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

const offer = async (server: TestPostgres, connections: number): Promise<void> => {
  const { folder } = server
  const { uid, gid } = await stat(folder)
  const files = { 'server.crt': selfSigned.cert, 'server.key': selfSigned.key, 'pg_hba.conf': hostRules }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), `${text}\n`, { mode: 0o600 })
    await chown(join(folder, name), uid, gid)
  }
  await ask(server, 'postgres', `create role ${role} login password '${password}' connection limit ${connections}`)
  await ask(server, 'postgres', 'alter system set ssl = on')
  await ask(server, 'postgres', 'select pg_reload_conf()')
}

const ask = async <Row extends object>(server: TestPostgres, database: string, statement: string): Promise<Row[]> => {
  const client = new Client({ connectionString: server.urlOf(database) })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
