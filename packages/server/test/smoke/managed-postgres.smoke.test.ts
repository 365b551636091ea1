import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../library-folder.ts'
import { startManagedPostgres } from '../managed-postgres.ts'
import { bodyOf } from '../outcome.ts'
import { claim, signIn, startCarrel } from './carrel.ts'
import { endOf, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

/** A server, its worker and a command beside them open no more (docs/operators/postgresql.md). */
const connections = 29 * 3

test('CFG-1 CFG-6 on a PostgreSQL that is offered as a service a server begins, reads books, is backed up and restored: over TLS, without a superuser and unlogged tables', async () => {
  await using postgres = await startManagedPostgres({ connections })
  await using folder = await temporaryFolder()
  await using books = await libraryFolder()
  await books.write('Saga/Saga 1.cbz', comic({ seed: 1 }))
  const [from, to] = [await postgres.newDatabase(), await postgres.newDatabase()]
  const archive = join(folder.path, 'kept.zip')
  const options = { cwd: folder.path, env: { CARREL_DATABASE_URL: from } }
  {
    await using carrel = await startCarrel(options)
    const { call } = await claim(carrel)
    const { id } = bodyOf(await call(api.createLibrary, { body: { name: 'L', roots: [books.path], watch: false } }))
    await waitUntil('the scan', async () => {
      const scan = bodyOf(await call(api.readScanStatus, { params: { id } }))
      return scan?.status === 'completed' && scan.analysisPending === 0
    })
    const [book] = bodyOf(await call(api.listBooks, {})).data
    bodyOf(await call(api.saveProgress, { params: { id: book?.id ?? '' }, body: { currentPage: 1 } }))

    const ofServer = `select ssl, count(*)::int as count from pg_stat_ssl join pg_stat_activity using (pid)
      where usename = 'tenant' group by ssl`
    expect(await postgres.ask('tenant_1', ofServer)).toEqual([{ ssl: true, count: expect.any(Number) }])
    expect(await postgres.ask('tenant_1', `select relname from pg_class where relpersistence = 'u'`)).toEqual([])
    expect(await run(['backup', '--to', archive], options)).toMatchObject({ code: 0 })
    carrel.kill('SIGTERM')
    await endOf(carrel)
  }
  const restored = { cwd: folder.path, env: { CARREL_DATABASE_URL: to } }
  expect(await run(['restore', archive], restored)).toMatchObject({ code: 0 })

  await using carrel = await startCarrel(restored)
  const { call } = await signIn(carrel, 'ana')
  const [book] = bodyOf(await call(api.listBooks, {})).data
  expect(book).toMatchObject({ title: 'Saga 1', readProgress: { currentPage: 1 } })
})

test('CFG-1 a server does not begin without TLS where that is required, nor with a certificate that nobody vouches for', async () => {
  await using postgres = await startManagedPostgres({ connections })
  await using folder = await temporaryFolder()
  const url = new URL(await postgres.newDatabase())
  const begin = async (search: string) => {
    url.search = search
    const { code, stdout, stderr } = await run(['serve'], {
      cwd: folder.path,
      env: { CARREL_PORT: '0', CARREL_DATABASE_URL: url.href },
    })
    return { code, text: stdout + stderr }
  }
  expect(await begin('')).toMatchObject({ code: expect.any(Number), text: expect.stringMatching(/pg_hba|encryption/) })
  for (const search of ['?sslmode=verify-full', '?sslmode=require']) {
    const unknown = await begin(search)
    expect(unknown).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^The database cannot be opened: self.signed certificate\. Name its authority .+\n$/),
    })
    expect(unknown.text).not.toContain('only-for-tests')
  }
})
