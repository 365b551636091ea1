import { eventTypes } from '@carrel/api'
import { invalid, tooManyTries } from '../../platform/errors.ts'

const streamsPerUserMax = 20
const tryAgainSeconds = 30

export const requireRoom = (open: number): void => {
  if (open >= streamsPerUserMax)
    throw tooManyTries(tryAgainSeconds, `You have ${streamsPerUserMax} event streams open already: close one.`)
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
