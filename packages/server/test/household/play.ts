/** It plays a year in the house: what everybody does, in the order in which the server receives it. */
import * as api from '@carrel/api'
import { bodyOf } from '../outcome.ts'
import { startOf } from './calendar.ts'
import { callFrom, type Device, logEntriesOf, type House, type Reader, type Unsent } from './house.ts'
import type { HouseBook } from './log.ts'
import {
  addCompletion,
  bringIn,
  changeCompletions,
  forgetSeries,
  markBook,
  markMany,
  markSeries,
  type Position,
  restorePoint,
  savePosition,
  sendUnsent,
} from './say.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const begins = Date.parse('2026-01-01T00:00:00.000Z')
const ends = Date.parse('2027-01-01T06:00:00.000Z')
const goneAt = Date.parse('2026-08-01T12:00:00.000Z')
const movesAt = Date.parse('2026-06-10T12:00:00.000Z')
/** Clocks are changed somewhere, or a week, a month or the year ends. */
const special = [
  '2026-01-01',
  '2026-02-28',
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-05-31',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-30',
  '2026-12-31',
]

interface Happening {
  readonly at: number
  readonly happen: () => Promise<void>
}

/** It calls back on the way, so that figures can be checked while the year goes on. */
export const playYear = async (house: House, scale: number, onQuarter: () => Promise<void>): Promise<void> => {
  const happenings = house.readers.flatMap((reader, index) => planOf(house, reader, index, scale))
  happenings.push({ at: goneAt, happen: () => loseLibrary(house) })
  for (const at of ['2026-04-01', '2026-07-01', '2026-10-01'])
    happenings.push({ at: Date.parse(at), happen: onQuarter })
  for (const { at, happen } of happenings.sort((one, other) => one.at - other.at)) {
    house.beAt(at)
    await happen()
  }
  house.beAt(ends)
  for (const reader of house.readers) {
    for (const device of [reader.tablet, reader.phone]) {
      house.beAt(house.now() + minute)
      await sendUnsent(house, reader, device)
    }
  }
}

const loseLibrary = async (house: House): Promise<void> => {
  bodyOf(await house.admin(api.deleteLibrary, { params: { id: house.goneLibraryId } }))
  for (const { id, seriesId } of house.readers[0]?.books ?? [])
    if (house.libraryOf.get(seriesId) === house.goneLibraryId) house.gone.add(id)
}

const planOf = (house: House, reader: Reader, index: number, scale: number): Happening[] => {
  const { chance } = house
  const days = new Set(special)
  for (let count = 0; count < 20 * Math.min(scale, 12); count += 1)
    days.add(new Date(begins + chance.between(0, 364) * day).toISOString().slice(0, 10))
  const plan: Happening[] = []
  for (const date of [...days].sort()) {
    const sessions = scale > 1 ? chance.between(1, 4) : 1
    for (let count = 0; count < sessions; count += 1) plan.push(...sessionOn(house, reader, date))
    if (chance.happens(0.35)) plan.push(deedOn(house, reader, date))
    for (const device of [reader.tablet, reader.phone])
      if (chance.happens(0.15))
        plan.push({ at: Date.parse(date) + 15 * hour, happen: () => sendUnsent(house, reader, device) })
  }
  plan.push({ at: begins + 20 * day, happen: () => bringInOld(house, reader) })
  if (index === 3) plan.push({ at: movesAt, happen: () => move(house, reader) })
  return plan
}

const move = async (house: House, reader: Reader): Promise<void> => {
  reader.zone = 'Europe/Berlin'
  const call = await callFrom(house, reader, reader.phone)
  bodyOf(await call(api.updateProfile, { body: { timeZone: reader.zone } }))
}

const bringInOld = (house: House, reader: Reader): Promise<void> => {
  const { chance } = house
  const first = Date.parse('2025-10-20T22:00:00.000Z')
  const entries = Array.from({ length: 12 }, (_, index) => {
    const book = chance.oneOf(reader.books)
    const at = momentFor(reader, first + index * 3 * day + chance.between(0, day))
    return chance.happens(0.3) || book.pageCount === 0
      ? { book, at, completed: true }
      : { book, at, page: chance.between(1, book.pageCount) }
  })
  return bringIn(house, reader, entries)
}

/** One millisecond that nothing else has happened at. */
const momentFor = (reader: Reader, at: number): number => {
  let moment = Math.round(at)
  while (reader.moments.has(moment)) moment += 1
  reader.moments.add(moment)
  return moment
}

/** Often around midnight, and where clocks are changed. */
const beginningOn = (house: House, reader: Reader, date: string): number => {
  const { chance } = house
  const midnight = startOf(reader.zone, date)
  if (chance.happens(0.3)) return midnight - chance.between(-10, 25) * minute
  if (chance.happens(0.3)) return midnight + chance.between(30, 240) * minute
  return midnight + chance.between(4 * 60, 23 * 60) * minute
}

const sessionOn = (house: House, reader: Reader, date: string): Happening[] => {
  const { chance } = house
  const start = Math.max(begins + hour, beginningOn(house, reader, date))
  const book = chance.oneOf(chance.happens(0.5) ? reader.books.slice(0, 6) : reader.books)
  const kind = chance.between(0, 9)
  if (kind < 3) return measuredOn(house, reader, { start, book, device: reader.tablet })
  if (kind < 5) return measuredOn(house, reader, { start, book, device: reader.phone })
  if (kind < 8) return positionsOn(house, reader, { start, book, device: chance.oneOf([reader.keyed, reader.agent]) })
  if (kind < 9) {
    // Two devices at once.
    return [
      ...measuredOn(house, reader, { start, book, device: reader.tablet }),
      ...positionsOn(house, reader, { start: start + 90_000, book, device: reader.keyed }),
    ]
  }
  return accidentOn(house, reader, { start, book, device: chance.oneOf([reader.nameless, reader.agent]) })
}

interface ReadingSession {
  readonly start: number
  readonly book: HouseBook
  readonly device: Device
}

/** It lets a reader read for some minutes; the next time they go on from there. */
const readOn = (house: House, reader: Reader, book: HouseBook): { from: number; to: number } => {
  const from = reader.inMind.get(book.id) ?? 0
  const to = Math.min(1, from + house.chance.next() * (house.chance.happens(0.2) ? 0.6 : 0.15))
  reader.inMind.set(book.id, to >= 1 && house.chance.happens(0.8) ? house.chance.next() * 0.6 : to)
  return { from, to }
}

const pageAt = ({ pageCount }: HouseBook, part: number): number => Math.max(1, Math.round(part * pageCount))

/** A client that measures sends this when it can, with positions it saves meanwhile. */
const measuredOn = (house: House, reader: Reader, { start, book, device }: ReadingSession): Happening[] => {
  const { chance } = house
  const plan: Happening[] = []
  const unsent: Unsent[] = []
  let at = start
  for (let count = chance.between(1, 4); count > 0; count -= 1) {
    const started = momentFor(reader, at)
    const ended = momentFor(reader, started + chance.between(20, 900) * 1000)
    const { from, to } = readOn(house, reader, book)
    unsent.push({ book, session: sessionOf(house, { book, started, ended, from, to }) })
    if (chance.happens(0.4)) {
      const saved = momentFor(reader, ended + chance.between(-10_000, 360_000))
      const position = positionAt(book, to)
      plan.push({ at: saved, happen: () => saveIfThere(house, reader, device, book, { ...position, at: saved }) })
    }
    at = ended + chance.between(0, 700) * 1000
  }
  const waits = chance.happens(0.5) ? 0 : chance.between(1, 20) * day
  plan.push({
    at: at + waits + 1000,
    happen: async () => {
      reader.unsent.set(device, [...(reader.unsent.get(device) ?? []), ...unsent])
      if (waits === 0 || chance.happens(0.5)) await sendUnsent(house, reader, device)
    },
  })
  return plan
}

interface ReadingSpan {
  readonly book: HouseBook
  readonly started: number
  readonly ended: number
  readonly from: number
  readonly to: number
}

const sessionOf = ({ chance }: House, { book, started, ended, from, to }: ReadingSpan): api.ReadingSession => {
  const isAhead = chance.happens(0.03)
  const shift = isAhead ? 40 * day : 0
  const paged = book.pageCount > 0
  const pages = Math.max(0, pageAt(book, to) - pageAt(book, from))
  const kind = to >= 1 && chance.happens(0.6) ? 'completed' : chance.happens(0.02) ? 'reset' : 'progress'
  const saysWhere = kind !== 'reset' && chance.happens(0.9)
  return {
    id: chance.uuid(),
    bookId: book.id,
    kind,
    clientStartedAt: new Date(started + shift).toISOString(),
    clientEndedAt: new Date(ended + shift).toISOString(),
    ...(kind !== 'reset' &&
      chance.happens(0.85) && { activeDurationMs: Math.round((ended - started) * (0.5 + chance.next())) }),
    ...(paged && kind !== 'reset' && chance.happens(0.8) && { pagesRead: pages }),
    ...(saysWhere && (paged ? { toPage: pageAt(book, to) } : { toPercentage: to })),
  }
}

const positionAt = (book: HouseBook, part: number): Position =>
  book.pageCount > 0 ? { page: pageAt(book, part) } : { percentage: part }

const saveIfThere = async (
  house: House,
  reader: Reader,
  device: Device,
  book: HouseBook,
  position: Position,
): Promise<void> => {
  if (!house.gone.has(book.id)) await savePosition(house, reader, device, book, position)
}

/** An application that only says where it is, each time a page is turned. */
const positionsOn = (house: House, reader: Reader, { start, book, device }: ReadingSession): Happening[] => {
  const { chance } = house
  let at = start
  return Array.from({ length: chance.between(2, 6) }, () => {
    const { to } = readOn(house, reader, book)
    at += chance.happens(0.8) ? chance.between(5, 290) * 1000 : chance.between(301, 900) * 1000
    const moment = momentFor(reader, at)
    const more = chance.happens(0.03) ? { reset: true } : chance.happens(0.04) ? { completed: to > 0.9 } : {}
    const position = { ...positionAt(book, to), ...more }
    const isLate = chance.happens(0.2)
    const heard = moment + (isLate ? chance.between(1, 72) * hour : 0)
    return {
      at: heard,
      happen: () => saveIfThere(house, reader, device, book, isLate ? { ...position, at: moment } : position),
    }
  })
}

/** Another device opens the book on its first page; now and then its reader goes on from there. */
const accidentOn = (house: House, reader: Reader, { start, book, device }: ReadingSession): Happening[] => {
  const { chance } = house
  const goesOn = chance.happens(0.5) ? chance.between(1, 3) : 0
  const parts = [
    0.001,
    ...Array.from({ length: goesOn }, (_, step) => (step + 1) * (chance.happens(0.5) ? 0.01 : 0.05)),
  ]
  return parts.map((part, step) => {
    const at = momentFor(reader, start + step * chance.between(1, 25) * minute)
    return { at, happen: () => saveIfThere(house, reader, device, book, positionAt(book, part)) }
  })
}

/** Something that is not reading. */
const deedOn = (house: House, reader: Reader, date: string): Happening => {
  const { chance } = house
  const at = startOf(reader.zone, date) + chance.between(8 * 60, 20 * 60) * minute
  const kind = chance.between(0, 14)
  const isThere = (book: HouseBook) => !house.gone.has(book.id)
  const some = () => {
    const books = reader.books.filter(isThere)
    const begun = books.filter((book) => logEntriesOf(reader, book).length > 0)
    return chance.oneOf(begun.length > 0 ? begun : books)
  }
  const series = () => chance.oneOf(house.seriesIds.filter((id) => house.libraryOf.get(id) !== house.goneLibraryId))
  const as = chance.oneOf(['read', 'unread'] as const)
  const deeds: (() => Promise<void>)[] = [
    () => markBook(house, reader, some(), 'read'),
    () => markBook(house, reader, some(), 'read'),
    () => markBook(house, reader, some(), 'unread'),
    () => markBook(house, reader, some(), 'forgotten'),
    () => markSeries(house, reader, series(), as),
    () => markMany(house, reader, chance.shuffled(reader.books.filter(isThere)).slice(0, 4), as),
    () => markMany(house, reader, chance.shuffled(reader.books.filter(isThere)).slice(0, 4), as),
    () => restorePoint(house, reader, some()),
    () => restorePoint(house, reader, some()),
    () => addCompletion(house, reader, some(), momentFor(reader, house.now() - chance.between(1, 500) * hour)),
    () => changeCompletions(house, reader, some(), 'move'),
    () => changeCompletions(house, reader, some(), 'delete'),
    () => changeCompletions(house, reader, some(), chance.happens(0.3) ? 'clear' : 'delete'),
    () => sayOfSeries(house, reader, series()),
    () => (chance.happens(0.3) ? forgetSeries(house, reader, series()) : sayOfSeries(house, reader, series())),
  ]
  return { at, happen: async () => deeds[kind]?.() }
}

const sayOfSeries = async (house: House, reader: Reader, id: string): Promise<void> => {
  const call = await callFrom(house, reader, reader.phone)
  const params = { id }
  const status = house.chance.oneOf(['reading', 'paused', 'dropped', 'planned', 'finished'] as const)
  bodyOf(await call(api.saveReadingStatus, { params, body: { status } }))
  reader.statuses.set(id, status)
  bodyOf(await call(api.followSeries, { params }))
  reader.followed.add(id)
}
