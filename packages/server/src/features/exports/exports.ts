import {
  type BookExportField,
  type CreateSeriesExportRequest,
  type Permission,
  type SeriesExportDto,
  type SeriesExportField,
} from '@carrel/api'
import type { Context } from '../../context.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { requireCondition } from '../../filtering/filtering.ts'
import type { Caller } from '../../http/caller.ts'
import { AppError, full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Download } from '../../platform/media.ts'
import { cancelTask, enqueue } from '../../tasks/queue.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { bookCatalogue, type Field, seriesCatalogue, withAnchor } from './catalogue.ts'
import { selectLibraryIds } from './content/queries.ts'
import { openExport, removeFiles } from './files.ts'
import { mediaTypes } from './formats.ts'
import {
  countUnderWay,
  deleteExports,
  insertExport,
  selectEnded,
  selectExport,
  selectExports,
  type ShownExport,
  toExport,
} from './queries.ts'
import { accessKeyOf } from './access-key.ts'
import { exportCatalogue } from './tasks.ts'

export { exportCatalogueOf } from './catalogue.ts'
export { isExportKey } from './files.ts'

/** It is the caller, with what their credentials permit. */
export interface Asker {
  readonly caller: Caller
  readonly viewer: Viewer
}

type ExportContext = Pick<Context, 'db' | 'config' | 'settings' | 'clock'>

const day = 24 * 60 * 60 * 1000
/** The list holds stored exports and running ones, whatever the settings were when they were started. */
const listedMax = 1000

export const listExports = async (db: ReadDb, { userId }: Viewer): Promise<{ exports: SeriesExportDto[] }> => ({
  exports: (await selectExports(db, userId, listedMax)).map(toExport),
})

/** Only the owner finds the export. */
const requireExport = async (db: ReadDb, { userId }: Viewer, id: string): Promise<ShownExport> => {
  const row = await selectExport(db, userId, id)
  if (!row) throw notFound('export')
  return row
}

export const readExport = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesExportDto> =>
  toExport(await requireExport(db, viewer, id))

/** It is written by a worker; what of it this user sees is decided there and then. */
export const startExport = async (
  { db, config, settings, clock }: ExportContext,
  { caller, viewer }: Asker,
  body: CreateSeriesExportRequest,
): Promise<SeriesExportDto> => {
  const columns = columnsOf(body)
  requireAllowed(caller, columns)
  await requireLibraries(db.read, viewer, body.libraryIds)
  const now = clock()
  const id = newId(now.getTime())
  const { userId } = viewer
  const keptMax = settings.get('exports.max_per_user')
  const underWayMax = settings.get('exports.max_concurrent_per_user')
  const keptMs = settings.get('exports.retention_days') * day
  const [made, gone] = await db.write(async (db) => {
    await lockUser(db, userId)
    const underWay = await countUnderWay(db, userId)
    if (underWay >= underWayMax)
      throw full(underWayMax, `You have ${underWayMax} exports under way. Wait for one, or remove it.`)
    const removed = await removeOldest(db, userId, keptMax - underWay - 1)
    const { taskId } = await enqueue(db, exportCatalogue, { exportId: id }, { now })
    await insertExport(db, {
      id,
      user_id: userId,
      ...storedColumns(columns, body),
      sees_paths: viewer.seesPaths ? 1 : 0,
      hides_reading: viewer.hidesReading ? 1 : 0,
      task_id: taskId,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + keptMs).toISOString(),
    })
    return [await readExport(db, viewer, id), removed] as const
  })
  await removeFiles(config, gone)
  return made
}

/** It removes exports that have ended, until only `left` remain, and returns the names of their files. */
const removeOldest = async (db: WriteDb, userId: string, left: number): Promise<string[]> => {
  const ended = await selectEnded(db, userId)
  return deleteExports(db, ended.slice(0, Math.max(0, ended.length - Math.max(0, left))))
}

interface Columns {
  readonly type: NonNullable<CreateSeriesExportRequest['exportType']>
  readonly fields: readonly SeriesExportField[]
  readonly bookFields: readonly BookExportField[]
}

const columnsOf = ({
  format,
  exportType: type = 'series',
  fields = [],
  bookFields = [],
  condition,
  bookCondition,
}: CreateSeriesExportRequest): Columns => {
  if (format === 'csv' && type === 'both')
    throw invalid('/format', 'Series and books do not go into one table: take json or md, or two exports.')
  const [hasSeries, hasBooks] = [type !== 'books', type !== 'series']
  if (!hasSeries && (fields.length > 0 || condition !== undefined))
    throw invalid(fields.length > 0 ? '/fields' : '/condition', 'There are no series in an export of books.')
  if (!hasBooks && (bookFields.length > 0 || bookCondition !== undefined))
    throw invalid(
      bookFields.length > 0 ? '/bookFields' : '/bookCondition',
      'There are no books in an export of series.',
    )
  if (condition !== undefined) requireCondition('series', condition, '/condition')
  if (bookCondition !== undefined) requireCondition('books', bookCondition, '/bookCondition')
  return {
    type,
    fields: hasSeries ? withAnchor(seriesCatalogue, fields) : [],
    bookFields: hasBooks ? withAnchor(bookCatalogue, bookFields) : [],
  }
}

const storedColumns = (
  { type, fields, bookFields }: Columns,
  { format, libraryIds, condition, bookCondition }: CreateSeriesExportRequest,
) => ({
  export_type: type,
  format,
  fields: JSON.stringify(fields),
  book_fields: JSON.stringify(bookFields),
  library_ids: libraryIds === undefined ? null : JSON.stringify(libraryIds.map((id) => id.toLowerCase())),
  condition: condition === undefined ? null : JSON.stringify(condition),
  book_condition: bookCondition === undefined ? null : JSON.stringify(bookCondition),
})

const ownReading: Permission = 'progress:read'

/** A key with fewer rights than its owner must not get more through an export than it could read by itself. */
const requireAllowed = ({ permissions }: Caller, { type, fields, bookFields }: Columns): void => {
  const needsOf = (chosen: readonly Pick<Field<never>, 'needs' | 'userSpecific'>[]): Permission[] =>
    chosen.flatMap(({ needs, userSpecific }) => [...(needs ? [needs] : []), ...(userSpecific ? [ownReading] : [])])
  const needed: Permission[] = [
    ...(type === 'series' ? [] : ['books:read' as const]),
    ...needsOf(fields.map((key) => seriesCatalogue[key])),
    ...needsOf(bookFields.map((key) => bookCatalogue[key])),
  ]
  const missing = needed.find((permission) => !permissions.has(permission))
  if (missing !== undefined)
    throw new AppError('not_allowed', `This needs the permission ${missing}.`, {
      reason: 'permission_missing',
      values: { permission: missing },
    })
}

const requireLibraries = async (
  db: ReadDb,
  viewer: Viewer,
  libraryIds: readonly string[] | undefined,
): Promise<void> => {
  if (libraryIds === undefined) return
  const seen = new Set(
    await selectLibraryIds(
      db,
      viewer,
      libraryIds.map((id) => id.toLowerCase()),
    ),
  )
  const missing = libraryIds.findIndex((id) => !seen.has(id.toLowerCase()))
  if (missing >= 0) throw invalid(`/libraryIds/${missing}`, `There is no library ${libraryIds[missing]}.`)
}

/** One under way is called off. */
export const removeExport = async (
  { db, config, clock }: ExportContext,
  viewer: Viewer,
  id: string,
): Promise<undefined> => {
  const gone = await db.write(async (db) => {
    const { task_id, task_status } = await requireExport(db, viewer, id)
    if (task_id !== null && (task_status === 'pending' || task_status === 'processing'))
      await cancelTask(db, task_id, clock())
    return deleteExports(db, [id])
  })
  await removeFiles(config, gone)
  return undefined
}

export const downloadExport = async (
  { db, config }: ExportContext,
  { caller, viewer }: Asker,
  id: string,
): Promise<Download> => {
  const row = await requireExport(db.read, viewer, id)
  const { file_name, completed_at, sight, created_at, export_type, format } = row
  requireAllowed(caller, {
    type: export_type,
    fields: JSON.parse(row.fields) as SeriesExportField[],
    bookFields: JSON.parse(row.book_fields) as BookExportField[],
  })
  if (completed_at === null || file_name === null)
    throw new AppError('conflict', `This export is ${toExport(row).status}: there is no file yet.`, {
      reason: 'not_running',
    })
  // The export was made for a viewer with fewer rights, so it holds nothing that this viewer may not see.
  const viewerThen = {
    ...viewer,
    seesPaths: viewer.seesPaths && row.sees_paths === 1,
    hidesReading: viewer.hidesReading === true || row.hides_reading === 1,
  }
  if (sight !== accessKeyOf(viewerThen))
    throw new AppError('conflict', 'What you may see has changed since this was made. Ask for a new one.')
  return openExport(config, file_name, {
    etag: file_name,
    modifiedAt: new Date(completed_at),
    mediaType: mediaTypes[format],
    fileName: `carrel-${export_type === 'both' ? 'series-and-books' : export_type}-${created_at.slice(0, 10)}.${format}`,
  })
}
