import type { Gaps, SeriesGaps } from '@carrel/api'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import { expectedIn } from '../../filtering/filtering.ts'
import { type RunRow, selectUnitPositions, selectRuns, selectSteps } from './queries.ts'

type Kind = 'numbers' | 'volumes'
type Range = Gaps['missing'][number]

/** Which numbers of a series are not there, as far as this viewer sees it. */
export const readGaps = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesGaps> => {
  await requireSeries(db, viewer, id)
  const gaps = await gapsOfSeries(db, viewer, [id])
  const { numbers, volumes } = gaps.get(id) ?? { numbers: null, volumes: null }
  const placed = async (kind: Kind, of: Gaps | null): Promise<Gaps | null> =>
    of && { ...of, missing: await withPositions(db, viewer, id, { kind, missing: of.missing }) }
  return { numbers: await placed('numbers', numbers), volumes: await placed('volumes', volumes) }
}

/** More gaps than these are not shown among the books: their places are not asked for. */
const placedMax = 200

/** A gap stands before the number that follows it, or at the end behind the last one. */
const withPositions = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
  { kind, missing }: { readonly kind: Kind; readonly missing: readonly Range[] },
): Promise<Range[]> => {
  const units = missing.slice(0, placedMax).flatMap(({ from, to }) => [from - 1, to + 1])
  const booksByUnit = await selectUnitPositions(db, viewer, id, { kind, units })
  const placeOf = ({ from, to }: Range): number => {
    const following = booksByUnit.get(to + 1)
    return following === undefined ? (booksByUnit.get(from - 1)?.last ?? 0) : following.first - 1
  }
  return missing.map((range, index) => (index < placedMax ? { ...range, at: placeOf(range) } : range))
}

/** The same of many; a series whose books have no numbers is not in the answer. */
export const gapsOfSeries = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeriesGaps>> => {
  const runs = Map.groupBy(await selectRuns(db, viewer, ids), ({ series_id }) => series_id)
  const steps = Map.groupBy(await selectSteps(db, viewer, ids), ({ series_id, kind }) => `${series_id} ${kind}`)
  return new Map(
    [...runs].map(([id, rows]) => {
      const of = (kind: Kind): Gaps | null => {
        const run = rows.find((row) => row.kind === kind)
        const between = (steps.get(`${id} ${kind}`) ?? []).map(({ before, unit }) => ({
          from: before + 1,
          to: unit - 1,
        }))
        return run ? gapsIn(run, between) : null
      }
      return [id, { numbers: of('numbers'), volumes: of('volumes') }] as const
    }),
  )
}

const gapsIn = (run: RunRow, between: readonly Range[]): Gaps => {
  const { from, to } = expectedIn(run, run.total)
  // Numbers that are dates or codes have no gaps.
  const isRun = to >= run.last
  const missing = [{ from, to: run.first - 1 }, ...(isRun ? between : []), { from: run.last + 1, to }]
  return { owned: run.owned, of: to - from + 1, missing: missing.filter((range) => range.from <= range.to) }
}
