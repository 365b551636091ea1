import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { libraryFolder } from '../../../../test/library-folder.ts'
import { runWalk, type WalkTask } from './run-walk.ts'
import { endWalker, releaseWalker, takeWalker } from './walker-process.ts'
import { figuresOf } from './stored-text.ts'
import type { WalkedFile, StoredFile, StoredFolder, StoredFolders } from './messages.ts'

const walkOf = (rootPath: string, more: Partial<WalkTask> = {}): WalkTask => ({
  target: { rootPath, folder: '', exclude: [], extensions: ['.cbz', '.pdf'] },
  readStored: async () => ({ folders: [], isLast: true }),
  onChanges: () => undefined,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  ...more,
})

/** It gives known files a few at a time, as the database does. */
const nextFolders = (files: readonly StoredFile[], after: string | undefined, rows: number): StoredFolders => {
  const byFolder = [...Map.groupBy(files, ([, folder]) => folder)]
  const from = after === undefined ? 0 : byFolder.findIndex(([folder]) => folder === after) + 1
  const part = byFolder.slice(from, from + Math.max(1, Math.floor(rows / 1000)))
  const folders = part.map(([folder, each]): StoredFolder => {
    const inOrder = each.toSorted((one, other) => Buffer.compare(Buffer.from(one[2]), Buffer.from(other[2])))
    return [
      folder,
      each.length,
      inOrder.map(([, ...walked]) => figuresOf(walked)).join('/'),
      inOrder.map(([id, , , , , , , device]) => `${id}/${device}`).join('/'),
    ]
  })
  return { folders, isLast: from + part.length >= byFolder.length }
}

const addedIn = async (rootPath: string, more: Partial<WalkTask> = {}): Promise<string[]> => {
  const added: WalkedFile[] = []
  await runWalk(walkOf(rootPath, { onChanges: (changes) => void added.push(...changes.added), ...more }))
  return added.map(([folder, name]) => folder + name).sort()
}

test('W14 storage that gives no sign is taken for unavailable, and its walker is not waited for', async () => {
  await using folder = await libraryFolder()
  await folder.write('silent.mjs', 'setInterval(() => undefined, 1000); process.on("message", () => undefined)')

  const summary = await runWalk(
    walkOf(folder.path, { silenceMaxMs: 300, program: pathToFileURL(folder.in('silent.mjs')) }),
  )

  expect(summary.rootError).toEqual({ path: folder.path, code: 'ETIMEDOUT' })
})

test('LIB-1 a walk finds books and folders of pictures, and follows no link', async () => {
  await using folder = await libraryFolder()
  await using elsewhere = await libraryFolder()
  await elsewhere.write('secret.cbz', 'x')
  await folder.write('A/one.cbz', 'x')
  await folder.write('A/.hidden.cbz', 'x')
  await folder.write('A/@eaDir/thumb.cbz', 'x')
  await folder.write('B/Album/1.jpg', 'x')
  await folder.write('B/Album/2.jpg', 'x')
  await folder.write('C/cover.jpg', 'x')
  await folder.write('C/two.pdf', 'x')
  await symlink(elsewhere.in('secret.cbz'), folder.in('A/link.cbz'))
  await symlink(elsewhere.path, folder.in('link'))
  await symlink(folder.path, folder.in('loop'))

  expect(await addedIn(folder.path)).toEqual(['A/one.cbz', 'B/Album', 'C/two.pdf'])
})

test('LIB-1 what a pattern excludes is passed over', async () => {
  await using folder = await libraryFolder()
  for (const path of ['Keep/a.cbz', 'Samples/b.cbz', 'Keep/c.tmp.cbz']) await folder.write(path, 'x')
  const target = { rootPath: folder.path, folder: '', exclude: ['samples', '*.tmp.cbz'], extensions: ['.cbz'] }

  expect(await addedIn(folder.path, { target })).toEqual(['Keep/a.cbz'])
})

test('LIB-3 names that are no UTF-8 are found, each once', async () => {
  await using folder = await libraryFolder()
  await mkdir(folder.in('A'))
  await writeFile(Buffer.concat([Buffer.from(folder.in('A/')), Buffer.from([0xe9, 0x2e, 0x63, 0x62, 0x7a])]), 'x')

  expect(await addedIn(folder.path)).toEqual(['A/\uFFFDE9.cbz'])
})

test('LIB-6 known and found are compared in whatever order names come, however many they are', async () => {
  await using folder = await libraryFolder()
  const names = ['a b', 'a', 'a-b', 'ab', 'a.b', 'ä', '漢', '\u{1F600}', '\uFF21']
  for (const name of names) {
    await folder.write(`${name}/1.cbz`, 'x')
    await folder.write(`${name}/sub/2.cbz`, 'xy')
  }
  const walked: WalkedFile[] = []
  await runWalk(walkOf(folder.path, { onChanges: ({ added }) => void walked.push(...added) }))
  const inOrder = walked
    .map((each, index): StoredFile => [`id ${index}`, ...each])
    .sort((one, other) => Buffer.compare(Buffer.from(one[1] + one[2]), Buffer.from(other[1] + other[2])))
  const byFolder = inOrder.sort((one, other) => Buffer.compare(Buffer.from(one[1]), Buffer.from(other[1])))
  const changes: unknown[] = []

  const summary = await runWalk(
    walkOf(folder.path, {
      readStored: async (of, after, rows) => nextFolders(of === 'files' ? byFolder : [], after, rows),
      onChanges: ({ added, changed, vanished }) => void changes.push(...added, ...changed, ...vanished),
    }),
  )

  expect(walked).toHaveLength(2 * names.length)
  expect(summary.filesSeen).toBe(2 * names.length)
  expect(changes).toEqual([])
})

test('W16 a walker that came to its end walks again; one that was ended or has walked far does not', () => {
  // Tests before this one may have left as many as are kept.
  for (const left of [takeWalker(), takeWalker()]) endWalker(left)
  const first = takeWalker()
  releaseWalker(first, 10)
  const again = takeWalker()
  expect(again.pid).toBe(first.pid)
  releaseWalker(again, 1_000_000)
  const other = takeWalker()
  expect(other.pid).not.toBe(first.pid)
  endWalker(other)
  expect(takeWalker().pid).not.toBe(other.pid)
})
