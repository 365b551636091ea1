import { on } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ScannedLibrary } from '../../packages/server/src/features/scan/library.ts'
import type { Profile } from '../gen/profiles.ts'
import type { Mentions, StraightTable } from './straight-rows.ts'

export interface LibraryToFill {
  /** Nothing is in it. */
  readonly library: ScannedLibrary
  readonly profile: Profile
  /** The first scan counts as made at this time. */
  readonly from: Date
}

/** Each thread works out one of several equal parts of a library. */
export interface ThreadOrder extends LibraryToFill {
  readonly lane: number
  readonly lanes: number
}

/** Rows of one table, flat: one row's values after the other's. */
export interface FlatRows {
  readonly table: StraightTable
  readonly columns: readonly string[]
  readonly values: readonly unknown[]
}

export interface LibraryPart {
  readonly rows: readonly FlatRows[]
  readonly mentions: Mentions
  /** The words leave out those this thread has sent before. */
  readonly words: readonly string[]
  /** The words of texts, in the same way. */
  readonly textWords: readonly string[]
  readonly now: Date
}

/** One part after the other, in the order of the library; threads work ahead of whoever writes. */
export async function* partsOf(order: LibraryToFill): AsyncGenerator<LibraryPart> {
  const lanes = availableParallelism()
  const threads = Array.from({ length: lanes }, (_, lane) => startThread({ ...order, lane, lanes }))
  try {
    for (let index = 0; ; index += 1) {
      const part = await threads[index % lanes]?.next()
      if (part === undefined) return
      yield part
    }
  } finally {
    for (const thread of threads) await thread.end()
  }
}

const startThread = (order: ThreadOrder) => {
  const worker = new Worker(new URL('straight-thread.ts', import.meta.url), { workerData: order })
  const sent = on(worker, 'message') as AsyncIterator<[LibraryPart | undefined]>
  return {
    next: async (): Promise<LibraryPart | undefined> => {
      const { value } = await sent.next()
      worker.postMessage('one is taken')
      return value[0]
    },
    end: () => worker.terminate(),
  }
}
