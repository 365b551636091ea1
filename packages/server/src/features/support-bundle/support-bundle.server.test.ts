import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, scanNow } from '../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { testDialect } from '../../../test/test-database.ts'
import { enqueueNow, testTask } from '../../../test/work.ts'
import { latestVersion } from '../../database/migrate.ts'
import { writtenFailure } from '../../tasks/failure.ts'
import { type BundleOptions, makeSupportBundle, writtenBundle } from './support-bundle.ts'

const bundleOf = async ({ context }: TestServer, more: Partial<BundleOptions> = {}) => {
  const { config, log, clock, version } = context
  const bundle = await makeSupportBundle({ config, configuration: {}, log, now: clock(), version, ...more })
  const text = writtenBundle(bundle)
  return { text, bundle: JSON.parse(text) as Record<string, never> & { database: Record<string, never> } }
}

const planted = {
  user: 'zebulon-the-reader',
  email: 'zebulon@xylophone.example',
  library: 'Quixotic Shelf',
  title: 'Unmentionable Chronicle',
  credential: 'xyzzy-plugh-of-a-plugin',
  host: 'hidden-host.example',
  template: 'wombat-template',
  failure: 'marmalade-in-a-sentence',
}

const plant = async (server: TestServer, root: string): Promise<void> => {
  const { db } = server.context
  const admin = await server.person('admin', { username: planted.user, email: planted.email })
  const library = await addLibraryOn(server, { roots: [root], name: planted.library })
  await scanNow(server, library)
  const { dataDir } = server.context.config
  await mkdir(join(dataDir, 'plugins'), { recursive: true })
  await writeFile(join(dataDir, 'plugins', 'sorting.mjs'), '')
  const plugin = {
    name: 'sorting',
    displayName: planted.template,
    command: 'node',
    args: ['sorting.mjs'],
    credentials: { key: planted.credential },
    env: [{ key: 'TOKEN', value: planted.credential }],
  }
  bodyOf(await admin.call(api.createPlugin, { body: plugin }))
  for (const [key, value] of [
    ['webhooks.allowed_hosts', [planted.host]],
    ['display.custom_metadata_template', planted.template],
    ['backup.keep', 11],
  ] as const)
    bodyOf(await admin.call(api.saveSetting, { params: { key }, body: { value: structuredClone(value) as never } }))
  const { taskId } = await enqueueNow(
    server,
    testTask(async () => undefined),
    planted.title,
  )
  const failure = { code: 'unavailable', reason: 'file_gone', values: { path: `${root}/${planted.title}` } }
  const last_error = writtenFailure({ ...failure, message: planted.failure } as never)
  await db.write((db) =>
    db.updateTable('task').set({ status: 'failed', is_due: 0, last_error }).where('id', '=', taskId).execute(),
  )
}

test('T-52 a support bundle says how an installation is, and holds nothing that its people have named or keep secret', async () => {
  await using folder = await libraryFolder()
  await using server = await startServer()
  const root = folder.in(planted.library)
  await folder.write(`${planted.library}/${planted.title}/${planted.title} 01.cbz`, comic({ seed: 1 }))
  await plant(server, root)
  const { dataDir, database: address } = server.context.config
  await mkdir(join(dataDir, 'covers'), { recursive: true })
  await writeFile(join(dataDir, 'covers', planted.title), 'x'.repeat(1000))
  await writeFile(join(dataDir, planted.title), 'x'.repeat(10))

  const { text, bundle } = await bundleOf(server)

  const { database } = bundle
  expect(database).toMatchObject({ kind: testDialect, schemaVersion: latestVersion })
  expect(database).toMatchObject({ rows: { user: 1, library: 1, book: 1, plugin: 1, bookmark: 0 } })
  expect(database).toMatchObject({
    settings: {
      'backup.keep': 11,
      'webhooks.allowed_hosts': '1 entries',
      'display.custom_metadata_template': '(changed)',
      'compat.prefix': 'komga',
      'backup.cron_schedule': '45 1 * * *',
    },
  })
  expect(database).toMatchObject({ failedTasks: [{ type: 'test', code: 'unavailable', reason: 'file_gone' }] })
  expect(database).toMatchObject({ tasks: expect.arrayContaining([{ type: 'test', status: 'failed', count: 1 }]) })
  expect(bundle).toMatchObject({ dataFolder: { of: { covers: { bytes: expect.any(Number) } }, isIncomplete: false } })
  expect(bundle).toMatchObject({
    findings: expect.arrayContaining([{ check: 'library 1', status: 'ok', message: 'ROOT can be read.' }]),
  })
  const secrets = [...Object.values(planted), root, dataDir, 'sorting', '@']
  if (address.kind === 'postgres') {
    const { password, pathname } = new URL(address.url)
    secrets.push(pathname.slice(1), `:${password}@`)
  }
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('T-52 of a log a support bundle holds times, levels, fixed words and numbers, and at most a mebibyte in all', async () => {
  await using folder = await libraryFolder()
  await using server = await startServer()
  const at = '2026-11-28T10:00:00.000Z'
  const error = {
    name: 'Error',
    code: 'ENOENT',
    message: `no such file ${planted.title}`,
    stack: `Error: no such file ${planted.title}\n    at openBook (/home/${planted.user}/carrel/serve.js:10:20)\n    at /srv/x.js:1:2`,
    cause: { name: 'TypeError', message: planted.failure },
  }
  const lines = [
    { level: 'info', time: at, ms: 12, path: `/books/${planted.title}`, method: 'GET', msg: 'Answered' },
    { level: 'warn', time: at, code: 'conflict', msg: `There is a user ${planted.user} already.` },
    { level: 'error', time: at, err: error, userId: 7, [planted.user]: true, msg: `It failed: ${planted.title}` },
    { level: 'info', time: at, token: planted.credential, state: `${planted.title}!`, msg: 'Heard' },
  ]
  const text = [...lines.map((line) => JSON.stringify(line)), `GET /${planted.title}`, '[1]', '{}', '{"msg":']
  await folder.write('carrel.log', `${text.join('\n')}\n`)

  const told = await bundleOf(server, { logFile: folder.in('carrel.log') })
  expect(told.bundle['log']).toEqual({
    lines: [
      { time: at, level: 'info', msg: 'Answered', ms: 12, method: 'GET' },
      { time: at, level: 'warn', code: 'conflict' },
      {
        time: at,
        level: 'error',
        msg: 'It failed',
        err: {
          name: 'Error',
          code: 'ENOENT',
          at: ['openBook serve.js:10:20', 'x.js:1:2'],
          cause: { name: 'TypeError' },
        },
      },
      { time: at, level: 'info', msg: 'Heard' },
    ],
    skipped: 4,
  })

  const frames = Array.from(
    { length: 30 },
    (_, index) => `    at ${'f'.repeat(300)} (/x/${'g'.repeat(100)}.js:${index}:1)`,
  )
  const long = JSON.stringify({ ...lines[2], err: { ...error, stack: `Error\n${frames.join('\n')}` } })
  await folder.write('carrel.log', `${long}\n`.repeat(400))
  expect(Buffer.byteLength((await bundleOf(server, { logFile: folder.in('carrel.log') })).text)).toBeLessThan(
    1024 * 1024,
  )
  expect((await bundleOf(server, { logFile: folder.in('none.log') })).bundle['log']).toEqual({ missing: 'ENOENT' })
})
