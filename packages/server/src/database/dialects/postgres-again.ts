import { isLost } from './postgres-faults.ts'

/** A database that is silent for longer is not asked again: whoever waits is told within five seconds (E3). */
const soonMs = 1000

/**
 * Many requests wait for the same answer: where the connection breaks off at once it is asked for on another one, so that they are not
 * all refused for one connection. It only reads.
 */
export const askAgainWhenCut = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  const startedAt = performance.now()
  try {
    return await ask()
  } catch (error) {
    if (!isLost(error) || performance.now() - startedAt > soonMs) throw error
    return ask()
  }
}
