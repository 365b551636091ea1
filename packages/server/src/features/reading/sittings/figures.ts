import type { Figures } from '../table.ts'
import { beginningOf, type Day, type Scale, scales, type Zone } from '../stats/zone.ts'
import type { FigureRow, SittingRow } from './queries.ts'

/** Weeks only as a whole: they fit into no month and no year. */
const scalesOf = (subject: FigureRow['subject']): readonly Scale[] =>
  subject === 'all' ? scales : scales.filter((scale) => scale !== 'week')

/** What one sitting counts. */
export const countsOf = (
  row: Pick<SittingRow, 'is_sitting' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions'>,
): Figures => {
  const isSitting = row.is_sitting === 1
  const hasTime = row.measured_ms !== null || row.inferred_ms > 0
  const isPaced = row.inferred_ms === 0 && (row.measured_ms ?? 0) > 0 && (row.pages ?? 0) > 0
  return {
    sittings: row.is_sitting,
    measured_ms: row.measured_ms ?? 0,
    inferred_ms: row.inferred_ms,
    pages: row.pages ?? 0,
    without_duration: isSitting && !hasTime ? 1 : 0,
    without_pages: isSitting && row.pages === null ? 1 : 0,
    completions: row.completions,
    paced_ms: isPaced ? (row.measured_ms ?? 0) : 0,
    paced_pages: isPaced ? (row.pages ?? 0) : 0,
  }
}

const add = (one: Figures, other: Figures, sign: 1 | -1): Figures => ({
  sittings: one.sittings + sign * other.sittings,
  measured_ms: one.measured_ms + sign * other.measured_ms,
  inferred_ms: one.inferred_ms + sign * other.inferred_ms,
  pages: one.pages + sign * other.pages,
  without_duration: one.without_duration + sign * other.without_duration,
  without_pages: one.without_pages + sign * other.without_pages,
  completions: one.completions + sign * other.completions,
  paced_ms: one.paced_ms + sign * other.paced_ms,
  paced_pages: one.paced_pages + sign * other.paced_pages,
})

export const sumOf = (figures: readonly Figures[]): Figures =>
  figures.reduce((sum, each) => add(sum, each, 1), nothingCounted)

export const nothingCounted: Figures = {
  sittings: 0,
  measured_ms: 0,
  inferred_ms: 0,
  pages: 0,
  without_duration: 0,
  without_pages: 0,
  completions: 0,
  paced_ms: 0,
  paced_pages: 0,
}

const isNothing = (figures: Figures): boolean =>
  Object.keys(nothingCounted).every((key) => figures[key as keyof Figures] === 0)

type Key = Pick<FigureRow, 'subject' | 'scale' | 'start' | 'subject_id' | 'series_id' | 'name'>

const subjectsOf = (row: SittingRow): Omit<Key, 'scale' | 'start'>[] => [
  { subject: 'all', subject_id: '', series_id: '', name: null },
  { subject: 'format', subject_id: row.format, series_id: '', name: null },
  { subject: 'device', subject_id: row.device_id, series_id: '', name: null },
  { subject: 'series', subject_id: row.series_id, series_id: '', name: row.series_name },
  { subject: 'book', subject_id: row.book_id, series_id: row.series_id, name: null },
]

const keysOf = (row: SittingRow, day: Day): Key[] =>
  subjectsOf(row).flatMap((subject) =>
    scalesOf(subject.subject).map((scale) => ({ ...subject, scale, start: beginningOf(scale, day) })),
  )

/** Adds sittings to sums, or takes them away. */
export const addUp = (
  sums: Map<string, FigureRow>,
  userId: string,
  zone: Zone,
  { rows, sign }: { readonly rows: readonly SittingRow[]; readonly sign: 1 | -1 },
): void => {
  for (const row of rows) {
    const counts = countsOf(row)
    for (const key of keysOf(row, zone.dayOf(Date.parse(row.started_at)))) {
      const text = `${key.subject} ${key.scale} ${key.start} ${key.series_id} ${key.subject_id}`
      const known = sums.get(text) ?? { user_id: userId, ...key, ...nothingCounted }
      sums.set(text, { ...known, name: key.name ?? known.name, ...add(known, counts, sign) })
    }
  }
}

/** What sums change by when some sittings go and others come. Sums that stay as they are, are not among them. */
export const changesOf = (
  userId: string,
  zone: Zone,
  { gone, come }: { readonly gone: readonly SittingRow[]; readonly come: readonly SittingRow[] },
): FigureRow[] => {
  const sums = new Map<string, FigureRow>()
  addUp(sums, userId, zone, { rows: gone, sign: -1 })
  addUp(sums, userId, zone, { rows: come, sign: 1 })
  return [...sums.values()].filter((row) => !isNothing(row))
}
