import { constants } from 'node:os'
import { isDamage } from '../codes.ts'
import { requireSoundFile, requireSoundPages, UnsoundDatabase } from '../sqlite-file.ts'
import type { Verdict } from './verdict.ts'
import { stepBackTo } from '../../../../platform/processes/step-back.ts'

/** A fault of the disk or a lock that is taken says nothing about the file. */
const check = (file: string): Verdict => {
  try {
    requireSoundFile(file, requireSoundPages)
    return { kind: 'sound' }
  } catch (error) {
    if (!(error instanceof UnsoundDatabase)) throw error
    const isItsFault = error.cause === undefined || isDamage(error.cause)
    return { kind: isItsFault ? 'damaged' : 'unknown', detail: error.message }
  }
}

if (process.send) {
  // A check of the whole file lets everybody else read first.
  stepBackTo(constants.priority.PRIORITY_LOW)
  process.once('disconnect', () => process.exit(0))
  process.send(check(process.argv[2] ?? ''), () => process.exit(0))
}
