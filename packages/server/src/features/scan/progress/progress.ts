import type { Database } from '../../../database/database.ts'
import { makeCovers } from '../../covers/covers.ts'
import { analyseLibrary } from '../analysis/analyse-library.ts'
import { selectScan } from '../queries.ts'
import { scanLibrary } from '../tasks.ts'
import type { ScanTables } from '../table.ts'
import { selectHeartbeats, selectLiveTasks } from './queries.ts'

export type ScanRow = ScanTables['scan']

interface Step {
  readonly name: 'waiting' | 'looking' | 'listing' | 'reading' | 'covers'
  readonly done: number
  /** Undefined: not known yet. */
  readonly total: number | undefined
}

interface ScanProgress {
  /** Undefined: it has been forgotten with its library. */
  readonly scan: ScanRow | undefined
  /** Undefined: it is over, and all that was listed has been read. */
  readonly step: Step | undefined
  /** What a worker says while it works. As long as it stands still nobody works. */
  readonly signOfWork: string
}

/** Whether it is a scan of the whole library, as thorough as that. */
export const isWholeScan = async ({ read }: Database, scanId: string, mode: ScanRow['mode']): Promise<boolean> => {
  const scan = await selectScan(read, scanId)
  return scan?.paths === null && (mode === 'changes' || scan.mode === mode)
}

/** How far a scan is, and the reading that follows it. */
export const readProgress = async ({ read }: Database, libraryId: string, scanId: string): Promise<ScanProgress> => {
  const scan = await selectScan(read, scanId)
  const live = await selectLiveTasks(read, [
    `${scanLibrary.type} ${libraryId}`,
    `${analyseLibrary.type} ${libraryId}`,
    `${makeCovers.type} all`,
  ])
  const ofScan = live.find(({ id }) => id === scan?.task_id)
  const step = ofScan && scan ? stepOf(scan) : stepAfter(live)
  return { scan, step, signOfWork: `${await selectHeartbeats(read)} ${JSON.stringify(live)} ${scan?.files_processed}` }
}

const stepOf = ({ status, phase, files_processed, files_total }: ScanRow): Step => {
  if (status !== 'processing') return { name: 'waiting', done: 0, total: undefined }
  return phase === 'applying'
    ? { name: 'listing', done: files_processed, total: files_total }
    : { name: 'looking', done: files_total, total: undefined }
}

const stepAfter = (live: Awaited<ReturnType<typeof selectLiveTasks>>): Step | undefined => {
  const task =
    live.find(({ type }) => type === analyseLibrary.type) ?? live.find(({ type }) => type === makeCovers.type)
  if (!task) return undefined
  const { current, total } = JSON.parse(task.progress ?? '{}') as { current?: number; total?: number | null }
  return {
    name: task.type === makeCovers.type ? 'covers' : 'reading',
    done: current ?? 0,
    total: total ?? undefined,
  }
}
