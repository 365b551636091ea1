import type { TaskContext } from '../../../tasks/define-task.ts'
import { addLibraryOf, checkRoots, dropLibrary } from '../../libraries/libraries.ts'
import { scanOfLibraries } from '../../scan/scan.ts'
import { countUnread, hasReading, insertEffect, type RunRow, selectRun, updateRun } from '../queries.ts'
import { matchAgain } from '../read-source.ts'
import type { Report } from '../report.ts'
import type { SourceReader } from '../sources/start-reader.ts'
import type { WriteDb } from '../../../database/database.ts'
import { type AnyStep, type ApplyResources, seeingAll, type Undoing } from './step.ts'

interface Making {
  readonly task: TaskContext
  readonly resources: ApplyResources
  readonly reader: () => Promise<SourceReader>
}

interface LibraryDone {
  readonly id: string
  readonly theirs: string
  readonly path: string
}

/**
 * Libraries that were wanted are made and scanned, and books are matched again with what is in them, before anything else
 * is taken. Undefined: they are not scanned yet.
 */
export const withLibraries = async (run: RunRow, making: Making): Promise<RunRow | undefined> => {
  const { task } = making
  const report = JSON.parse(run.report) as Report
  if (report.libraries.every(({ path }) => path === null)) return run
  const made = await makeMissing(run, report, making)
  const unread = await countUnread(
    task.db.read,
    made.map(({ ours }) => ours ?? ''),
  )
  if (unread > 0) return undefined
  const libraries = report.libraries.map((library) => {
    const own = made.find(({ theirs }) => theirs === library.theirs)
    return own ? { ...library, ours: own.ours, path: null, by: 'you' as const } : library
  })
  const matched = await matchAgain(run, { reader: await making.reader(), libraries }, task)
  await task.write((db) => updateRun(db, run.id, { report: JSON.stringify(matched) }))
  return selectRun(task.db.read, run.id)
}

/** Each is kept in the report as soon as it is there, so that none is made twice. */
const makeMissing = async (
  run: RunRow,
  report: Report,
  { task, resources: { config, runLimited } }: Making,
): Promise<Report['libraries']> => {
  const libraries = [...report.libraries]
  for (const [index, library] of libraries.entries()) {
    const { path, ours, name, grouping, theirs } = library
    if (path === null || ours !== null) continue
    const paths = await checkRoots({ config, runLimited }, [path], () => '/libraries')
    const viewer = seeingAll(run.by_user_id)
    libraries[index] = await task.write(async (db) => {
      const now = task.clock()
      const input = { name, roots: paths, ...(grouping && { grouping }), scanNow: true }
      const { id } = await addLibraryOf(db, scanOfLibraries, { input, paths, viewer }, now)
      const made = { ...library, ours: id }
      await updateRun(db, run.id, {
        report: JSON.stringify({ ...report, libraries: libraries.with(index, made) }),
      })
      await insertEffect(db, run.id, { step: madeLibraries.name, done: { id, theirs, path } satisfies LibraryDone })
      return made
    })
  }
  return libraries.filter(({ path }) => path !== null)
}

/** It is known by its name when it is taken back; it reads nothing that was staged. */
export const madeLibraries: Pick<AnyStep, 'name' | 'undo'> = {
  name: 'libraries',
  undo: async (db: WriteDb, { run, now }: Undoing, { id, theirs, path }: LibraryDone) => {
    // What somebody has read in it since is theirs.
    if (await hasReading(db, id)) return
    await dropLibrary(db, id, now)
    const report = JSON.parse(run.report) as Report
    const libraries = report.libraries.map((each) => (each.theirs === theirs ? { ...each, ours: null, path } : each))
    await updateRun(db, run.id, { report: JSON.stringify({ ...report, libraries }) })
  },
}
