import type { SourceValues } from '../../records.ts'
import { textOf, truthOf, wholeOf } from '../values.ts'

export const statuses: Readonly<Record<string, string>> = {
  ENDED: 'ended',
  ONGOING: 'ongoing',
  ABANDONED: 'abandoned',
  HIATUS: 'hiatus',
}
export const directions: Readonly<Record<string, string>> = {
  LEFT_TO_RIGHT: 'ltr',
  RIGHT_TO_LEFT: 'rtl',
  VERTICAL: 'ttb',
  WEBTOON: 'webtoon',
}

export const digits = (value: unknown): string => {
  const text = (textOf(value, 64) ?? '').toLowerCase()
  return /^[\da-f]{32}$/.test(text) ? text : ''
}

export const dateOf = (value: unknown, lock: unknown): Readonly<Record<string, readonly [unknown, unknown]>> => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(textOf(value, 30) ?? '') ?? []
  return {
    year: [wholeOf(year, 1, 9999), lock],
    month: [wholeOf(month, 1, 12), lock],
    day: [wholeOf(day, 1, 31), lock],
  }
}

/** What is empty and locked is said to be empty; what is empty and not locked says nothing. */
export const valuesOf = (values: Readonly<Record<string, readonly [unknown, unknown]>>): SourceValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([field, [value, lock]]) => {
      const locked = truthOf(lock)
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
      return isEmpty && !locked ? [] : [[field, { value: isEmpty ? null : value, locked }] as const]
    }),
  )

/** Komga knows people by their address alone. */
export const nameOf = (email: string): string => email.split('@')[0] ?? email

/** People might look for these, and Komga has none of them. */
export const absent = [
  'ratings',
  'want to read',
  'bookmarks',
  'annotations',
  'reading before the last state of each book',
]
