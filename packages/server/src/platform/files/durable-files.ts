import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The present state of the file or folder survives a power cut after this. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** It gives a finished file its name, at once and for good. It fails when there is such a file. */
export const putInPlace = async (unfinished: string, target: string): Promise<void> => {
  await syncPath(unfinished)
  try {
    await link(unfinished, target)
    await rm(unfinished)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Not every file system supports hard links.
    await rename(unfinished, target)
  }
  await syncPath(dirname(target))
}
