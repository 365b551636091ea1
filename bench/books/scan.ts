import { setTimeout as delay } from 'node:timers/promises'
import {
  createLibrary,
  readScanStatus,
  scanLibrary,
  type ScanStatus,
  type Client,
  type Grouping,
} from '../../packages/api/src/index.ts'
import type { Counts } from '../gen/library.ts'
import type { Content } from './content.ts'

export interface Scanned {
  readonly status: ScanStatus
  /** It is the time until every book was listed. */
  readonly listedMs: number
  /** It is the time until every book was read, too. */
  readonly readMs: number
}

const pollMs = 100
const tooLongMs = 20 * 60_000
const ended = new Set<ScanStatus['status']>(['held', 'completed', 'completed_with_errors', 'failed', 'cancelled'])

/** Nothing of it is looked at yet. */
export const addLibrary = async (call: Client, root: string, grouping?: Grouping): Promise<string> => {
  const body = { name: root, roots: [root], scanNow: false, ...(grouping && { grouping }) }
  const created = await call(createLibrary, { body })
  if (!created.ok) throw new Error(`No library: ${created.error.message}`)
  return created.body.id
}

/** One scan, until nothing is left to be done for it. Timed by the clock of the server, which is ours too. */
export const scanOnce = async (call: Client, content: Content, libraryId: string): Promise<Scanned> => {
  const givenUpAt = performance.now() + tooLongMs
  const status = await listOnce(call, libraryId)
  const readAt = await until(givenUpAt, () => content.endOfTask('analyse_library', libraryId))
  const startedAt = Date.parse(status.startedAt ?? '')
  return { status, listedMs: Date.parse(status.completedAt ?? '') - startedAt, readMs: readAt - startedAt }
}

/** One scan, until every book is listed; they are being read by then. */
export const listOnce = async (call: Client, libraryId: string): Promise<ScanStatus> => {
  const started = await call(scanLibrary, { params: { id: libraryId }, body: {} })
  if (!started.ok) throw new Error(`No scan: ${started.error.message}`)
  const status = await until(performance.now() + tooLongMs, async () => {
    const read = await call(readScanStatus, { params: { id: libraryId } })
    if (!read.ok) throw new Error(`No status of the scan: ${read.error.message}`)
    return read.body?.id === started.body.scanId && ended.has(read.body.status) ? read.body : undefined
  })
  if (status.status !== 'completed') throw new Error(`The scan ended otherwise: ${JSON.stringify(status)}`)
  return status
}

/** All covers that a scan has asked for are there. */
export const untilCoversAreMade = (content: Content): Promise<number> =>
  until(performance.now() + tooLongMs, () => content.endOfTask('make_covers', null))

const until = async <Result>(givenUpAt: number, check: () => Promise<Result | undefined>): Promise<Result> => {
  for (;;) {
    const result = await check()
    if (result !== undefined) return result
    if (performance.now() > givenUpAt) throw new Error('The scan does not come to an end')
    await delay(pollMs)
  }
}

/** A fast wrong answer has no speed. */
export const requireCounts = async (
  content: Content,
  libraryId: string,
  counts: Omit<Counts, 'bytes'>,
): Promise<void> => {
  const figures = await content.count(libraryId)
  for (const name of Object.keys(figures) as (keyof typeof figures)[]) {
    const counted = figures[name]
    const count = counts[name]
    if (counted !== count) throw new Error(`Expected ${count} ${name}, found ${counted}`)
  }
}
