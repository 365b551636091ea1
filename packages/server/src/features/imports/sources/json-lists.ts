import { recordLimits } from '../records.ts'
import { jsonOf, textOf } from './values.ts'

/** What SQLite has gathered of many rows into one, which is cut there already. */
const gatheredMax = 4_000_000

const listOf = (json: unknown): readonly unknown[] => {
  const list = jsonOf(json, gatheredMax)
  return Array.isArray(list) ? list.slice(0, recordLimits.entries) : []
}

export const textsOf = (json: unknown): readonly string[] =>
  listOf(json).flatMap((each) => {
    const text = textOf(each)
    return text === null ? [] : [text]
  })

/** Each row of what was gathered is a list itself. */
export const rowsOf = (json: unknown): readonly (readonly unknown[])[] =>
  listOf(json).flatMap((each) => (Array.isArray(each) ? [each] : []))

/** An object of JSON text; undefined for everything else. */
export const objectOf = (json: unknown): Readonly<Record<string, unknown>> | undefined => {
  const value = jsonOf(json)
  return isObject(value) ? value : undefined
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
