import { readStatuses } from '@carrel/api'
import { isClean } from '../../../http/input/decode-parameters.ts'
import { invalid } from '../../../platform/errors.ts'
import { isDay } from '../../../platform/text/spelled-values.ts'
import { inId } from '../spelling.ts'
import { anyOf, type CompatCondition, equal, everything, type Field, not, that } from './list-options.ts'

/** The query as the framework has it, brackets and all. */
export type Parameters = Readonly<Record<string, unknown>>

const valuesMax = 500
const lengthMax = 1000

/** `name=a&name=b`, `name=a,b`, `name=a, b` or `name[]=a`; commas separate only where it stands there once. */
export const listIn = (query: Parameters, name: string): string[] => {
  const given = [query[name], query[`${name}[]`]].flat().filter((each) => typeof each === 'string')
  const [only, ...others] = given
  const values = only !== undefined && others.length === 0 ? only.split(',') : given
  return cleaned(values, name)
}

/** A value that may hold commas itself. */
const wholeIn = (query: Parameters, name: string): string[] =>
  cleaned(
    [query[name], query[`${name}[]`]].flat().filter((each) => typeof each === 'string'),
    name,
  )

const cleaned = (values: readonly string[], name: string): string[] => {
  const clean = values.map((value) => value.trim()).filter((value) => value !== '')
  if (clean.length > valuesMax) throw invalid(name, `${name} must have at most ${valuesMax} values.`)
  for (const value of clean) {
    if (value.length > lengthMax) throw invalid(name, `${name} must have at most ${lengthMax} characters.`)
    if (!isClean(value)) throw invalid(name, `${name} must not hold a null character or half a character.`)
  }
  return clean
}

export const firstIn = (query: Parameters, name: string): string | undefined => wholeIn(query, name)[0]

/** Undefined: anything but true and false is as if it were not there. */
const flagIn = (query: Parameters, name: string): boolean | undefined => {
  const word = firstIn(query, name)?.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

/** A text that is no id is the id of nothing. */
const nobody = '00000000-0000-0000-0000-000000000000'

export const idsIn = (query: Parameters, name: string): string[] => listIn(query, name).map((id) => inId(id) ?? nobody)

const oneOf = (field: Field, values: readonly string[]): readonly CompatCondition[] =>
  anyOf(values.map((value) => equal(field, value)))

/** A word that they do not know is none: those they know remain. */
const words = (field: Field, values: readonly string[], accepted: readonly string[]): readonly CompatCondition[] =>
  oneOf(
    field,
    values.map((value) => value.toUpperCase()).filter((value) => accepted.includes(value)),
  )

const readStatus = (query: Parameters): readonly CompatCondition[] =>
  oneOf(
    'readStatus',
    listIn(query, 'read_status')
      .map((value) => value.toLowerCase())
      .filter((value) => readStatuses.some((status) => status === value)),
  )

const flag = (field: Field, query: Parameters, name: string): readonly CompatCondition[] => {
  const value = flagIn(query, name)
  return value === undefined ? [] : [that(field, { operator: value ? 'isTrue' : 'isFalse' })]
}

const people = (query: Parameters): readonly CompatCondition[] =>
  anyOf(
    wholeIn(query, 'author').map((value): CompatCondition => {
      const comma = value.lastIndexOf(',')
      const [name, role] =
        comma === -1
          ? [value, '']
          : [
              value.slice(0, comma).trim(),
              value
                .slice(comma + 1)
                .trim()
                .toLowerCase(),
            ]
      if (name === '' && role === '') return everything
      return { author: { name: name || undefined, role: role || undefined } }
    }),
  )

/** It reads the conditions on series from the address. */
export const seriesOptions = (query: Parameters): CompatCondition => ({
  allOf: [
    ...oneOf('libraryId', idsIn(query, 'library_id')),
    ...oneOf('collectionId', idsIn(query, 'collection_id')),
    ...words('seriesStatus', listIn(query, 'status'), ['ENDED', 'ONGOING', 'ABANDONED', 'HIATUS']),
    ...readStatus(query),
    ...oneOf('publisher', listIn(query, 'publisher')),
    ...oneOf('language', listIn(query, 'language')),
    ...oneOf('genre', listIn(query, 'genre')),
    ...oneOf('tag', listIn(query, 'tag')),
    ...oneOf('sharingTag', listIn(query, 'sharing_label')),
    ...anyOf(listIn(query, 'age_rating').map(ageRating)),
    ...anyOf(listIn(query, 'release_year').flatMap(releaseYear)),
    ...people(query),
    ...flag('deleted', query, 'deleted'),
    ...flag('complete', query, 'complete'),
    ...flag('oneShot', query, 'oneshot'),
    ...inLetters(query),
  ],
})

const ageRating = (value: string): CompatCondition =>
  /^\d{1,4}$/.test(value)
    ? { ageRating: { operator: 'eq', value: Number(value) } }
    : not({ ageRating: { operator: 'isNotNull' } })

const releaseYear = (value: string): CompatCondition[] =>
  /^\d{1,4}$/.test(value) ? [{ releaseYear: { operator: 'eq', value: Number(value) } }] : []

/** It reads the conditions on books from the address. */
export const bookOptions = (query: Parameters): CompatCondition => ({
  allOf: [
    ...oneOf('libraryId', idsIn(query, 'library_id')),
    ...words('mediaStatus', listIn(query, 'media_status'), ['READY', 'UNKNOWN', 'ERROR', 'UNSUPPORTED', 'OUTDATED']),
    ...readStatus(query),
    ...oneOf('tag', listIn(query, 'tag')),
    ...people(query),
    ...flag('deleted', query, 'deleted'),
    ...releasedAfter(query),
  ],
})

const releasedAfter = (query: Parameters): readonly CompatCondition[] => {
  const day = firstIn(query, 'released_after')
  if (day === undefined) return []
  if (!isDay(day)) throw invalid('released_after', 'released_after must be a date such as 2003-08-27.')
  return [{ releaseDate: { operator: 'after', value: day } }]
}

const searched = { TITLE: 'title', TITLE_SORT: 'titleSort' } as const

/**
 * Their regular expressions are never run: what the applications send is a beginning, an end, a part, or a range of first
 * letters, and those are looked up as what they are. Everything else is refused.
 */
const inLetters = (query: Parameters): readonly CompatCondition[] => {
  const given = wholeIn(query, 'search_regex')[0]
  if (given === undefined) return []
  const comma = given.lastIndexOf(',')
  const target = given
    .slice(comma + 1)
    .trim()
    .toUpperCase()
  if (comma === -1 || (target !== 'TITLE' && target !== 'TITLE_SORT'))
    throw invalid('search_regex', 'search_regex must end with ",TITLE" or ",TITLE_SORT".')
  return [inWords(searched[target], given.slice(0, comma))]
}

const range = /^\^\[(\^?)(\\d|[a-z0-9]-[a-z0-9]|[a-z0-9])\](?:\.\*)?\$?$/i
const plainLetters = /^(\^?)((?:[^\\^$.*+?()[\]{}|]|\\[^a-zA-Z0-9])*)(\$?)$/u

const inWords = (field: 'title' | 'titleSort', pattern: string): CompatCondition => {
  const [, isNone, letters] = range.exec(pattern) ?? []
  if (letters !== undefined) {
    const [from = '', to = from] = letters === '\\d' ? ['0', '9'] : letters.toLowerCase().split('-')
    const options: CompatCondition = { initial: { of: field, from, to } }
    return isNone ? not(options) : options
  }
  const trimmed = pattern.replace(/^(?:\.\*)+/, '').replace(/(?:\.\*)+\$?$/, '')
  const [, first, literal, last] = plainLetters.exec(trimmed) ?? []
  if (literal === undefined)
    throw invalid(
      'search_regex',
      'search_regex may be a text, with ^ before or $ behind it, or ^[a-z]: no other pattern.',
    )
  if (literal === '') return everything
  const value = literal.replaceAll(/\\(.)/gu, '$1')
  const operator = first && last ? 'is' : first ? 'beginsWith' : last ? 'endsWith' : 'contains'
  return that(field, { operator, value })
}
