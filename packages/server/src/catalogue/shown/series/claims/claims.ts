import { fieldsOfSeries } from '@carrel/api'
import { cleanLanguage, cleanName } from '../../../../formats/metadata/clean-text.ts'
import type { PathClaims } from '../../../../naming/grouping/grouping-policy.ts'
import { nameKey, sortKey } from '../../../../platform/text/sort-key.ts'
import type { ListClaim } from '../../../member-lists/member-lists.ts'
import { type BookShown, byPriority, inLayers, type Layer, shownFields } from '../../../metadata/metadata.ts'
import { bookPart, seriesPart, type StoredLayer } from '../../books/layers.ts'
import type { BookSources } from './sources.ts'

/** What one book says of its series: for each field its values, written as JSON. */
export type Claims = Readonly<Record<string, readonly string[]>>

/** The fields of these kinds, by what the layers call them. */
const fieldsOf = (kinds: readonly string[], besides: readonly string[]): readonly string[] =>
  Object.entries(fieldsOfSeries)
    .filter(([name, { kind }]) => kinds.includes(kind) && !besides.includes(name))
    .map(([name]) => inLayers(name))

/** How what books say of each field becomes what is said of the series. Of its status no book knows. */
export const rules = {
  mostFrequent: fieldsOf(['line', 'choice'], ['title', 'status']),
  highest: fieldsOf(['number'], ['year']),
  union: fieldsOf(['words', 'rows'], ['externalIds', 'externalRatings']),
} as const

const claimedAlone = ['title', ...rules.mostFrequent, ...rules.highest]
const claimedInLists = ['externalIds', ...rules.union]

/** No index holds more: what is longer says nothing of a series. */
const bytesMax = 2000
const isShort = (text: string): boolean => 3 * text.length <= bytesMax || Buffer.byteLength(text) <= bytesMax

/** What files and what lies beside them say: people and plugins speak of a book alone. */
export const heardOf = (layers: readonly Layer<StoredLayer>[]): readonly Layer<StoredLayer>[] =>
  layers.filter(({ source }) => /^(?:file|sidecar):/.test(source))

/** What a path says is counted beside what files say, and is taken where none of them says anything of the kind. */
export const byPath = (field: string): string => `path:${field}`

/** Which lists its file names it for. This is counted of no series, but stored in rows of its own. */
export const ofLists = 'lists'

type NewClaims = Record<string, readonly string[]>

/** Null when a book says nothing of its series, and nothing of lists. The order of the fields is part of what is stored. */
const claimsOf = ({ layers, byPath }: BookSources): Claims | null => {
  const claims: NewClaims = {}
  const heard = heardOf(layers)
  const book = shownFields(heard.map(bookPart))
  if (heard.length > 0) claimHeard(claims, heard, book)
  if (byPath) claimPath(claims, byPath)
  claim(claims, ofLists, listClaimsOf(book))
  return Object.keys(claims).length === 0 ? null : claims
}

const claimHeard = (claims: NewClaims, heard: readonly Layer<StoredLayer>[], book: Partial<BookShown>): void => {
  const series = shownFields(heard.map(seriesPart))
  const fields: Readonly<Record<string, unknown>> = {
    ...series,
    tags: [...(series.tags ?? []), ...(book.tags ?? [])],
    authors: book.authors ?? series.authors,
  }
  for (const field of claimedAlone) if (fields[field] !== undefined) claim(claims, field, [fields[field]])
  // A series began with its earliest book, or before, if a file says so.
  claim(
    claims,
    'year',
    [series.year, book.year].filter((year) => year !== undefined),
  )
  for (const field of claimedInLists) claimAll(claims, field, fields[field] as readonly unknown[] | undefined)
  if (book.summary !== undefined) claim(claims, 'summary', [true])
  if (Object.keys(claims).length > 0) claim(claims, 'kind', [kindOf(heard)])
}

const claimPath = (claims: NewClaims, path: PathClaims): void => {
  for (const [field, value] of Object.entries(seriesFieldsOf(path))) {
    if (Array.isArray(value)) claimAll(claims, byPath(field), value)
    else if (value !== undefined) claim(claims, byPath(field), [value])
  }
}

const claim = (claims: NewClaims, field: string, values: readonly unknown[] = []): void => {
  if (values.length === 0) return
  const texts = values.map((value) => JSON.stringify(value)).filter(isShort)
  if (texts.length > 0) claims[field] = texts.length === 1 ? texts : [...new Set(texts)]
}

const claimAll = (claims: NewClaims, field: string, values: readonly unknown[] | undefined): void => {
  claim(claims, field, values)
  // How many books say anything of the kind does not follow from how many say what.
  if (claims[field]) claims[`any:${field}`] = ['true']
}

/** It is the text that is stored. */
export const claimsText = (sources: BookSources | undefined): string | undefined => {
  const claims = sources && claimsOf(sources)
  return claims ? JSON.stringify(claims) : undefined
}

/** A folder may be called anything, and a pattern may take any part of it for a language. */
const seriesFieldsOf = ({ publisher, imprint, author, year, language }: PathClaims) => {
  const name = cleanName(author)
  return {
    publisher: cleanName(publisher),
    imprint: cleanName(imprint),
    language: cleanLanguage(language),
    year,
    authors: name === undefined ? undefined : [{ name, role: 'author', sortName: null }],
  }
}

const listClaimsOf = ({ storyArcs = [], seriesGroups = [] }: Partial<BookShown>): readonly ListClaim[] => [
  ...storyArcs.map(({ name, number }) => ({
    list: 'read_list' as const,
    name_key: nameKey(name),
    name,
    place: number === null ? null : sortKey(number),
  })),
  ...seriesGroups.map((name) => ({ list: 'collection' as const, name_key: nameKey(name), name, place: null })),
]

export const claimsIn = (text: string): Claims => JSON.parse(text) as Claims

/** The lists that the stored text names. */
export const listsIn = (claims: string | null | undefined): readonly ListClaim[] =>
  claims?.includes(`"${ofLists}":`)
    ? (claimsIn(claims)[ofLists] ?? []).map((text) => JSON.parse(text) as ListClaim)
    : []

/** `comicinfo`, whether it lies in the file or beside it. */
const kindOf = (heard: readonly Layer<StoredLayer>[]): string => {
  const speaking = heard.filter(({ fields }) => Object.keys(fields.series ?? {}).length > 0)
  const [first] = (speaking.length > 0 ? speaking : heard).toSorted(byPriority)
  return first?.source.replace(/^[^:]*:/, '') ?? ''
}
