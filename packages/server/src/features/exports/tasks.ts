import { mkdir } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { ReadDb } from '../../database/database.ts'
import { openUnfinished } from '../../database/unfinished.ts'
import { AppError } from '../../platform/errors.ts'
import type { StoredAt } from '../../platform/objects/objects.ts'
import { defineCleanUp } from '../../tasks/clean-up.ts'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { effectivePermissions, selectUser } from '../users/users.ts'
import { readViewer } from '../viewers/viewers.ts'
import { type Viewer } from '../../catalogue/visibility/visibility.ts'
import { exportFolder, fileNamesIn, keepFile, newFileName, removeFiles } from './files.ts'
import {
  deleteExports,
  type ExportRow,
  lockExport,
  selectExpired,
  selectNamed,
  selectTooMany,
  selectWork,
  updateExport,
} from './queries.ts'
import { accessKeyOf } from './access-key.ts'
import { TooLarge, writeExport, type Written } from './write-export.ts'

type ExportTaskContext = Pick<Context, 'config' | 'settings'>

const hour = 60 * 60 * 1000
const day = 24 * hour

/** It writes what the owner may see by now. Each try writes a file of its own and starts again. */
export const exportCatalogue = defineTask(Type.Object({ exportId: Type.String() }), {
  type: 'export_series',
  priority: 200,
  endsWithinMs: 6 * hour,
  key: ({ exportId }) => exportId,
  run: async ({ exportId }, context, { config, settings }: ExportTaskContext) => {
    const exportRow = await selectWork(context.db.read, exportId)
    if (!exportRow) return { result: { skipped: 'The export is gone.' } }
    const viewer = await viewerOfOwner(context.db.read, exportRow)
    const folder = exportFolder(config)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await using unfinished = await openUnfinished(folder)
    const path = unfinished.in('export')
    const fileName = newFileName(exportRow.format, context.clock())
    await context.write((db) => updateExport(db, exportId, { file_name: fileName, error: null }))
    const bytesMax = settings.get('exports.storage_cap_bytes')
    const startedAt = context.clock()
    const written = await writtenTo({ path, bytesMax }, { exportRow, viewer, context })
    await keepFile(config, path, fileName)
    const keptDays = settings.get('exports.retention_days')
    const gone = await finishExport(exportRow, { fileName, written, viewer, startedAt, keptDays, bytesMax }, context)
    await removeFiles(config, gone)
    return undefined
  },
})

/** The owner's rights are those they have now, not those they had when they asked. */
const viewerOfOwner = async (db: ReadDb, { user_id, sees_paths, hides_reading }: ExportRow): Promise<Viewer> => {
  const user = await selectUser(db, user_id)
  if (!user?.is_active) throw new AppError('not_allowed', 'Whoever asked for this export has no access any more.')
  const seesPaths = sees_paths === 1 && effectivePermissions(user).includes('libraries:write')
  return { ...(await readViewer(db, user_id, seesPaths)), hidesReading: hides_reading === 1 }
}

const writtenTo = async (
  target: { readonly path: string; readonly bytesMax: number },
  {
    exportRow,
    viewer,
    context,
  }: { readonly exportRow: ExportRow; readonly viewer: Viewer; readonly context: TaskContext },
): Promise<Written> => {
  const { db, signal, progress, write } = context
  try {
    return await writeExport(exportRow, viewer, target, { db: db.readSlowly, signal, progress })
  } catch (error) {
    if (error instanceof TooLarge) await write((db) => updateExport(db, exportRow.id, { error: error.message }))
    throw error
  }
}

interface Made {
  readonly fileName: string
  readonly written: Written
  readonly viewer: Viewer
  readonly startedAt: Date
  readonly keptDays: number
  readonly bytesMax: number
}

/** It is finished in the transaction that makes room for it. It returns the files that nobody needs any more. */
const finishExport = async (
  { id }: ExportRow,
  { fileName, written, viewer, startedAt, keptDays, bytesMax }: Made,
  { finish, clock }: TaskContext,
): Promise<readonly string[]> => {
  let gone: readonly string[] = []
  await finish(async (db) => {
    const isKept = (await lockExport(db, id)) !== undefined
    const now = clock()
    if (isKept)
      await updateExport(db, id, {
        sight: accessKeyOf(viewer),
        row_count: written.rows,
        size: written.bytes,
        started_at: startedAt.toISOString(),
        completed_at: now.toISOString(),
        expires_at: new Date(now.getTime() + keptDays * day).toISOString(),
      })
    gone = isKept ? await deleteExports(db, await selectTooMany(db, id, bytesMax - written.bytes)) : [fileName]
    return { result: { rows: written.rows }, items: written.rows, bytes: written.bytes }
  })
  return gone
}

const removedAtOnce = 100

/** It deletes expired exports, and files that belong to nobody: of users who were deleted, or of failed tries. */
export const cleanUpExports = defineCleanUp('cleanup_exports', async (context, now, { config }: ExportTaskContext) => {
  const exports = now ? await removeExpired(context, config, now) : 0
  return { exports, files: await removeOrphans(context, config) }
})

const removeExpired = async ({ db, write, signal }: TaskContext, storedAt: StoredAt, now: Date): Promise<number> => {
  for (let removed = 0; ;) {
    signal.throwIfAborted()
    const ids = await selectExpired(db.read, now.toISOString(), removedAtOnce)
    if (ids.length === 0) return removed
    await removeFiles(storedAt, await write((db) => deleteExports(db, ids)))
    removed += ids.length
  }
}

const removeOrphans = async ({ db, signal }: TaskContext, storedAt: StoredAt): Promise<number> => {
  const names = await fileNamesIn(storedAt)
  let removed = 0
  for (let from = 0; from < names.length; from += removedAtOnce) {
    signal.throwIfAborted()
    const some = names.slice(from, from + removedAtOnce)
    const named = await selectNamed(db.read, some)
    const orphans = some.filter((name) => !named.has(name))
    await removeFiles(storedAt, orphans)
    removed += orphans.length
  }
  return removed
}
