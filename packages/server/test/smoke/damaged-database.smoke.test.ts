import { existsSync } from 'node:fs'
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../event-stream.ts'
import { bodyOf, errorOf } from '../outcome.ts'
import { callsOfFile } from './calls.ts'
import { type Carrel, claim, logged, signIn, startCarrel, type Visitor, withoutWorker } from './carrel.ts'
import { damageTables } from './damage.ts'
import { endOf, run } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

const call = callsOfFile()

const fileOf = ({ dataDir }: Carrel): string => join(dataDir, 'carrel.db')
/** Nothing reads this table in passing. */
const table = 'collection'

const problemsOf = async ({ call }: Visitor) => bodyOf(await call(api.readServerProblems, {})).problems
const isReady = async (carrel: Carrel): Promise<boolean> => (await carrel.call(api.readReadiness, {})).status === 200

const backedUp = async (carrel: Carrel): Promise<string> => {
  const made = await call(['backup'], { cwd: carrel.dataDir, env: { CARREL_DATA_DIR: carrel.dataDir } })
  expect(made).toMatchObject({ code: 0 })
  const [name = ''] = await readdir(join(carrel.dataDir, 'backups'))
  return join(carrel.dataDir, 'backups', name)
}

test('B1 whoever comes upon a damaged page is told, nothing is written any more, and administrators learn the way out', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path })
  const ana = await claim(carrel)
  const backup = await backedUp(carrel)
  await using stream = await openStream(carrel.url, { authorization: `Bearer ${ana.accessToken}` })
  await stream.first('connected')
  expect(await problemsOf(ana)).toEqual([])

  await damageTables(fileOf(carrel), [table])
  const list = await ana.call(api.listCollections, {})

  expect([list.status, errorOf(list).error]).toEqual([503, 'unavailable'])
  const [problem] = await problemsOf(ana)
  expect(problem).toMatchObject({ code: 'database_damaged', path: fileOf(carrel), backup })
  expect(problem?.message).toContain(`carrel restore ${backup}`)
  await waitUntil('the notification', () =>
    stream.ofType('notification').some(({ data }) => data.notificationId === problem?.id),
  )
  const ready = await fetch(`${carrel.url}/health/ready`)
  expect(ready.status).toBe(503)
  const { checks } = (await ready.json()) as { checks: Record<string, { status: string; message?: string }> }
  expect(checks.database).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/carrel\.db is damaged since .*carrel restore/),
  })
  expect(checks.database?.message).not.toContain(carrel.dataDir)
  const refused = await ana.call(api.savePreferences, { body: { preferences: { theme: 'dark' } } })
  expect([refused.status, errorOf(refused).error]).toEqual([507, 'read_only'])
  expect((await ana.call(api.listUsers, {})).status).toBe(200)
  expect(
    logged(carrel, 'The database is damaged: nothing is changed in it any more, what can still be read is read'),
  ).toBe(true)
  const added = await call(['user', 'add', 'ben'], {
    cwd: folder.path,
    env: { CARREL_DATA_DIR: carrel.dataDir },
    input: 'quiet-lamp-over-snow',
  })
  expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
})

test('B1 a server that is started over a damaged database knows it again, lets people in to read, and is well after a restore', async () => {
  await using folder = await temporaryFolder()
  await using first = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await claim(first)
  const backup = await backedUp(first)
  await damageTables(fileOf(first), [table])
  first.kill('SIGKILL')
  await endOf(first)

  await using second = await startCarrel({ cwd: folder.path, env: withoutWorker })
  const ana = await signIn(second, 'ana')
  // Nobody has read that page: the check of the file at the start finds it.
  await waitUntil('the damage to be found', async () => (await problemsOf(ana)).length > 0)
  second.kill('SIGKILL')
  await endOf(second)

  await using third = await startCarrel({ cwd: folder.path })
  expect(await isReady(third)).toBe(false)
  const again = await signIn(third, 'ana')
  expect(await problemsOf(again)).toMatchObject([{ code: 'database_damaged' }])
  const byCookie = third.callWith({ cookie: again.cookie, 'sec-fetch-site': 'same-origin' })
  expect((await byCookie(api.readMe, {})).status).toBe(200)
  const renewed = bodyOf(await third.call(api.refresh, { body: { refreshToken: again.refreshToken } }))
  const later = third.callWith({ authorization: `Bearer ${renewed.accessToken}` })
  expect((await later(api.logout, {})).status).toBe(204)
  expect((await later(api.readMe, {})).status).toBe(401)
  expect((await byCookie(api.readMe, {})).status).toBe(401)
  third.kill('SIGTERM')
  await endOf(third)

  const restored = await call(['restore', backup], { cwd: folder.path, env: { CARREL_DATA_DIR: third.dataDir } })
  expect(restored).toMatchObject({ code: 0 })
  await using fourth = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await waitUntil('the server to be ready', () => isReady(fourth))
  expect(await problemsOf(await signIn(fourth, 'ana'))).toEqual([])
})

test('B1 a damaged database stays marked until a file is in its place that is looked through and found sound', async () => {
  await using folder = await temporaryFolder()
  await using first = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await claim(first)
  const file = fileOf(first)
  first.kill('SIGTERM')
  await endOf(first)
  const copy = join(folder.path, 'copy.db')
  await copyFile(file, copy)
  await damageTables(file, [table])
  await using second = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await waitUntil('the damage to be found', async () => !(await isReady(second)))
  second.kill('SIGTERM')
  await endOf(second)
  expect(existsSync(`${file}.damaged`)).toBe(true)

  // The file is copied by hand, not by carrel restore: the mark stays where it is. What a server that was ended has left
  // beside the old file belongs to that one.
  for (const left of ['-wal', '-shm']) await rm(file + left, { force: true })
  await copyFile(copy, file)
  await using third = await startCarrel({ cwd: folder.path, env: withoutWorker })

  await waitUntil('the server to be ready', () => isReady(third))
  expect(existsSync(`${file}.damaged`)).toBe(false)
})

test('B1 a file whose very first page is gone stops the start with a sentence that names the newest backup', async () => {
  await using folder = await temporaryFolder()
  await using first = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await claim(first)
  const backup = await backedUp(first)
  first.kill('SIGTERM')
  await endOf(first)
  await writeFile(fileOf(first), Buffer.alloc(8192, 0xa5))

  const refused = await run(['serve'], { cwd: folder.path, env: { CARREL_PORT: '0', CARREL_DATA_DIR: first.dataDir } })

  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`carrel restore ${backup}`)
  expect(refused.stderr.trim().split('\n')).toHaveLength(1)
})

test('B1 CFG-6 every command that copies or fills a damaged database says so in one sentence', async () => {
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: withoutWorker })
  await claim(carrel)
  const told = (command: string) =>
    call(command.split(' '), { cwd: folder.path, env: { CARREL_DATA_DIR: carrel.dataDir } })
  expect(await told('export whole.zip')).toMatchObject({ code: 0 })
  expect(await told('export everything whole')).toMatchObject({ code: 0 })
  carrel.kill('SIGTERM')
  await endOf(carrel)
  const file = fileOf(carrel)
  const copying = ['backup', 'export out.zip', 'export everything out']
  const failing = async (commands: readonly string[]): Promise<void> => {
    for (const command of commands) {
      const { code, stderr } = await told(command)
      const complaint = stderr.split('\n').filter((line) => line !== '' && !/^(Backup|Export|Import): /.test(line))
      expect([command, code, complaint]).toEqual([
        command,
        1,
        [expect.stringMatching(/^The database .*is damaged.*carrel restore/)],
      ])
    }
  }

  await damageTables(file, ['user'])
  await failing(copying)
  await writeFile(file, Buffer.alloc(8192, 0xa5))
  await failing([...copying, 'import whole.zip', 'import-from carrel whole', 'migrate'])
})
