import { expect, onTestFinished, test, vi } from 'vitest'
import { libraryFolder } from '../../../../test/library-folder.ts'
import type { FromWalker } from './messages.ts'
import { Walk } from './walk.ts'

test('W14 a walk through one folder with many files on slow storage gives signs of life', async () => {
  await using folder = await libraryFolder()
  for (let index = 0; index < 30; index += 1) await folder.write(`${index}.cbz`, 'x')
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 200))
  onTestFinished(() => void vi.restoreAllMocks())
  const told: FromWalker[] = []
  const target = { rootPath: folder.path, folder: '', exclude: [], extensions: ['.cbz'] }
  const walk = new Walk(target, (message) => {
    told.push(message)
    if (message.kind === 'need') queueMicrotask(() => walk.receive(message.of, [], true))
  })

  await walk.run()

  const seen = told.flatMap((message) => (message.kind === 'turning' ? message.filesSeen : []))
  expect(seen.filter((count) => count > 0 && count < 30).length).toBeGreaterThan(5)
})

const walkThrough = async (rootPath: string, list?: ConstructorParameters<typeof Walk>[2]) => {
  const told: FromWalker[] = []
  const target = { rootPath, folder: '', exclude: [], extensions: ['.cbz'] }
  const walk = new Walk(
    target,
    (message) => {
      told.push(message)
      if (message.kind === 'need') queueMicrotask(() => walk.receive(message.of, [], true))
    },
    list,
  )
  await walk.run()
  const added = told.flatMap((message) => (message.kind === 'changes' ? message.changes.added : []))
  const errors = told.flatMap((message) => (message.kind === 'done' ? message.summary.errors : []))
  return { added: added.map(([folder, name]) => `${folder}${name}`), errors }
}

test('LIB-5 an entry that a system names twice is there once', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', 'x')
  await folder.write('2.cbz', 'x')
  const entry = (name: string, isFolder = false) => ({ name, isFolder, isFile: !isFolder })
  const twice = (entries: ReturnType<typeof entry>[]) => [...entries, ...entries]

  const { added } = await walkThrough(folder.path, (path) =>
    twice(String(path).endsWith('/A') ? [entry('1.cbz')] : [entry('2.cbz'), entry('A', true)]),
  )

  expect(added).toEqual(['2.cbz', 'A/1.cbz'])
})

test('LIB-5 where a system does not say what entries are, one that cannot be looked at does not hide the others', async () => {
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', 'x')
  await folder.write('2.cbz', 'x')

  const { added, errors } = await walkThrough(folder.path, () => {
    throw Object.assign(new Error('i/o error, lstat'), { code: 'EIO' })
  })

  expect({ added, errors }).toEqual({ added: ['2.cbz', 'A/1.cbz'], errors: [] })
})

test('LIB-5 of a folder that was asked for and is gone its sidecars are gone too', async () => {
  await using folder = await libraryFolder()
  await folder.write('B/1.cbz', 'x')
  const told: FromWalker[] = []
  const known = (of: 'files' | 'sidecars') =>
    of === 'sidecars' ? [['A/', 1, 'series.json/10/1/1/1/0', 'id/1'] as const] : []
  const target = { rootPath: folder.path, folder: 'A/', exclude: [], extensions: ['.cbz'] }
  const walk = new Walk(target, (message) => {
    told.push(message)
    if (message.kind === 'need') queueMicrotask(() => walk.receive(message.of, known(message.of), true))
  })

  await walk.run()

  const gone = told.flatMap((message) => (message.kind === 'changes' ? message.changes.sidecarsVanished : []))
  expect(gone.map(([, path, name]) => `${path}${name}`)).toEqual(['A/series.json'])
})
