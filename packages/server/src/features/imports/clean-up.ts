import type { Context } from '../../context.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { deleteUpload, selectStagedBefore, selectUploadIds, updateRun } from './queries.ts'
import { forgetParts } from './read-source.ts'
import { uploadParts } from './upload-parts.ts'
import { removeParts } from './uploads.ts'

const day = 24 * 60 * 60 * 1000

const stagedMs = 30 * day

/**
 * Uploads that nothing has come to for a day, and files that belong to none; and what was read long ago. An import that was
 * applied can be taken back all the same.
 */
export const cleanUpImports = defineCleanUp(
  'cleanup_imports',
  async (context, now, { config }: Pick<Context, 'config'>) => {
    const { db, write } = context
    const staged = now ? await selectStagedBefore(db.read, new Date(now.getTime() - stagedMs).toISOString()) : []
    for (const id of staged) {
      await forgetParts(id, context)
      await write((db) => updateRun(db, id, { secret: null }))
    }
    const old = now ? await selectUploadIds(db.read, new Date(now.getTime() - day).toISOString()) : []
    for (const id of old) {
      await write((db) => deleteUpload(db, id))
      await removeParts(config, id)
    }
    const uploadIds = new Set(await selectUploadIds(db.read))
    const parts = uploadParts(config)
    const orphans = (await parts.ids()).filter((id) => !uploadIds.has(id))
    for (const id of orphans) await parts.remove(id)
    return { imports: staged.length, uploads: old.length, files: orphans.length }
  },
)
