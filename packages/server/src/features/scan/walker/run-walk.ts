import type { ChildProcess } from 'node:child_process'
import { hangs } from '../../../platform/storage/library-reads.ts'
import type { RunLimited } from '../../../platform/storage/root-limiter.ts'
import type { Changes, FromWalker, StoredFolders, RowKind, Target, ToWalker, WalkSummary } from './messages.ts'
import { endWalker, releaseWalker, takeWalker } from './walker-process.ts'

const usualSilenceMaxMs = 10_000
const hungCode = 'ETIMEDOUT'

export interface WalkTask {
  readonly target: Target
  /** What is known of the next folders after this one, in order: about so many rows. */
  readonly readStored: (of: RowKind, after: string | undefined, rows: number) => Promise<StoredFolders>
  readonly onChanges: (changes: Changes) => void | Promise<void>
  readonly onProgress: (filesSeen: number) => void
  readonly signal: AbortSignal
  /** Storage that gives no sign for this long is taken for hung. */
  readonly silenceMaxMs?: number
  /** Another program in the place of the walker, for tests. */
  readonly program?: URL
}

const rowsAtOnce = 3000

/**
 * Walks one root in a process of its own. One that gives no sign of life for ten seconds waits for storage that hangs: it
 * is given up, and the root counts as unavailable.
 */
export const runWalk = async (task: WalkTask): Promise<WalkSummary> => {
  task.signal.throwIfAborted()
  const walker = takeWalker(task.program)
  try {
    const summary = await walkWith(walker, task)
    if (summary.rootError?.code === hungCode) endWalker(walker)
    else releaseWalker(walker, summary.filesSeen)
    return summary
  } catch (error) {
    endWalker(walker)
    throw error
  }
}

const walkWith = async (walker: ChildProcess, task: WalkTask): Promise<WalkSummary> => {
  const { target, signal, silenceMaxMs = usualSilenceMaxMs } = task
  const { promise, resolve, reject } = Promise.withResolvers<WalkSummary>()
  const send = (message: ToWalker): void => void walker.send(message, () => undefined)
  const after: Partial<Record<RowKind, string>> = {}
  let timer: NodeJS.Timeout | undefined
  // One message after the other, so that what is done is done when the last is heard.
  let heard: Promise<void> = Promise.resolve()

  const provide = async (of: RowKind): Promise<void> => {
    const { folders, isLast } = await task.readStored(of, after[of], rowsAtOnce)
    const [last] = folders.at(-1) ?? []
    if (last !== undefined) after[of] = last
    send({ kind: 'known', of, folders, isLast })
  }
  const hearSign = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => resolve(hung(target)), silenceMaxMs).unref()
  }
  const hear = async (message: FromWalker): Promise<void> => {
    // While it waits for us it has nothing to say.
    clearTimeout(timer)
    if (message.kind === 'need') await provide(message.of)
    if (message.kind === 'changes') await task.onChanges(message.changes)
    if (message.kind === 'changes' || message.kind === 'turning') task.onProgress(message.filesSeen)
    if (message.kind === 'done') resolve(message.summary)
    else hearSign()
  }
  const hearInTurn = (message: FromWalker): void => {
    heard = heard.then(() => hear(message)).catch(reject)
  }
  const endEarly = (code: number | null, killedBy: string | null): void => {
    heard = heard.then(() => reject(new Error(`The walk ended early (${killedBy ?? `code ${code}`})`)))
  }
  const cancel = (): void => reject(signal.reason as Error)

  walker.on('message', hearInTurn)
  walker.on('error', reject)
  walker.on('exit', endEarly)
  signal.addEventListener('abort', cancel)
  try {
    hearSign()
    send({ kind: 'walk', target })
    return await promise
  } finally {
    clearTimeout(timer)
    walker.off('message', hearInTurn)
    walker.off('error', reject)
    walker.off('exit', endEarly)
    signal.removeEventListener('abort', cancel)
  }
}

/** Storage that hangs already gets no process that would hang there too, however often it is scanned. */
export const walkLimited = async (runLimited: RunLimited, task: WalkTask): Promise<WalkSummary> =>
  (await hangs(runLimited, task.target.rootPath)) ? hung(task.target) : runWalk(task)

const hung = ({ rootPath }: Target): WalkSummary => ({
  rootError: { path: rootPath, code: hungCode },
  device: 0,
  inode: 0,
  isEmpty: true,
  filesSeen: 0,
  filesKnown: 0,
  errors: [],
  errorCount: 0,
  emptiedFolders: [],
})
