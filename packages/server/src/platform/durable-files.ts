import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What the file or folder is by now survives a power cut. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Gives a finished file its name, at once and for good. Fails when there is such a file. */
export const putInPlace = async (unfinished: string, target: string): Promise<void> => {
  await syncPath(unfinished)
  try {
    await link(unfinished, target)
    await rm(unfinished)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // Not every file system has a second name for a file.
    await rename(unfinished, target)
  }
  await syncPath(dirname(target))
}
