import { randomFillSync } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that does nothing but take up room, until that is needed. */
export interface DiskReserve {
  /** It gives the room back at once. False: there was none set aside. */
  release(): boolean
  isThere(): boolean
  /** It restores the reserve, where the disk has so much room that nobody misses it. */
  make(): Promise<void>
}

/** A database cannot even be opened with less than this. */
export const emptyBelowBytes = 1024 * 1024

const chunkBytes = 1024 * 1024
/** A small disk is not for the reserve alone. */
const shareOfDisk = 8

const nameOf = (dataDir: string): string => join(dataDir, 'reserve')

/** It returns, in bytes, what is free for us and the whole size. */
export const roomOn = async (folder: string): Promise<{ readonly free: number; readonly total: number }> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

export const openDiskReserve = (dataDir: string, bytesReserved: number): DiskReserve => {
  const file = nameOf(dataDir)
  const isThere = (): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined

  return {
    isThere,
    release: () => {
      const wasThere = isThere()
      for (const each of [file, `${file}.unfinished`]) rmSync(each, { force: true })
      return wasThere
    },
    make: async () => {
      const { free, total } = await roomOn(dataDir)
      const bytes = Math.min(bytesReserved, Math.floor(total / shareOfDisk))
      if (bytesReserved === 0) return rm(file, { force: true })
      if (isThere() || free < 2 * bytes) return
      await fill(`${file}.unfinished`, bytes)
      await rename(`${file}.unfinished`, file)
    },
  }
}

/** Random bytes are written, which no file system compresses: zeros would take up no room on some. */
const fill = async (file: string, bytes: number): Promise<void> => {
  const chunk = randomFillSync(Buffer.alloc(Math.min(chunkBytes, bytes)))
  const handle = await open(file, 'w', 0o600)
  try {
    for (let written = 0; written < bytes; written += chunk.length)
      await handle.write(chunk, 0, Math.min(chunk.length, bytes - written))
    await handle.sync()
    await handle.close()
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    throw error
  }
}
