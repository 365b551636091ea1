import { type PassedOverReason, type PassedOverRecord, recordLimits } from '../records.ts'

/** What a strange store holds is made into what we hold, or into null: nothing here throws. */

/** Cut to `most` characters; without halves of characters and without NUL, which PostgreSQL does not take. */
export const textOf = (value: unknown, most: number = recordLimits.line): string | null => {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return null
  const text = value.replaceAll('\0', '').slice(0, most).toWellFormed().trim()
  return text === '' ? null : text
}

/** A key of theirs, a number or text, as text. */
export const idText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint' ? String(value) : ''

export const numberOf = (value: unknown, least: number, most: number): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= least && number <= most ? number : null
}

export const wholeOf = (value: unknown, least: number, most: number): number | null => {
  const number = numberOf(value, least, most)
  return number !== null && Number.isInteger(number) ? number : null
}

export const truthOf = (value: unknown): boolean => value === 1 || value === true || value === '1' || value === 'true'

export const bytesOf = (value: unknown, most: number): Uint8Array | null =>
  value instanceof Uint8Array && value.byteLength <= most ? value : null

export const jsonOf = (value: unknown, most: number = recordLimits.prose): unknown => {
  if (typeof value !== 'string' || value.length > most) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(2100, 0, 1)
/** A date and a time of day with any number of digits after the second; without a zone it is UTC. */
const written = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/** Text as servers write it, or milliseconds since 1970. */
export const instantOf = (value: unknown): string | null => {
  const milliseconds = millisecondsOf(value)
  if (Number.isNaN(milliseconds) || milliseconds < earliest || milliseconds >= latest) return null
  return new Date(milliseconds).toISOString()
}

const millisecondsOf = (value: unknown): number => {
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return Number.NaN
  const [, day, time, fraction = '', zone = 'Z'] = written.exec(value.trim()) ?? []
  if (day === undefined || time === undefined) return Number.NaN
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  return Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`)
}

/** Below the root, with `/` between its parts; null where it leads out, or is none. */
export const pathBelow = (root: string, path: string): string | null => {
  const start = root.endsWith('/') ? root : `${root}/`
  if (!path.startsWith(start)) return null
  return soundPath(path.slice(start.length))
}

export const soundPath = (path: string): string | null => {
  const clean = path.replace(/\/+$/, '')
  if (clean === '') return ''
  const isSound =
    clean.length <= recordLimits.line &&
    clean.isWellFormed() &&
    !clean.includes('\0') &&
    clean.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  return isSound ? clean : null
}

const examplesMax = 5
const exampleLength = 200

/** It counts what is passed over, so that each reason becomes one record. */
export const countPassedOver = () => {
  const counted = new Map<string, { what: string; reason: PassedOverReason; count: number; examples: string[] }>()
  return {
    add: (what: string, reason: PassedOverReason, example?: string | null): void => {
      const key = `${reason} ${what}`
      const entry = counted.get(key) ?? { what, reason, count: 0, examples: [] }
      entry.count += 1
      if (typeof example === 'string' && entry.examples.length < examplesMax)
        entry.examples.push(example.slice(0, exampleLength).toWellFormed())
      counted.set(key, entry)
    },
    records: (): PassedOverRecord[] => [...counted.values()].map((entry) => ({ type: 'passedOver', ...entry })),
  }
}
