import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { dialectOf } from '../../database/transaction.ts'
import type { Paging } from '../../platform/paging.ts'
import type { ImportTables } from './table.ts'

export type RunRow = Selectable<ImportTables['import_run']>

/** Each import comes with the state of its task. */
const runs = (db: ReadDb) =>
  db
    .selectFrom('import_run')
    .leftJoin('task', 'task.id', 'import_run.task_id')
    .selectAll('import_run')
    .select(['task.status as task_status', 'task.progress as task_progress', 'task.last_error as task_error'])

export type ShownRun = Awaited<ReturnType<ReturnType<typeof runs>['executeTakeFirstOrThrow']>>

export const selectRuns = (db: ReadDb, { limit, offset }: Paging): Promise<ShownRun[]> =>
  runs(db).orderBy('import_run.id', 'desc').limit(limit).offset(offset).execute()

export const countRuns = async (db: ReadDb): Promise<number> => {
  const { count } = await db
    .selectFrom('import_run')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectShownRun = (db: ReadDb, id: string): Promise<ShownRun | undefined> =>
  runs(db).where('import_run.id', '=', id).executeTakeFirst()

export const selectRun = (db: ReadDb, id: string): Promise<RunRow | undefined> =>
  db.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirst()

/** The key that was given for the same source the last time, encrypted. */
export const selectKeyFor = async (db: ReadDb, kind: RunRow['kind'], source: string): Promise<string | null> => {
  const row = await db
    .selectFrom('import_run')
    .select('secret')
    .where('kind', '=', kind)
    .where('source', '=', source)
    .where('secret', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.secret ?? null
}

export const selectBusyRun = (db: ReadDb): Promise<ShownRun | undefined> =>
  runs(db).where('import_run.busy', '=', 1).executeTakeFirst()

/** Nobody else changes it until the transaction ends. */
export const lockRun = (db: WriteDb, id: string): Promise<RunRow | undefined> =>
  db
    .selectFrom('import_run')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(dialectOf(db).lockedRows('import_run'))
    .executeTakeFirst()

export const insertRun = async (db: WriteDb, row: Insertable<ImportTables['import_run']>): Promise<boolean> => {
  const inserted = await db
    .insertInto('import_run')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.length > 0
}

export const updateRun = async (
  db: WriteDb,
  id: string,
  changes: Updateable<ImportTables['import_run']>,
): Promise<void> => {
  await db.updateTable('import_run').set(changes).where('id', '=', id).execute()
}

export const deleteRun = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('import_run').where('id', '=', id).execute()
}

/** Runs that nothing can be done with any more, but the newest. */
export const selectOldRuns = async (db: ReadDb, maxRows: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('import_run')
    .select('id')
    .where('state', 'in', ['ready', 'failed', 'undone'])
    .where('busy', 'is', null)
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(maxRows)
    .execute()
  return rows.map(({ id }) => id)
}

// Records

export const insertParts = (db: WriteDb, rows: readonly Insertable<ImportTables['import_part']>[]): Promise<void> =>
  insertMany(db, 'import_part', rows)

/** The next row of records of a type; a reader holds one at a time. */
export const selectPart = (db: ReadDb, importId: string, type: string, from: number) =>
  db
    .selectFrom('import_part')
    .select(['place', 'records'])
    .where('import_id', '=', importId)
    .where('type', '=', type)
    .where('place', '>=', from)
    .orderBy('place')
    .limit(1)
    .executeTakeFirst()

export const countParts = async (db: ReadDb, importId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom('import_part')
    .select(['type', ({ fn }) => fn.countAll<number>().as('count')])
    .where('import_id', '=', importId)
    .groupBy('type')
    .execute()
  return new Map(rows.map(({ type, count }) => [type, count]))
}

export const hasParts = async (db: ReadDb, importId: string): Promise<boolean> =>
  (await db.selectFrom('import_part').select('place').where('import_id', '=', importId).limit(1).executeTakeFirst()) !==
  undefined

/** Imports of which records are still kept, though nobody has asked for anything since. */
export const selectStagedBefore = async (db: ReadDb, before: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('import_run')
    .select('id')
    .where('busy', 'is', null)
    .where('created_at', '<', before)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('import_part').select('place').whereRef('import_part.import_id', '=', 'import_run.id')),
    )
    .execute()
  return rows.map(({ id }) => id)
}

export const deletePartsOf = async (db: WriteDb, importId: string, type: string): Promise<void> => {
  await db.deleteFrom('import_part').where('import_id', '=', importId).where('type', '=', type).execute()
}

/** A few at a time: others wait for the one who deletes. It returns whether there may be more. */
export const deleteSomeParts = async (db: WriteDb, importId: string, limit: number): Promise<boolean> => {
  const some = await db
    .selectFrom('import_part')
    .select(['type', 'place'])
    .where('import_id', '=', importId)
    .limit(limit)
    .execute()
  for (const { type, place } of some)
    await db
      .deleteFrom('import_part')
      .where('import_id', '=', importId)
      .where('type', '=', type)
      .where('place', '=', place)
      .execute()
  return some.length === limit
}

// What was done

export const insertEffect = async (
  db: WriteDb,
  importId: string,
  { step, done }: { readonly step: string; readonly done: unknown },
): Promise<void> => {
  const { last } = await db
    .selectFrom('import_effect')
    .select(({ fn }) => fn.max('place').as('last'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('import_effect')
    .values({ import_id: importId, place: (last ?? 0) + 1, step, done: JSON.stringify(done) })
    .execute()
}

export const selectLastEffect = (db: ReadDb, importId: string) =>
  db
    .selectFrom('import_effect')
    .select(['place', 'step', 'done'])
    .where('import_id', '=', importId)
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()

export const countEffects = async (db: ReadDb, importId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('import_effect')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteEffect = async (db: WriteDb, importId: string, place: number): Promise<void> => {
  await db.deleteFrom('import_effect').where('import_id', '=', importId).where('place', '=', place).execute()
}

// What was brought

type LinkRow = Selectable<ImportTables['import_link']>

export const selectLinks = async (
  db: ReadDb,
  kind: LinkRow['kind'],
  keys: readonly string[],
): Promise<ReadonlyMap<string, Pick<LinkRow, 'ours' | 'held'>>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('import_link')
    .select(['key', 'ours', 'held'])
    .where('kind', '=', kind)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, ...link }) => [key, link]))
}

export const insertLinks = (db: WriteDb, rows: readonly LinkRow[]): Promise<void> => insertMany(db, 'import_link', rows)

export const setHeld = async (db: WriteDb, kind: LinkRow['kind'], key: string, held: string | null): Promise<void> => {
  await db.updateTable('import_link').set({ held }).where('kind', '=', kind).where('key', '=', key).execute()
}

export const deleteLinks = async (db: WriteDb, kind: LinkRow['kind'], keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  await db.deleteFrom('import_link').where('kind', '=', kind).where('key', 'in', keys).execute()
}

// Uploads

export type UploadRow = Selectable<ImportTables['import_upload']>

export const insertUpload = async (db: WriteDb, row: UploadRow): Promise<void> => {
  await db.insertInto('import_upload').values(row).execute()
}

export const selectUpload = (db: ReadDb, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('import_upload').selectAll().where('id', '=', id).executeTakeFirst()

export const lockUpload = (db: WriteDb, id: string): Promise<UploadRow | undefined> =>
  db
    .selectFrom('import_upload')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(dialectOf(db).lockedRows('import_upload'))
    .executeTakeFirst()

export const touchUpload = async (db: WriteDb, id: string, at: string): Promise<void> => {
  await db.updateTable('import_upload').set({ changed_at: at }).where('id', '=', id).execute()
}

export const deleteUpload = async (db: WriteDb, id: string): Promise<boolean> => {
  const gone = await db.deleteFrom('import_upload').where('id', '=', id).returning('id').execute()
  return gone.length > 0
}

export const sumOfUploads = async (db: ReadDb): Promise<number> => {
  const { bytes } = await db
    .selectFrom('import_upload')
    .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes
}

export const selectUploadIds = async (db: ReadDb, changedBefore?: string): Promise<string[]> => {
  const all = db.selectFrom('import_upload').select('id')
  const rows = await (changedBefore === undefined ? all : all.where('changed_at', '<', changedBefore)).execute()
  return rows.map(({ id }) => id)
}

// Notes

/** The book that each of these series begins with. */
export const selectFirstBooks = async (
  db: ReadDb,
  seriesIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('book')
    .select(['series_id', 'id'])
    .where('series_id', 'in', seriesIds)
    .where('state', '=', 'present')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('book as earlier')
            .select('earlier.id')
            .whereRef('earlier.series_id', '=', 'book.series_id')
            .where('earlier.state', '=', 'present')
            .where(({ eb, or, and, ref }) =>
              or([
                eb('earlier.position_key', '<', ref('book.position_key')),
                and([eb('earlier.position_key', '=', ref('book.position_key')), eb('earlier.id', '<', ref('book.id'))]),
              ]),
            ),
        ),
      ),
    )
    .execute()
  return new Map(rows.map(({ series_id, id }) => [series_id, id]))
}

// Libraries on their way

/** A library counts that is not scanned to its end, or has books that are still to be read. */
export const countUnread = async (db: ReadDb, libraryIds: readonly string[]): Promise<number> => {
  if (libraryIds.length === 0) return 0
  const scans = await db
    .selectFrom('scan')
    .select('library_id')
    .where('library_id', 'in', libraryIds)
    .where('status', 'in', ['pending', 'processing'])
    .execute()
  const files = await db
    .selectFrom('file')
    .select('library_id')
    .distinct()
    .where('library_id', 'in', libraryIds)
    .where('state', '=', 'present')
    .where('analysis', '=', 'pending')
    .execute()
  return new Set([...scans, ...files].map(({ library_id }) => library_id)).size
}

export const hasReading = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('reading_log')
    .innerJoin('book', 'book.id', 'reading_log.book_id')
    .select('reading_log.id')
    .where('book.library_id', '=', libraryId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
