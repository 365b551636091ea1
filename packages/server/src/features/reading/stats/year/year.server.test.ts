import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries, type AddedSeries } from '../../../../../test/content.ts'
import { bodyOf } from '../../../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../../../test/start-server.ts'
import { insertMany } from '../../../../database/many.ts'
import { newId } from '../../../../platform/ids.ts'

const minute = 60_000
const clock = () => new Date('2026-11-21T10:00:00.000Z')

interface Shelved extends AddedSeries {
  readonly books: readonly string[]
}

/** A genre and a writer of its own, a genre and a letterer of all; who has written it has drawn it too. */
const addTerms = async ({ context: { db } }: TestServer, { id, title, books }: Shelved): Promise<void> => {
  const term = (kind: 'genre' | 'person', name: string) => ({ kind, name, key: name, sort_key: name, created_at: '' })
  const terms = [
    { ...term('genre', `Genre of ${title}`), id: newId() },
    { ...term('genre', 'Shared'), id: shared.genre },
    { ...term('person', `Writer of ${title}`), id: newId() },
    { ...term('person', 'A letterer'), id: shared.letterer },
  ]
  const [own, , writer] = terms
  const credits = [
    { term_id: writer?.id ?? '', role: 'writer', place: 0 },
    { term_id: writer?.id ?? '', role: 'artist', place: 1 },
    { term_id: shared.letterer, role: 'letterer', place: 2 },
  ]
  await db.write(async (db) => {
    await insertMany(db, 'term', terms, 'is left as it is')
    const genres = [own?.id ?? '', shared.genre].map((term_id, index) => ({
      series_id: id,
      term_id,
      role: '',
      place: index,
    }))
    await insertMany(db, 'series_term', genres)
    const ofBooks = books.flatMap((book_id) => credits.map((credit) => ({ book_id, ...credit })))
    await insertMany(db, 'book_term', ofBooks)
  })
}

const shared = { genre: newId(), letterer: newId() }

const shelve = async (server: TestServer, titles: readonly string[]): Promise<readonly Shelved[]> => {
  const { db } = server.context
  const library = await addLibrary(db)
  const shelf: Shelved[] = []
  for (const title of titles) {
    const series = await addSeries(db, library, { title })
    const books = await addBooks(db, series, [{ page_count: 20 }, { page_count: 20 }])
    await addTerms(server, { ...series, books })
    shelf.push({ ...series, books })
  }
  return shelf
}

interface Reading {
  readonly book: string
  /** Absent: at ten in the morning in UTC. */
  readonly at: string
  readonly minutes: number
  readonly finishes?: true
}

const read = async (person: Person, readings: readonly Reading[]): Promise<void> => {
  const sessions = readings.map(({ book, at, minutes, finishes }) => ({
    id: newId(),
    bookId: book,
    kind: finishes ? ('completed' as const) : ('progress' as const),
    clientStartedAt: new Date(at).toISOString(),
    clientEndedAt: new Date(Date.parse(at) + minutes * minute).toISOString(),
    activeDurationMs: minutes * minute,
    toPage: finishes ? 20 : 10,
    pagesRead: 10,
  }))
  expect(bodyOf(await person.call(api.recordReadingSessions, { body: { sessions } })).rejected).toEqual([])
}

const yearOf = async (person: Person, year: number, timezone = 'UTC') =>
  bodyOf(await person.call(api.readReadingYear, { query: { year, timezone } }))

/** A year with two series: more of the first, and both finished. */
const readAYear = async (person: Person, [one, two]: readonly Shelved[]): Promise<void> =>
  read(person, [
    { book: one?.books[0] ?? '', at: '2025-12-31T10:00:00Z', minutes: 60 },
    { book: one?.books[0] ?? '', at: '2026-01-01T10:00:00Z', minutes: 30, finishes: true },
    { book: one?.books[1] ?? '', at: '2026-03-01T10:00:00Z', minutes: 50 },
    { book: two?.books[0] ?? '', at: '2026-03-02T10:00:00Z', minutes: 20 },
    { book: two?.books[0] ?? '', at: '2026-03-03T10:00:00Z', minutes: 20, finishes: true },
  ])

test('C15 READ-3 a year has its figures, its months, its days in a row, and the first and last book finished in it', async () => {
  await using server = await startServer({ clock })
  const shelf = await shelve(server, ['One', 'Two'])
  const [one, two] = shelf
  const person = await server.person('reader')
  await readAYear(person, shelf)

  const year = await yearOf(person, 2026)
  expect(year).toMatchObject({
    year: 2026,
    summary: { books: 3, booksFinished: 2, sessions: 4, duration: { measuredMs: 120 * minute } },
    activeDays: 4,
    longestStreak: { days: 3, from: '2026-03-01', to: '2026-03-03' },
  })
  expect(year.months.map(({ bucket, duration, sessions }) => [bucket, duration.totalMs / minute, sessions])).toEqual([
    ['2026-01-01', 30, 1],
    ['2026-03-01', 90, 3],
  ])
  expect(year.series.map(({ seriesName, books, cover }) => [seriesName, books, cover !== null])).toEqual([
    ['One', 2, true],
    ['Two', 1, true],
  ])
  expect(year.firstFinished).toMatchObject({ day: '2026-01-01', book: { id: one?.books[0], seriesName: 'One' } })
  expect(year.lastFinished).toMatchObject({ day: '2026-03-03', book: { id: two?.books[0], seriesName: 'Two' } })
  // Another zone has another year: the last evening of one is the first morning of the next.
  const before = await yearOf(person, 2025)
  expect(before).toMatchObject({ summary: { sessions: 1 }, activeDays: 1, firstFinished: null, lastFinished: null })
  expect((await yearOf(person, 2026, 'Pacific/Kiritimati')).summary.sessions).toBe(5)
})

test('C15 genres and people of a year are those of what was read, and nobody is counted twice for one book', async () => {
  await using server = await startServer({ clock })
  const shelf = await shelve(server, ['One', 'Two'])
  const person = await server.person('reader')
  await readAYear(person, shelf)
  const { genres, people } = await yearOf(person, 2026)
  const told = (terms: readonly api.TermOfYear[]) =>
    terms.map(({ name, duration, booksFinished }) => [name, duration.totalMs / minute, booksFinished])
  expect(told(genres)).toEqual([
    ['Shared', 120, 2],
    ['Genre of One', 80, 1],
    ['Genre of Two', 40, 1],
  ])
  expect(told(people)).toEqual([
    ['Writer of One', 80, 1],
    ['Writer of Two', 40, 1],
  ])
})

test('A3 C15 HTTP-3 what somebody may no longer see stays in the figures of the year, and is named nowhere in it', async () => {
  await using server = await startServer({ clock })
  const admin = await server.person('admin')
  const tag = bodyOf(await admin.call(api.createSharingTag, { body: { name: 'hidden' } }))
  const person = await server.person('reader', { access: { denyTags: [tag.id] } })
  const shelf = await shelve(server, ['One', 'Two'])
  const [one, two] = shelf
  await readAYear(person, shelf)
  const before = await yearOf(person, 2026)
  await admin.call(api.saveSeriesSharingTags, { params: { id: one?.id ?? '' }, body: { tagIds: [tag.id] } })

  const after = await yearOf(person, 2026)
  const figures = ({ summary, months, activeDays, longestStreak }: api.ReadingYear) => ({
    summary,
    months,
    activeDays,
    longestStreak,
  })
  expect(figures(after)).toEqual(figures(before))
  expect(after.series.map(({ seriesName, books, cover }) => [seriesName, books, cover !== null])).toEqual([
    [null, 2, false],
    ['Two', 1, true],
  ])
  expect(after.genres.map(({ name, duration }) => [name, duration.totalMs / minute])).toEqual([
    ['Genre of Two', 40],
    ['Shared', 40],
  ])
  expect(after.people.map(({ name }) => name)).toEqual(['Writer of Two'])
  expect([after.firstFinished?.book.id, after.lastFinished?.book.id]).toEqual([two?.books[0], two?.books[0]])
  const everything = JSON.stringify(after)
  for (const secret of [one?.id ?? '', 'One', ...(one?.books ?? [])]) expect(everything).not.toContain(secret)
})

test('A3 C15 HTTP-3 a series all of whose books an age hides is named in no statistics, though it has no age itself', async () => {
  await using server = await startServer({ clock })
  const { db } = server.context
  const person = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const shelf = await shelve(server, ['One', 'Two'])
  const [one] = shelf
  await readAYear(person, shelf)
  await db.write((db) =>
    db
      .updateTable('book')
      .set({ age_rating: 18 })
      .where('series_id', '=', one?.id ?? '')
      .execute(),
  )
  const year = await yearOf(person, 2026)
  const stats = bodyOf(await person.call(api.readReadingStats, { query: { from: '2025-01-01', to: '2026-11-01' } }))
  expect([year.summary.sessions, stats.summary.sessions]).toEqual([4, 5])
  expect(year.series.map(({ seriesName }) => seriesName)).toEqual([null, 'Two'])
  expect(stats.series.map(({ seriesName }) => seriesName)).toEqual([null, 'Two'])
  expect(JSON.stringify([year, stats])).not.toContain(one?.id)
})

test('C15 a series that has been deleted keeps its name, and has neither cover nor genre', async () => {
  await using server = await startServer({ clock })
  const { db } = server.context
  const person = await server.person('reader')
  const shelf = await shelve(server, ['One', 'Two'])
  const [one] = shelf
  await readAYear(person, shelf)
  await db.write(async (db) => {
    await db
      .deleteFrom('book')
      .where('series_id', '=', one?.id ?? '')
      .execute()
    await db
      .deleteFrom('series')
      .where('id', '=', one?.id ?? '')
      .execute()
  })
  const { series, genres, firstFinished } = await yearOf(person, 2026)
  expect(series.map(({ seriesName, cover }) => [seriesName, cover !== null])).toEqual([
    ['One', false],
    ['Two', true],
  ])
  expect(genres.map(({ name }) => name)).toEqual(['Genre of Two', 'Shared'])
  expect(firstFinished?.book.seriesName).toBe('Two')
})

test('READ-3 a year without reading is all zeros', async () => {
  await using server = await startServer({ clock })
  const person = await server.person('reader')
  expect(await yearOf(person, 2020)).toMatchObject({
    summary: { books: 0, sessions: 0 },
    months: [],
    activeDays: 0,
    longestStreak: { days: 0, from: null, to: null },
    series: [],
    genres: [],
    people: [],
    firstFinished: null,
    lastFinished: null,
  })
})
