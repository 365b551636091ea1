import { close, constants, fstat, open, read, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { AppError } from '../errors.ts'
import { pathForSystem } from '../files/file-names.ts'
import { away, type RunLimited } from './root-limiter.ts'

const openAsync = promisify(open)
const closeAsync = promisify(close)
const fstatAsync = promisify(fstat)
const readAsync = promisify(read)

/** A file of a library as the database knows it: one that is another by now is not read by what was known of it. */
export interface ExpectedFile {
  readonly rootId: string
  readonly path: string
  readonly root: {
    readonly path: string
    /** The last scan found another disk in its place, or nothing. */
    readonly isAway: boolean
  }
  readonly size: number
  readonly modifiedUs: number
}

export interface HeldFile {
  /** It reads all of these bytes, or fails; then `into` may still be written to. */
  read(from: number, length: number, into?: Buffer): Promise<Buffer>
  /** It returns whether the file is still the one that was opened. */
  isUnchanged(): Promise<boolean>
  release(): void
}

/** The server reads files of libraries through this, each step within the limiter of its root (pins W14). */
export interface LibraryReads {
  /** It opens it, or takes one that is open already. */
  hold(file: ExpectedFile): Promise<HeldFile>
  /** A file of which nothing is known but where it lies. */
  readWhole(rootId: string, path: string, bytesMax: number): Promise<Buffer>
  /** It fails when the storage does not answer: before it is left to processes that would hang. */
  probe(rootId: string, path: string): Promise<void>
  close(): Promise<void>
}

const openMax = 256
const idleMs = 30_000
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface OpenFile {
  readonly fd: number
  readonly file: ExpectedFile
  holders: number
  usedAt: number
  isLetGo: boolean
  isClosed: boolean
}

export const libraryReads = (runLimited: RunLimited): LibraryReads => {
  const { find, letGo, closeUnheld, closeAll } = openFiles(runLimited)

  const readExactly = async (each: OpenFile, from: number, buffer: Buffer): Promise<Buffer> => {
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await runLimited(each.file.rootId, () =>
        readAsync(each.fd, buffer, filled, buffer.length - filled, from + filled),
      )
      if (bytesRead === 0) throw new FileChanged()
      filled += bytesRead
    }
    return buffer
  }

  return {
    hold: async (file) => {
      const each = await find(file)
      let isHeld = true
      return {
        read: (from, length, into = Buffer.allocUnsafe(length)) => readExactly(each, from, into),
        isUnchanged: async () => {
          const stats = await runLimited(file.rootId, () => fstatAsync(each.fd))
          const isAsKnown = isAs(stats, file)
          if (!isAsKnown) letGo(each)
          return isAsKnown
        },
        release: () => {
          if (!isHeld) return
          isHeld = false
          each.holders -= 1
          each.usedAt = performance.now()
          closeUnheld(each)
        },
      }
    },
    readWhole: (rootId, path, bytesMax) => runLimited(rootId, () => readSmall(path, bytesMax)).catch(asAppError),
    probe: (rootId, path) => runLimited(rootId, () => openAndClose(path)).catch(asAppError),
    close: async () => closeAll(),
  }
}

/** It returns whether the storage of a root answers: tasks check that before they have anything read from it. */
export const answers = (runLimited: RunLimited, rootPath: string): Promise<boolean> =>
  rootPath === ''
    ? Promise.resolve(false)
    : runLimited(rootPath, () => openAndClose(rootPath)).then(
        () => true,
        () => false,
      )

/** It returns whether reading there would wait without end. Storage that is broken or missing fails at once. */
export const hangs = (runLimited: RunLimited, rootPath: string): Promise<boolean> =>
  runLimited(rootPath, () => openAndClose(rootPath)).then(
    () => false,
    (error: unknown) => error instanceof AppError && error.cause === undefined,
  )

/** The type of a path is often known without asking the storage; opening it asks. */
const openAndClose = async (path: string): Promise<void> => {
  await closeAsync(await openAsync(pathForSystem(path), flags))
}

/** Files that are read again and again stay open for a while, so many and no more. */
const openFiles = (runLimited: RunLimited) => {
  const files = new Map<string, OpenFile>()
  const opening = new Map<string, Promise<OpenFile>>()

  const letGo = (each: OpenFile): void => {
    const key = keyOf(each.file)
    if (files.get(key) === each) files.delete(key)
    each.isLetGo = true
    closeUnheld(each)
  }
  const closeUnheld = (each: OpenFile): void => {
    if (!each.isLetGo || each.holders > 0 || each.isClosed) return
    each.isClosed = true
    // The call bypasses the limiter: it may be shut, and nobody waits for this.
    void closeAsync(each.fd).catch(() => undefined)
  }
  const keep = (each: OpenFile): void => {
    files.delete(keyOf(each.file))
    files.set(keyOf(each.file), each)
    for (const oldest of files.values()) {
      if (files.size <= openMax) return
      letGo(oldest)
    }
  }
  const openNow = async (file: ExpectedFile): Promise<OpenFile> => {
    const fd = await openChecked(runLimited, file)
    return { fd, file, holders: 0, usedAt: performance.now(), isLetGo: false, isClosed: false }
  }
  const openOnce = (file: ExpectedFile): Promise<OpenFile> => {
    const key = `${keyOf(file)} ${file.size} ${file.modifiedUs}`
    const under = opening.get(key) ?? openNow(file).finally(() => opening.delete(key))
    opening.set(key, under)
    return under
  }

  const sweep = setInterval(() => {
    const before = performance.now() - idleMs
    for (const each of files.values()) if (each.usedAt < before && each.holders === 0) letGo(each)
  }, idleMs)
  sweep.unref()

  return {
    letGo,
    closeUnheld,
    /** One more caller now holds the file. */
    find: async (file: ExpectedFile): Promise<OpenFile> => {
      const openFile = files.get(keyOf(file))
      const isKnown = openFile !== undefined && isSame(openFile.file, file)
      if (openFile && !isKnown) letGo(openFile)
      const each = openFile && isKnown ? openFile : await openOnce(file)
      each.holders += 1
      keep(each)
      return each
    },
    closeAll: (): void => {
      clearInterval(sweep)
      for (const each of files.values()) letGo(each)
    },
  }
}

const keyOf = ({ rootId, path }: ExpectedFile): string => `${rootId} ${path}`

/** A file that opens when nobody waits for it any more is closed again. */
const openChecked = async (runLimited: RunLimited, file: ExpectedFile): Promise<number> => {
  let isAbandoned = false
  try {
    return await runLimited(file.rootId, async () => {
      const fd = await openAsync(pathForSystem(file.path), flags)
      const isAsKnown = !isAbandoned && isAs(await fstatAsync(fd), file)
      if (!isAbandoned && isAsKnown) return fd
      await closeAsync(fd)
      throw new FileChanged()
    })
  } catch (error) {
    isAbandoned = true
    if (isMissing(error) && (await isAway(runLimited, file))) throw away({ cause: error })
    throw asAppError(error)
  }
}

/** A disk that is not there takes all its files with it: none of them was deleted. */
const isAway = async (runLimited: RunLimited, { root }: ExpectedFile): Promise<boolean> =>
  root.isAway || !(await answers(runLimited, root.path))

const readSmall = async (path: string, bytesMax: number): Promise<Buffer> => {
  const fd = await openAsync(pathForSystem(path), flags)
  try {
    const stats = await fstatAsync(fd)
    if (!stats.isFile() || stats.size > bytesMax) throw new FileChanged()
    const buffer = Buffer.allocUnsafe(stats.size)
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, filled)
      if (bytesRead === 0) throw new FileChanged()
      filled += bytesRead
    }
    return buffer
  } finally {
    await closeAsync(fd)
  }
}

const isSame = (one: ExpectedFile, other: ExpectedFile): boolean =>
  one.size === other.size && one.modifiedUs === other.modifiedUs

const isAs = (stats: Stats, { size, modifiedUs }: ExpectedFile): boolean =>
  stats.isFile() && stats.size === size && Math.round(stats.mtimeMs * 1000) === modifiedUs

/** It is not the file any more that was known: a scan must see it first. */
export class FileChanged extends AppError {
  constructor() {
    super('unavailable', 'The file has just changed and is being looked at. Try again in a moment.', {
      retryAfterSeconds: 5,
    })
  }
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')

const asAppError = (error: unknown): never => {
  if (error instanceof AppError) throw error
  const { code = '' } = error as NodeJS.ErrnoException
  if (isMissing(error)) throw new AppError('not_found', 'The file is not where it was.', { cause: error })
  if (code === 'EACCES' || code === 'EPERM')
    throw new AppError('library_unavailable', 'The file may not be read. Its rights need a look.', { cause: error })
  throw error
}
