import { spawn } from 'node:child_process'
import { childEnvironment } from '../../../platform/child-environment.ts'
import { hangs } from '../../../platform/library-reads.ts'
import type { ThroughGate } from '../../../platform/root-gate.ts'
import type { Changes, FromWalker, KnownFolders, KnownKind, Target, ToWalker, WalkSummary } from './messages.ts'
import { endWithUs } from '../../../platform/end-with-us.ts'

const usualSilenceMaxMs = 10_000

export interface WalkTask {
  readonly target: Target
  /** What is known of the next folders after this one, in order: about so many rows. */
  readonly readKnown: (of: KnownKind, after: string | undefined, rows: number) => Promise<KnownFolders>
  readonly onChanges: (changes: Changes) => void | Promise<void>
  readonly onProgress: (filesSeen: number) => void
  readonly signal: AbortSignal
  /** Storage that gives no sign for this long is taken for hung. */
  readonly silenceMaxMs?: number
  /** Another program in the place of the walker, for tests. */
  readonly program?: URL
}

const rowsAtOnce = 3000

// From the sources the walker runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './walker.js', import.meta.url)

/**
 * Walks one root in a process of its own. One that gives no sign of life for ten seconds waits for storage that hangs: it
 * is given up, and the root counts as unavailable.
 */
export const runWalk = async (task: WalkTask): Promise<WalkSummary> => {
  const { silenceMaxMs = usualSilenceMaxMs, program = ownProgram } = task
  task.signal.throwIfAborted()
  const child = spawn(process.execPath, ['--max-semi-space-size=8', program.pathname], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: childEnvironment(),
  })
  endWithUs(child)
  const send = (message: ToWalker): void => void child.send(message, () => undefined)
  const after: Partial<Record<KnownKind, string>> = {}

  const provide = async (of: KnownKind): Promise<void> => {
    const { folders, isLast } = await task.readKnown(of, after[of], rowsAtOnce)
    const [last] = folders.at(-1) ?? []
    if (last !== undefined) after[of] = last
    send({ kind: 'known', of, folders, isLast })
  }

  try {
    return await new Promise<WalkSummary>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const hearSign = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => resolve(hung(task.target)), silenceMaxMs).unref()
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
      // One message after the other, so that what is done is done when the last is heard.
      let heard: Promise<void> = Promise.resolve()
      child.on('message', (message: FromWalker) => {
        heard = heard.then(() => hear(message)).catch(reject)
      })
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        heard = heard.then(() => reject(new Error(`The walk ended early (${signal ?? `code ${code}`})`)))
      })
      task.signal.addEventListener('abort', () => reject(task.signal.reason as Error), { once: true })
      hearSign()
      send({ kind: 'walk', target: task.target })
    })
  } finally {
    // A process that waits for hung storage may not even die; it is not waited for.
    child.removeAllListeners('message')
    child.on('error', () => undefined)
    child.kill('SIGKILL')
    child.unref()
  }
}

/** Storage that hangs already gets no process that would hang there too, however often it is scanned. */
export const walkThroughGate = async (throughGate: ThroughGate, task: WalkTask): Promise<WalkSummary> =>
  (await hangs(throughGate, task.target.rootPath)) ? hung(task.target) : runWalk(task)

const hung = ({ rootPath }: Target): WalkSummary => ({
  rootError: { path: rootPath, code: 'ETIMEDOUT' },
  device: 0,
  inode: 0,
  isEmpty: true,
  filesSeen: 0,
  filesKnown: 0,
  errors: [],
  errorCount: 0,
  emptiedFolders: [],
})
