import { spawn } from 'node:child_process'
import { AppError } from '../../platform/errors.ts'
import type { MadeBackup, MakeBackup } from './make.ts'
import type { Failed, FromMaker, ToMaker } from './maker/messages.ts'
import type { OnProgress } from './progress.ts'
import { endWithUs } from '../../platform/processes/end-with-us.ts'

// The sources run the .ts file of the backup maker, the bundle the .js file beside it.
const ownProgram = new URL(import.meta.url.endsWith('.ts') ? './maker/main.ts' : './backup-maker.js', import.meta.url)

/**
 * It makes a backup in a process of its own, which ends with this one or with the signal. It opens the database as this
 * one does.
 */
export const makeBackupApart = async (
  options: MakeBackup,
  { onProgress, signal }: { readonly onProgress: OnProgress; readonly signal: AbortSignal },
): Promise<MadeBackup> => {
  signal.throwIfAborted()
  const child = spawn(process.execPath, ['--max-semi-space-size=8', ownProgram.pathname], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  endWithUs(child)
  try {
    return await new Promise<MadeBackup>((resolve, reject) => {
      child.on('message', (message: FromMaker) => {
        if (message.kind === 'progress') onProgress(message.progress)
        else if (message.kind === 'made') resolve(message.made)
        else reject(errorOf(message))
      })
      child.once('error', reject)
      child.once('exit', (code, end) => reject(new Error(`The backup ended early (${end ?? `code ${code}`})`)))
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      child.send({ kind: 'make', options } satisfies ToMaker, () => undefined)
    })
  } finally {
    child.removeAllListeners('message')
    child.on('error', () => undefined)
    child.kill('SIGKILL')
  }
}

const errorOf = ({ code, message, reason, values }: Failed): Error =>
  code ? new AppError(code, message, { ...(reason && { reason }), ...(values && { values }) }) : new Error(message)
