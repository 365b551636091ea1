import { mkdir, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { callsOfFile } from './calls.ts'
import { claim, signIn, startCarrel, testPassword, withoutWorker } from './carrel.ts'
import { endOf, launch, run } from './program.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const call = callsOfFile()

const serve = (cwd: string, dataDir: string) =>
  call(['serve'], { cwd, env: { CARREL_PORT: '0', CARREL_DATA_DIR: dataDir } })

/** An installation that has been in use, and has stopped; answers its data directory. */
const used = async (folder: TemporaryFolder, name = 'data'): Promise<string> => {
  await using carrel = await startCarrel({ cwd: folder.path, dataDir: join(folder.path, name), env: withoutWorker })
  await claim(carrel)
  carrel.kill('SIGTERM')
  await endOf(carrel)
  // A server that stops is the last to close its database: nothing of it is left in a log beside the file.
  expect((await readdir(carrel.dataDir)).filter((name) => name.endsWith('-wal'))).toEqual([])
  return carrel.dataDir
}

test('B8 a second server on the same data is refused with a sentence that says who has it; kill -9 sets it free', async () => {
  await using folder = await temporaryFolder()
  await using first = await startCarrel({ cwd: folder.path })
  await claim(first)

  const env = { CARREL_PORT: '0', CARREL_DATA_DIR: first.dataDir }
  const refused = await run(['serve'], { cwd: folder.path, env })

  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^A server is running on .*carrel\.db already \(process \d+ on .+, since .+\): stop that one/,
  )
  expect(refused.stderr).toContain(`process ${first.pid} `)
  expect((await first.call(api.readReadiness, {})).status).toBe(200)
  first.kill('SIGKILL')
  await using second = await startCarrel({ cwd: folder.path })
  expect((await signIn(second, 'ana')).user.username).toBe('ana')
})

test('B8 CFG-6 a file of the data directory that this account cannot open stops the start with one line that names it', async () => {
  await using folder = await temporaryFolder()
  const dataDir = await used(folder)

  for (const name of ['carrel.db', 'carrel.db.lock', 'carrel.db.server', 'secret.key']) {
    const file = join(dataDir, name)
    await rename(file, `${file}.aside`)
    // Nobody can open a folder as a file, root neither.
    await mkdir(file, { mode: 0o700 })
    const { code, stderr } = await serve(folder.path, dataDir)
    expect([name, code, stderr]).toEqual([
      name,
      ['carrel.db', 'secret.key'].includes(name) ? 78 : 1,
      expect.stringMatching(/^.+\n$/),
    ])
    expect(stderr).toContain(file)
    await rm(file, { recursive: true })
    await rename(`${file}.aside`, file)
  }
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
})

test('B8 commands and workers go on beside a running server', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const options = { cwd: folder.path, env: { CARREL_DATA_DIR: carrel.dataDir, CARREL_PORT: new URL(carrel.url).port } }

  const added = await call(['user', 'add', 'ben', '--role', 'admin'], { ...options, input: testPassword })
  expect(added).toMatchObject({ code: 0 })
  expect(await run(['backup'], options)).toMatchObject({ code: 0 })
  expect(await call(['migrate'], options)).toMatchObject({ code: 0 })
  expect(await call(['doctor'], options)).toMatchObject({ code: 0 })
  await using worker = await startWorker(options)
  expect((await signIn(carrel, 'ben')).user.username).toBe('ben')
  worker.kill('SIGTERM')
  expect(await endOf(worker)).toMatchObject({ code: 0 })
})

const startWorker = async (options: Parameters<typeof run>[1]) => {
  const worker = launch(['worker'], options)
  await waitUntil('the worker', () => worker.stdout().includes('The worker is ready'))
  return worker
}

test('B3 a database that is empty or missing where an installation has been in use stops the start, and nothing is made', async () => {
  await using folder = await temporaryFolder()
  const dataDir = await used(folder)
  const file = join(dataDir, 'carrel.db')
  await rename(file, join(folder.path, 'away.db'))
  for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true })

  const missing = await serve(folder.path, dataDir)
  const madeAnew = (await readdir(dataDir)).includes('carrel.db')
  await writeFile(file, '')
  const empty = await serve(folder.path, dataDir)

  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /carrel\.db is missing, but .* has been in use \(installation\.json, secret\.key\).*carrel restore/,
    ),
  })
  expect(madeAnew).toBe(false)
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('carrel.db is empty, but') })
  expect((await stat(file)).size).toBe(0)
  await rename(join(folder.path, 'away.db'), file)
  await using carrel = await startCarrel({ cwd: folder.path, dataDir, env: withoutWorker })
  expect((await signIn(carrel, 'ana')).user.username).toBe('ana')
})

test('B3 an installation of before markers is known by its secret and its covers', async () => {
  await using folder = await temporaryFolder()
  const dataDir = await used(folder)
  await rm(join(dataDir, 'installation.json'))
  await mkdir(join(dataDir, 'covers'), { recursive: true })
  await truncate(join(dataDir, 'carrel.db'))

  expect(await serve(folder.path, dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(secret.key, covers)'),
  })
})

test("B3 another installation's database is refused; one that carrel restore has put there is its own", async () => {
  await using folder = await temporaryFolder()
  const mine = await used(folder)
  const theirs = await used(folder, 'theirs')
  const backup = await call(['backup', '--to', join(folder.path, 'theirs.zip')], {
    cwd: folder.path,
    env: { CARREL_DATA_DIR: theirs },
  })
  expect(backup.code).toBe(0)
  await rename(join(theirs, 'carrel.db'), join(mine, 'carrel.db'))

  expect(await serve(folder.path, mine)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is another installation's than the data directory"),
  })
  const restored = await call(['restore', join(folder.path, 'theirs.zip')], {
    cwd: folder.path,
    env: { CARREL_DATA_DIR: mine },
  })
  expect(restored).toMatchObject({ code: 0 })
  await using carrel = await startCarrel({ cwd: folder.path, dataDir: mine, env: withoutWorker })
  expect((await carrel.call(api.readReadiness, {})).status).toBe(200)
})

test('B3 a data directory of an installation on PostgreSQL is not taken for one on SQLite', async () => {
  await using folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'installation.json'), '{"id":"one","database":"postgres"}\n')

  expect(await serve(folder.path, dataDir)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to an installation on PostgreSQL'),
  })
})
