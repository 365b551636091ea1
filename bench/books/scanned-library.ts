import type { Client } from '../../packages/api/src/index.ts'
import type { BenchDatabase } from '../databases/database.ts'
import { type GeneratedLibrary, generatedLibrary } from '../gen/library.ts'
import type { ProfileName } from '../gen/profiles.ts'
import { callerAt, type Installation, makeInstallation } from '../installation.ts'
import { bytesReadBy, childrenNamed, cpuUsOfAll } from '../process-figures.ts'
import type { ServerProcess } from '../server-process.ts'
import { type Content, openContent } from './content.ts'
import { addLibrary, requireCounts, scanOnce } from './scan.ts'
import { watchMemory } from './watch-memory.ts'

/** A server of its own with a database of its own, and a generated library in it that it has read. */
export interface ScannedLibrary extends AsyncDisposable {
  readonly installation: Installation
  readonly server: ServerProcess
  readonly content: Content
  readonly call: Client
  readonly library: GeneratedLibrary
  readonly id: string
  readonly first: FirstScan
}

/** It says how long the first scan took, until every book was listed and until every one was read. */
export interface FirstScan {
  readonly books: number
  readonly listedMs: number
  readonly readMs: number
  readonly cpuMs: number
  readonly peakBytes: number
  /** It counts what the decoders that are still running have read of the files. */
  readonly bytesRead: number
  readonly bytes: number
}

export const scannedLibrary = async (database: BenchDatabase, profile: ProfileName): Promise<ScannedLibrary> => {
  const library = await generatedLibrary(profile)
  await using stack = new AsyncDisposableStack()
  const installation = stack.use(await makeInstallation(await database.freshEnvironment()))
  const server = stack.use(await installation.start())
  const content = stack.use(await openContent(installation))
  const call = callerAt(server.port, installation.token)
  const id = await addLibrary(call, library.root)
  const first = await scanFirst({ server, content, call, library, id })
  const resources = stack.move()
  return {
    installation,
    server,
    content,
    call,
    library,
    id,
    first,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

type Scanning = Pick<ScannedLibrary, 'server' | 'content' | 'call' | 'library' | 'id'>

const scanFirst = async ({ server: { pid }, content, call, library, id }: Scanning): Promise<FirstScan> => {
  const { counts } = library
  const cpuBefore = cpuUsOfAll(pid)
  using memory = watchMemory(pid)
  const { listedMs, readMs } = await scanOnce(call, content, id)
  const cpuMs = (cpuUsOfAll(pid) - cpuBefore) / 1000
  const bytesRead = childrenNamed(pid, 'decoder').reduce((sum, decoder) => sum + bytesReadBy(decoder), 0)
  await requireCounts(content, id, counts)
  return { books: counts.books, listedMs, readMs, cpuMs, peakBytes: memory.peakBytes(), bytesRead, bytes: counts.bytes }
}
