import type { TaskContext } from '../../../tasks/define-task.ts'
import type { ScannedLibrary } from '../library.ts'
import type { Findings } from './findings.ts'
import type { ScanOutcome } from './identify-files.ts'

/** What a scan has found, for those who see whether folders have moved. */
export interface FollowContext {
  readonly library: ScannedLibrary
  readonly findings: Pick<Findings, 'vanished'>
  readonly outcome: Pick<ScanOutcome, 'identifiedFiles'>
  readonly context: TaskContext
}
