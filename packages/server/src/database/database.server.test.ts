import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { waitUntil } from '../../test/smoke/wait-until.ts'
import { makeDatabase, testDialect, testOn } from '../../test/test-database.ts'
import { createLog } from '../platform/log.ts'
import type { Database, ReadDb, WriteDb } from './database.ts'
import { openDatabase } from './open.ts'
import { raiseRevision } from './revisions.ts'
import { sharedSecret } from './secrets.ts'
import { forReader } from './whom-it-concerns.ts'

interface Handles {
  readonly open: () => Promise<Database>
  [Symbol.asyncDispose](): Promise<void>
}

/** One database, and as many handles on it as a test wants: what separate processes have. */
const oneDatabase = async (): Promise<Handles> => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-database-'))
  const { address, remove } = await makeDatabase(directory)
  const opened: Database[] = []
  const log = createLog({ level: 'silent', format: 'json' })
  return {
    open: async () => {
      const database = await openDatabase(address, log, (error) => {
        throw error
      })
      opened.push(database)
      return database
    },
    async [Symbol.asyncDispose]() {
      for (const database of opened) await database.close()
      await remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const setValue = (db: WriteDb, key: string, value: number | string) =>
  db
    .insertInto('secret')
    .values({ name: key, value: String(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(value) }))
    .execute()

const valueOf = async (db: ReadDb, key: string): Promise<string | undefined> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', key).executeTakeFirst()
  return row?.value
}

test('W1 a write inside a write is refused, and the outer one is rolled back', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()

  const nested = write(async (db) => {
    await setValue(db, 'outer', 1)
    await write((db) => setValue(db, 'inner', 1))
  })

  await expect(nested).rejects.toThrow('A write inside a write')
  expect([await valueOf(read, 'outer'), await valueOf(read, 'inner')]).toEqual([undefined, undefined])
  await write((db) => setValue(db, 'after', 1))
  expect(await valueOf(read, 'after')).toBe('1')
})

test('W1 a write that fails half-way leaves nothing behind, and what it threw comes out', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()
  const failure = new Error('half-way')

  const failing = write(async (db) => {
    await setValue(db, 'first', 1)
    throw failure
  })

  await expect(failing).rejects.toBe(failure)
  expect(await valueOf(read, 'first')).toBeUndefined()
})

test('W1 what is written is read at once, by every kind of reader', async () => {
  await using database = await oneDatabase()
  const { write, read, readSlowly } = await database.open()

  for (let round = 0; round < 50; round += 1) {
    await write((db) => setValue(db, 'round', round))
    expect([await valueOf(read, 'round'), await valueOf(readSlowly, 'round')]).toEqual([String(round), String(round)])
  }
})

test('W1 two writers that each read and then write 500 times lose nothing and never fail', async () => {
  await using database = await oneDatabase()
  const writers = [await database.open(), await database.open()]
  let tries = 0
  const add = ({ write }: Database) =>
    write(async (db) => {
      tries += 1
      // PostgreSQL lets such transactions overlap unless they begin with a row they share; SQLite must not need it.
      if (testDialect === 'postgres') await raiseRevision(db, 'settings')
      const current = Number((await valueOf(db, 'sum')) ?? 0)
      await setValue(db, 'sum', current + 1)
    })

  await Promise.all(
    writers.map(async (writer) => {
      for (let count = 0; count < 500; count += 1) await add(writer)
    }),
  )

  for (const { read } of writers) expect(await valueOf(read, 'sum')).toBe('1000')
  // No transaction ran twice either: a transaction holds its lock from the first statement on.
  expect(tries).toBe(1000)
})

test('W1 many writes at once from one process lose nothing', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()

  await Promise.all(
    Array.from({ length: 200 }, () =>
      write(async (db) => {
        await raiseRevision(db, 'settings')
        await setValue(db, 'sum', Number((await valueOf(db, 'sum')) ?? 0) + 1)
      }),
    ),
  )

  expect(await valueOf(read, 'sum')).toBe('200')
})

testOn('postgres', 'W1 two writes that lock each other out are repeated, and both are made', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()
  await write(async (db) => {
    await setValue(db, 'a', 0)
    await setValue(db, 'b', 0)
  })
  const tries = { forth: 0, back: 0 }
  let arrived = 0
  let openGate: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    openGate = resolve
  })
  const inTurn = (name: 'forth' | 'back', first: string, second: string) =>
    write(async (db) => {
      tries[name] += 1
      await setValue(db, first, name)
      arrived += 1
      if (arrived >= 2) openGate()
      await gate
      await setValue(db, second, name)
    })

  await Promise.all([inTurn('forth', 'a', 'b'), inTurn('back', 'b', 'a')])

  expect(tries.forth + tries.back).toBe(3)
  expect(await valueOf(read, 'a')).toBe(await valueOf(read, 'b'))
})

testOn('postgres', 'P-12 a connection on which a change was refused is not used again', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()
  // It is as on a server that has begun to follow another: the connection stays, and changes nothing any more.
  await write((db) => sql`set session characteristics as transaction read only`.execute(db))

  await expect(write((db) => setValue(db, 'a', 1))).rejects.toMatchObject({ code: 'unavailable' })
  await write((db) => setValue(db, 'a', 2))

  expect(await valueOf(read, 'a')).toBe('2')
})

testOn('sqlite', 'W1 a connection for reading cannot change anything', async () => {
  await using database = await oneDatabase()
  const { read, readSlowly } = await database.open()

  for (const reader of [read, readSlowly]) {
    for (const statement of [
      sql`insert into secret (name, value) values ('a', 'b')`,
      sql`update revision set value = 99`,
      sql`delete from revision`,
      sql`drop table secret`,
      sql`create table another (id integer)`,
    ]) {
      await expect(statement.execute(reader)).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    }
  }
})

testOn('sqlite', 'W1 SQLite is set so that an acknowledged write survives a power cut', async () => {
  await using database = await oneDatabase()
  const { write, read, readSlowly } = await database.open()
  const pragma = async (db: ReadDb, name: string): Promise<unknown> => {
    const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)
    return rows[0] && Object.values(rows[0])[0]
  }
  const seen = async (db: ReadDb) => [
    await pragma(db, 'synchronous'),
    await pragma(db, 'journal_mode'),
    await pragma(db, 'foreign_keys'),
    await pragma(db, 'trusted_schema'),
  ]

  expect(await write(seen)).toEqual([2, 'wal', 1, 0])
  expect(await seen(read)).toEqual([2, 'wal', 1, 0])
  expect(await seen(readSlowly)).toEqual([2, 'wal', 1, 0])
})

testOn(
  'sqlite',
  'W1 a transaction whose first statement fails leaves nothing open, and the next one works',
  async () => {
    await using database = await oneDatabase()
    const { write, read } = await database.open()
    const row = { name: 'a', value: '1' }
    await write((db) => db.insertInto('secret').values(row).execute())

    await expect(write((db) => db.insertInto('secret').values(row).execute())).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    })
    await write(async () => undefined)
    await write((db) => db.updateTable('secret').set({ value: '2' }).execute())
    expect(await valueOf(read, 'a')).toBe('2')
  },
)

test('W1 what one process raised, itself knows at once and another soon', async () => {
  await using database = await oneDatabase()
  const [own, other] = [await database.open(), await database.open()]
  const before = await own.revisions()
  expect(await other.revisions()).toEqual(before)

  for (let round = 1; round <= 20; round += 1) {
    await own.write((db) => raiseRevision(db, 'access'))
    expect((await own.revisions()).access).toBe(before.access + round)
  }

  const seenByOther = async () => (await other.revisions()).access
  await expect.poll(seenByOther).toBe(before.access + 20)
  expect((await other.revisions()).settings).toBe(before.settings)
})

test('W1 a revision raised in a write that fails stays as it was', async () => {
  await using database = await oneDatabase()
  const { write, revisions } = await database.open()
  const before = await revisions()

  await expect(
    write(async (db) => {
      await raiseRevision(db, 'access')
      throw new Error('half-way')
    }),
  ).rejects.toThrow('half-way')

  expect(await revisions()).toEqual(before)
})

test('CFG-5 nodes that start at once agree on one secret', async () => {
  await using database = await oneDatabase()
  const nodes = [await database.open(), await database.open(), await database.open()]

  const secrets = await Promise.all(
    nodes.map((node, index) => sharedSecret(node, 'installation', `candidate ${index}`)),
  )

  expect(new Set(secrets).size).toBe(1)
  expect(secrets[0]).toMatch(/^candidate \d$/)
})

test('W10 text compares byte by byte on both databases', async () => {
  await using database = await oneDatabase()
  const { write, read } = await database.open()
  const names = ['a', 'B', 'b', 'A', 'ä', 'Z', 'é', 'z', '10', '9', '😀', '\uffee', ' ', '_', '~']
  await write(async (db) => {
    for (const name of names) await setValue(db, name, '')
  })

  const rows = await read.selectFrom('secret').select('name').orderBy('name').execute()

  const bytewise = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(rows.map(({ name }) => name)).toEqual(bytewise)
})

testOn(
  'postgres',
  'HTTP-2 P-12 a connection lost between two statements fails its transaction, and nothing else',
  async () => {
    await using database = await oneDatabase()
    const { write, read } = await database.open()
    const isThere = async (pid: number): Promise<boolean> => {
      const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(read)
      return rows.length > 0
    }

    const lost = write(async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      const pid = rows[0]?.pid ?? 0
      await sql`select pg_terminate_backend(${pid})`.execute(read)
      await waitUntil('its end', async () => !(await isThere(pid)))
      await setValue(db, 'never', 'written')
    })

    await expect(lost).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    await write((db) => setValue(db, 'still', 'works'))
    const { rows } = await sql`select name from secret`.execute(read)
    expect(rows).toEqual([{ name: 'still' }])
  },
)

/** Here and by another process: marks of everybody, of the one who writes, and of somebody else. */
const marksAround = async (database: Handles, write: (db: WriteDb) => Promise<unknown>) => {
  const [here, there] = [await database.open(), await database.open()]
  const marks = async () => {
    // A message that arrives after the commit belongs to another turn.
    await new Promise((resolve) => setImmediate(resolve))
    return Promise.all([here.changeMark(''), here.changeMark('reader-1'), here.changeMark('reader-2')])
  }
  const all = [await marks()]
  for (const writer of [here, there, here, there]) {
    await writer.write(write)
    all.push(await marks())
  }
  const [everybody, own, others] = [0, 1, 2].map((of) => new Set(all.map((each) => each[of])).size)
  return { everybody, own, others }
}

const noRows = 'no such series'

const addReader = (db: WriteDb, id: string) =>
  db
    .insertInto('user')
    .values({
      id,
      username: id,
      username_key: id,
      sort_key: id,
      email: null,
      email_key: null,
      role: 'reader',
      permissions: '[]',
      withheld: '[]',
      is_active: 1,
      password_hash: null,
      language: null,
      time_zone: 'UTC',
      all_libraries: 1,
      age_ceiling: null,
      include_unrated: 0,
      last_login_at: null,
      created_at: '',
      updated_at: '',
    })
    .execute()

const forget = (db: WriteDb, userId: string) => db.deleteFrom('series_status').where('user_id', '=', userId).execute()

test('W1 the mark of everybody is another one after every commit that anybody may be shown, and never one that was before', async () => {
  await using database = await oneDatabase()
  let value = 0
  const write = (db: WriteDb) => setValue(db, 'marked', (value += 1))
  expect(await marksAround(database, write)).toEqual({ everybody: 5, own: 5, others: 5 })
})

test('W1 what is the own of one reader leaves the marks of others as they are', async () => {
  await using database = await oneDatabase()
  const userIds = ['reader-1', 'reader-2']
  const write = (db: WriteDb) =>
    forReader('reader-1', () =>
      db
        .insertInto('user_preference')
        .values({ user_id: 'reader-1', key: randomUUID(), value: '1', updated_at: '' })
        .execute(),
    )
  const withUsers = await database.open()
  await withUsers.write(async (db) => {
    for (const id of userIds) await addReader(db, id)
  })
  expect(await marksAround(database, write)).toEqual({ everybody: 1, own: 5, others: 1 })
})

test('W1 nobody is told of what nothing shows, nor of a statement that has changed nothing', async () => {
  await using database = await oneDatabase()
  const write = async (db: WriteDb) => {
    await db.insertInto('sign_in_failure').values({ key: randomUUID(), failures: 1, last_failed_at: '' }).execute()
    await db.updateTable('series').set({ title: 'Another' }).where('id', '=', noRows).execute()
    await sql`update ${sql.table('series')} set title = 'Another' where id = ${noRows} returning id`.execute(db)
    await forget(db, 'reader-1')
  }
  expect(await marksAround(database, write)).toEqual({ everybody: 1, own: 1, others: 1 })
})

const unsure: Readonly<Record<string, (db: WriteDb) => Promise<unknown>>> = {
  'nobody has said whose it is': (db) => db.insertInto('user_preference').values(preferenceOf('reader-1')).execute(),
  'it is said to be of another one': (db) =>
    forReader('reader-2', () => db.insertInto('user_preference').values(preferenceOf('reader-1')).execute()),
  'it is of all readers': (db) =>
    forReader('reader-1', () => db.updateTable('user_preference').set({ value: randomUUID() }).execute()),
  'it is said after the scope of a reader': async (db) => {
    await forReader('reader-1', () => forget(db, 'reader-1'))
    await db.insertInto('user_preference').values(preferenceOf('reader-1')).execute()
  },
}
const preferenceOf = (user_id: string) => ({ user_id, key: randomUUID(), value: '1', updated_at: '' })

for (const [why, write] of Object.entries(unsure))
  test(`W1 where ${why}, it concerns everybody`, async () => {
    await using database = await oneDatabase()
    const { write: prepare } = await database.open()
    await prepare(async (db) => {
      await addReader(db, 'reader-1')
      await db.insertInto('user_preference').values(preferenceOf('reader-1')).execute()
    })
    expect(await marksAround(database, write)).toEqual({ everybody: 5, own: 5, others: 5 })
  })

testOn('postgres', 'W1 a statement whose last part changes nothing concerns those of its other parts', async () => {
  await using database = await oneDatabase()
  const { write: prepare } = await database.open()
  await prepare((db) => setValue(db, 'marked', 'before'))
  const write = (db: WriteDb) =>
    sql`with changed as (update secret set value = ${randomUUID()} where name = 'marked' returning 1)
      delete from series where id = ${noRows}`.execute(db)
  expect(await marksAround(database, write)).toEqual({ everybody: 5, own: 5, others: 5 })
})

test('W1 a transaction that fails leaves every mark as it was', async () => {
  await using database = await oneDatabase()
  const db = await database.open()
  const before = await db.changeMark('')
  const failing = db.write(async (db) => {
    await setValue(db, 'marked', 1)
    throw new Error('On purpose')
  })
  await expect(failing).rejects.toThrow('On purpose')
  await new Promise((resolve) => setImmediate(resolve))
  expect(await db.changeMark('')).toBe(before)
})

testOn('postgres', 'what is asked again and again gets a name, what is asked now and then none', async () => {
  await using database = await oneDatabase()
  const { write } = await database.open()

  const { answers, named } = await write(async (db) => {
    const answers: (number | undefined)[] = []
    for (let index = 0; index < 8; index += 1) {
      const { rows } = await sql<{ sum: number }>`select cast(${index} as int) + 1000 as sum`.execute(db)
      answers.push(rows[0]?.sum)
    }
    await sql`select cast(${1} as int) + 2000`.execute(db)
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
    return { answers, named: rows.map(({ statement }) => statement) }
  })
  expect(answers).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007])
  expect(named.filter((text) => text.includes('+ 1000'))).toHaveLength(1)
  expect(named.filter((text) => text.includes('+ 2000'))).toEqual([])
})
