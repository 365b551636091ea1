import type { Figures } from '../table.ts'
import { beginningOf, type Day, scales, type Zone } from '../stats/zone.ts'
import { figureColumns, type FigureRow, type SessionRow } from './queries.ts'

/** Weeks only as a whole: they fit into no month and no year. Ever only of series: the first of them are found by it. */
const periodsOf = (subject: FigureRow['subject'], day: Day): Pick<FigureRow, 'scale' | 'start'>[] => {
  const own = subject === 'all' ? scales : scales.filter((scale) => scale !== 'week')
  const periods = own.map((scale) => ({ scale, start: beginningOf(scale, day) }))
  return subject === 'series' ? [...periods, { scale: 'ever', start: '' }] : periods
}

/** It returns the counts of one session. */
export const countsOf = (
  row: Pick<SessionRow, 'is_session' | 'measured_ms' | 'inferred_ms' | 'pages' | 'completions' | 'begins'>,
): Figures => {
  const isSession = row.is_session === 1
  const hasTime = row.measured_ms !== null || row.inferred_ms > 0
  const isPaced = row.inferred_ms === 0 && (row.measured_ms ?? 0) > 0 && (row.pages ?? 0) > 0
  return {
    sessions: row.is_session,
    measured_ms: row.measured_ms ?? 0,
    inferred_ms: row.inferred_ms,
    pages: row.pages ?? 0,
    without_duration: isSession && !hasTime ? 1 : 0,
    without_pages: isSession && row.pages === null ? 1 : 0,
    completions: row.completions,
    paced_ms: isPaced ? (row.measured_ms ?? 0) : 0,
    paced_pages: isPaced ? (row.pages ?? 0) : 0,
    begun: row.begins,
  }
}

/** The one thing here that changes what it is given: there may be thousands of them. */
export const addTo = (sum: Figures, figures: Readonly<Figures>, sign: 1 | -1 = 1): void => {
  for (const column of figureColumns) sum[column] += sign * figures[column]
}

export const sumOf = (figures: readonly Figures[]): Figures => {
  const sum = { ...nothingCounted }
  for (const each of figures) addTo(sum, each)
  return sum
}

export const nothingCounted: Readonly<Figures> = {
  sessions: 0,
  measured_ms: 0,
  inferred_ms: 0,
  pages: 0,
  without_duration: 0,
  without_pages: 0,
  completions: 0,
  paced_ms: 0,
  paced_pages: 0,
  begun: 0,
}

const isNothing = (figures: Figures): boolean => figureColumns.every((column) => figures[column] === 0)

type Key = Pick<FigureRow, 'subject' | 'scale' | 'start' | 'subject_id' | 'series_id' | 'name'>

const subjectsOf = (row: SessionRow): Omit<Key, 'scale' | 'start'>[] => [
  { subject: 'all', subject_id: '', series_id: '', name: null },
  { subject: 'format', subject_id: row.format, series_id: '', name: null },
  { subject: 'device', subject_id: row.device_id, series_id: '', name: null },
  { subject: 'series', subject_id: row.series_id, series_id: row.series_id, name: row.series_name },
  { subject: 'book', subject_id: row.book_id, series_id: row.series_id, name: null },
]

const keysOf = (row: SessionRow, day: Day): Key[] =>
  subjectsOf(row).flatMap((subject) => periodsOf(subject.subject, day).map((period) => ({ ...subject, ...period })))

/** It adds sessions to sums, or takes them away. */
export const addUp = (
  sums: Map<string, FigureRow>,
  userId: string,
  zone: Zone,
  { rows, sign }: { readonly rows: readonly SessionRow[]; readonly sign: 1 | -1 },
): void => {
  for (const row of rows) {
    const counts = countsOf(row)
    for (const key of keysOf(row, zone.dayOf(Date.parse(row.started_at)))) {
      const text = `${key.subject} ${key.scale} ${key.start} ${key.series_id} ${key.subject_id}`
      const sum = sums.get(text) ?? { user_id: userId, ...key, ...nothingCounted }
      addTo(sum, counts, sign)
      sums.set(text, key.name === null ? sum : { ...sum, name: key.name })
    }
  }
}

/** It returns by how much sums change when some sessions go and others come. Sums that stay the same are left out. */
export const changesOf = (
  userId: string,
  zone: Zone,
  { gone, come }: { readonly gone: readonly SessionRow[]; readonly come: readonly SessionRow[] },
): FigureRow[] => {
  const sums = new Map<string, FigureRow>()
  addUp(sums, userId, zone, { rows: gone, sign: -1 })
  addUp(sums, userId, zone, { rows: come, sign: 1 })
  return [...sums.values()].filter((row) => !isNothing(row))
}
