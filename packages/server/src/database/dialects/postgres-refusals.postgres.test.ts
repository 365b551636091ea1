import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { administer } from '../../../test/administer.ts'
import { makeDatabase } from '../../../test/test-database.ts'
import { createLog } from '../../platform/log.ts'
import { newId } from '../../platform/ids.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'

interface OfOwnRole extends AsyncDisposable {
  readonly database: Database
  /** It is done by the owner of the whole, who is let in all the time. */
  administer(statement: string): Promise<void>
  readonly role: string
  /** What PostgreSQL calls the database. */
  readonly name: string
}

/** A database that is asked by a role of its own, of which all connections can be ended. */
const openAsOwnRole = async (): Promise<OfOwnRole> => {
  await using resources = new AsyncDisposableStack()
  const { address, remove } = await makeDatabase('')
  resources.defer(remove)
  const url = new URL(address.kind === 'postgres' ? address.url : '')
  const role = `role_${newId().replaceAll('-', '')}`
  const administerHere = (statement: string) => administer(new URL(url), statement)
  await administerHere(`create role ${role} login superuser password 'first'`)
  resources.defer(() => administerHere(`drop role ${role}`))
  const own = new URL(url)
  own.username = role
  own.password = 'first'
  const log = createLog({ level: 'silent', format: 'json' })
  const database = await openDatabase({ kind: 'postgres', url: own.href }, log, () => undefined)
  resources.defer(() => database.close())
  const all = resources.move()
  return {
    database,
    role,
    name: url.pathname.slice(1),
    administer: administerHere,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const failureOf = async ({ dialect }: Database, work: Promise<unknown>): Promise<unknown> => {
  const [outcome] = await Promise.allSettled([work])
  return outcome.status === 'rejected' ? dialect.explain(outcome.reason) : 'it went well'
}

const refusals = [
  {
    reason: 'its password is another',
    code: '28P01',
    close: ({ role }: OfOwnRole) => `alter role ${role} password 'second'`,
    open: ({ role }: OfOwnRole) => `alter role ${role} password 'first'`,
  },
  {
    reason: 'it may not sign in',
    code: '28000',
    close: ({ role }: OfOwnRole) => `alter role ${role} nologin`,
    open: ({ role }: OfOwnRole) => `alter role ${role} login`,
  },
  {
    reason: 'the database is closed',
    code: '55000',
    close: ({ name }: OfOwnRole) => `alter database ${name} allow_connections false`,
    open: ({ name }: OfOwnRole) => `alter database ${name} allow_connections true`,
  },
]

test.each(refusals)(
  'P-12 when PostgreSQL does not let the server in any more ($reason) it counts as away, and all goes on when it does',
  async ({ code, close, open }) => {
    await using here = await openAsOwnRole()
    const { database, role } = here
    const read = () => sql`select 1`.execute(database.read)
    const write = () =>
      database.write((db) => sql`update revision set value = value where name = 'settings'`.execute(db))
    await Promise.all([read(), write()])

    await here.administer(close(here))
    await here.administer(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)

    const away = { code: 'unavailable', retryAfterSeconds: 2, cause: { code } }
    for (const ask of [read, write])
      // The first to ask may find out that a connection has ended.
      await expect.poll(() => failureOf(database, ask())).toMatchObject(away)
    await here.administer(open(here))
    await Promise.all([read(), write()])
  },
)

test('P-12 what a lock on a table holds up is told to try again', async () => {
  await using here = await openAsOwnRole()
  const { database } = here
  const locked = Promise.withResolvers<void>()
  const holding = database.write(async (db) => {
    await sql`lock table library in access exclusive mode`.execute(db)
    locked.resolve()
    await sql`select pg_sleep(6)`.execute(db)
  })
  await locked.promise

  const asked = database.read.selectFrom('library').select('id').execute()

  expect(await failureOf(database, asked)).toMatchObject({ code: 'unavailable', cause: { code: '57014' } })
  await holding
})
