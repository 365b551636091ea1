import { setTimeout as delay } from 'node:timers/promises'
import {
  addressOf,
  type Client,
  listBooks,
  moveBooks,
  movedBooksMax,
  savePreference,
  undoHistory,
} from '../../packages/api/src/index.ts'
import { openContent } from '../books/content.ts'
import { emptyFiles } from '../books/empty-files.ts'
import { addLibrary, scanOnce } from '../books/scan.ts'
import { type Reply, requestBytes } from '../connection.ts'
import type { Bench } from '../figure.ts'
import { callerAt } from '../installation.ts'
import { type Load, putLoad } from '../load.ts'
import { readBeside } from '../reading-beside.ts'

const rounds = 3
const gates = { seconds: { max: 5 }, waitMs: { max: 20 } }
const key = 'bench.beside'

/** It moves as many books as may be moved at once, there and back, while somebody else writes something small all the time. */
export const moveManyBooks: Bench = {
  names: ['series.move'],
  run: async ({ installation }) => {
    await using files = await emptyFiles(
      Array.from({ length: movedBooksMax + 1 }, (_, at) => `Long/Long ${String(at + 1).padStart(5, '0')}.cbz`),
    )
    await using server = await installation.start()
    await using content = await openContent(installation)
    const call = callerAt(server.port, installation.token)
    const libraryId = await addLibrary(call, files.root)
    await scanOnce(call, content, libraryId)
    const bookIds = [...(await content.booksByPath(libraryId)).values()].slice(0, movedBooksMax)
    const moved: number[] = []
    const back: number[] = []
    const waits = { read: [] as number[], write: [] as number[] }
    const beside = async (work: () => Promise<void>): Promise<number> => {
      const reading = readBeside(server.port)
      const over = new AbortController()
      const startedAt = performance.now()
      const working = work().finally(() => over.abort())
      while (!over.signal.aborted) {
        const write = await putLoad(smallWrite(server.port, installation.token))
        waits.write.push(write.latenciesMs.at(-1) ?? 0)
      }
      await working
      const seconds = (performance.now() - startedAt) / 1000
      waits.read.push(await reading.stop())
      return seconds
    }
    // The first move of a process compiles how its input is checked, which is no wait for a move.
    await takeBack(call, await moveAll(call, libraryId, bookIds.slice(0, 1)))
    for (let round = 0; round < rounds; round += 1) {
      let historyId = ''
      moved.push(
        await beside(async () => {
          historyId = await moveAll(call, libraryId, bookIds)
        }),
      )
      back.push(await beside(() => takeBack(call, historyId)))
    }
    const movingReads = waits.read.splice(0)
    const movingWrites = waits.write.splice(0)
    for (const seconds of [...moved, ...back]) await beside(() => delay(seconds * 1000))
    return [
      { name: 'series.move 10,000 books', unit: 's', values: moved, gate: gates.seconds },
      { name: 'series.move taken back', unit: 's', values: back, gate: gates.seconds },
      {
        name: 'series.move, longest wait of another read',
        unit: 'ms',
        values: [Math.max(...movingReads)],
        gate: gates.waitMs,
      },
      // So much of it is the machine, on which the bench writes and reads as well.
      {
        name: 'series.move, longest wait of such a read while nothing is moved',
        unit: 'ms',
        values: [Math.max(...waits.read)],
      },
      // It waits for the one transaction that a move is (decision 053).
      { name: 'series.move, longest wait of another write', unit: 'ms', values: [Math.max(...movingWrites)] },
    ]
  },
}

const besideMs = 100

const smallWrite = (port: number, headers: Readonly<Record<string, string>>): Load => {
  const body = { value: 1 }
  const path = addressOf(savePreference, { params: { key }, body })
  const request = requestBytes({ method: 'PUT', path, headers, body })
  return { port, connections: 1, durationMs: besideMs, request: () => request, check: requireSuccess }
}

const requireSuccess = ({ status }: Reply): void => {
  if (status >= 300) throw new Error(`A small write was answered with ${status}`)
}

const moveAll = async (call: Client, libraryId: string, bookIds: readonly string[]): Promise<string> => {
  const moved = await call(moveBooks, { body: { bookIds: [...bookIds], newSeries: { title: 'Elsewhere', libraryId } } })
  if (!moved.ok) throw new Error(`Not moved: ${moved.error.message}`)
  if (moved.body.movedBooks !== bookIds.length) throw new Error(`Only ${moved.body.movedBooks} books were moved`)
  const listed = await call(listBooks, { query: { seriesId: moved.body.id, pageSize: 1 } })
  if (!listed.ok || listed.body.total !== bookIds.length) throw new Error('The new series has not all of them')
  return moved.body.historyId ?? ''
}

const takeBack = async (call: Client, historyId: string): Promise<void> => {
  const undone = await call(undoHistory, { params: { historyId }, body: {} })
  if (!undone.ok) throw new Error(`Not taken back: ${undone.error.message}`)
}
