import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Change } from './journal.ts'

/**
 * What becomes of changes that were not flushed when the power went:
 * - `nothing`: none of them has reached the disk
 * - `all`: all of them have, as when only the process was killed
 * - `in order`: those before some moment have
 * - `some writes`: some have, in any order
 * - `some sectors`: of each write some sectors of 512 bytes have
 * - `garbage`: the same, and in the place of the others stands anything
 */
export const fates = ['nothing', 'all', 'in order', 'some writes', 'some sectors', 'garbage'] as const
type Fate = (typeof fates)[number]

interface File {
  /** What has been flushed. */
  content: Buffer
  /** What came since. */
  pending: Change[]
}

interface NameChange {
  readonly at: number
  readonly remove?: string
  readonly put?: { readonly name: string; readonly entry: File | Folder }
}

interface Folder {
  readonly names: Map<string, File | Folder>
  pending: NameChange[]
}

/**
 * A disk of which it is known what has been flushed. Files are known by what they are; names are changes of their folder,
 * those of folders too: a folder whose own name was not flushed may be gone, with all that was flushed in it.
 */
export interface ReplayedDisk {
  apply(change: Change): void
  /** It writes the files that there may be after a power cut now, into an empty folder. */
  cutTo(target: string, fate: Fate, random: () => number): void
}

export interface ReplayOptions {
  /** Flushes of these paths do nothing: the disk lies, or nobody has asked it. */
  readonly ignoresSync?: (path: string) => boolean
}

/** All files of a folder with what is needed to know them again: what there was before the journal begins. */
export const snapshotOf = (folder: string): Map<string, { readonly inode: bigint; readonly content: Buffer }> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('-shm'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, { inode: statSync(path, { bigint: true }).ino, content: readFileSync(path) }]),
  )

export const replayedDisk = (
  folder: string,
  before: ReturnType<typeof snapshotOf>,
  { ignoresSync = () => false }: ReplayOptions = {},
): ReplayedDisk => {
  const files = new Map<bigint, File>()
  const folders = new Map<string, Folder>()
  const newFolder = (path: string): Folder => {
    const made: Folder = { names: new Map(), pending: [] }
    folders.set(path, made)
    return made
  }
  /** One that was there before the journal begins has its name already. */
  const folderAt = (path: string): Folder => {
    const cached = folders.get(path)
    if (cached) return cached
    const made = newFolder(path)
    if (path !== folder) folderAt(dirname(path)).names.set(path, made)
    return made
  }
  for (const [path, { inode, content }] of before) {
    const file: File = { content: copyOf(content), pending: [] }
    files.set(inode, file)
    folderAt(dirname(path)).names.set(path, file)
  }
  folderAt(folder)

  const fileOf = (change: Change): File => {
    const file = files.get(change.inode)
    if (!file) throw new Error(`${change.path} was written before it was made`)
    return file
  }
  const nameChanges = (path: string, change: NameChange): void => void folderAt(dirname(path)).pending.push(change)
  const flush = (change: Change): void => {
    if (ignoresSync(change.path)) return
    const asFolder = folders.get(change.path)
    if (asFolder) {
      for (const each of asFolder.pending) if (each.at < change.begunAt) rename(asFolder.names, each)
      asFolder.pending = asFolder.pending.filter(({ at }) => at >= change.begunAt)
      return
    }
    const file = files.get(change.inode)
    if (!file) return
    for (const each of file.pending) if (each.at < change.begunAt) file.content = changed(file.content, each)
    file.pending = file.pending.filter(({ at }) => at >= change.begunAt)
  }

  const drop = ({ inode, begunAt }: Change): void => {
    const file = files.get(inode)
    if (file) file.pending = file.pending.filter(({ at }) => at >= begunAt)
  }

  return {
    apply: (change) => {
      const { call, path, other, at } = change
      if (call === 'write' || call === 'truncate') fileOf(change).pending.push(change)
      else if (call === 'sync') flush(change)
      else if (call === 'drop') drop(change)
      else if (call === 'create') {
        const file: File = { content: Buffer.alloc(0), pending: [] }
        files.set(change.inode, file)
        nameChanges(path, { at, put: { name: path, entry: file } })
      } else if (call === 'link') nameChanges(other, { at, put: { name: other, entry: fileOf(change) } })
      else if (call === 'rename') nameChanges(other, { at, remove: path, put: { name: other, entry: fileOf(change) } })
      else if (call === 'unlink') nameChanges(path, { at, remove: path })
      else nameChanges(path, { at, put: { name: path, entry: newFolder(path) } })
    },
    cutTo: (target, fate, random) => {
      rmSync(target, { recursive: true, force: true })
      const share = random()
      const write = (path: string, { names, pending }: Folder): void => {
        const there = new Map(names)
        // File systems write the changes of a folder down in their order.
        const count =
          fate === 'nothing' ? 0 : fate === 'all' ? pending.length : Math.floor(random() * (pending.length + 1))
        for (const each of pending.slice(0, count)) rename(there, each)
        mkdirSync(join(target, relative(folder, path)), { recursive: true, mode: 0o700 })
        for (const [name, entry] of there) {
          if ('names' in entry) write(name, entry)
          else
            writeFileSync(join(target, relative(folder, name)), afterCut(entry, fate, share, random), { mode: 0o600 })
        }
      }
      write(folder, folderAt(folder))
    },
  }
}

const rename = (names: Map<string, File | Folder>, { remove, put }: NameChange): void => {
  if (remove !== undefined) names.delete(remove)
  if (put) names.set(put.name, put.entry)
}

/** It changes the buffer that it is given where that is large enough. */
const changed = (content: Buffer, { call, offset, data }: Pick<Change, 'call' | 'offset' | 'data'>): Buffer => {
  const length = call === 'truncate' ? offset : Math.max(content.length, offset + data.length)
  const next = length === content.length ? content : sized(content, length)
  if (call === 'write') data.copy(next, offset)
  return next
}

/** Files grow by little pieces: there is room behind them, which nobody else has a part of. */
const sized = (content: Buffer, length: number): Buffer => {
  if (length <= content.length) return content.subarray(0, length)
  if (content.buffer.byteLength >= length) return Buffer.from(content.buffer, 0, length).fill(0, content.length)
  const next = Buffer.alloc(Math.ceil(length * 1.5))
  content.copy(next)
  return next.subarray(0, length)
}

/** Small buffers are parts of a larger one that others have parts of too: this never is. */
const copyOf = (content: Buffer): Buffer => {
  const copy = Buffer.alloc(content.length)
  content.copy(copy)
  return copy
}

const sectorBytes = 512

const afterCut = ({ content, pending }: File, fate: Fate, share: number, random: () => number): Buffer => {
  if (fate === 'nothing' || pending.length === 0) return content
  let after = copyOf(content)
  const count = fate === 'in order' ? Math.floor(random() * (pending.length + 1)) : pending.length
  for (const change of pending.slice(0, count)) {
    if (fate === 'all' || fate === 'in order') after = changed(after, change)
    else if (change.call === 'truncate' || fate === 'some writes') {
      if (random() < share) after = changed(after, change)
    } else after = inSectors(after, change, fate, share, random)
  }
  return after
}

const inSectors = (content: Buffer, change: Change, fate: Fate, share: number, random: () => number): Buffer => {
  let after = content
  for (let start = 0; start < change.data.length; start += sectorBytes) {
    const data = change.data.subarray(start, start + sectorBytes)
    const isKept = random() < share
    if (!isKept && fate === 'some sectors') continue
    const written = isKept ? data : Buffer.from(data).fill(Math.floor(random() * 256))
    after = changed(after, { call: 'write', offset: change.offset + start, data: written })
  }
  return after
}
