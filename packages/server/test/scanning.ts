import type { Grouping } from '@carrel/api'
import { newId } from '../src/platform/ids.ts'
import { plainText, sortKey } from '../src/platform/text/sort-key.ts'
import { analyseLibrary, regroupLibrary, relinkMissing, scanLibrary } from '../src/features/scan/tasks.ts'
import { cancelScan, startScan } from '../src/features/scan/scan.ts'
import { enqueue } from '../src/tasks/queue.ts'
import { deadlineMs } from './deadline.ts'
import type { TestServer } from './start-server.ts'
import { workOn } from './work.ts'

interface LibraryOptions {
  readonly roots: readonly string[]
  readonly policy?: Grouping['policy']
  readonly config?: Grouping['config']
  readonly name?: string
}

/** A library row and its roots, with nothing scanned yet. */
export const addLibraryOn = async (
  { context: { db, clock } }: TestServer,
  { roots, policy = 'folder', config = {}, name = 'Comics' }: LibraryOptions,
): Promise<string> => {
  const id = newId()
  const at = clock().toISOString()
  await db.write(async (db) => {
    await db
      .insertInto('library')
      .values({
        id,
        name,
        sort_key: sortKey(name),
        description: null,
        grouping: JSON.stringify({ policy, config }),
        numbering: 'smart',
        title_from: 'smart',
        formats: null,
        exclude: '[]',
        reading_direction: 'ltr',
        cron: null,
        time_zone: null,
        watch: 0,
        status: 'available',
        book_count: 0,
        series_count: 0,
        last_scanned_at: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      })
      .execute()
    const rows = roots.map((path, position) => ({
      id: newId(),
      library_id: id,
      position,
      path,
      path_text: plainText(`${path}/`),
      status: 'available' as const,
      device: null,
      inode: null,
      checked_at: null,
      removed_at: null,
    }))
    await db.insertInto('library_root').values(rows).execute()
  })
  return id
}

/** A worker runs these tasks for a scan. */
export const scanTasks = [scanLibrary, analyseLibrary, relinkMissing] as const

const settled = ['held', 'completed', 'completed_with_errors', 'failed', 'cancelled']

/** Scans as the worker does, and returns when every book that can be read has been. */
export const scanNow = async (
  server: TestServer,
  libraryId: string,
  mode: 'changes' | 'full' = 'changes',
  paths: readonly string[] = [],
  tasks: readonly (typeof scanTasks)[number][] = scanTasks,
) => {
  const { db, clock } = server.context
  await using _ = workOn(server, tasks, { settleMs: 20 })
  const { scanId } = await db.write((db) => startScan(db, { libraryId, mode, paths }, clock()))
  const scan = await until(async () => {
    const row = await db.read.selectFrom('scan').selectAll().where('id', '=', scanId).executeTakeFirstOrThrow()
    if (row.status === 'failed') throw new Error(`The scan has failed: ${row.errors}`)
    return settled.includes(row.status) ? row : undefined
  })
  await readThrough(server)
  return scan
}

const killed = 'The worker was killed'

export type Interruption = 'cancelled' | 'killed'

/**
 * A scan that is interrupted before it writes for the so-manieth time. One that is cancelled stays so; one whose worker is
 * killed writes nothing more, and is run again by the next worker.
 */
export const scanInterrupted = (
  server: TestServer,
  libraryId: string,
  { how, beforeWrite }: { readonly how: Interruption; readonly beforeWrite: number },
) => {
  const { db, clock } = server.context
  let writes = 0
  let isOver = false
  const interrupt = async (): Promise<void> => {
    if (how === 'killed') throw new Error(killed)
    isOver = true
    await cancelScan(db, libraryId, clock())
  }
  const scan: typeof scanLibrary = {
    ...scanLibrary,
    backOffMs: () => 0,
    run: (payload, context, resources) => {
      if (context.isRepeated) isOver = true
      const write: typeof context.write = async (work) => {
        writes += 1
        if (!isOver && writes > beforeWrite) await interrupt()
        return context.write(work)
      }
      return scanLibrary.run(payload, { ...context, write }, resources)
    },
  }
  return scanNow(server, libraryId, 'changes', [], [scan, ...scanTasks.filter((task) => task !== scanLibrary)])
}

/** Its books are grouped in another way from now on. */
export const regroupAs = async (
  server: TestServer,
  libraryId: string,
  policy: Grouping['policy'],
  config: Grouping['config'] = {},
): Promise<void> => {
  const { db, clock } = server.context
  const grouping = JSON.stringify({ policy, config })
  await db.write((db) => db.updateTable('library').set({ grouping }).where('id', '=', libraryId).execute())
  await using _ = workOn(server, [regroupLibrary])
  await db.write((db) => enqueue(db, regroupLibrary, { libraryId }, { now: clock() }))
  await workedThrough(server, [regroupLibrary])
}

/** A worker does all that is left to do of a scan, whoever asked for it. */
export const workedOff = async (server: TestServer): Promise<void> => {
  await using _ = workOn(server, scanTasks, { settleMs: 20 })
  await readThrough(server)
}

const readThrough = (server: TestServer): Promise<void> => workedThrough(server, scanTasks)

export const workedThrough = async (
  { context: { db } }: TestServer,
  tasks: readonly { readonly type: string }[],
): Promise<void> => {
  await until(async () => {
    const rows = await db.read
      .selectFrom('task')
      .select(['type', 'status', 'last_error'])
      .where('status', 'in', ['pending', 'processing'])
      .where(
        'type',
        'in',
        tasks.map(({ type }) => type),
      )
      .execute()
    const failed = rows.find(({ last_error }) => last_error !== null && last_error !== killed)
    if (failed) throw new Error(`${failed.type}: ${failed.last_error}`)
    return rows.length === 0 ? rows : undefined
  })
}

const until = async <Result>(read: () => Promise<Result | undefined>): Promise<Result> => {
  const end = Date.now() + deadlineMs
  for (;;) {
    const result = await read()
    if (result !== undefined) return result
    if (Date.now() > end) throw new Error(`It has not come to an end in ${deadlineMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** It reads the books of a library by their paths. */
export const booksOf = async ({ context: { db } }: TestServer, libraryId: string) => {
  const rows = await db.read
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .innerJoin('series', 'series.id', 'book.series_id')
    .selectAll('book')
    .select(['file.folder', 'file.name', 'file.analysis', 'file.fault_code', 'file.fault_message', 'file.content_hash'])
    .select(['series.title as series_title', 'series.book_count as series_books'])
    .where('book.library_id', '=', libraryId)
    // When two books had the same path, the present one counts.
    .orderBy('book.state')
    .execute()
  return new Map(rows.map((row) => [row.folder + row.name, row]))
}
