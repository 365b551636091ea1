/** Saying something to the server and noting it, with what it should have answered. */
import * as api from '@carrel/api'
import { expect } from 'vitest'
import { bodyOf } from '../outcome.ts'
import {
  callFrom,
  completionsOf,
  type Device,
  logEntriesOf,
  type House,
  type Reader,
  standingIn,
  type Unsent,
} from './house.ts'
import { type HouseBook, type HouseEntry, type How, isEnd, placeIn } from './log.ts'

const aheadMax = 5 * 60_000
const iso = (at: number): string => new Date(at).toISOString()

interface EntryDetails {
  readonly book: HouseBook
  readonly device: Device
  readonly how: How
  readonly kind: HouseEntry['kind']
  readonly page?: number | null
  readonly percentage?: number | null
  readonly completed?: boolean | undefined
  readonly started: number
  readonly at: number
  readonly activeMs?: number | null
  readonly pagesRead?: number | null
}

const note = (reader: Reader, words: EntryDetails): HouseEntry => {
  const { book, device, how, kind, page = null, percentage = null, completed, started, at } = words
  const position = { page, percentage }
  const finishes = kind !== 'reset' && (completed ?? (kind === 'completed' || isEnd(book, position)))
  const isNowhere = page === null && percentage === null
  const entry: HouseEntry = {
    place: reader.log.length,
    book,
    device: device.id,
    infers: device.infers,
    how,
    kind,
    started,
    at,
    ...placeIn(book, finishes && isNowhere ? { page: null, percentage: 1 } : position),
    finishes,
    activeMs: words.activeMs ?? null,
    pagesRead: words.pagesRead ?? null,
  }
  reader.log.push(entry)
  return entry
}

/** An entry without a time counts as now, and later than all that is known of the book. */
const momentAt = (reader: Reader, book: HouseBook, arrival: number): number =>
  Math.max(arrival, ...logEntriesOf(reader, book).map(({ at }) => at + 1))

const begin = (reader: Reader, device: Device, book: HouseBook, at: number): HouseEntry =>
  note(reader, { book, device, how: 'mark', kind: 'reset', started: at, at })

const end = (reader: Reader, device: Device, book: HouseBook, at: number): HouseEntry =>
  note(reader, { book, device, how: 'mark', kind: 'completed', started: at, at })

/** It is the progress that the server should report. */
export const progressOf = (reader: Reader, book: HouseBook, heldBack = false) => {
  const { at, started, completed } = standingIn(reader, book)
  return at
    ? {
        bookId: book.id,
        userId: reader.id,
        currentPage: at.page ?? 0,
        progressPercentage: at.percentage,
        completed: completed !== undefined,
        startedAt: iso(started),
        updatedAt: iso(at.at),
        completedAt: completed === undefined ? null : iso(completed),
        heldBack,
      }
    : undefined
}

export const expectProgress = (told: api.ReadProgress | undefined, should: ReturnType<typeof progressOf>): void => {
  const { id: _, ...shown } = told ?? { id: '' }
  expect(told && shown).toEqual(should)
}

export interface Position {
  readonly page?: number
  readonly percentage?: number
  readonly completed?: boolean
  readonly reset?: boolean
  /** Undefined: they are online, and it is now. */
  readonly at?: number
}

export const savePosition = async (
  house: House,
  reader: Reader,
  device: Device,
  book: HouseBook,
  { page, percentage, completed, reset, at }: Position,
): Promise<void> => {
  const call = await callFrom(house, reader, device)
  const arrival = house.now()
  const reply = bodyOf(
    await call(api.saveProgress, {
      params: { id: book.id },
      body: {
        currentPage: page ?? 0,
        ...(percentage !== undefined && { progressPercentage: percentage }),
        ...(completed !== undefined && { completed }),
        ...(reset && { reset }),
        ...(at !== undefined && { at: iso(at) }),
      },
    }),
  )
  const timeOf = () => (at === undefined ? momentAt(reader, book, arrival) : at > arrival + aheadMax ? arrival : at)
  if (reset) begin(reader, device, book, timeOf())
  const when = timeOf()
  const entry = note(reader, {
    book,
    device,
    how: 'put',
    kind: completed ? 'completed' : 'progress',
    page: page ?? 0,
    percentage: percentage ?? null,
    completed,
    started: when,
    at: when,
  })
  expectProgress(reply, progressOf(reader, book, standingIn(reader, book).held.has(entry)))
}

/** It sends everything a device has stored while it was offline, and sends it again where an answer was lost. */
export const sendUnsent = async (house: House, reader: Reader, device: Device): Promise<void> => {
  const unsent = house.chance.shuffled(reader.unsent.get(device) ?? [])
  reader.unsent.set(device, [])
  const call = await callFrom(house, reader, device)
  for (let from = 0; from < unsent.length; from += 20) {
    const part = unsent.slice(from, from + 20)
    const repeated = house.chance.happens(0.2) ? part.slice(0, 1) : []
    const sessions = [...part, ...repeated].map(({ session }) => session)
    const reply = bodyOf(await call(api.recordReadingSessions, { body: { sessions } }))
    const isGone = ({ book }: Unsent) => house.gone.has(book.id)
    const taken = part.filter((each) => !isGone(each))
    expect(reply.accepted).toEqual(taken.map(({ session }) => session.id))
    expect(reply.rejected).toEqual([
      ...part.filter(isGone).map(({ session }) => ({ id: session.id, reason: 'book_not_found' })),
      ...repeated.map(({ session }) => ({ id: session.id, reason: 'duplicate_in_batch' })),
    ])
    const entries = noteSessions(reader, device, taken, house.now())
    for (const told of reply.progress) {
      const book = taken.find((each) => each.book.id === told.bookId)?.book
      if (!book) throw new Error('Told of a book that was not named')
      const { held } = standingIn(reader, book)
      expectProgress(
        told,
        progressOf(
          reader,
          book,
          entries.some((entry) => entry.book.id === book.id && held.has(entry)),
        ),
      )
    }
    if (!house.chance.happens(0.2)) continue
    const again = bodyOf(await call(api.recordReadingSessions, { body: { sessions } }))
    expect(again.accepted).toEqual(reply.accepted)
  }
}

/** Client times too far ahead are clamped to arrival, in the order of what their clock said. */
const noteSessions = (reader: Reader, device: Device, taken: readonly Unsent[], arrival: number): HouseEntry[] => {
  const ahead = taken
    .map(({ session }) => session)
    .filter(({ clientEndedAt }) => Date.parse(clientEndedAt) > arrival + aheadMax)
    .sort((one, other) => Date.parse(one.clientEndedAt) - Date.parse(other.clientEndedAt))
  return taken.map(({ session, book }) => {
    const span = Date.parse(session.clientEndedAt) - Date.parse(session.clientStartedAt)
    const rank = ahead.indexOf(session)
    const at = rank === -1 ? Date.parse(session.clientEndedAt) : arrival + rank
    const { activeDurationMs = null, pagesRead = null, toPage = null, toPercentage = null, kind } = session
    return note(reader, {
      book,
      device,
      how: 'session',
      kind,
      page: toPage,
      percentage: toPercentage,
      started: at - span,
      at,
      activeMs: activeDurationMs === null ? null : Math.min(activeDurationMs, span),
      pagesRead,
    })
  })
}

export const markBook = async (
  house: House,
  reader: Reader,
  book: HouseBook,
  as: 'read' | 'unread' | 'forgotten',
): Promise<void> => {
  const device = reader.phone
  const call = await callFrom(house, reader, device)
  const params = { id: book.id }
  const at = momentAt(reader, book, house.now())
  if (as === 'read') {
    const told = bodyOf(await call(api.markBookRead, { params }))
    end(reader, device, book, at)
    expectProgress(told, progressOf(reader, book))
    return
  }
  bodyOf(await call(as === 'unread' ? api.markBookUnread : api.deleteProgress, { params }))
  begin(reader, device, book, at)
}

const changing = (house: House, reader: Reader, books: readonly HouseBook[], as: 'read' | 'unread') =>
  books.filter((book) => {
    const { at, completed, isRereading } = standingIn(reader, book)
    const isRead = completed !== undefined && !isRereading
    return !house.gone.has(book.id) && (as === 'read' ? !isRead : at !== undefined)
  })

export const markSeries = async (house: House, reader: Reader, seriesId: string, as: 'read' | 'unread') => {
  const call = await callFrom(house, reader, reader.tablet)
  const books = changing(
    house,
    reader,
    reader.books.filter((book) => book.seriesId === seriesId),
    as,
  )
  const endpoint = as === 'read' ? api.markSeriesRead : api.markSeriesUnread
  expect(bodyOf(await call(endpoint, { params: { id: seriesId } })).count).toBe(books.length)
  const say = as === 'read' ? end : begin
  for (const book of books) say(reader, reader.tablet, book, momentAt(reader, book, house.now()))
}

/** Many at once, and perhaps back again: as it was before. */
export const markMany = async (
  house: House,
  reader: Reader,
  some: readonly HouseBook[],
  as: 'read' | 'unread',
): Promise<void> => {
  const device = reader.tablet
  const call = await callFrom(house, reader, device)
  const books = changing(house, reader, some, as)
  const stood = new Map(books.map((book) => [book.id, standingIn(reader, book).at]))
  const endpoint = as === 'read' ? api.markBooksRead : api.markBooksUnread
  const { count, before } = bodyOf(await call(endpoint, { body: { bookIds: some.map(({ id }) => id) } }))
  expect(count).toBe(books.length)
  const say = as === 'read' ? end : begin
  for (const book of books) say(reader, device, book, momentAt(reader, book, house.now()))
  if (before.length === 0 || house.chance.happens(0.3)) return
  house.beAt(house.now() + 30_000)
  bodyOf(await call(api.restoreBooks, { body: { points: before } }))
  for (const book of books) {
    const point = stood.get(book.id)
    if (point) standAt(house, reader, device, point)
    else begin(reader, device, book, momentAt(reader, book, house.now()))
  }
}

/** A restored point is set outright. */
const standAt = (house: House, reader: Reader, device: Device, point: HouseEntry): void => {
  const at = momentAt(reader, point.book, house.now())
  const { book, kind, page, percentage, finishes } = point
  note(reader, { book, device, how: 'restore', kind, page, percentage, completed: finishes, started: at, at })
}

export const restorePoint = async (house: House, reader: Reader, book: HouseBook): Promise<void> => {
  const call = await callFrom(house, reader, reader.tablet)
  const points = await historyOf(call, book.id)
  const index = points.length === 0 ? 0 : house.chance.between(0, points.length - 1)
  const point = points[index]
  const entries = logEntriesOf(reader, book).sort((one, other) => other.at - one.at || other.place - one.place)
  const entry = entries[index]
  if (!point || !entry) return
  const isSaid = point.kind === 'reset' || point.currentPage !== null || point.progressPercentage !== null
  house.beAt(house.now() + 1000)
  const outcome = await call(api.restoreProgress, { params: { id: book.id }, body: { historyId: point.id } })
  if (!isSaid) {
    expect(outcome.status).toBe(409)
    return
  }
  if (point.kind === 'reset') begin(reader, reader.tablet, book, momentAt(reader, book, house.now()))
  else standAt(house, reader, reader.tablet, entry)
  expectProgress(bodyOf(outcome), progressOf(reader, book))
}

const historyOf = async (call: api.Client, id: string): Promise<readonly api.ProgressPoint[]> =>
  bodyOf(await call(api.listProgressHistory, { params: { id }, query: { pageSize: 500 } })).data

export const addCompletion = async (house: House, reader: Reader, book: HouseBook, at: number): Promise<void> => {
  const call = await callFrom(house, reader, reader.phone)
  const started = at - 3_600_000
  const body = { completedAt: iso(at), startedAt: iso(started) }
  bodyOf(await call(api.addReadCompletion, { params: { id: book.id }, body }))
  reader.stated.push({ book, started, at })
}

/** It takes one entry out of the history of a book, moves it, or clears them all. */
export const changeCompletions = async (
  house: House,
  reader: Reader,
  book: HouseBook,
  how: 'move' | 'delete' | 'clear',
): Promise<void> => {
  const call = await callFrom(house, reader, reader.phone)
  const { entries } = bodyOf(await call(api.readReadHistory, { params: { id: book.id } }))
  const entry = entries[house.chance.between(0, Math.max(0, entries.length - 1))]
  if (how === 'clear') {
    bodyOf(await call(api.clearReadHistory, { params: { id: book.id } }))
    for (const each of entries) forget(reader, book, Date.parse(each.completedAt))
    return
  }
  if (!entry) return
  const params = { id: book.id, completionId: entry.id }
  const completedAt = Date.parse(entry.completedAt)
  const started = Date.parse(entry.startedAt)
  if (how === 'delete') {
    bodyOf(await call(api.deleteReadCompletion, { params }))
    forget(reader, book, completedAt)
    return
  }
  const moved = completedAt - house.chance.between(1, 40 * 86_400_000)
  bodyOf(await call(api.changeReadCompletion, { params, body: { completedAt: iso(moved) } }))
  forget(reader, book, completedAt)
  reader.stated.push({ book, started: Math.min(started, moved), at: moved })
}

/** It covers a whole series. */
export const forgetSeries = async (house: House, reader: Reader, seriesId: string): Promise<void> => {
  const call = await callFrom(house, reader, reader.phone)
  bodyOf(await call(api.clearSeriesReadHistory, { params: { id: seriesId } }))
  for (const book of reader.books.filter((each) => each.seriesId === seriesId)) {
    const { finished, stated } = completionsOf(reader, book)
    for (const { at } of [...finished.map(({ entry }) => entry), ...stated]) forget(reader, book, at)
  }
}

const forget = (reader: Reader, book: HouseBook, at: number): void => {
  const stated = reader.stated.findIndex((each) => each.book.id === book.id && each.at === at)
  if (stated !== -1) {
    reader.stated.splice(stated, 1)
    return
  }
  const completion = standingIn(reader, book).finished.find(
    ({ entry }) => entry.at === at && !reader.removed.has(entry),
  )
  if (!completion) throw new Error('There is no such completion')
  reader.removed.add(completion.entry)
}

export interface Entry {
  readonly book: HouseBook
  readonly at: number
  readonly page?: number
  readonly completed?: boolean
}

/** A history from elsewhere; again, it adds nothing. */
export const bringIn = async (house: House, reader: Reader, entries: readonly Entry[]): Promise<void> => {
  const call = await callFrom(house, reader, reader.tablet)
  const text = JSON.stringify(
    entries.map(({ book, at, page, completed }) => ({
      series: book.seriesName,
      title: book.title,
      date: iso(at),
      page,
      completed,
    })),
  )
  const send = async () => bodyOf(await call(api.importReadingHistory, { body: new TextEncoder().encode(text) }))
  expect(await send()).toMatchObject({ added: entries.length, known: 0, unmatched: 0 })
  for (const { book, at, page, completed } of entries)
    note(reader, {
      book,
      device: imported,
      how: 'import',
      kind: completed ? 'completed' : 'progress',
      page: page ?? null,
      completed,
      started: at,
      at,
    })
  expect(await send()).toMatchObject({ added: 0, known: entries.length })
}

/** C15: reading without a device. */
const imported: Device = { id: 'unknown', name: null, headers: {}, infers: false }
