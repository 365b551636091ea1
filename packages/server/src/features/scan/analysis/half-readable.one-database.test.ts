import { chmod, rm } from 'node:fs/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { mountOf, requireMounts } from '../../../../test/fuse.ts'
import { comic, type LibraryFolder, libraryFolder } from '../../../../test/library-folder.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../../test/scanning.ts'
import { startServer, type TestServer } from '../../../../test/start-server.ts'

interface Unreadable extends AsyncDisposable {
  readonly code: string
  /** From now on nobody can look into it. */
  shut(): Promise<void>
  /** And now one can again. */
  open(): Promise<void>
}

const fill = async (folder: LibraryFolder, below: string): Promise<void> => {
  for (let index = 0; index < 25; index += 1)
    await folder.write(`${below}${index % 2 === 0 ? 'Deep/' : ''}${index}.cbz`, comic({ seed: 500 + index, pages: 1 }))
}

/** A folder with books. Where rights mean nothing, as for root, it lies on storage that breaks off. */
const unreadableFolder = async (
  folder: LibraryFolder,
  path: string,
  skip: (note: string) => void,
): Promise<Unreadable> => {
  const at = folder.in(path)
  if (process.getuid?.() !== 0) {
    await fill(folder, `${path}/`)
    const open = (): Promise<void> => chmod(at, 0o755)
    return { code: 'EACCES', shut: () => chmod(at, 0o000), open, [Symbol.asyncDispose]: open }
  }
  requireMounts(skip)
  const behind = await libraryFolder()
  await fill(behind, '')
  let mount = await mountOf(behind.path, at)
  return {
    code: 'ENOTCONN',
    shut: () => mount.breakOff(),
    open: async () => {
      await mount[Symbol.asyncDispose]()
      mount = await mountOf(behind.path, at)
    },
    async [Symbol.asyncDispose]() {
      await mount[Symbol.asyncDispose]()
      await behind[Symbol.asyncDispose]()
    },
  }
}

const idsOf = async (server: TestServer, libraryId: string): Promise<Record<string, string>> =>
  Object.fromEntries([...(await booksOf(server, libraryId))].map(([path, { id, state }]) => [path, `${id} ${state}`]))

test('LIB-6 what lies below a folder that cannot be read is neither missing nor held, and the scan completes with errors', async ({
  skip,
}) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  for (let index = 0; index < 25; index += 1) await folder.write(`A/${index}.cbz`, comic({ seed: index + 1, pages: 1 }))
  await using sub = await unreadableFolder(folder, 'B/Sub', skip)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const before = await idsOf(server, id)
  expect(Object.keys(before)).toHaveLength(50)
  await folder.write('A/new.cbz', comic({ seed: 900 }))
  await sub.shut()

  const scan = await scanNow(server, id)

  expect(scan).toMatchObject({ status: 'completed_with_errors', books_added: 1, books_missing: 0, error_count: 1 })
  expect(JSON.parse(scan.errors)).toMatchObject([{ path: 'B/Sub/', code: sub.code }])
  const { call } = await server.person('admin')
  expect(bodyOf(await call(api.readHeldChanges, { params: { id } }))).toEqual({ held: null })
  expect(await idsOf(server, id)).toMatchObject(before)

  // What is gone where one could look waits all the same: it may have gone behind the folder.
  await rm(folder.in('A/3.cbz'))
  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0 })
  const { held } = bodyOf(await call(api.readHeldChanges, { params: { id } }))
  expect(held).toMatchObject({ reason: 'walk_error', vanishing: 1, folders: [{ path: 'A', count: 1 }] })

  await sub.open()
  expect(await scanNow(server, id)).toMatchObject({ status: 'held', books_missing: 0, books_added: 0, error_count: 0 })
  const { held: still } = bodyOf(await call(api.readHeldChanges, { params: { id } }))
  expect(still).toMatchObject({ vanishing: 1 })
  expect((await call(api.confirmHeldChanges, { params: { id, heldId: still?.id ?? '' } })).status).toBe(204)
  const after = await idsOf(server, id)
  expect(after).toMatchObject({ ...before, 'A/3.cbz': before['A/3.cbz']?.replace('present', 'missing') })
})

test('LIB-7 a file that could not be read is read when a scan finds that it can be', async ({ skip }) => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1 }))
  await using sub = await unreadableFolder(folder, 'B', skip)
  const id = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, id)
  const { db } = server.context
  await db.write((db) => db.updateTable('file').set({ analysis: 'pending' }).where('folder', 'like', 'B/%').execute())
  await sub.shut()
  await scanNow(server, id)
  const faults = [...(await booksOf(server, id)).values()].map(({ folder, fault_code }) => `${folder} ${fault_code}`)
  expect(new Set(faults)).toEqual(new Set(['A/ null', 'B/ unreadable', 'B/Deep/ unreadable']))

  await sub.open()
  await scanNow(server, id)

  expect(new Set([...(await booksOf(server, id)).values()].map(({ analysis }) => analysis))).toEqual(new Set(['done']))
})
