import { closeSync, openSync, writeSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { seed } from '../../packages/server/test/seed.ts'
import { randomFrom } from '../../packages/server/test/smoke/random.ts'
import { temporaryFolder } from '../../packages/server/test/smoke/temporary-folder.ts'
import { mount, type RecordedDevice, unmount } from './recorded-device.ts'
import { type DeviceChange, openWriteLog, type WriteLog } from './write-log.ts'

/** What becomes of writes that were not flushed when the power went, as in disk/replay.ts; a device writes whole sectors. */
const fates = ['nothing', 'all', 'in order', 'some writes', 'some sectors'] as const
type Fate = (typeof fates)[number]

interface CutOptions {
  readonly cuts: number
  /** The power goes after this change. */
  readonly from?: number
  /** Flushes do nothing: the device lies. */
  readonly ignoresFlush?: boolean
  /** It returns what is wrong with the device as a power cut has left it, when so many changes had been made. */
  readonly inspect: (folder: string, changeCount: number) => string[] | Promise<string[]>
}

interface CutOutcome {
  /** What was wrong, with when and how the power went; some of it where there is much. */
  readonly faults: readonly string[]
  readonly states: number
  readonly statesWithFaults: number
  readonly changes: number
}

/**
 * It cuts the power at that many moments, with each fate of what was not flushed by then, and has the kernel mount what is left. The
 * device must have been unmounted.
 */
export const cutDevice = async (
  device: RecordedDevice,
  { cuts, from = 0, ignoresFlush = false, inspect }: CutOptions,
): Promise<CutOutcome> => {
  const random = randomFrom(seed)
  using log = openWriteLog(device.log)
  await using temporary = await temporaryFolder()
  const [flushed, left, mounted] = ['flushed', 'left', 'mounted'].map((name) => join(temporary.path, name)) as [
    string,
    string,
    string,
  ]
  await copySparse(device.image, flushed)
  await mkdir(mounted)
  const moments = momentsIn({ from, to: log.changes.length, cuts }, random)
  let pending: DeviceChange[] = []
  const faults: string[] = []
  let [states, statesWithFaults] = [0, 0]
  for (const [index, change] of log.changes.entries()) {
    if (change.kind !== 'flush') pending.push(change)
    else if (!ignoresFlush) {
      writeTo(flushed, log, pending)
      pending = []
    }
    if (!moments.has(index)) continue
    for (const fate of fates) {
      await copySparse(flushed, left)
      writeTo(left, log, pending, survivors(fate, pending.length, random))
      const found = await inspectMounted(device, { left, mounted }, (folder) => inspect(folder, index + 1))
      if (faults.length < 20) faults.push(...found.map((each) => `${fate}, after change ${index}: ${each}`))
      states += 1
      if (found.length > 0) statesWithFaults += 1
    }
  }
  return { faults, states, statesWithFaults, changes: log.changes.length }
}

const momentsIn = (
  { from, to, cuts }: { readonly from: number; readonly to: number; readonly cuts: number },
  random: () => number,
): ReadonlySet<number> => {
  const moments = new Set<number>()
  while (moments.size < Math.min(cuts, to - from)) moments.add(from + Math.floor(random() * (to - from)))
  return moments
}

const inspectMounted = async (
  { fileSystem }: RecordedDevice,
  { left, mounted }: { readonly left: string; readonly mounted: string },
  inspect: (folder: string) => string[] | Promise<string[]>,
): Promise<string[]> => {
  try {
    await mount(left, mounted, fileSystem)
  } catch (error) {
    return [`it cannot be mounted: ${String(error)}`]
  }
  try {
    return await inspect(mounted)
  } finally {
    await unmount(mounted)
  }
}

/** It says which sectors of which change reach the device. */
type Survivors = (change: number, sector: number) => boolean

const survivors = (fate: Fate, count: number, random: () => number): Survivors => {
  const share = random()
  if (fate === 'nothing') return () => false
  if (fate === 'all') return () => true
  if (fate === 'some sectors') return () => random() < share
  if (fate === 'in order') {
    const end = Math.floor(random() * (count + 1))
    return (change) => change < end
  }
  const kept = Array.from({ length: count }, () => random() < share)
  return (change) => kept[change] ?? false
}

const sectorBytes = 512

const writeTo = (
  image: string,
  log: WriteLog,
  changes: readonly DeviceChange[],
  survives: Survivors = () => true,
): void => {
  const file = openSync(image, 'r+')
  try {
    for (const [index, change] of changes.entries()) {
      const data = log.dataOf(change)
      for (const [from, to] of stretches(data.length, (sector) => survives(index, sector)))
        writeSync(file, data, from, to - from, change.offset + from)
    }
  } finally {
    closeSync(file)
  }
}

/** Sectors that follow each other are one stretch: most changes reach the device as a whole. */
function* stretches(length: number, survives: (sector: number) => boolean): Generator<[from: number, to: number]> {
  for (let from = 0; from < length;) {
    let to = from
    while (to < length && survives(to / sectorBytes)) to += sectorBytes
    if (to > from) yield [from, to]
    from = to + sectorBytes
  }
}

const copySparse = async (from: string, to: string): Promise<void> => {
  await promisify(execFile)('cp', ['--sparse=always', from, to])
}
