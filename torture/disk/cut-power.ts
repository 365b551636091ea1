import { join } from 'node:path'
import { seed } from '../../packages/server/test/seed.ts'
import { randomFrom } from '../../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../../packages/server/test/smoke/temporary-folder.ts'
import { type Acknowledged, missingFrom, storedIn } from '../numbered-writes.ts'
import { readJournal } from './journal.ts'
import { fates, replayedDisk, type snapshotOf } from './replay.ts'

/** What was written to a disk, and what was acknowledged meanwhile. */
export interface Recorded {
  readonly journal: string
  /** The folder that was written to. */
  readonly data: string
  readonly before: ReturnType<typeof snapshotOf>
  /** `at` is how long the journal was when the answer came. */
  readonly acknowledged: readonly Acknowledged[]
  readonly sent: ReadonlyMap<string, number>
}

interface CutOptions {
  readonly cuts: number
  readonly ignoresSync?: (path: string) => boolean
  /** It returns what is wrong with a folder as a power cut has left it. */
  readonly inspect: (folder: string, acknowledged: readonly Acknowledged[]) => string[] | Promise<string[]>
}

export interface CutOutcome {
  readonly lost: readonly string[]
  readonly states: number
  readonly statesWithLosses: number
  readonly changes: number
}

/** It cuts the power at that many moments, with each fate of what was not flushed by then, and looks at what is left. */
export const cutPower = async (recorded: Recorded, { cuts, ignoresSync, inspect }: CutOptions): Promise<CutOutcome> => {
  const random = randomFrom(seed)
  const changes = readJournal(recorded.journal)
  const moments = new Set(changes.length <= cuts ? changes.keys() : [])
  while (moments.size < Math.min(cuts, changes.length)) moments.add(Math.floor(random() * changes.length))
  await using temporary = await temporaryFolder()
  const target = join(temporary.path, 'data')
  const disk = replayedDisk(recorded.data, recorded.before, ignoresSync ? { ignoresSync } : {})
  const lost: string[] = []
  let states = 0
  let statesWithLosses = 0
  for (const [index, change] of changes.entries()) {
    disk.apply(change)
    if (!moments.has(index)) continue
    const acknowledged = recorded.acknowledged.filter(({ at }) => at <= change.end)
    for (const fate of fates) {
      disk.cutTo(target, fate, random)
      const faults = await inspect(target, acknowledged)
      if (lost.length < 20) lost.push(...faults.map((each) => `${fate}, after change ${index}: ${each}`))
      states += 1
      if (faults.length > 0) statesWithLosses += 1
    }
  }
  return { lost, states, statesWithLosses, changes: changes.length }
}

/** What is missing in the database of such a folder, and what SQLite finds wrong with it. */
export const lookAtFile =
  (sent: ReadonlyMap<string, number>) =>
  (folder: string, acknowledged: readonly Acknowledged[]): string[] => {
    try {
      const { unsound, numbers } = storedIn(join(folder, 'carrel.db'))
      return [...unsound.map((each) => JSON.stringify(each)), ...missingFrom(numbers, acknowledged, sent)]
    } catch (error) {
      return [`it cannot be opened: ${String(error)}`]
    }
  }
