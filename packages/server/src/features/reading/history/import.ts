import type { ReadingImport } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { entriesIn, textFrom } from './entries.ts'
import {
  deleteOldImports,
  deleteParts,
  type ImportRow,
  insertImport,
  insertPart,
  selectImport,
  selectUnfinished,
  updateImport,
} from './queries.ts'
import { emptyReport, type Report, takeInEntries } from './take-in.ts'
import { importHistory } from './tasks.ts'

/** Larger ones are read and taken in by the worker. */
const atOnceBytes = 128 * 1024
const partBytes = 512 * 1024
const importsKept = 20
/** A history that is brought in: a small one at once, a large one by a task. */
export const takeInHistory = async (
  db: Database,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
  bytes: Uint8Array,
): Promise<ReadingImport> => {
  const isSmall = bytes.byteLength <= atOnceBytes
  const text = isSmall ? textFrom(bytes) : undefined
  const entries = text === undefined ? [] : entriesIn(text)
  if (bytes.byteLength === 0) throw invalid('/', 'There is nothing in it.', { reason: 'no_list' })
  const row = await begin(db, viewer.userId, entries.length, now)
  try {
    if (text === undefined) await leaveToTask(db, row, bytes, now)
    else await takeInEntries({ db, write: db.write, now }, { viewer, row, entries })
  } catch (error) {
    await db.write(async (db) => {
      await deleteParts(db, row.id)
      await updateImport(db, row.id, { completed_at: now.toISOString() })
    })
    throw error
  }
  return readImport(db.read, viewer.userId, row.id)
}

const leaveToTask = async (db: Database, row: ImportRow, bytes: Uint8Array, now: Date): Promise<void> => {
  for (const [index, entries] of partsOf(bytes).entries())
    await db.write((db) => insertPart(db, { import_id: row.id, place: index, entries }))
  await db.write(async (db) => {
    const { taskId } = await enqueue(db, importHistory, { importId: row.id }, { now })
    await updateImport(db, row.id, { task_id: taskId })
  })
}

const begin = (db: Database, userId: string, total: number, now: Date): Promise<ImportRow> =>
  db.write(async (db) => {
    await lockUser(db, userId)
    if (await selectUnfinished(db, userId, now))
      throw new AppError('conflict', 'Another history is being brought in. Wait until that is done.', {
        reason: 'running_already',
      })
    const row: ImportRow = {
      id: newId(now.getTime()),
      user_id: userId,
      created_at: now.toISOString(),
      completed_at: null,
      task_id: null,
      total,
      report: JSON.stringify(emptyReport),
      done: 0,
    }
    await insertImport(db, row)
    await deleteOldImports(db, userId, importsKept)
    return row
  })

/** The text is cut between characters. */
const partsOf = (bytes: Uint8Array): string[] => {
  // A file that is no text is refused before anything is stored.
  textFrom(bytes)
  const parts: string[] = []
  const isInside = (position: number): boolean => ((bytes[position] ?? 0) & 0xc0) === 0x80
  for (let from = 0; from < bytes.byteLength;) {
    let to = Math.min(bytes.byteLength, from + partBytes)
    while (to < bytes.byteLength && isInside(to)) to -= 1
    parts.push(Buffer.from(bytes.subarray(from, to)).toString('utf8'))
    from = to
  }
  return parts
}

export const readImport = async (db: ReadDb, userId: string, id: string): Promise<ReadingImport> => {
  const row = await selectImport(db, id)
  if (row?.user_id !== userId) throw notFound('import')
  return {
    id: row.id,
    taskId: row.task_id,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    entries: row.total,
    ...(JSON.parse(row.report) as Report),
  }
}
