import { type Static, Type } from 'typebox'
import { BookDto } from './books.ts'
import { coverFields } from './cover-fields.ts'
import { exampleTone } from './cover-tone.ts'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'
import { fileFormats } from './file-formats.ts'

const tag = 'Reading'

export const readingStatsGranularities = ['day', 'week', 'month'] as const
export type ReadingStatsGranularity = (typeof readingStatsGranularities)[number]
export const readingStatsSorts = ['time', 'pages', 'completions'] as const
export type ReadingStatsSort = (typeof readingStatsSorts)[number]
/** Nobody can look at more of them. */
export const readingPeriodsMax = 4000

export const ReadingDuration = record(
  {
    measuredMs: { ...Count, description: 'Reported by a client that measured its own reading.' },
    inferredMs: {
      ...Count,
      description:
        'Taken from the gaps between positions that applications saved which cannot measure: less than it was.',
    },
    totalMs: { ...Count, description: 'Both together. Where it is shown, say that a part of it is an estimate.' },
  },
  { title: 'ReadingDuration' },
)
export type ReadingDuration = Static<typeof ReadingDuration>

const figures = {
  booksFinished: { ...Count, description: 'Each time a book was read to its end.' },
  duration: ReadingDuration,
  pagesRead: { ...Count, description: 'A page counts once for each time the book is read.' },
  sessions: { ...Count, description: 'Reading sessions.' },
}

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Such as 2026-11-21.' })

const Summary = record(
  {
    books: Count,
    ...figures,
    sessionsWithoutDuration: { ...Count, description: 'Reading sessions whose client could report no time.' },
    sessionsWithoutPages: { ...Count, description: 'Reading sessions whose client reported no page count.' },
  },
  { title: 'ReadingSummary' },
)

const Period = record(
  { bucket: { ...Day, description: 'The first day. Weeks begin on Monday.' }, ...figures },
  { title: 'ReadingPeriod' },
)
export type ReadingPeriod = Static<typeof Period>

const CoverOfReadSeries = record(
  {
    ...coverFields,
  },
  { title: 'CoverOfReadSeries' },
)

const SeriesStat = record(
  {
    seriesId: Nullable({ ...Id, description: 'Null in the one row for all that you may no longer see.' }),
    seriesName: Nullable(Type.String({ description: 'Null there, too.' })),
    cover: {
      ...Nullable(CoverOfReadSeries),
      description: 'Null where there is no such series any more, or none of its books: it has no page then.',
    },
    books: { ...Count, description: 'Different books of it.' },
    ...figures,
  },
  { title: 'ReadingBySeries' },
)
export type SeriesStat = Static<typeof SeriesStat>

const FormatStat = record({ format: OneOf(fileFormats), ...figures }, { title: 'ReadingByFormat' })
export type FormatStat = Static<typeof FormatStat>

const DeviceStat = record(
  {
    deviceId: Type.String({ description: '`unknown` for what was read on no device that we know of.' }),
    deviceName: Nullable(Type.String()),
    lastReadAt: Timestamp,
    ...figures,
  },
  { title: 'ReadingByDevice' },
)
export type DeviceStat = Static<typeof DeviceStat>

export const ReadingStatsResponse = record(
  {
    from: Timestamp,
    to: Timestamp,
    granularity: OneOf(readingStatsGranularities),
    summary: Summary,
    periods: Type.Array(Period, { description: 'Ascending; those without reading are left out.' }),
    series: Type.Array(SeriesStat),
    formats: Type.Array(FormatStat),
    devices: Type.Array(DeviceStat, { description: 'The latest first.' }),
  },
  { title: 'ReadingStatsResponse' },
)
export type ReadingStatsResponse = Static<typeof ReadingStatsResponse>

const timezone = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as Europe/Berlin. Absent: yours.' }),
)

const edge = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 40, description }))

const exampleFigures = {
  booksFinished: 1,
  duration: { measuredMs: 5_400_000, inferredMs: 600_000, totalMs: 6_000_000 },
  pagesRead: 180,
  sessions: 4,
}

const exampleSeries: SeriesStat = {
  seriesId: '019aa3b2-6c7e-7000-8000-000000000011',
  seriesName: 'Nemo',
  cover: { coverVersion: '0-1-90ab12cd', placeholder: null, tone: exampleTone },
  books: 2,
  ...exampleFigures,
}

export const readReadingStats = endpoint('GET /api/v1/reading-stats', {
  summary: 'What you have read, and how long',
  description: [
    'Of the reading sessions that began within the window. A reading session counts whole where it began, in your time zone. Writes of one',
    'device that adjoin are one reading session. Measured time and time that is only an estimate stand apart everywhere.',
  ].join(' '),
  tag,
  access: 'progress:read',
  query: Type.Object({
    from: edge('A time, or a day. Absent: 90 days before the end.'),
    to: edge('A time, itself no longer in the window, or a day that is. Absent: now.'),
    granularity: Type.Optional(
      OneOf(readingStatsGranularities, {
        default: 'day',
        description: `More than ${readingPeriodsMax} of them in the window are refused.`,
      }),
    ),
    seriesLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    sort: Type.Optional(OneOf(readingStatsSorts, { default: 'time', description: 'Of series, formats.' })),
    timezone,
  }),
  reply: ReadingStatsResponse,
  example: {
    reply: {
      from: '2026-08-23T10:00:00.000Z',
      to: '2026-11-21T10:00:00.000Z',
      granularity: 'day',
      summary: { books: 2, ...exampleFigures, sessionsWithoutDuration: 1, sessionsWithoutPages: 1 },
      periods: [{ bucket: '2026-11-20', ...exampleFigures }],
      series: [exampleSeries],
      formats: [{ format: 'cbz', ...exampleFigures }],
      devices: [
        { deviceId: 'tablet-1', deviceName: 'Tablet', lastReadAt: '2026-11-20T21:02:11.000Z', ...exampleFigures },
      ],
    },
  },
})

export const ReadingCoverage = record(
  { firstReadAt: Nullable(Timestamp), lastReadAt: Nullable(Timestamp) },
  { title: 'ReadingCoverage' },
)
export type ReadingCoverage = Static<typeof ReadingCoverage>

export const readReadingCoverage = endpoint('GET /api/v1/reading-stats/coverage', {
  summary: 'Since when there is anything to say about your reading, and until when',
  description: 'Both null when you have read nothing yet.',
  tag,
  access: 'progress:read',
  reply: ReadingCoverage,
  example: { reply: { firstReadAt: '2016-02-03T18:00:00.000Z', lastReadAt: '2026-11-20T21:02:11.000Z' } },
})

const Streak = record({ days: Count, from: Nullable(Day), to: Nullable(Day) }, { title: 'ReadingStreak' })
export type ReadingStreak = Static<typeof Streak>

export const ReadingCalendar = record(
  {
    year: Type.Integer(),
    days: Type.Array(Period, { maxItems: 366, description: 'Those on which something was read or finished.' }),
    currentStreak: { ...Streak, description: 'Days in a row with a reading session, up to today or yesterday.' },
    longestStreak: { ...Streak, description: 'Of all years. The latest of those that are equally long.' },
  },
  { title: 'ReadingCalendar' },
)
export type ReadingCalendar = Static<typeof ReadingCalendar>

export const readReadingCalendar = endpoint('GET /api/v1/reading-stats/calendar', {
  summary: 'On which days of a year you have read, and how many in a row',
  tag,
  access: 'progress:read',
  query: Type.Object({
    year: Type.Optional(Type.Integer({ minimum: 1970, maximum: 9998, description: 'Absent: this one.' })),
    timezone,
  }),
  reply: ReadingCalendar,
  example: {
    reply: {
      year: 2026,
      days: [{ bucket: '2026-11-20', ...exampleFigures }],
      currentStreak: { days: 1, from: '2026-11-20', to: '2026-11-20' },
      longestStreak: { days: 12, from: '2026-03-01', to: '2026-03-12' },
    },
  },
})

export const seriesOfYearMax = 6
export const termsOfYearMax = 5

const TermOfYear = record({ name: Type.String(), ...figures }, { title: 'ReadingByTerm' })
export type TermOfYear = Static<typeof TermOfYear>

const BookOfYear = record(
  { day: { ...Day, description: 'On which you read it to its end.' }, book: BookDto },
  { title: 'BookOfYear' },
)
export type BookOfYear = Static<typeof BookOfYear>

export const ReadingYear = record(
  {
    year: Type.Integer(),
    summary: Summary,
    months: Type.Array(Period, { maxItems: 12, description: 'Ascending; those without reading are left out.' }),
    activeDays: { ...Count, description: 'Days with a reading session.' },
    longestStreak: { ...Streak, description: 'Days in a row with a reading session, within the year.' },
    series: Type.Array(SeriesStat, { maxItems: seriesOfYearMax, description: 'Those read longest.' }),
    genres: Type.Array(TermOfYear, {
      maxItems: termsOfYearMax,
      description: 'Of the series you may see, those read longest. A series counts for each of its genres.',
    }),
    people: Type.Array(TermOfYear, {
      maxItems: termsOfYearMax,
      description: 'Who wrote or drew the books you may see, those read longest. A book counts for each of them.',
    }),
    firstFinished: { ...Nullable(BookOfYear), description: 'Of the books you may see.' },
    lastFinished: { ...Nullable(BookOfYear), description: 'Of the books you may see; the first if there is but one.' },
  },
  { title: 'ReadingYear' },
)
export type ReadingYear = Static<typeof ReadingYear>

export const readReadingYear = endpoint('GET /api/v1/reading-stats/year', {
  summary: 'A year of your reading in review',
  description:
    'From its first to its last day in your time zone. What you may no longer see is in every figure, and named nowhere.',
  tag,
  access: 'progress:read',
  query: Type.Object({
    year: Type.Optional(Type.Integer({ minimum: 1970, maximum: 9998, description: 'Absent: this one.' })),
    timezone,
  }),
  reply: ReadingYear,
  example: {
    reply: {
      year: 2026,
      summary: { books: 2, ...exampleFigures, sessionsWithoutDuration: 1, sessionsWithoutPages: 1 },
      months: [{ bucket: '2026-11-01', ...exampleFigures }],
      activeDays: 3,
      longestStreak: { days: 2, from: '2026-11-19', to: '2026-11-20' },
      series: [exampleSeries],
      genres: [{ name: 'Adventure', ...exampleFigures }],
      people: [{ name: 'Jules Verne', ...exampleFigures }],
      firstFinished: null,
      lastFinished: null,
    },
  },
})

const Pace = record(
  {
    format: OneOf(fileFormats),
    pagesPerHour: Type.Number({ minimum: 0 }),
    pages: { ...Count, description: 'That it was worked out from.' },
    measuredMs: Count,
  },
  { title: 'ReadingPace' },
)
export type ReadingPace = Static<typeof Pace>

export const ReadingPaces = record({ formats: Type.Array(Pace) }, { title: 'ReadingPaces' })
export type ReadingPaces = Static<typeof ReadingPaces>

export const readReadingPace = endpoint('GET /api/v1/reading-stats/pace', {
  summary: 'How fast you read each format',
  description: [
    'Of the last year, from reading sessions that said both a measured time and pages, and nothing else: what is only an estimate',
    'does not count here. Formats of which too little is known are left out.',
  ].join(' '),
  tag,
  access: 'progress:read',
  reply: ReadingPaces,
  example: { reply: { formats: [{ format: 'cbz', pagesPerHour: 120, pages: 1800, measuredMs: 54_000_000 }] } },
})

export const timeLeftBases = ['book', 'format'] as const

export const ReadingTimeLeft = record(
  {
    pagesLeft: Nullable(Count),
    timeLeftMs: Nullable({ ...Count, description: 'Null: too little is known to say.' }),
    basis: Nullable(
      OneOf(timeLeftBases, { description: 'Worked out from how fast you read this book, or books of its format.' }),
    ),
  },
  { title: 'ReadingTimeLeft' },
)
export type ReadingTimeLeft = Static<typeof ReadingTimeLeft>

export const readTimeLeft = endpoint('GET /api/v1/books/{id}/time-left', {
  summary: 'How long it will take you to finish a book',
  description: 'An estimate, at your own pace. Of a book that you have read and do not read again nothing is left.',
  tag,
  access: 'progress:read',
  params: byId,
  reply: ReadingTimeLeft,
  errors: ['not_found'],
  example: { reply: { pagesLeft: 60, timeLeftMs: 1_800_000, basis: 'book' } },
})
