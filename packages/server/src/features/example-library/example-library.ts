import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LibraryDto } from '@carrel/api'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import {
  createOwnLibrary,
  readLibrary,
  removeLibrary,
  type ScanOfLibraries,
  selectLibraryAt,
} from '../libraries/libraries.ts'
import { type BookToMake, booksToMake, fileOf } from './books.ts'

interface ExampleResources extends Pick<Context, 'db' | 'config' | 'decoders'> {
  readonly scan: ScanOfLibraries
}

const folderOf = async ({ config }: ExampleResources): Promise<string> =>
  join(await realpath(config.dataDir), 'example-library')

export const findExampleLibrary = async (
  resources: ExampleResources,
  viewer: Viewer,
): Promise<LibraryDto | undefined> => {
  const id = await selectLibraryAt(resources.db.read, await folderOf(resources))
  return id === undefined ? undefined : readLibrary(resources.db.readSlowly, viewer, id)
}

/** Its books are drawn before it is there, so that its first scan finds all of them. */
export const createExampleLibrary = async (
  resources: ExampleResources,
  viewer: Viewer,
  name: string,
  now: Date,
): Promise<LibraryDto> => {
  const existing = await findExampleLibrary(resources, viewer)
  if (existing) return existing
  const path = await folderOf(resources)
  for (const book of booksToMake) await makeBook(resources, path, book)
  return createOwnLibrary(resources, viewer, { name, path }, now)
}

const drawMaxMs = 30_000

/** One picture after the other: whoever reads meanwhile waits for none of it. */
const makeBook = async ({ decoders }: ExampleResources, folder: string, book: BookToMake): Promise<void> => {
  const pictures: Buffer[] = []
  for (const svg of book.drawings()) {
    const { bytes } = await decoders.run('drawPicture', { svg }, { silenceMaxMs: drawMaxMs })
    pictures.push(Buffer.from(bytes))
  }
  const path = join(folder, book.path)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await fileOf(book, pictures), { flush: true })
}

export const deleteExampleLibrary = async (
  resources: ExampleResources,
  { caller, viewer }: { readonly caller: Caller; readonly viewer: Viewer },
  now: Date,
): Promise<undefined> => {
  const path = await folderOf(resources)
  const id = await selectLibraryAt(resources.db.read, path)
  if (id !== undefined)
    await removeLibrary(resources.db, { caller, viewer }, id, { purge: true, now, expectMatch: () => undefined })
  await rm(path, { recursive: true, force: true })
  return undefined
}
