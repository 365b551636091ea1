import type { ReadDb } from '../../../../database/database.ts'
import { type Layer, readLayers, type SeriesShown, shownFields } from '../../../metadata/metadata.ts'
import { bookPart, type StoredLayer } from '../../books/layers.ts'
import { type Claims, heardOf } from './claims.ts'
import { derive, type Derived, type DerivedLayer, settles, type Tally } from './derive.ts'
import { selectClaimsInOrder, selectClaimsWithNumbers, selectFirstSummaries } from './queries.ts'
import type { Tallies } from './tally.ts'

interface SeriesToDerive {
  readonly id: string
  readonly first_book_id: string | null
}

type ClaimingBook = Awaited<ReturnType<typeof selectClaimsInOrder>>[number]

/** What a series still needs of its books in their order. */
interface Unsettled {
  readonly derived: Derived
  /** The keys are the names of fields as claims have them. */
  readonly tied: Map<string, readonly string[]>
  readonly values: Map<string, string>
  summaryOf: Pick<ClaimingBook, 'id' | 'number_text'> | undefined
}

/** Most often the first book settles everything, and else one soon after it. */
const parts = [
  { from: 1, to: 20 },
  { from: 21, to: 2000 },
  { from: 2001, to: Number.MAX_SAFE_INTEGER },
]

/** What the books of each series say it is, by their files and by their paths; nothing where no book says anything. */
export const deriveSeries = async (
  db: ReadDb,
  series: readonly SeriesToDerive[],
  tallies: Tallies,
): Promise<ReadonlyMap<string, readonly Layer<SeriesShown>[]>> => {
  const all = new Map(
    series.flatMap(({ id }) => {
      const tally = tallies.get(id)
      const derived = tally && derive(tally)
      return derived ? [[id, unsettled(derived)] as const] : []
    }),
  )
  const firstIds = series.flatMap(({ id, first_book_id }) => (isOpen(all.get(id)) ? (first_book_id ?? []) : []))
  settleBy(all, await selectClaimsWithNumbers(db, firstIds))
  await findSummaries(db, all)
  for (const part of parts) {
    const open = [...all].filter(([, { tied }]) => tied.size > 0)
    if (open.length === 0) break
    const fields = [...new Set(open.flatMap(([, { tied }]) => [...tied.keys()]))]
    const ids = open.map(([id]) => id)
    settleBy(all, await selectClaimsInOrder(db, ids, { ...part, fields }))
  }
  const summaries = await readSummaries(db, [...all.values()])
  return new Map([...all].map(([id, each]) => [id, layersOf(each, summaries)]))
}

interface BookInMemory {
  readonly id: string
  readonly number_text: string | null
  /** JSON. */
  readonly claims: string
  readonly summary: string | undefined
}

/** It derives the same for one series whose books are all at hand, in their order, with their claims. */
export const deriveFrom = (tally: Tally, books: readonly BookInMemory[]): readonly Layer<SeriesShown>[] => {
  const derived = derive(tally)
  if (!derived) return []
  const series = unsettled(derived)
  settleBy(
    new Map([['', series]]),
    books.map((book) => ({ ...book, series_id: '' })),
  )
  return layersOf(series, (bookId) => books.find(({ id }) => id === bookId)?.summary)
}

const unsettled = (derived: Derived): Unsettled => ({
  derived,
  tied: new Map(
    derived.layers.flatMap(({ tied, claimOf }) =>
      [...tied].map(([field, values]) => [claimOf(field), values] as const),
    ),
  ),
  values: new Map(),
  summaryOf: undefined,
})

/** The only summary may be that of a book deep in its series. */
const findSummaries = async (db: ReadDb, all: ReadonlyMap<string, Unsettled>): Promise<void> => {
  const open = [...all].flatMap(([id, series]) => (lacksSummary(series) ? id : []))
  for (const { id, counted_in, number_text } of await selectFirstSummaries(db, open)) {
    const series = all.get(counted_in ?? '')
    if (series) series.summaryOf = { id, number_text }
  }
}

const lacksSummary = ({ derived, summaryOf }: Unsettled): boolean => derived.hasSummary && summaryOf === undefined

/** Its books have still something to settle. */
const isOpen = (series: Unsettled | undefined): series is Unsettled =>
  series !== undefined && (series.tied.size > 0 || lacksSummary(series))

const settleBy = (all: ReadonlyMap<string, Unsettled>, books: readonly Omit<ClaimingBook, 'place'>[]): void => {
  for (const { id, series_id, number_text, claims } of books) {
    const series = all.get(series_id)
    if (!isOpen(series)) continue
    const parsed = JSON.parse(claims) as Claims
    if (parsed['summary']) series.summaryOf ??= { id, number_text }
    for (const [field, values] of series.tied) {
      const value = settles(parsed, field, values)
      if (value === undefined) continue
      series.values.set(field, value)
      series.tied.delete(field)
    }
  }
}

const readSummaries = async (
  db: ReadDb,
  series: readonly Unsettled[],
): Promise<(bookId: string | undefined) => string | undefined> => {
  const ids = series.flatMap(({ summaryOf }) => summaryOf?.id ?? [])
  const layers = ids.length === 0 ? new Map<string, never>() : await readLayers<StoredLayer>(db, ids)
  return (bookId) => shownFields(heardOf(layers.get(bookId ?? '') ?? []).map(bookPart)).summary
}

const layersOf = (
  { derived, values, summaryOf }: Unsettled,
  summaryIn: (bookId: string | undefined) => string | undefined,
): readonly Layer<SeriesShown>[] => {
  const summary = summaryIn(summaryOf?.id)
  const summaryFields = summary === undefined ? {} : { summary, summaryFrom: summaryOf?.number_text ?? null }
  return derived.layers.map((layer) => ({
    source: layer.source,
    fields: { ...layer.fields, ...settledIn(layer, values), ...(layer.source === 'path' ? {} : summaryFields) },
  }))
}

const settledIn = ({ tied, claimOf }: DerivedLayer, values: ReadonlyMap<string, string>): SeriesShown =>
  Object.fromEntries(
    [...tied.keys()].flatMap((field) => {
      const value = values.get(claimOf(field))
      return value === undefined ? [] : [[field, JSON.parse(value) as unknown]]
    }),
  )
