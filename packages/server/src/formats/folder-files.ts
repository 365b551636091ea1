import { closeSync, constants, existsSync, openSync, readdirSync, type Dirent } from 'node:fs'
import { nameFromBytes, pathForSystem } from '../platform/files/file-names.ts'
import { openLibraryFile, type LibraryFile } from '../platform/storage/library-files.ts'
import { BookFault } from './book-format.ts'
import { bookLimits } from './limits.ts'
import { isJunk } from './picture-members.ts'

/** A folder of a library held open: what is read later is in it even when its place was taken by another meanwhile. */
export interface HeldFolder {
  /** The regular files in it and one level below, with `/` between. Links are not followed. */
  list(): string[]
  /** It reads a file of the list. It throws a `BookFault` when it is no file of this folder any more. */
  read<Result>(name: string, work: (file: LibraryFile) => Result): Result
  close(): void
}

export const holdFolder = (path: string): HeldFolder => {
  const top = openFolder(path)
  return {
    list: () => orFault(() => listBelow(top)),
    read: (name, work) => orFault(() => readBelow(top, name, work)),
    close: () => closeSync(top.fd),
  }
}

interface OpenFolder {
  readonly fd: number
  readonly path: string
}

const descriptors = '/proc/self/fd'

/**
 * Where the system supports it, the open folder itself is the way to its contents, and no step of that way can be a
 * link.
 */
const openFolder = (path: string): OpenFolder =>
  orFault(() => {
    const fd = openSync(pathForSystem(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    return { fd, path: existsSync(descriptors) ? `${descriptors}/${fd}` : path }
  })

const listBelow = (top: OpenFolder): string[] => {
  const names: string[] = []
  const add = (name: string): void => {
    if (names.length >= bookLimits.entries) {
      throw new BookFault('limit', `The folder has more than ${bookLimits.entries} files`)
    }
    names.push(name)
  }
  for (const item of itemsOf(top)) {
    const name = nameFromBytes(item.name)
    if (item.isFile()) add(name)
    if (item.isDirectory() && !isJunk(`${name}/`)) {
      for (const inner of filesBelow(top, name)) add(`${name}/${inner}`)
    }
  }
  return names
}

const filesBelow = (top: OpenFolder, name: string): string[] => {
  const below = openFolder(`${top.path}/${name}`)
  try {
    return itemsOf(below)
      .filter((item) => item.isFile())
      .map((item) => nameFromBytes(item.name))
  } finally {
    closeSync(below.fd)
  }
}

const itemsOf = (folder: OpenFolder): Dirent<Buffer>[] =>
  readdirSync(pathForSystem(folder.path), { withFileTypes: true, encoding: 'buffer' })

const readBelow = <Result>(top: OpenFolder, name: string, work: (file: LibraryFile) => Result): Result => {
  const file = openBelow(top, name)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

const openBelow = (top: OpenFolder, name: string): LibraryFile => {
  const slash = name.indexOf('/')
  if (slash === -1) return openLibraryFile(`${top.path}/${name}`)
  const below = openFolder(`${top.path}/${name.slice(0, slash)}`)
  try {
    return openLibraryFile(`${below.path}/${name.slice(slash + 1)}`)
  } finally {
    closeSync(below.fd)
  }
}

const orFault = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (error instanceof BookFault) throw error
    throw new BookFault('unreadable', 'The folder or a file in it cannot be read', { cause: error })
  }
}
