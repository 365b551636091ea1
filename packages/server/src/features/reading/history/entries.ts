import { type HistoryColumn, historyColumns, historyEntriesMax, readingKinds } from '@carrel/api'
import { invalid } from '../../../platform/errors.ts'
import { isDay, momentIn } from '../../../platform/text/spelled-values.ts'
import type { ReadingTables } from '../table.ts'
import { parseCsv } from './csv.ts'

type Source = ReadingTables['reading_log']['source'] | 'stated'

/** One entry of a history that somebody brings in. */
export interface HistoryEntry {
  /** Entries are counted from 1. */
  readonly position: number
  readonly fileHash: string | null
  readonly path: string | null
  readonly series: string | null
  readonly title: string | null
  readonly page: number | null
  readonly percentage: number | null
  readonly completed: boolean | null
  /** Times are in milliseconds. */
  readonly at: number
  readonly startedAt: number
  readonly id: string | null
  readonly kind: ReadingTables['reading_log']['kind']
  readonly source: Source
  readonly activeMs: number | null
  readonly pagesRead: number | null
  readonly device: string
  readonly deviceName: string | null
}

export interface BadEntry {
  readonly position: number
  readonly fault: string
}

/** A file as text. */
export const textFrom = (bytes: Uint8Array): string => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('/', 'This is no text in UTF-8.', { reason: 'no_list' })
  }
  if (text.includes('\0')) throw invalid('/', 'This is no text: there are zeros in it.', { reason: 'no_list' })
  return text
}

type Value = string | number | boolean | null
type Raw = Readonly<Partial<Record<HistoryColumn, unknown>>>

/** It parses a file: valid entries, and what is wrong with the others. */
export const entriesIn = (text: string): (HistoryEntry | BadEntry)[] => {
  const raw = /^\s*[[{]/.test(text) ? rawFromJson(text) : rawFromCsv(text)
  if (raw.length > historyEntriesMax)
    throw invalid('/', `A history takes up to ${historyEntriesMax} entries, and this one has ${raw.length}.`)
  return raw.map((each, index) => entryFrom(each, index + 1))
}

const rawFromJson = (text: string): Raw[] => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalid('/', 'This is no JSON.', { reason: 'no_list' })
  }
  const list = Array.isArray(parsed) ? parsed : (parsed as { readonly entries?: unknown } | null)?.entries
  if (!Array.isArray(list)) throw invalid('/entries', 'There is no list of entries.', { reason: 'no_list' })
  return list.map((each: unknown) => (typeof each === 'object' && each !== null ? (each as Raw) : {}))
}

const rawFromCsv = (text: string): Raw[] => {
  let rows: string[][]
  try {
    rows = parseCsv(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid('/', error instanceof RangeError ? error.message : 'This is no CSV.')
  }
  const [names = [], ...lines] = rows
  const byName = new Map(historyColumns.map((column) => [column.toLowerCase(), column]))
  const columns = names.map((name) =>
    byName.get(
      name
        .trim()
        .toLowerCase()
        .replaceAll(/[_\s-]/g, ''),
    ),
  )
  if (!columns.includes('date')) throw invalid('/', 'The first line must name the columns, and one of them is `date`.')
  return lines.map((cells) =>
    Object.fromEntries(columns.flatMap((column, index) => (column ? [[column, cells[index] || null]] : []))),
  )
}

/** It says what is wrong with one entry. */
class Fault extends Error {}

const entryFrom = (raw: Raw, position: number): HistoryEntry | BadEntry => {
  try {
    return readEntry(raw, position)
  } catch (error) {
    if (error instanceof Fault) return { position, fault: error.message }
    throw error
  }
}

const sources: readonly Source[] = [
  'put',
  'session',
  'progression',
  'mark',
  'restore',
  'import',
  'opds',
  'compatibility',
  'koreader',
  'stated',
]
const pageMax = 10_000_000
const activeMax = 31 * 24 * 60 * 60 * 1000
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const readEntry = (raw: Raw, position: number): HistoryEntry => {
  const completed = flagIn(raw, 'completed')
  const kind = textIn(raw, 'kind', 20) ?? (completed === true ? 'completed' : 'progress')
  const source = textIn(raw, 'source', 20) ?? 'import'
  const at = timeIn(raw, 'date')
  if (at === null) throw new Fault('date is missing')
  const startedAt = timeIn(raw, 'startedAt') ?? at
  const id = textIn(raw, 'id', 36)?.toLowerCase() ?? null
  const readingKind = readingKinds.find((each) => each === kind)
  if (!readingKind) throw new Fault('kind is none we know')
  if (startedAt > at) throw new Fault('startedAt is later than date')
  const entry: HistoryEntry = {
    position,
    fileHash: textIn(raw, 'fileHash', 128)?.toLowerCase() ?? null,
    path: textIn(raw, 'path', 4096),
    series: textIn(raw, 'series', 1000),
    title: textIn(raw, 'title', 1000),
    page: wholeIn(raw, 'page', pageMax),
    percentage: fractionIn(raw),
    completed,
    at,
    startedAt,
    id: id !== null && uuid.test(id) ? id : null,
    kind: readingKind,
    source: sources.find((each) => each === source) ?? 'import',
    activeMs: wholeIn(raw, 'activeMs', activeMax),
    pagesRead: wholeIn(raw, 'pagesRead', pageMax),
    device: textIn(raw, 'device', 128) ?? 'unknown',
    deviceName: textIn(raw, 'deviceName', 128),
  }
  if (entry.fileHash === null && entry.path === null && entry.title === null)
    throw new Fault('fileHash, path and title are missing')
  if (readingKind !== 'reset' && entry.page === null && entry.percentage === null && completed !== true)
    throw new Fault('page, percentage and completed are missing')
  return entry
}

const valueIn = (raw: Raw, column: HistoryColumn): Value => {
  const value = raw[column] ?? null
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value === '' ? null : value
  throw new Fault(`${column} is no single value`)
}

const textIn = (raw: Raw, column: HistoryColumn, max: number): string | null => {
  const value = valueIn(raw, column)
  if (value === null) return null
  const text = String(value).normalize('NFC').trim()
  if (text.length > max || /\p{Cc}|\p{Cs}/u.test(text)) throw new Fault(`${column} is no such text`)
  return text === '' ? null : text
}

const flagIn = (raw: Raw, column: HistoryColumn): boolean | null => {
  const value = valueIn(raw, column)
  if (value === null || typeof value === 'boolean') return value
  if (/^(?:true|yes|1)$/i.test(String(value))) return true
  if (/^(?:false|no|0)$/i.test(String(value))) return false
  throw new Fault(`${column} is neither true nor false`)
}

const wholeIn = (raw: Raw, column: HistoryColumn, max: number): number | null => {
  const value = valueIn(raw, column)
  if (value === null) return null
  const number = Math.round(Number(value))
  if (typeof value === 'boolean' || !(number >= 0 && number <= max)) throw new Fault(`${column} is no such number`)
  return number
}

const fractionIn = (raw: Raw): number | null => {
  const value = valueIn(raw, 'percentage')
  if (value === null) return null
  const number = Number(value)
  if (typeof value === 'boolean' || !(number >= 0 && number <= 1)) throw new Fault('percentage is not from 0 to 1')
  return number
}

const timeIn = (raw: Raw, column: HistoryColumn): number | null => {
  const value = valueIn(raw, column)
  if (value === null) return null
  const text = String(value)
  // A day alone is meant wherever one is: its noon is in it nearly everywhere.
  const at = momentIn(isDay(text) ? `${text}T12:00:00.000Z` : text)
  if (!(at >= 0 && at <= 253_370_764_800_000)) throw new Fault(`${column} is no time such as 2026-11-21T10:00:00.000Z`)
  return at
}
