import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { answerParent } from './asking.ts'
import { monotonicMs } from './monotonic.ts'

// The least there is between two processes: a message, and the time when it comes. The child is as polite as a worker.
const niceness = 10

if (process.argv[2] === 'child') {
  setPriority(niceness)
  process.on('message', () => process.send?.(monotonicMs()))
  process.once('disconnect', () => process.exit())
}

const answersOver = (child: ReturnType<typeof fork>) => ({
  messageMs: () =>
    new Promise<number>((resolve) => {
      const sentAt = monotonicMs()
      child.once('message', (cameAt: number) => resolve(cameAt - sentAt))
      child.send('look')
    }),
})
export type BareStarterAnswers = ReturnType<typeof answersOver>

if (process.argv[2] !== 'child') answerParent(answersOver(fork(fileURLToPath(import.meta.url), ['child'])))
