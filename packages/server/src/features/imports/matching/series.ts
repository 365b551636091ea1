import type { ReadDb } from '../../../database/database.ts'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'
import { type BookMatch, type SeriesMatch, stagedRows } from '../staging.ts'
import { selectBookLocations, selectSeriesNamed } from './queries.ts'

const booksAtOnce = 500
const namesAtOnce = 300

/** A series is the one of ours that most of its books are in; one without books of ours is found by its name. */
export const matchSeries = async (
  db: ReadDb,
  importId: string,
  { books, mapped }: { readonly books: readonly BookMatch[]; readonly mapped: ReadonlyMap<string, string | null> },
): Promise<SeriesMatch[]> => {
  const seriesOfBook = await seriesOfOurs(
    db,
    books.flatMap(({ ours }) => ours ?? []),
  )
  const oursOf = new Map(books.map(({ theirs, ours }) => [theirs, ours]))
  const votes = new Map<string, Map<string, number>>()
  for await (const { records } of stagedRows(db, importId, 'book'))
    for (const { id, series } of records) {
      const ours = seriesOfBook.get(oursOf.get(id) ?? '')
      if (series === null || ours === undefined) continue
      const own = votes.get(series) ?? new Map<string, number>()
      own.set(ours, (own.get(ours) ?? 0) + 1)
      votes.set(series, own)
    }
  const matches = [...votes].map(([theirs, own]) => ({ theirs, ours: mostOf(own) }))
  return [...matches, ...(await byName(db, importId, { voted: votes, mapped }))]
}

const mostOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].reduce((most, each) => (each[1] > most[1] || (each[1] === most[1] && each[0] < most[0]) ? each : most))[0]

const seriesOfOurs = async (db: ReadDb, bookIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const matches = new Map<string, string>()
  for (let from = 0; from < bookIds.length; from += booksAtOnce)
    for (const [id, { seriesId }] of await selectBookLocations(db, bookIds.slice(from, from + booksAtOnce)))
      matches.set(id, seriesId)
  return matches
}

interface Naming {
  readonly voted: ReadonlyMap<string, unknown>
  readonly mapped: ReadonlyMap<string, string | null>
}

const byName = async (db: ReadDb, importId: string, { voted, mapped }: Naming): Promise<SeriesMatch[]> => {
  const matches: SeriesMatch[] = []
  for await (const { records } of stagedRows(db, importId, 'series')) {
    const left = records.filter(({ id }) => !voted.has(id))
    for (let from = 0; from < left.length; from += namesAtOnce) {
      const some = left.slice(from, from + namesAtOnce)
      const rows = await selectSeriesNamed(db, [...new Set(some.map(({ title }) => seriesNameKey(title)))])
      const meant = ({ id, title, library }: (typeof some)[number]): SeriesMatch[] => {
        const ours = mapped.get(library ?? '') ?? null
        const named = rows.filter(
          ({ key, libraryId }) => key === seriesNameKey(title) && (library === null || libraryId === ours),
        )
        const [only, another] = [...new Set(named.map(({ seriesId }) => seriesId))]
        return only !== undefined && another === undefined ? [{ theirs: id, ours: only }] : []
      }
      matches.push(...some.flatMap(meant))
    }
  }
  return matches
}
