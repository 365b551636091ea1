/** The house says who lives here, what they read with, and what they have reported so far. */
import * as api from '@carrel/api'
import { addBooks, addLibrary, addManySeries } from '../content.ts'
import { bodyOf } from '../outcome.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { type Chance, chanceFrom } from './chance.ts'
import { type HouseBook, type HouseEntry, type Stated, type Standing, standingFrom } from './log.ts'
import { type HouseSession, sessionsOf } from './reading-sessions.ts'

export interface Device {
  /** The statistics use this id; for an application that gives only its name, it is the name. */
  readonly id: string
  readonly name: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Time between its writes is taken for reading. */
  readonly infers: boolean
}

export interface Reader {
  readonly id: string
  readonly username: string
  zone: string
  cookie: string
  signedInAt: number
  readonly tablet: Device
  readonly phone: Device
  readonly keyed: Device
  readonly agent: Device
  readonly nameless: Device
  readonly books: readonly HouseBook[]
  readonly log: HouseEntry[]
  readonly stated: Stated[]
  /** Completions they do not want to count. */
  readonly removed: Set<HouseEntry>
  /** No two things that one person says happen at the same millisecond. */
  readonly moments: Set<number>
  /** It is the page the readers themselves remember. */
  readonly inMind: Map<string, number>
  /** They hold the statuses the reader has set for series, and which series they follow. */
  readonly statuses: Map<string, api.ReadingStatus>
  readonly followed: Set<string>
  /** Offline, not yet sent. */
  readonly unsent: Map<Device, Unsent[]>
}

export interface Unsent {
  readonly session: api.ReadingSession
  readonly book: HouseBook
}

export interface House {
  readonly server: TestServer
  readonly chance: Chance
  readonly admin: api.Client
  readonly readers: readonly Reader[]
  readonly goneLibraryId: string
  readonly seriesIds: readonly string[]
  /** Books nobody sees any more. */
  readonly gone: Set<string>
  readonly libraryOf: ReadonlyMap<string, string>
  now(): number
  /** The clock moves to this time, or to a little later than it was. */
  beAt(at: number): number
}

const password = 'quiet-lamp-over-snow'
const begins = Date.parse('2026-01-01T00:00:00.000Z')
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo']

export const openHouse = async (seed: number, scale: number): Promise<House & AsyncDisposable> => {
  let now = begins
  const chance = chanceFrom(seed)
  const server = await startServer({ clock: () => new Date(now) })
  const admin = await server.person('admin')
  const key = bodyOf(await admin.call(api.createApiKey, { body: { name: 'Of the house' } })).key
  const { books, goneLibraryId, seriesIds, libraryOf } = await fillShelves(server, scale)
  const readers: Reader[] = []
  for (const zone of zones) readers.push(await moveIn(server, zone, books, begins))
  return {
    server,
    chance,
    admin: server.callWith({ 'x-api-key': key }),
    readers,
    goneLibraryId,
    seriesIds,
    libraryOf,
    gone: new Set(),
    now: () => now,
    beAt: (at) => (now = Math.max(at, now + 7)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const fillShelves = async (server: TestServer, scale: number) => {
  const { db } = server.context
  const stays = await addLibrary(db, { name: 'What stays' })
  const goes = await addLibrary(db, { name: 'What goes', path: '/data/goes' })
  const made = [
    ...(await addManySeries(db, stays, [{ title: 'Anna' }, { title: 'Brand' }, { title: 'Carmen' }])),
    ...(await addManySeries(db, goes, [{ title: 'Dido' }])),
  ]
  const shelves = [
    { format: 'cbz' as const, page_count: 120 },
    { format: 'pdf' as const, page_count: 40 },
    { format: 'epub' as const, page_count: 0 },
    { format: 'cbz' as const, page_count: 60 },
  ]
  const perSeries = scale > 1 ? 9 : 4
  const books: HouseBook[] = []
  for (const [index, series] of made.entries()) {
    const options = Array.from({ length: perSeries }, () => ({ ...shelves[index] }))
    const ids = await addBooks(db, series, options)
    books.push(
      ...ids.map((id, position) => ({
        id,
        title: `${series.title} ${position + 1}`,
        seriesId: series.id,
        seriesName: series.title,
        format: shelves[index]?.format ?? 'cbz',
        pageCount: shelves[index]?.page_count ?? 0,
      })),
    )
  }
  return {
    books,
    goneLibraryId: goes.id,
    seriesIds: made.map(({ id }) => id),
    libraryOf: new Map(made.map(({ id, library }) => [id, library.id])),
  }
}

const moveIn = async (
  server: TestServer,
  zone: string,
  books: readonly HouseBook[],
  signedInAt: number,
): Promise<Reader> => {
  const { id, username, cookie, call } = await server.person('reader')
  bodyOf(await call(api.updateProfile, { body: { timeZone: zone } }))
  const key = bodyOf(await call(api.createApiKey, { body: { name: 'Kitchen' } }))
  const named = (deviceId: string, name: string): Device => ({
    id: deviceId,
    name,
    headers: { 'x-device-id': deviceId, 'x-device-name': name },
    infers: false,
  })
  return {
    id,
    username,
    zone,
    cookie,
    signedInAt,
    tablet: named('tablet', 'Tablet'),
    phone: named('phone', 'Phone'),
    keyed: { id: `apikey:${key.id}`, name: 'Kitchen', headers: { 'x-api-key': key.key }, infers: true },
    agent: { id: 'KOReader', name: 'KOReader', headers: { 'user-agent': 'KOReader/2026' }, infers: true },
    nameless: { id: 'unknown', name: null, headers: { 'user-agent': '' }, infers: false },
    books,
    log: [],
    stated: [],
    removed: new Set(),
    moments: new Set(),
    inMind: new Map(),
    statuses: new Map(),
    followed: new Set(),
    unsent: new Map(),
  }
}

const signedInMs = 20 * 86_400_000

/** The calls come from somebody who is signed in on this device. */
export const callFrom = async (house: House, reader: Reader, device: Device): Promise<api.Client> => {
  const { server } = house
  if ('x-api-key' in device.headers) return server.callWith(device.headers)
  if (house.now() - reader.signedInAt > signedInMs) {
    const signedIn = await server.call(api.login, { body: { username: reader.username, password } })
    if (!signedIn.ok) throw new Error(`${reader.username} cannot sign in: ${signedIn.error.message}`)
    reader.cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    reader.signedInAt = house.now()
  }
  return server.callWith({ ...device.headers, cookie: reader.cookie, 'sec-fetch-site': 'same-origin' })
}

export const logEntriesOf = (reader: Reader, book: HouseBook): HouseEntry[] =>
  reader.log.filter((entry) => entry.book.id === book.id)

export const standingIn = (reader: Reader, book: HouseBook): Standing => standingFrom(logEntriesOf(reader, book))

/** Each time they have read it to its end, as far as they want it to count. */
export const completionsOf = (reader: Reader, book: HouseBook) => {
  const finished = standingIn(reader, book).finished.filter(({ entry }) => !reader.removed.has(entry))
  const stated = reader.stated.filter((each) => each.book.id === book.id)
  return { finished, stated }
}

export const allSessionsOf = (reader: Reader): HouseSession[] =>
  reader.books.flatMap((book) => {
    const { finished, stated } = completionsOf(reader, book)
    return sessionsOf(logEntriesOf(reader, book), finished, stated)
  })
