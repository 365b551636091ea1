import { setTimeout as delay } from 'node:timers/promises'
import { deadlineMs } from '../deadline.ts'

const pollMs = 20

/**
 * It asks until the answer is neither false nor undefined. Passing the deadline fails the test, with what was waited
 * for.
 */
export const waitUntil = async <Answer>(
  what: string | (() => string),
  ask: () => Answer | Promise<Answer>,
): Promise<Exclude<Answer, false | undefined>> => {
  const startedAt = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer as Exclude<Answer, false | undefined>
    if (performance.now() - startedAt > deadlineMs) {
      const missing = typeof what === 'string' ? what : what()
      throw new Error(`${deadlineMs} ms went by without: ${missing}`)
    }
    await delay(pollMs)
  }
}
