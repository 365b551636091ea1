import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../../test/smoke/tcp-proxy.ts'
import { temporaryFolder } from '../../../test/smoke/temporary-folder.ts'
import { makeDatabase } from '../../../test/test-database.ts'
import { createLog } from '../../platform/log.ts'
import type { Database, ReadDb, WriteDb } from '../database.ts'
import { openDatabase } from '../open.ts'

interface BehindProxy extends AsyncDisposable {
  readonly proxy: TcpProxy
  readonly database: Database
}

const behindProxy = async (options = ''): Promise<BehindProxy> => {
  const resources = new AsyncDisposableStack()
  const directory = resources.use(await temporaryFolder())
  const { address, remove } = await makeDatabase(directory.path)
  resources.defer(remove)
  const url = new URL(address.kind === 'postgres' ? address.url : '')
  const proxy = resources.use(await startTcpProxy({ hostname: url.hostname, port: Number(url.port) }))
  url.port = String(proxy.port)
  url.searchParams.set('options', options)
  const log = createLog({ level: 'silent', format: 'json' })
  const database = await openDatabase({ kind: 'postgres', url: url.href }, log, () => undefined)
  resources.defer(() => database.close())
  return { proxy, database, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const valueOf = (db: ReadDb, name: string) =>
  db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()

const setValue = (db: WriteDb, name: string) =>
  db
    .insertInto('secret')
    .values({ name, value: '1' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '2' }))
    .execute()

test('P-12 when connections have gone silent, the first to find out is told, and nobody after them', async () => {
  await using behind = await behindProxy()
  const { proxy, database } = behind
  const { read, write } = database
  const readAndWrite = () =>
    Promise.all([1, 2, 3].flatMap((n) => [valueOf(read, 'a'), write((db) => setValue(db, `writer ${n}`))]))
  await readAndWrite()

  // A router has forgotten those there are; new ones are answered.
  proxy.swallow('carrel')
  await expect(valueOf(read, 'a')).rejects.toThrow('Query read timeout')

  await readAndWrite()
})

test('P-12 E7 what many requests wait for is asked again when its connection breaks off', async () => {
  await using behind = await behindProxy()
  const { proxy, database } = behind
  const askedByMany = () =>
    Promise.all([1, 2, 3].map(async () => [await database.revisions(), await database.changeMark('somebody')]))
  const [first] = await askedByMany()
  proxy.delay(100)

  // The connections that have been there longest are those that were asked first.
  for (let cuts = 0; cuts < 3; cuts += 1) {
    const asked = askedByMany()
    proxy.cutOne()
    expect(await asked).toEqual([first, first, first])
    await database.write(async () => undefined)
  }
})

test('P-12 E3 where not even a new connection is answered, what is under way is told; a slow statement is waited for', async () => {
  await using behind = await behindProxy()
  const { proxy, database } = behind
  const { readSlowly, write } = database
  await write((db) => setValue(db, 'a'))
  // A new connection would be there after four seconds, and its first bytes after one and a half.
  await sql`select 1`.execute(readSlowly)
  proxy.delay(700)
  await sql`select pg_sleep(4)`.execute(readSlowly)
  proxy.delay(0)

  proxy.swallowAll()

  // By its own limit it would end with 'Query read timeout', ten seconds later.
  await expect(write((db) => setValue(db, 'a'))).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: 'Connection terminated' },
  })
  proxy.letThrough()
  await write((db) => setValue(db, 'a'))
})

test('P-12 E3 PostgreSQL is told to miss a node that says nothing within four seconds, whose locks others wait for', async () => {
  await using behind = await behindProxy()
  const { read, write } = behind.database
  const limits = sql<{ limits: string }>`
    select concat_ws(' ', current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'),
      current_setting('tcp_keepalives_count'), current_setting('tcp_user_timeout'),
      current_setting('client_connection_check_interval')) as limits`

  for (const { rows } of [await limits.execute(read), await write((db) => limits.execute(db))])
    expect(rows).toEqual([{ limits: '2 1 2 4000 2s' }])
})

test('P-12 E3 whoever waits for a lock longer than a change may take is told to try again', async () => {
  await using behind = await behindProxy()
  const { write } = behind.database

  const waiting = write(async (db) => {
    await sql`set local statement_timeout = 50`.execute(db)
    await sql`select pg_sleep(60)`.execute(db)
  })

  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
})

test('W1 a role may be set as it likes: transactions are isolated as the server counts on, figures are whole, a backslash is one, and what rests is not cut', async () => {
  await using behind = await behindProxy(
    '-c default_transaction_isolation=serializable -c extra_float_digits=-5 -c standard_conforming_strings=off -c idle_session_timeout=9000',
  )
  const { read, write } = behind.database
  const counted = sql<object>`
    select current_setting('transaction_isolation') as isolation, 1::float8 / 3 as third, 'a\\b' as backslash,
      current_setting('idle_session_timeout') as rest`

  for (const { rows } of [await counted.execute(read), await write((db) => counted.execute(db))])
    expect(rows).toEqual([{ isolation: 'read committed', third: 1 / 3, backslash: String.raw`a\b`, rest: '0' }])
})
