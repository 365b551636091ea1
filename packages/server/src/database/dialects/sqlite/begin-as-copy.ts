import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, link, open, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { newId } from '../../../platform/ids.ts'

/** What the migrations make of nothing; the build writes it beside the bundle. */
const emptyDatabase = fileURLToPath(new URL('./empty.db', import.meta.url))

/**
 * A new database begins as a copy: to run all migrations takes a fifth of a first start. Whatever goes wrong here, the
 * migrations make the database as they do from the sources.
 */
export const beginAsCopy = async (file: string): Promise<void> => {
  if (existsSync(file) || !existsSync(emptyDatabase)) return
  const unfinished = `${file}.${newId()}`
  try {
    await copyFile(emptyDatabase, unfinished, constants.COPYFILE_EXCL)
    await chmod(unfinished, 0o600)
    await flush(unfinished)
    // It fails where somebody else has made the file meanwhile.
    await link(unfinished, file)
  } catch {
    return
  } finally {
    await rm(unfinished, { force: true })
  }
}

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
