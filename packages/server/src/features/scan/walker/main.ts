import { flushCompileCache } from 'node:module'
import type { FromWalker, ToWalker } from './messages.ts'
import { Walk } from './walk.ts'
import { stepBackTo } from '../../../platform/processes/step-back.ts'

/** A process that only looks: storage that hangs holds up nobody else, and it can be given up. */
const tell = (message: FromWalker): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

const niceness = 5
stepBackTo(niceness)
let walk: Walk | undefined

process.on('message', (message: ToWalker) => {
  if (message.kind === 'walk') {
    walk = new Walk(message.target, tell)
    void walk.run()
  } else walk?.receive(message.of, message.folders, message.isLast)
})
process.once('disconnect', () => process.exit(0))
// A process that walks no more is killed, and then nothing of what it has compiled would be kept for the next.
flushCompileCache()
