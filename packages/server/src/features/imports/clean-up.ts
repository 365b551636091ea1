import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { deleteUpload, selectUploadIds } from './queries.ts'
import { pathOfUpload, uploadFolder } from './uploads.ts'

const day = 24 * 60 * 60 * 1000
const suffix = '.upload'

/** Uploads that nothing has come to for a day, and files that belong to none. */
export const cleanUpUploads = defineCleanUp(
  'cleanup_imports',
  async ({ db, write }, now, { config: { dataDir } }: Pick<Context, 'config'>) => {
    const old = now ? await selectUploadIds(db.read, new Date(now.getTime() - day).toISOString()) : []
    for (const id of old) {
      await write((db) => deleteUpload(db, id))
      await rm(pathOfUpload(dataDir, id), { force: true })
    }
    const kept = new Set(await selectUploadIds(db.read))
    const names = await namesIn(uploadFolder(dataDir))
    const orphans = names.filter((name) => name.endsWith(suffix) && !kept.has(name.slice(0, -suffix.length)))
    for (const name of orphans) await rm(join(uploadFolder(dataDir), name), { force: true })
    return { uploads: old.length, files: orphans.length }
  },
)

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
