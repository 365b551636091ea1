/** Every figure the API has of a reader, next to what it should be. */
import * as api from '@carrel/api'
import { expect } from 'vitest'
import { type StatsWithoutCovers, withoutCovers } from '../naive-stats.ts'
import { bodyOf } from '../outcome.ts'
import { calendarOf, coverageOf, pacesOf, type Question, statsOf, timeLeftOf } from './figures.ts'
import { allSessionsOf, callFrom, completionsOf, logEntriesOf, type House, type Reader, standingIn } from './house.ts'
import type { HouseBook } from './log.ts'
import { expectProgress, progressOf } from './say.ts'
import type { HouseSession } from './reading-sessions.ts'

interface HouseView {
  readonly house: House
  readonly reader: Reader
  readonly call: api.Client
  readonly sessions: readonly HouseSession[]
  /** Applications that send no id are known by these names. */
  readonly aliases: ReadonlyMap<string, string>
}

const iso = (at: number): string => new Date(at).toISOString()

const lookAt = async (house: House, reader: Reader): Promise<HouseView> => {
  const call = await callFrom(house, reader, reader.phone)
  const devices = bodyOf(await call(api.listDevices, { query: { pageSize: 100 } })).data
  const aliases = new Map(
    devices.flatMap(({ id, name }) => (name === reader.agent.name ? [[id, reader.agent.id] as const] : [])),
  )
  return { house, reader, call, sessions: allSessionsOf(reader), aliases }
}

/** The statistics for some questions. */
export const expectStats = async (house: House, reader: Reader, questions: readonly Question[]): Promise<void> => {
  const view = await lookAt(house, reader)
  for (const { timezone, ...rest } of questions) {
    const isOwn = timezone === reader.zone
    const query = isOwn && house.chance.happens(0.5) ? rest : { ...rest, timezone }
    const told = bodyOf(await view.call(api.readReadingStats, { query }))
    expectSums(told, rest.seriesLimit)
    const should = statsOf(view.sessions, { timezone, ...rest })
    expect(shownBy(view, withoutCovers(told))).toEqual(shownBy(view, should))
  }
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

/** Either of two devices that were hidden at the same time may stand first. */
const shownBy = ({ aliases, reader }: HouseView, stats: StatsWithoutCovers) => {
  const names = new Map([reader.tablet, reader.phone, reader.keyed, reader.agent].map(({ id, name }) => [id, name]))
  const devices = stats.devices.map((each) => {
    const deviceId = aliases.get(each.deviceId) ?? each.deviceId
    return { ...each, deviceId, deviceName: names.get(deviceId) ?? null }
  })
  return {
    ...stats,
    devices: devices.sort(
      (one, other) => -byText(one.lastReadAt, other.lastReadAt) || byText(one.deviceId, other.deviceId),
    ),
  }
}

/** READ-3: totals equal the sum over periods, formats and devices; over series, when none is cut. */
const expectSums = (stats: api.ReadingStatsResponse, seriesLimit: number): void => {
  const { booksFinished, duration, pagesRead, sessions } = stats.summary
  const parts = [
    stats.periods,
    stats.formats,
    stats.devices,
    ...(stats.series.length < seriesLimit ? [stats.series] : []),
  ]
  for (const part of parts) {
    const sum = (of: (each: (typeof part)[number]) => number) => part.reduce((total, each) => total + of(each), 0)
    expect({
      booksFinished: sum((each) => each.booksFinished),
      duration: {
        measuredMs: sum((each) => each.duration.measuredMs),
        inferredMs: sum((each) => each.duration.inferredMs),
        totalMs: sum((each) => each.duration.totalMs),
      },
      pagesRead: sum((each) => each.pagesRead),
      sessions: sum((each) => each.sessions),
    }).toEqual({ booksFinished, duration, pagesRead, sessions })
  }
}

/** It compares everything the API says about time, except the statistics. */
export const expectTimes = async (house: House, reader: Reader, zones: readonly string[]): Promise<void> => {
  const view = await lookAt(house, reader)
  const { call, sessions } = view
  const now = house.now()
  for (const zone of zones)
    for (const year of [2025, 2026]) {
      const told = bodyOf(await call(api.readReadingCalendar, { query: { year, timezone: zone } }))
      expect(told).toEqual(calendarOf(sessions, { year, zone, now }))
    }
  expect(bodyOf(await call(api.readReadingCoverage, {}))).toEqual(coverageOf(sessions))
  expect(bodyOf(await call(api.readReadingPace, {}))).toEqual({ formats: pacesOf(sessions, now) })
  for (const book of reader.books) await expectTimeLeft(view, book)
}

const expectTimeLeft = async ({ house, reader, call, sessions }: HouseView, book: HouseBook): Promise<void> => {
  const outcome = await call(api.readTimeLeft, { params: { id: book.id } })
  if (house.gone.has(book.id)) {
    expect(outcome.status).toBe(404)
    return
  }
  const { at, started, completed, isRereading, readingSince } = standingIn(reader, book)
  const inHand = {
    page: at?.page ?? null,
    percentage: at?.percentage ?? null,
    isRead: completed !== undefined && !isRereading,
    since: at && started,
    readingSince: at && readingSince,
  }
  expect(bodyOf(outcome)).toEqual(timeLeftOf(book, inHand, sessions, house.now()))
}

/** It compares positions, all entries, and all completions. */
export const expectBooks = async (house: House, reader: Reader): Promise<void> => {
  const { call, aliases } = await lookAt(house, reader)
  for (const book of reader.books) {
    const params = { id: book.id }
    const progress = await call(api.readProgress, { params })
    const history = await call(api.listProgressHistory, { params, query: { pageSize: 500 } })
    const completions = await call(api.readReadHistory, { params })
    if (house.gone.has(book.id)) {
      expect([progress.status, history.status, completions.status]).toEqual([404, 404, 404])
      continue
    }
    expectProgress(bodyOf(progress), progressOf(reader, book))
    const points = pointsOf(reader, book)
    const told = bodyOf(history)
    expect(told.data.map((point) => pointFrom(point, aliases))).toEqual(points)
    const some = bodyOf(await call(api.listProgressHistory, { params, query: { page: 2, pageSize: 5 } }))
    expect(some.data.map((point) => pointFrom(point, aliases))).toEqual(points.slice(5, 10))
    expect([told.total, some.total]).toEqual([points.length, points.length])
    expectCompletions(bodyOf(completions), entriesOf(reader, book))
  }
}

const pointFrom = (point: api.ProgressPoint, aliases: ReadonlyMap<string, string>) => {
  const { at, device, kind, currentPage, progressPercentage, heldBack, current } = point
  return {
    at,
    device: aliases.get(device.id) ?? device.id,
    kind,
    currentPage,
    progressPercentage,
    heldBack,
    current,
  }
}

const pointsOf = (reader: Reader, book: HouseBook) => {
  const { at: standing, held } = standingIn(reader, book)
  return logEntriesOf(reader, book)
    .sort((one, other) => other.at - one.at || other.place - one.place)
    .map((entry) => ({
      at: iso(entry.at),
      device: entry.device,
      kind: entry.kind,
      currentPage: entry.page,
      progressPercentage: entry.percentage,
      heldBack: held.has(entry),
      current: entry === standing,
    }))
}

const entriesOf = (reader: Reader, book: HouseBook) => {
  const { finished, stated } = completionsOf(reader, book)
  return [
    ...finished.map(({ entry, started }) => ({ started, at: entry.at })),
    ...stated.map(({ started, at }) => ({ started, at })),
  ]
    .sort((one, other) => other.at - one.at)
    .map(({ started, at }) => ({ startedAt: iso(started), completedAt: iso(at) }))
}

const expectCompletions = (told: api.ReadHistory, entries: ReturnType<typeof entriesOf>): void => {
  expect(told.entries.map(({ startedAt, completedAt }) => ({ startedAt, completedAt }))).toEqual(entries)
  expect([told.readCount, told.lastCompletedAt]).toEqual([entries.length, entries[0]?.completedAt ?? null])
}

/** Home, counts of series, and the list of all that was begun. */
export const expectShelves = async (house: House, reader: Reader): Promise<void> => {
  const { call } = await lookAt(house, reader)
  const seen = reader.books.filter(({ id }) => !house.gone.has(id))
  const standings = new Map(seen.map((book) => [book, standingIn(reader, book)]))
  const begun = [...standings].flatMap(([book, each]) => (each.at ? [{ book, ...each, at: each.at.at }] : []))
  const open = begun.filter(({ completed, isRereading }) => completed === undefined || isRereading)
  const home = bodyOf(await call(api.readHome, { query: { limit: 50 } }))
  const isSetAside = (id: string) => ['paused', 'dropped'].includes(reader.statuses.get(id) ?? '')
  expectInOrder(
    home.continueReading,
    open.filter(({ book }) => !isSetAside(book.seriesId)).map(({ book, at }) => ({ id: book.id, at })),
  )
  expectInOrder(
    home.recentlyFinished,
    begun.flatMap(({ book, completed }) => {
      const [last] = entriesOf(reader, book)
      return completed !== undefined && last ? [{ id: book.id, at: Date.parse(last.completedAt) }] : []
    }),
  )
  const series = [...Map.groupBy(seen, ({ seriesId }) => seriesId)].map(([id, books]) => {
    const own = begun.filter(({ book }) => book.seriesId === id)
    const read = own.filter(({ completed }) => completed !== undefined)
    const isOpen = open.some(({ book }) => book.seriesId === id)
    const next = books.find((book) => !standings.get(book)?.at)
    const at = Math.max(0, ...own.map((each) => each.at))
    return { id, at, unread: books.length - read.length, onDeck: read.length > 0 && !isOpen ? next : undefined }
  })
  expectInOrder(
    home.onDeck,
    series.flatMap(({ id, at, onDeck }) => (onDeck && !isSetAside(id) ? [{ id: onDeck.id, at }] : [])),
  )
  expect(home.followedUnread.map(({ id }) => id).sort()).toEqual(
    series.flatMap(({ id, unread }) => (reader.followed.has(id) && unread > 0 ? id : [])).sort(),
  )
  for (const { id, unread } of series) {
    expect(bodyOf(await call(api.readSeries, { params: { id } })).unreadCount).toBe(unread)
    expect(bodyOf(await call(api.readSeriesReadHistory, { params: { id } }))).toEqual(throughsOf(reader, id))
  }
  for (const completed of [undefined, true, false]) {
    const query = { pageSize: 500, ...(completed !== undefined && { completed }) }
    const { data, total } = bodyOf(await call(api.listProgress, { query }))
    const should = begun.filter((each) => completed === undefined || completed === (each.completed !== undefined))
    expectInOrder(
      data.map(({ bookId }) => ({ id: bookId })),
      should.map(({ book, at }) => ({ id: book.id, at })),
    )
    expect(total).toBe(should.length)
  }
}

/** A series is read to its end as often as the book of it that was read least often. */
const throughsOf = (reader: Reader, seriesId: string): api.SeriesReadHistory => {
  const perBook = reader.books
    .filter((book) => book.seriesId === seriesId)
    .map((book) => entriesOf(reader, book).toReversed())
  const readCount = Math.min(...perBook.map((entries) => entries.length))
  const entries = Array.from({ length: readCount }, (_, time) => {
    const own = perBook.flatMap((each) => each[time] ?? [])
    return {
      startedAt: own.map(({ startedAt }) => startedAt).sort()[0] ?? '',
      completedAt:
        own
          .map(({ completedAt }) => completedAt)
          .sort()
          .at(-1) ?? '',
    }
  }).toReversed()
  return { entries, lastCompletedAt: entries[0]?.completedAt ?? null, readCount, completions: perBook.flat().length }
}

/** The latest first; of what happened at the same moment, either may stand first. */
const expectInOrder = (
  told: readonly { readonly id: string }[],
  should: readonly { readonly id: string; readonly at: number }[],
): void => {
  const times = new Map(should.map(({ id, at }) => [id, at]))
  expect(told.map(({ id }) => id).sort()).toEqual([...times.keys()].sort())
  const order = told.map(({ id }) => times.get(id) ?? 0)
  expect(order).toEqual([...order].sort((one, other) => other - one))
}

/** The exported file holds every entry, and nothing else. */
export const expectExport = async (house: House, reader: Reader): Promise<void> => {
  const { aliases } = await lookAt(house, reader)
  const response = await fetch(`${house.server.url}/api/v1/user/reading-history?format=json`, {
    headers: { cookie: reader.cookie },
  })
  const { entries } = (await response.json()) as { entries: Record<string, unknown>[] }
  const told = entries.map((each) => ({
    series: each['series'],
    title: each['title'],
    date: each['date'],
    startedAt: each['startedAt'],
    kind: each['kind'],
    source: each['source'],
    page: each['page'],
    percentage: each['percentage'],
    completed: each['completed'],
    activeMs: each['activeMs'],
    pagesRead: each['pagesRead'],
    device: aliases.get(String(each['device'])) ?? each['device'],
  }))
  const titleOf = ({ id, title }: HouseBook) => (house.gone.has(id) ? null : title)
  const should = [
    ...reader.log.map((entry) => ({
      series: entry.book.seriesName,
      title: titleOf(entry.book),
      date: iso(entry.at),
      startedAt: iso(entry.started),
      kind: entry.kind,
      source: entry.how,
      page: entry.page,
      percentage: entry.percentage,
      completed: entry.finishes,
      activeMs: entry.activeMs,
      pagesRead: entry.pagesRead,
      device: entry.device,
    })),
    ...reader.stated.map(({ book, started, at }) => ({
      series: book.seriesName,
      title: titleOf(book),
      date: iso(at),
      startedAt: iso(started),
      kind: 'completed',
      source: 'stated',
      page: null,
      percentage: null,
      completed: true,
      activeMs: null,
      pagesRead: null,
      device: null,
    })),
  ]
  const inOrder = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).sort()
  expect(inOrder(told)).toEqual(inOrder(should))
}
