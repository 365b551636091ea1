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

interface Use extends Pick<Context, 'db' | 'config' | 'decoders'> {
  readonly scan: ScanOfLibraries
}

const folderOf = async ({ config }: Use): Promise<string> => join(await realpath(config.dataDir), 'example-library')

export const findExampleLibrary = async (use: Use, viewer: Viewer): Promise<LibraryDto | undefined> => {
  const id = await selectLibraryAt(use.db.read, await folderOf(use))
  return id === undefined ? undefined : readLibrary(use.db.readSlowly, viewer, id)
}

/** Its books are drawn before it is there, so that its first scan finds all of them. */
export const createExampleLibrary = async (use: Use, viewer: Viewer, name: string, now: Date): Promise<LibraryDto> => {
  const known = await findExampleLibrary(use, viewer)
  if (known) return known
  const path = await folderOf(use)
  for (const book of booksToMake) await makeBook(use, path, book)
  return createOwnLibrary(use, viewer, { name, path }, now)
}

const drawMaxMs = 30_000

/** One picture after the other: whoever reads meanwhile waits for none of it. */
const makeBook = async ({ decoders }: Use, folder: string, book: BookToMake): Promise<void> => {
  const pictures: Buffer[] = []
  for (const svg of book.drawings()) {
    const { bytes } = await decoders.run('drawPicture', { svg }, { silenceMaxMs: drawMaxMs })
    pictures.push(Buffer.from(bytes))
  }
  const path = join(folder, book.path)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await fileOf(book, pictures))
}

export const deleteExampleLibrary = async (
  use: Use,
  { caller, viewer }: { readonly caller: Caller; readonly viewer: Viewer },
  now: Date,
): Promise<undefined> => {
  const path = await folderOf(use)
  const id = await selectLibraryAt(use.db.read, path)
  if (id !== undefined)
    await removeLibrary(use.db, { caller, viewer }, id, { purge: true, now, expectMatch: () => undefined })
  await rm(path, { recursive: true, force: true })
  return undefined
}
