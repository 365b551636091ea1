import { fieldsOfSeries } from '@carrel/api'
import { cleanLanguage, cleanName } from '../../../../formats/metadata/clean-text.ts'
import type { PathClaims } from '../../../../naming/grouping/grouping-policy.ts'
import { nameKey, sortKey } from '../../../../platform/text/sort-key.ts'
import type { ListClaim } from '../../../member-lists/member-lists.ts'
import {
  type BookShown,
  byPriority,
  inLayers,
  type Layer,
  type SeriesShown,
  shownFields,
} from '../../../metadata/metadata.ts'
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

/** No index holds more: what is longer says nothing of a series. */
const bytesMax = 2000

/** What files and what lies beside them say: people and plugins speak of a book alone. */
export const heardOf = (layers: readonly Layer<StoredLayer>[]): readonly Layer<StoredLayer>[] =>
  layers.filter(({ source }) => /^(?:file|sidecar):/.test(source))

/** What a path says is counted beside what files say, and is taken where none of them says anything of the kind. */
export const byPath = (field: string): string => `path:${field}`

/** Which lists its file names it for. This is counted of no series, but stored in rows of its own. */
export const ofLists = 'lists'

/** Null when a book says nothing of its series, and nothing of lists. */
const claimsOf = ({ layers, byPath: claimsOfPath }: BookSources): Claims | null => {
  const heard = heardOf(layers)
  const series = shownFields(heard.map(seriesPart))
  const book = shownFields(heard.map(bookPart))
  const claims: Record<string, readonly string[]> = {}
  const claim = (field: string, values: readonly unknown[] = []): void => {
    const texts = new Set(
      values.map((value) => JSON.stringify(value)).filter((text) => Buffer.byteLength(text) <= bytesMax),
    )
    if (texts.size > 0) claims[field] = [...texts]
  }
  const claimAll = (field: string, values: readonly unknown[] | undefined): void => {
    claim(field, values)
    // How many books say anything of the kind does not follow from how many say what.
    if (claims[field]) claim(`any:${field}`, [true])
  }
  const fields: Readonly<Record<string, unknown>> = {
    ...series,
    tags: [...(series.tags ?? []), ...(book.tags ?? [])],
    authors: book.authors ?? series.authors,
  }
  for (const field of ['title', 'year', ...rules.mostFrequent, ...rules.highest])
    if (fields[field] !== undefined) claim(field, [fields[field]])
  for (const field of ['externalIds', ...rules.union]) claimAll(field, fields[field] as readonly unknown[] | undefined)
  if (book.summary !== undefined) claim('summary', [true])
  if (Object.keys(claims).length > 0) claim('kind', [kindOf(heard)])
  for (const [field, value] of Object.entries(seriesFieldsOf(claimsOfPath))) {
    if (Array.isArray(value)) claimAll(byPath(field), value)
    else claim(byPath(field), [value])
  }
  claim(ofLists, listClaimsOf(book))
  return Object.keys(claims).length === 0 ? null : claims
}

/** As they are stored. */
export const claimsText = (sources: BookSources | undefined): string | undefined => {
  const claims = sources && claimsOf(sources)
  return claims ? JSON.stringify(claims) : undefined
}

/** A folder may be called anything, and a pattern may take any part of it for a language. */
const seriesFieldsOf = ({ publisher, imprint, author, year, language }: PathClaims = {}): SeriesShown => {
  const name = cleanName(author)
  const fields = {
    publisher: cleanName(publisher),
    imprint: cleanName(imprint),
    language: cleanLanguage(language),
    year,
    authors: name === undefined ? undefined : [{ name, role: 'author', sortName: null }],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
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

/** The lists that these claims, as they are stored, are of. */
export const listsIn = (claims: string | null | undefined): readonly ListClaim[] =>
  claims?.includes(`"${ofLists}":`)
    ? ((JSON.parse(claims) as Claims)[ofLists] ?? []).map((text) => JSON.parse(text) as ListClaim)
    : []

/** `comicinfo`, whether it lies in the file or beside it. */
const kindOf = (heard: readonly Layer<StoredLayer>[]): string => {
  const speaking = heard.filter(({ fields }) => Object.keys(fields.series ?? {}).length > 0)
  const [first] = (speaking.length > 0 ? speaking : heard).toSorted(byPriority)
  return first?.source.replace(/^[^:]*:/, '') ?? ''
}
