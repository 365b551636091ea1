import { flushCompileCache } from 'node:module'
import { AppError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { makeBackup } from '../make.ts'
import type { BackupProgress } from '../progress.ts'
import type { Failed, FromMaker, ToMaker } from './messages.ts'
import { stepBackTo } from '../../../platform/processes/step-back.ts'

/** A process that makes one backup: SQLite copies and checks in one go, for minutes, and a worker must turn meanwhile. */
const tell = (message: FromMaker): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

const niceness = 10
stepBackTo(niceness)
process.umask(0o077)

process.once('message', ({ options }: ToMaker) => {
  const log = createLog({ level: 'warn', format: 'json', write: (line) => process.stderr.write(line) })
  const onProgress = quietly((progress: BackupProgress) => tell({ kind: 'progress', progress }))
  makeBackup(options, { log, clock: () => new Date(), onProgress }).then(
    (made) => tell({ kind: 'made', made }),
    (error: Error) => tell(failed(error)),
  )
})
// The server has told it to stop, or is gone: the next backup removes the unfinished file.
process.once('disconnect', () => process.exit(0))
// A maker that is done is killed, and then nothing of what it has compiled would be kept for the next.
flushCompileCache()

/** A few a second, whatever happens. */
function quietly<Message>(say: (told: Message) => void): (told: Message) => void {
  const everyMs = 250
  let reportedAt = Number.NEGATIVE_INFINITY
  return (told) => {
    if (performance.now() - reportedAt < everyMs) return
    reportedAt = performance.now()
    say(told)
  }
}

function failed(error: Error): Failed {
  const { message } = error
  if (!(error instanceof AppError)) return { kind: 'failed', message }
  const { code, reason, values } = error
  return { kind: 'failed', message, code, ...(reason && { reason }), ...(values && { values }) }
}
