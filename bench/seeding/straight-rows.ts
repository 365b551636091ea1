import type { Insertable } from 'kysely'
import type { Schema } from '../../packages/server/src/database/schema.ts'
import { type StoredLayer, bookPart, bookNamesOf, groupFile } from '../../packages/server/src/catalogue/shown/shown.ts'
import { describedColumns, releaseDateOf } from '../../packages/server/src/catalogue/shown/books/columns.ts'
import type { ScannedLibrary } from '../../packages/server/src/features/scan/library.ts'
import { newBook } from '../../packages/server/src/catalogue/shown/books/place-books.ts'
import { newFile, whereColumns } from '../../packages/server/src/features/scan/identity/store-files.ts'
import { bookDocument, seriesDocument } from '../../packages/server/src/catalogue/search-index/documents.ts'
import { type Layer, shownFields } from '../../packages/server/src/catalogue/metadata/metadata.ts'
import { deriveFrom } from '../../packages/server/src/catalogue/shown/series/claims/derive-series.ts'
import { claimsText } from '../../packages/server/src/catalogue/shown/series/claims/claims.ts'
import { changedRows, talliesOf } from '../../packages/server/src/catalogue/shown/series/claims/tally.ts'
import { shownColumns } from '../../packages/server/src/catalogue/shown/series/columns.ts'
import { newSeries } from '../../packages/server/src/catalogue/shown/series/keep.ts'
import { type Mention, mentionsIn } from '../../packages/server/src/catalogue/terms/terms.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { seriesNameKeys } from '../../packages/server/src/platform/text/name-keys.ts'
import type { PlannedBook } from '../gen/plan.ts'
import { analysisOf, walkedOf } from './seen.ts'

/** Only tables of books and series are written like this. */
export type StraightTable =
  | 'series'
  | 'series_name'
  | 'series_search'
  | 'book'
  | 'file'
  | 'book_fingerprint'
  | 'metadata_layer'
  | 'book_claim'
  | 'series_claim'
  | 'book_search'

type StraightRows = { readonly [Table in StraightTable]: Insertable<Schema[Table]>[] }

/** Books and series mention terms by these names, before it is known which terms exist already. */
export interface Mentions {
  readonly series: Mention[]
  readonly book: Mention[]
}

export interface Straight {
  readonly rows: StraightRows
  readonly mentions: Mentions
}

/** The rows of some series, worked out without a database, as they stand after a scan has listed and read all of it. */
export const straightRows = (library: ScannedLibrary, books: readonly PlannedBook[], now: Date): Straight => {
  const rows: StraightRows = {
    series: [],
    series_name: [],
    series_search: [],
    book: [],
    file: [],
    book_fingerprint: [],
    metadata_layer: [],
    book_claim: [],
    series_claim: [],
    book_search: [],
  }
  const mentions: Mentions = { series: [], book: [] }
  const seen = books.map((book) => seenBook(library, book, now))
  for (const ofSeries of Map.groupBy(seen, ({ series }) => series.key).values())
    addSeries({ rows, mentions }, library, ofSeries, now)
  return { rows, mentions }
}

type SeenBook = ReturnType<typeof seenBook>

const seenBook = (library: ScannedLibrary, book: PlannedBook, now: Date) => {
  const file = walkedOf(book)
  const [folder, name] = file
  const location = { rootId: library.roots[0]?.id ?? '', folder, name }
  const analysis = analysisOf(book)
  const layers: readonly Layer<StoredLayer>[] = analysis.layers.map(({ source, ...fields }) => ({ source, fields }))
  const fields = shownFields(layers.map(bookPart))
  const series = groupFile(library, location)
  const names = bookNamesOf(library, location, fields, { series })
  return { id: newId(now.getTime()), file, location, analysis, layers, fields, series, names }
}

/** Which numbers and volumes there are (gaps.ts). */
const runsOf = (books: readonly SeenBook[]) => {
  const names = books.map((book) => book.names).filter(({ is_special }) => is_special === 0)
  const isNumbered = ({ chapter, number_text }: SeenBook['names']): boolean => chapter !== null || number_text !== null
  const run = (units: readonly (number | null)[]) => {
    const wholeUnits = [...new Set(units)].filter((unit) => unit !== null && unit >= 1 && Number.isInteger(unit))
    const all = wholeUnits.flatMap((unit) => unit ?? [])
    return { owned: all.length, first: all.toSorted((one, other) => one - other)[0] ?? null, last: largest(all) }
  }
  const numbers = run(names.filter(isNumbered).map(({ number }) => number))
  const volumes = run(names.filter((each) => !isNumbered(each)).map(({ volume }) => volume))
  return {
    number_owned: numbers.owned,
    number_first: numbers.first,
    number_last: numbers.last,
    volume_owned: volumes.owned,
    volume_first: volumes.first,
    volume_last: volumes.last,
  }
}

const addSeries = (
  { rows, mentions }: Straight,
  library: ScannedLibrary,
  books: readonly SeenBook[],
  now: Date,
): void => {
  const inOrder = books.toSorted(
    (one, other) => compare(one.names.position_key, other.names.position_key) || compare(one.id, other.id),
  )
  const [first] = inOrder
  if (!first) return
  const listed = newSeries(library.id, first.series, now)
  const claiming = inOrder.flatMap(
    ({ id, layers, fields: { summary }, names: { number_text }, series: { claims: byPath } }) => {
      const claims = claimsText({ layers, byPath })
      return claims === undefined ? [] : [{ id, claims, summary, number_text }]
    },
  )
  const tallies = changedRows(claiming.map(({ claims }) => ({ seriesId: listed.id, claims, books: 1 })))
  const layers = deriveFrom(talliesOf(tallies).get(listed.id) ?? new Map(), claiming)
  rows.book_claim.push(...claiming.map(({ id, claims }) => ({ book_id: id, claims, counted_in: listed.id })))
  rows.series_claim.push(...tallies)
  const volumes = books.flatMap(({ names: { volume } }) => volume ?? [])
  const refreshed = {
    ...listed,
    age_rating: null,
    books: books.length,
    max_volume: largest(volumes),
    max_chapter: largest(books.flatMap(({ names: { chapter } }) => chapter ?? [])),
    max_rating: largest(books.flatMap(({ fields: { ageRating } }) => ageRating ?? [])),
    volumes: new Set(volumes).size,
    ...runsOf(books),
    first_book_id: first.id,
    first_released: books.flatMap(({ fields }) => releaseDateOf(fields) ?? []).toSorted(compare)[0] ?? null,
  }
  const series = { ...listed, ...shownColumns(refreshed, layers, now) }
  const { alternateTitles = [] } = shownFields(layers)
  rows.series.push(series)
  const keys = seriesNameKeys([series.name, series.title, ...alternateTitles.map(({ title }) => title)])
  rows.series_name.push(...keys.map((key) => ({ series_id: series.id, key })))
  rows.metadata_layer.push(...layers.map((layer) => layerRow(series.id, layer, now)))
  const { id, ...document } = seriesDocument(series)
  rows.series_search.push({ series_id: id, ...document })
  mentions.series.push(...mentionsIn({ id, fields: shownFields(layers), hadAny: false }))
  for (const book of books) addBook({ rows, mentions }, library, { book, series }, now)
}

const addBook = (
  { rows, mentions }: Straight,
  library: ScannedLibrary,
  {
    book: { id, file: walked, location, analysis, layers, fields, series: seriesPlace, names },
    series,
  }: { readonly book: SeenBook; readonly series: Insertable<Schema['series']> },
  now: Date,
): void => {
  const at = now.toISOString()
  const [root] = library.roots
  if (!root) throw new Error('The library has no root')
  const file = {
    book_id: id,
    series_id: series.id,
    analysed: 0 as const,
    format: analysis.format,
    page_count: 0,
  }
  const described = describedColumns(
    library,
    { file, fields, ageRatingByPeople: null, decided: {}, path: location, series: seriesPlace },
    { seriesId: series.id, analysis, now },
  )
  const book = {
    ...newBook(library.id, at),
    series_id: series.id,
    ...names,
    size: walked[2],
    ...described,
    age_rating: described.own_age_rating ?? series.age_rating ?? null,
  }
  rows.book.push(book)
  const { file: file_hash, content: content_hash } = analysis.fingerprints
  rows.file.push({
    ...newFile(at),
    id: newId(now.getTime()),
    book_id: id,
    ...whereColumns(library.id, { rootId: root.id, walked }),
    analysis: 'done',
    file_hash,
    content_hash,
  })
  rows.book_fingerprint.push({ kind: 'file', value: file_hash, book_id: id, at })
  rows.book_fingerprint.push({ kind: 'content', value: content_hash, book_id: id, at })
  rows.metadata_layer.push(...layers.map((layer) => layerRow(id, layer, now)))
  const isHidden = (series.age_rating ?? -1) > (book.age_rating ?? Number.POSITIVE_INFINITY)
  const series_title = isHidden ? null : series.title
  const { title, words, textWords } = bookDocument({ ...book, series_title, file_name: location.name })
  rows.book_search.push({ book_id: id, title, words, text_words: textWords ?? null })
  mentions.book.push(...mentionsIn({ id, fields, hadAny: false }))
}

const layerRow = (entityId: string, { source, fields }: Layer<object>, now: Date) => ({
  entity_id: entityId,
  source,
  fields: JSON.stringify(fields),
  at: now.toISOString(),
  by_user_id: null,
})

const largest = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : Math.max(...numbers))
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
