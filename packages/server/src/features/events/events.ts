import { eventTypes } from '@carrel/api'
import { AppError, invalid, tooManyTries } from '../../platform/errors.ts'

const streamsPerUserMax = 20
/** The server holds more connections than that: whoever asks for something else gets one whatever streams there are. */
const streamsMax = 10_000
const tryAgainSeconds = 30

/** It counts the open streams, each user's and all. */
export const streamPlaces = (max = streamsMax) => {
  const taken = new Map<string, number>()
  let all = 0

  return {
    /** It returns a function that gives the place back. */
    take: (userId: string): (() => void) => {
      const own = taken.get(userId) ?? 0
      if (own >= streamsPerUserMax)
        throw tooManyTries(tryAgainSeconds, `You have ${streamsPerUserMax} event streams open already: close one.`)
      if (all >= max)
        throw new AppError('unavailable', 'Too many event streams are open. Try again in a while.', {
          retryAfterSeconds: tryAgainSeconds,
        })
      taken.set(userId, own + 1)
      all += 1
      return () => {
        const left = (taken.get(userId) ?? 1) - 1
        if (left > 0) taken.set(userId, left)
        else taken.delete(userId)
        all -= 1
      }
    },
  }
}

/** It parses a list such as `book_created,series_*`. Undefined means all types. */
export const typesFrom = (list: string | undefined): ReadonlySet<string> | undefined => {
  if (list === undefined) return undefined
  const chosen = list.split(',').flatMap((word) => {
    const name = word.trim()
    const named = eventTypes.filter((type) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name))
    if (named.length === 0) throw invalid('types', `There are no events ${JSON.stringify(name)}.`)
    return named
  })
  return new Set(chosen.sort())
}
