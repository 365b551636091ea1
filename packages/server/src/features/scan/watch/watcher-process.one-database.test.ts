import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { libraryFolder } from '../../../../test/library-folder.ts'
import { waitUntil } from '../../../../test/smoke/wait-until.ts'
import { createLog } from '../../../platform/log.ts'
import { WatcherProcess } from './watcher-process.ts'

/** Watches nothing: asked for the root that hangs it is never heard of again, and all others are watched at once. */
const program = `
process.on('message', ({ kind, root }) => {
  if (kind !== 'watch') return
  process.send({ kind: 'busy', rootId: root.id })
  if (root.id === 'hung') for (;;);
  if (root.path === '/share') return process.send({ kind: 'remote', rootId: root.id })
  process.send({ kind: 'watched', rootId: root.id, folders: 1 })
  process.send({ kind: 'free' })
})
process.once('disconnect', () => process.exit(0))
`

test('W14 storage that gives no answer is left out for a while, and the others are watched without it', async () => {
  await using folder = await libraryFolder()
  await writeFile(folder.in('watcher.mjs'), program)
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(JSON.parse(line)) })
  const watched: string[] = []
  const touched: string[] = []
  const watcher = new WatcherProcess({
    log,
    onTouched: (rootId, folders) => touched.push(rootId, ...folders),
    onWatched: (rootId) => watched.push(rootId),
    timing: { silenceMaxMs: 300, hungFirstMs: 3_600_000, restartFirstMs: 10 },
    program: pathToFileURL(folder.in('watcher.mjs')),
  })
  const root = (id: string) => ({ id, path: `/${id}`, exclude: [], extensions: [] })
  try {
    watcher.setRoots([root('one'), root('hung'), root('other')])
    await waitUntil('the others to be watched', () => watched.includes('other'))
    watcher.setRoots([root('one'), root('hung'), root('other'), root('new')])
    await waitUntil('a new one to be watched', () => watched.includes('new'))
  } finally {
    watcher.stop()
  }

  expect(watched.filter((id) => id === 'hung')).toEqual([])
  expect(touched).toContain('one')
  expect(lines).toMatchObject([{ path: '/hung', msg: 'This folder gives no answer: it is not watched for a while' }])
})

test('LIB-3 a root that lay on another machine is watched once it lies on this one', async () => {
  await using folder = await libraryFolder()
  await writeFile(folder.in('watcher.mjs'), program)
  const log = createLog({ level: 'info', format: 'json', write: (line) => lines.push(line) })
  const lines: string[] = []
  const watched: string[] = []
  const watcher = new WatcherProcess({
    log,
    onTouched: () => undefined,
    onWatched: (rootId) => watched.push(rootId),
    timing: { silenceMaxMs: 10_000, hungFirstMs: 3_600_000, restartFirstMs: 10 },
    program: pathToFileURL(folder.in('watcher.mjs')),
  })
  const root = (path: string) => ({ id: 'one', path, exclude: [], extensions: [] })
  try {
    watcher.setRoots([root('/share')])
    await waitUntil('the root to be found on another machine', () => lines.some((line) => line.includes('once a day')))
    watcher.setRoots([root('/local')])
    await waitUntil('the root to be watched', () => watched.includes('one'))
  } finally {
    watcher.stop()
  }
  expect(watched).toEqual(['one'])
})
