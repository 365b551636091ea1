import { createHash } from 'node:crypto'
import { plainTitle } from '@carrel/plugin-sdk'

/** A row of the catalogue as this plugin understands it. */
export interface Entry {
  readonly id: string
  readonly type: 'series' | 'book'
  readonly title: string
  readonly alternateTitles: readonly string[]
  readonly authors: readonly string[]
  readonly artists: readonly string[]
  readonly genres: readonly string[]
  readonly tags: readonly string[]
  readonly isbns: readonly string[]
  readonly externalIds: readonly { readonly source: string; readonly externalId: string }[]
  readonly texts: Readonly<Partial<Record<TextField, string>>>
  readonly numbers: Readonly<Partial<Record<NumberField, number>>>
}

const textFields = [
  'summary',
  'publisher',
  'language',
  'status',
  'readingDirection',
  'url',
  'coverUrl',
  'subtitle',
  'releaseDate',
] as const
const numberFields = ['year', 'volumes', 'chapters', 'ageRating', 'rating', 'volume', 'pageCount'] as const
type TextField = (typeof textFields)[number]
type NumberField = (typeof numberFields)[number]

export const knownColumns: readonly string[] = [
  'id',
  'type',
  'title',
  'alternateTitles',
  'authors',
  'artists',
  'genres',
  'tags',
  'isbn',
  'externalIds',
  ...textFields,
  ...numberFields,
]

/** It separates the values of one field of CSV. */
const separator = /\s*[;|]\s*/

/** It reads a row; the result is a sentence when the row says nothing that can be used. */
export const readEntry = (row: Readonly<Record<string, unknown>>): Entry | string => {
  const title = textOf(row['title'])
  if (title === undefined) return 'it has no title'
  const type = textOf(row['type']) ?? 'series'
  if (type !== 'series' && type !== 'book') return `its type is "${type}", neither series nor book`
  const numbers = Object.fromEntries(numberFields.map((field) => [field, numberOf(row[field])]))
  const wrong = numberFields.find((field) => Number.isNaN(numbers[field]))
  if (wrong !== undefined) return `its ${wrong} is not a number: ${JSON.stringify(row[wrong])}`
  return {
    id: textOf(row['id']) ?? idOf(type, title, numbers['year']),
    type,
    title,
    alternateTitles: listOf(row['alternateTitles']),
    authors: listOf(row['authors']),
    artists: listOf(row['artists']),
    genres: listOf(row['genres']),
    tags: listOf(row['tags']),
    isbns: listOf(row['isbn']).map(plainIsbn),
    externalIds: listOf(row['externalIds']).flatMap(externalIdOf),
    texts: Object.fromEntries(textFields.map((field) => [field, textOf(row[field])])),
    numbers,
  }
}

export const plainIsbn = (isbn: string): string => isbn.replace(/[^0-9xX]/g, '').toUpperCase()

/** A catalogue without ids: the same title of the same year keeps its id when rows move. */
const idOf = (type: string, title: string, year: number | undefined): string =>
  createHash('sha256')
    .update(`${type}\n${plainTitle(title)}\n${year ?? ''}`)
    .digest('hex')
    .slice(0, 16)

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

const numberOf = (value: unknown): number | undefined => {
  const text = textOf(value)
  return text === undefined ? undefined : Number(text)
}

const listOf = (value: unknown): string[] => {
  const items: unknown[] = Array.isArray(value) ? value : (textOf(value)?.split(separator) ?? [])
  return items.flatMap((item) => textOf(item) ?? [])
}

/** `api:anilist=123` */
const externalIdOf = (text: string): { source: string; externalId: string }[] => {
  const at = text.indexOf('=')
  return at > 0 ? [{ source: text.slice(0, at).trim(), externalId: text.slice(at + 1).trim() }] : []
}
