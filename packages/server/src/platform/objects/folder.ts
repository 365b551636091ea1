import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeLastingFolder, putInPlace, syncNames } from '../files/durable-files.ts'
import { newId } from '../ids.ts'
import type { ObjectStore, PutOptions, StoredObject } from './store.ts'

/** Objects as files below a folder, their keys being their paths. */
export const folderStore = (root: string): ObjectStore => {
  const pathOf = (key: string): string => join(root, key)
  return {
    put: async (key, bytes, { isLasting } = { isLasting: true }) => {
      const path = pathOf(key)
      // It may last for somebody else: then it is left as it is, or what takes its place lasts as well.
      const present = isLasting ? undefined : await readFile(path).catch(() => undefined)
      if (present?.equals(bytes)) return touch(path)
      const options = { isLasting: isLasting || present !== undefined }
      await writeWhole(path, bytes, options).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeWhole(path, bytes, options)
      })
      if (options.isLasting) await syncNames(path, root)
    },
    putFile: async (key, path) => {
      await makeLastingFolder(dirname(pathOf(key)))
      await putInPlace(path, pathOf(key))
    },
    // A picture that cannot be read is made again, as one that is not there.
    get: (key) => readFile(pathOf(key)).catch(() => undefined),
    open: async (key) => {
      const path = pathOf(key)
      const handle = await open(path, 'r').catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      })
      if (!handle) return undefined
      const { size } = await handle.stat()
      return {
        size,
        read: (from, to) => createReadStream(path, { fd: handle, autoClose: false, start: from, end: to - 1 }),
        close: () => void handle.close(),
      }
    },
    list: (folder) => filesIn(root, folder),
    remove: async (keys) => {
      for (const key of keys) await rm(pathOf(key), { force: true })
    },
  }
}

/** Whoever sweeps up what is old and belongs to nobody sees that it has just been put. */
const touch = async (path: string): Promise<void> => {
  const now = new Date()
  await utimes(path, now, now)
}

const writeWhole = async (path: string, bytes: Uint8Array, { isLasting }: PutOptions): Promise<void> => {
  const unfinished = `${path}.${newId()}`
  try {
    await writeFile(unfinished, bytes, { mode: 0o600, flush: isLasting })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function* filesIn(root: string, folder: string): AsyncGenerator<StoredObject> {
  for (const entry of await entriesOf(join(root, folder))) {
    const key = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* filesIn(root, key)
    else if (entry.isFile()) {
      // It may have gone since the folder was read.
      const stats = await stat(join(root, key)).catch(() => undefined)
      if (stats) yield { key, size: stats.size, changedAt: stats.mtime }
    }
  }
}

const entriesOf = async (path: string) => {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
