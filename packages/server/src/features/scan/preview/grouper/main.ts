import { flushCompileCache } from 'node:module'
import { FileGroups } from './group-files.ts'
import type { FromGrouper, ToGrouper } from './messages.ts'
import { stepBackTo } from '../../../../platform/processes/step-back.ts'

/** A process that thinks for a second or two, so that the one that answers need not. */
const tell = (message: FromGrouper): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

const niceness = 5
stepBackTo(niceness)
let groups: FileGroups | undefined

const take = (message: ToGrouper): FromGrouper => {
  switch (message.kind) {
    case 'begin':
      groups = new FileGroups(message)
      break
    case 'standing':
      groups?.know(message.series, message.merged)
      break
    case 'files':
      groups?.add(message.rootId, message.files)
      break
    case 'end':
      if (groups) return { kind: 'grouped', grouped: groups.finish() }
  }
  return { kind: 'next' }
}

process.on('message', (message: ToGrouper) => {
  try {
    tell(take(message))
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))
// Whoever is done with it kills it, and then nothing of what it has compiled would be kept for the next.
flushCompileCache()
