import type { TriggerChoice } from '../triggers.ts'
import type { WorkChoice } from '../work.ts'

/** Something the program does when it is called by that name. */
export interface Command {
  readonly help: string
  /** It returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>
}

/** The call itself was wrong: the message comes with the command's help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unknownSchema: 3,
  incomplete: 4,
  noWorker: 5,
  inTheWay: 6,
  unusableFile: 7,
  badConfig: 78,
} as const

/** What tests choose otherwise. */
export interface RunChoice extends WorkChoice, TriggerChoice {
  /** A worker of a server ends when it has had nothing to do for this long. */
  readonly restAfterMs?: number
}
