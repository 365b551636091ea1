import { spawn } from 'node:child_process'
import { childEnvironment } from '../../platform/processes/child-environment.ts'
import { endWithUs } from '../../platform/processes/end-with-us.ts'
import { withDeadline } from '../../platform/limits.ts'
import { failed, type Finding, ok, warning } from './finding.ts'
import type { RootOfLibrary } from './queries.ts'
import type { RootSeen } from './root-probe.ts'

const answersWithinMs = 5000

/** All roots are examined at once: one that hangs holds up none of the others. */
export const examineLibraries = async (roots: readonly RootOfLibrary[]): Promise<Finding[]> =>
  roots.length === 0 ? [ok('libraries', 'There are no libraries yet.')] : Promise.all(roots.map(examineRoot))

const examineRoot = async ({ library, path, device }: RootOfLibrary): Promise<Finding> => {
  const check = `library ${library}`
  try {
    const { dev, names } = await probeRoot(path)
    if (names === 0)
      return warning(
        check,
        `${path} is empty.`,
        'If there should be books, its disk is not mounted. Nothing is removed meanwhile.',
      )
    if (device !== null && dev !== device)
      return warning(
        check,
        `At ${path} is another disk than at the last scan.`,
        'If it was not exchanged on purpose, see what is mounted there.',
      )
    return ok(check, `${path} can be read.`)
  } catch (error) {
    return aboutFailure(check, path, error as NodeJS.ErrnoException)
  }
}

// The sources run the .ts file of the probe, the bundle the .js file beside it.
const probe = new URL(import.meta.url.endsWith('.ts') ? './root-probe.ts' : './root-probe.js', import.meta.url)

/**
 * The probe is a process of its own: a process that waits for storage that hangs may not even be killed, and must not
 * hold up this one.
 */
const probeRoot = async (path: string): Promise<Extract<RootSeen, { dev: number }>> => {
  const child = spawn(process.execPath, [probe.pathname, path], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: childEnvironment(),
  })
  endWithUs(child)
  const answer = new Promise<RootSeen>((resolve, reject) => {
    child.once('message', (seen: RootSeen) => resolve(seen))
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the process that looked has ended')))
  })
  try {
    const seen = await withDeadline(answer, answersWithinMs, 'silence')
    if ('dev' in seen) return seen
    throw Object.assign(new Error(seen.message), { code: seen.code })
  } finally {
    child.kill('SIGKILL')
    if (child.connected) child.disconnect()
    child.unref()
  }
}

const aboutFailure = (check: string, path: string, { code, message }: NodeJS.ErrnoException): Finding => {
  if (message === 'silence')
    return failed(
      check,
      `${path} does not answer within five seconds.`,
      'Its disk or network storage hangs: see to that. The books come back with it.',
    )
  if (code === 'ENOENT')
    return failed(check, `${path} is not there.`, 'Mount its disk, or give the library the right folder.')
  if (code === 'EACCES' || code === 'EPERM')
    return failed(check, `${path} may not be read by this account.`, 'Let the account of Carrel read it.')
  return failed(check, `${path} cannot be read (${message}).`, 'See to its disk.')
}
