import { StoreAway } from '../store.ts'

export interface CircuitOptions {
  readonly failuresMax: number
  readonly restMs: number
  readonly now: () => number
}

/**
 * Whatever would wait for a store that has failed several times in a row fails at once; every few seconds one question
 * goes through, and with its answer all do again.
 */
export const circuitBreaker = ({ failuresMax, restMs, now }: CircuitOptions) => {
  let failures = 0
  let restUntil = 0
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (failures >= failuresMax) {
      if (now() < restUntil) throw new StoreAway(new Error('It has not answered lately'))
      restUntil = now() + restMs
    }
    try {
      const answer = await ask()
      failures = 0
      return answer
    } catch (error) {
      if (error instanceof StoreAway) {
        failures += 1
        restUntil = now() + restMs
      }
      throw error
    }
  }
}
