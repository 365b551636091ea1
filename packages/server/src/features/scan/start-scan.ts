import type { StartedScan } from '@carrel/api'
import type { WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../tasks/queue.ts'
import { insertScan, selectScanOfTask } from './queries.ts'
import { scanLibrary } from './tasks.ts'

export interface ScanOptions {
  readonly libraryId: string
  readonly mode?: 'changes' | 'full'
  readonly paths?: readonly string[]
}

/** Within the transaction that makes it necessary. While one runs or waits that one is meant. */
export const startScan = async (
  db: WriteDb,
  { libraryId, mode = 'changes', paths = [] }: ScanOptions,
  now: Date,
): Promise<StartedScan> => {
  const scanId = newId(now.getTime())
  const { taskId, alreadyRunning } = await enqueue(
    db,
    scanLibrary,
    { scanId, libraryId, mode, paths: [...paths] },
    { now },
  )
  if (alreadyRunning) {
    const running = await selectScanOfTask(db, taskId)
    return { taskId, scanId: running?.id ?? scanId, alreadyRunning }
  }
  await insertScan(db, { id: scanId, libraryId, taskId, mode, paths, at: now.toISOString() })
  return { taskId, scanId, alreadyRunning }
}
