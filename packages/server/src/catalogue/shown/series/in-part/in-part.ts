import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { plainText } from '../../../../platform/text/sort-key.ts'
import { type Layer, readLayers, type SeriesShown, shownFields } from '../../../metadata/metadata.ts'
import { indexDocuments } from '../../../search-index/search-index.ts'
import { rateTermsOfSeries, writersOf } from '../../../terms/terms.ts'
import { bookPart, type StoredLayer } from '../../books/layers.ts'
import { claimsIn, heardOf } from '../claims/claims.ts'
import { deriveFrom } from '../claims/derive-series.ts'
import { changedRows, talliesOf } from '../claims/tally.ts'
import { numberTotalOf, seriesFieldColumns } from '../columns.ts'
import { isDerived } from '../describe.ts'
import { deleteParts, insertParts, selectRatedBelowBooks, selectRatedClaims, setStrictestRatings } from './queries.ts'

type RatedSeries = Awaited<ReturnType<typeof selectRatedBelowBooks>>[number]
type ClaimingBook = Awaited<ReturnType<typeof selectRatedClaims>>[number]

interface SeriesToPart {
  readonly id: string
  /** It had books that were rated higher than it. */
  readonly hadParts: boolean
}

/**
 * A series may be rated lower than some of its books, be it that a person has said so of either. What is shown of it to those who see
 * it without these books comes from the books they see (W9), and is worked out here, once for each rating from which more is seen.
 * Most series have no such book, and cost nothing.
 */
export const settleParts = async (db: WriteDb, series: readonly SeriesToPart[]): Promise<void> => {
  if (series.length === 0) return
  const rated = await selectRatedBelowBooks(
    db,
    series.map(({ id }) => id),
  )
  const ratedIds = rated.map(({ id }) => id)
  const stillRated = new Set(ratedIds)
  const before = series.filter(({ hadParts }) => hadParts).map(({ id }) => id)
  const noLonger = before.filter((id) => !stillRated.has(id))
  const touched = [...ratedIds, ...noLonger]
  if (touched.length === 0) return
  await deleteParts(db, touched)
  const parts = rated.length === 0 ? [] : await workOutParts(db, rated)
  await insertParts(
    db,
    parts.map(({ row }) => row),
  )
  await setStrictestRatings(db, [
    ...rated.map(({ id, strictest_rating }) => ({ id, strictest_rating })),
    ...noLonger.map((id) => ({ id, strictest_rating: null })),
  ])
  await rateTermsOfSeries(db, touched, {
    among: parts.map(({ row, shown }) => ({ id: row.series_id, from: row.from_rating, fields: shown })),
    strictest: new Map(rated.map(({ id, strictest_rating }) => [id, strictest_rating])),
  })
  await indexDocuments(db, 'series', touched)
}

const workOutParts = async (db: ReadDb, rated: readonly RatedSeries[]) => {
  const ids = rated.map(({ id }) => id)
  const booksOf = Map.groupBy(await selectRatedClaims(db, ids), ({ series_id }) => series_id)
  const layersOf = await readLayers<SeriesShown>(db, ids)
  const levels = rated.flatMap((series) =>
    levelsOf(series, booksOf.get(series.id) ?? []).map((level) => ({ ...level, series })),
  )
  const summaryOf = await readSummaries(
    db,
    levels.flatMap(({ books }) => firstWithSummary(books)?.id ?? []),
  )
  return levels.map(({ series, books, ...level }) => {
    const derived = deriveFrom(
      tallyOf(series.id, books),
      books.map((book) => ({ ...book, summary: summaryOf(book.id) })),
    )
    const spoken = (layersOf.get(series.id) ?? []).filter(({ source }) => !isDerived(source))
    const shown = shownFields<SeriesShown>([...spoken, ...derived])
    return { row: partRow(series, { ...level, derived, shown }), shown }
  })
}

type RatedBook = ClaimingBook & { readonly claims: string }

/** From which ratings more of its books are seen than from the one before, and which these are: all but the last, at which all are. */
const levelsOf = ({ age_rating }: RatedSeries, books: readonly ClaimingBook[]) => {
  const lowest = age_rating ?? 0
  const ratings = new Set([lowest, ...books.flatMap((book) => book.age_rating ?? []).filter((each) => each > lowest)])
  const levels = [...ratings].sort((one, other) => one - other)
  return levels.slice(0, -1).map((from, at) => {
    const seen = books.filter((book) => book.age_rating !== null && book.age_rating <= from)
    return {
      from,
      below: levels[at + 1] ?? from,
      books: seen.filter((book): book is RatedBook => book.claims !== null),
      hasVolumes: seen.some(({ volume }) => volume !== null),
    }
  })
}

const tallyOf = (seriesId: string, books: readonly RatedBook[]) =>
  talliesOf(changedRows(books.map(({ claims }) => ({ seriesId, claims, books: 1 })))).get(seriesId) ?? new Map()

const firstWithSummary = (books: readonly RatedBook[]): RatedBook | undefined =>
  books.find(({ claims }) => claimsIn(claims)['summary'] !== undefined)

const readSummaries = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<(bookId: string) => string | undefined> => {
  const layers = await readLayers<StoredLayer>(db, [...new Set(bookIds)])
  return (bookId) => shownFields(heardOf(layers.get(bookId) ?? []).map(bookPart)).summary
}

interface SeenPart {
  readonly from: number
  readonly below: number
  readonly derived: readonly Layer<SeriesShown>[]
  readonly shown: Partial<SeriesShown>
  readonly hasVolumes: boolean
}

const partRow = ({ id, name }: RatedSeries, { from, below, derived, shown, hasVolumes }: SeenPart) => {
  const title = shown.title ?? name
  return {
    series_id: id,
    from_rating: from,
    below_rating: below,
    title,
    title_text: plainText(title),
    metadata: JSON.stringify(shown),
    derived: JSON.stringify(derived),
    writers: writersOf(shown.authors),
    number_total: numberTotalOf(shown, hasVolumes),
    ...seriesFieldColumns.of(shown),
  }
}
