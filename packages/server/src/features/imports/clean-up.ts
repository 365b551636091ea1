import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { deleteUpload, selectStagedBefore, selectUploadIds, updateRun } from './queries.ts'
import { forgetParts } from './read-source.ts'
import { pathOfUpload, uploadFolder } from './uploads.ts'

const day = 24 * 60 * 60 * 1000
const suffix = '.upload'

const stagedMs = 30 * day

/**
 * Uploads that nothing has come to for a day, and files that belong to none; and what was read long ago. An import that was
 * applied can be taken back all the same.
 */
export const cleanUpImports = defineCleanUp(
  'cleanup_imports',
  async (context, now, { config: { dataDir } }: Pick<Context, 'config'>) => {
    const { db, write } = context
    const staged = now ? await selectStagedBefore(db.read, new Date(now.getTime() - stagedMs).toISOString()) : []
    for (const id of staged) {
      await forgetParts(id, context)
      await write((db) => updateRun(db, id, { secret: null }))
    }
    const old = now ? await selectUploadIds(db.read, new Date(now.getTime() - day).toISOString()) : []
    for (const id of old) {
      await write((db) => deleteUpload(db, id))
      await rm(pathOfUpload(dataDir, id), { force: true })
    }
    const kept = new Set(await selectUploadIds(db.read))
    const names = await namesIn(uploadFolder(dataDir))
    const orphans = names.filter((name) => name.endsWith(suffix) && !kept.has(name.slice(0, -suffix.length)))
    for (const name of orphans) await rm(join(uploadFolder(dataDir), name), { force: true })
    return { imports: staged.length, uploads: old.length, files: orphans.length }
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
