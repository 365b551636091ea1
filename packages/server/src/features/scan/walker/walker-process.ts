import { type ChildProcess, spawn } from 'node:child_process'
import { childEnvironment } from '../../../platform/processes/child-environment.ts'
import { endWithUs } from '../../../platform/processes/end-with-us.ts'

/** One that has nothing to do is kept for the next walk: to start it takes longer than to look at a few folders. */
const idleMs = 10_000
/** The memory that a long walk has taken goes back to the system with its process. */
const filesMax = 20_000
const idleMax = 2
const idle = new Map<ChildProcess, NodeJS.Timeout>()

// From the sources the walker runs the .ts file, from the bundle the .js file beside the bundle.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './main.ts' : './walker.js', import.meta.url)

/** A process that walks; `program` is another one in its place, for tests. */
export const takeWalker = (program = ownProgram): ChildProcess => {
  const idleChild = program === ownProgram ? [...idle.keys()].find(({ connected }) => connected) : undefined
  if (!idleChild) return startWalker(program)
  forget(idleChild)
  idleChild.ref()
  idleChild.channel?.ref()
  return idleChild
}

const startWalker = (program: URL): ChildProcess => {
  const walker = spawn(process.execPath, ['--max-semi-space-size=8', program.pathname], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: childEnvironment(),
  })
  endWithUs(walker)
  // Whoever walks hears of its errors too; between two walks nobody does.
  walker.on('error', () => undefined)
  walker.once('exit', () => forget(walker))
  return walker
}

/** The walk is over and came to its end: the process may walk again. */
export const releaseWalker = (walker: ChildProcess, filesSeen: number): void => {
  if (!walker.connected || filesSeen > filesMax || idle.size >= idleMax) return endWalker(walker)
  idle.set(walker, setTimeout(() => endWalker(walker), idleMs).unref())
  walker.unref()
  walker.channel?.unref()
}

/** A process that waits for hung storage may not even die; it is not waited for. */
export const endWalker = (walker: ChildProcess): void => {
  forget(walker)
  walker.kill('SIGKILL')
  walker.unref()
}

const forget = (walker: ChildProcess): void => {
  clearTimeout(idle.get(walker))
  idle.delete(walker)
}
