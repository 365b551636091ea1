import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Some file systems flush no folders by themselves, and say so. */
const notOffered = ['EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** The present state of the file or folder survives a power cut after this. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!notOffered.includes(String((error as NodeJS.ErrnoException).code))) throw error
  } finally {
    await handle.close()
  }
}

/** The same for a folder with all that is in it. */
export const syncTree = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name))
  await syncPath(folder)
}

/** A file below `root` keeps its name in a power cut, with the folders between, whoever has made those. */
export const syncNames = async (path: string, root: string): Promise<void> => {
  const end = resolve(root)
  for (let folder = dirname(resolve(path)); folder.length >= end.length; folder = dirname(folder)) {
    await syncPath(folder)
    if (folder === end) return
  }
}

/** It makes a folder and those above it that are missing: all of them have their names after a power cut. */
export const makeLastingFolder = async (path: string): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncPath(dirname(made))
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
