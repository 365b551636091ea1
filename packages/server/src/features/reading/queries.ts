import type { ProgressPoint, ReadingRepair, ReadProgress } from '@carrel/api'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import { readerOf, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { ReadBook } from './book.ts'
import type { ReadingDevice } from './device.ts'
import { type Head, toHead } from './log/heads/queries.ts'
import { shownIn } from './progress/position.ts'
import { progressIdOf } from './progress/progress-id.ts'
import { type FigureZone, toFigureZone } from './reading-sessions/queries.ts'
import type { ReadingTables } from './table.ts'

export interface SeriesCounts {
  /** The count is that of finished books, whether or not they are being read again. */
  readonly read: number
  readonly inProgress: number
}

export const selectProgressOf = async (
  db: ReadDb,
  userId: string,
  bookIds: readonly string[],
): Promise<Map<string, ReadProgress>> => {
  if (bookIds.length === 0) return new Map()
  const rows = await progressAmong(db, { userId, bookIds }, undefined)
  return new Map(rows.map((row) => [row.book_id, toProgress(row, row.pages)]))
}

const progressAmong = cachedStatement(
  (db: ReadDb, { userId, bookIds }) =>
    db
      .selectFrom('read_progress')
      .innerJoin('book', 'book.id', 'read_progress.book_id')
      .selectAll('read_progress')
      .select('book.page_count as pages')
      .where('read_progress.user_id', '=', userId)
      .where('read_progress.book_id', 'in', bookIds),
  ['userId'],
  ['bookIds'],
)

export const selectStoredCounts = async (
  db: ReadDb,
  userId: string,
  seriesIds: readonly string[],
): Promise<Map<string, SeriesCounts>> => {
  if (seriesIds.length === 0) return new Map()
  const rows = await countsAmong(db, { userId, seriesIds }, undefined)
  return new Map(
    rows.map(({ series_id, read_count, in_progress_count }) => [
      series_id,
      { read: read_count, inProgress: in_progress_count },
    ]),
  )
}

const countsAmong = cachedStatement(
  (db: ReadDb, { userId, seriesIds }) =>
    db
      .selectFrom('series_progress')
      .select(['series_id', 'read_count', 'in_progress_count'])
      .where('user_id', '=', userId)
      .where('series_id', 'in', seriesIds),
  ['userId'],
  ['seriesIds'],
)

/** It is for a viewer from whom some books of a series may be hidden. */
export const countVisible = async (
  db: ReadDb,
  viewer: Viewer,
  seriesIds: readonly string[],
): Promise<Map<string, SeriesCounts>> => {
  const rows = await db
    .selectFrom('book')
    .innerJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', readerOf(viewer)),
    )
    .select(({ fn }) => [
      'book.series_id',
      fn.sum<number>('read_progress.completed').as('read'),
      fn.countAll<number>().as('opened'),
    ])
    .where('book.series_id', 'in', seriesIds)
    .where('book.state', '=', 'present')
    .where(visibleTo(viewer, 'book'))
    .groupBy('book.series_id')
    .execute()
  return new Map(rows.map(({ series_id, read, opened }) => [series_id, { read, inProgress: opened - read }]))
}

/** It computes the counts of series, of some or of one user. */
const seriesCounts = (
  db: ReadDb,
  { seriesIds, userId }: { readonly seriesIds?: readonly string[]; readonly userId?: string },
) =>
  db
    .selectFrom('book')
    .innerJoin('read_progress', 'read_progress.book_id', 'book.id')
    .select(({ fn }) => [
      'read_progress.user_id',
      'book.series_id',
      fn.sum<number>('read_progress.completed').as('read_count'),
      sql<number>`count(*) - sum(read_progress.completed)`.as('in_progress_count'),
      fn.max('read_progress.updated_at').as('last_read_at'),
      nextBook.as('next_book_id'),
    ])
    .where('book.state', '=', 'present')
    .$if(seriesIds !== undefined, (query) => query.where('book.series_id', 'in', seriesIds ?? []))
    .$if(userId !== undefined, (query) => query.where('read_progress.user_id', '=', userId ?? ''))
    .groupBy(['read_progress.user_id', 'book.series_id'])

/** It returns whether the counts of a user's series equal the sums over their books. */
export const areSeriesCounted = async (db: ReadDb, userId: string): Promise<boolean> => {
  const stored = await db.selectFrom('series_progress').selectAll().where('user_id', '=', userId).execute()
  const right = await seriesCounts(db, { userId }).execute()
  const texts = (rows: typeof stored) =>
    rows
      .map((row) =>
        [row.series_id, row.read_count, row.in_progress_count, row.last_read_at, row.next_book_id].join(' '),
      )
      .sort()
      .join('\n')
  return texts(stored) === texts(right)
}

/** It counts these series or all series, for one user or for all who read there. One of the two must be given. */
export const recountProgress = async (
  db: WriteDb,
  { seriesIds, userId }: { readonly seriesIds?: readonly string[]; readonly userId?: string },
): Promise<void> => {
  if (seriesIds?.length === 0 || (seriesIds === undefined && userId === undefined)) return
  await db
    .deleteFrom('series_progress')
    .$if(seriesIds !== undefined, (query) => query.where('series_id', 'in', seriesIds ?? []))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .execute()
  await db
    .insertInto('series_progress')
    .columns(['user_id', 'series_id', 'read_count', 'in_progress_count', 'last_read_at', 'next_book_id'])
    .expression(seriesCounts(db, { ...(seriesIds && { seriesIds }), ...(userId !== undefined && { userId }) }))
    // Somebody else may have counted meanwhile; this count is the later one.
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'series_id']).doUpdateSet(({ ref }) => ({
        read_count: ref('excluded.read_count'),
        in_progress_count: ref('excluded.in_progress_count'),
        last_read_at: ref('excluded.last_read_at'),
        next_book_id: ref('excluded.next_book_id'),
      })),
    )
    .execute()
}

const nextBook = sql<string | null>`case when sum(read_progress.completed) > 0
    and sum(case when read_progress.completed = 0 or read_progress.rereading = 1 then 1 else 0 end) = 0
  then (select next.id from book as next where next.series_id = book.series_id and next.state = 'present'
    and not exists (select 1 from read_progress as opened
      where opened.user_id = read_progress.user_id and opened.book_id = next.id)
    order by next.position_key, next.id limit 1) end`

/** It selects the books ever present that the viewer may see. A missing book has still been read. */
const readBooks = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select([
      'book.id',
      'book.series_id as seriesId',
      'series.title as seriesName',
      'book.library_id as libraryId',
      'book.format',
      'book.page_count as pageCount',
      'book.state',
    ])
    .where('book.state', '!=', 'hidden')
    .where(visibleTo(viewer, 'book'))

const readBook = cachedStatement(
  (db, { bookId }, sight: Pick<Viewer, 'rule' | 'deletedLibraries'>) =>
    readBooks(db, { userId: '', seesPaths: false, ...sight }).where('book.id', '=', bookId),
  ['bookId'],
)

/** It returns those of these books that the viewer may see. */
export const selectReadBooks = async (
  db: ReadDb,
  viewer: Viewer,
  bookIds: readonly string[],
): Promise<Map<string, ReadBook>> => {
  const [only, ...others] = bookIds
  if (only === undefined) return new Map()
  const { rule, deletedLibraries } = viewer
  const rows =
    others.length === 0
      ? await readBook(db, { bookId: only }, { rule, deletedLibraries })
      : await readBooks(db, viewer).where('book.id', 'in', bookIds).execute()
  return new Map(rows.map((row) => [row.id, toReadBook(row)]))
}

const bookToReadOn = cachedStatement(
  (db, { bookId, userId, deviceId }, sight: Pick<Viewer, 'rule' | 'deletedLibraries'>) =>
    readBooks(db, { userId: '', seesPaths: false, ...sight })
      .leftJoin('reading_head', (join) =>
        join.onRef('reading_head.book_id', '=', 'book.id').on('reading_head.user_id', '=', userId),
      )
      .leftJoin('device', (join) => join.on('device.user_id', '=', userId).on('device.id', '=', deviceId))
      .select([
        'reading_head.at',
        'reading_head.entry_id',
        'reading_head.unsaved',
        'reading_head.state as head_state',
        'reading_head.uncounted_from',
        'reading_head.uncounted_to',
        'reading_head.untold',
        'device.name as device_name',
        'device.last_used_at',
        'device.merged_into',
      ])
      .where('book.id', '=', bookId),
  ['bookId', 'userId', 'deviceId'],
)

export interface BookToReadOn {
  readonly book: ReadBook
  readonly head: Head | undefined
  readonly device: DeviceState | undefined
}

/** It reads all that one more entry of a book depends on in one statement; undefined: the viewer sees no such book. */
export const selectBookToReadOn = async (
  db: WriteDb,
  { rule, deletedLibraries, userId }: Viewer,
  bookId: string,
  deviceId: string,
): Promise<BookToReadOn | undefined> => {
  const [row] = await bookToReadOn(db, { bookId, userId, deviceId }, { rule, deletedLibraries })
  if (!row) return undefined
  const { at, entry_id, unsaved, head_state, uncounted_from, uncounted_to, untold, ...rest } = row
  const { device_name: name, last_used_at: lastUsedAt, merged_into: mergedInto, ...book } = rest
  const isBegun = at !== null && entry_id !== null && unsaved !== null && head_state !== null
  return {
    book: toReadBook(book),
    head: isBegun
      ? toHead({ at, entry_id, unsaved, state: head_state, uncounted_from, uncounted_to, untold })
      : undefined,
    device: lastUsedAt === null ? undefined : { name, lastUsedAt, mergedInto },
  }
}

/** Present and visible, after one id: those that are read by now, or those that are not. */
export const selectBooksToMark = async (
  db: ReadDb,
  viewer: Viewer,
  { seriesId, as, afterId, limit }: { seriesId: string; as: 'read' | 'unread'; afterId: string; limit: number },
): Promise<ReadBook[]> => {
  const rows = await readBooks(db, viewer)
    .leftJoin('read_progress', (join) =>
      join.onRef('read_progress.book_id', '=', 'book.id').on('read_progress.user_id', '=', viewer.userId),
    )
    .where('book.series_id', '=', seriesId)
    .where(visibleTo(viewer, 'series'))
    .where('book.state', '=', 'present')
    .where('book.id', '>', afterId)
    .where(({ eb, or }) =>
      as === 'unread'
        ? eb('read_progress.user_id', 'is not', null)
        : or([
            eb('read_progress.user_id', 'is', null),
            eb('read_progress.completed', '=', 0),
            eb('read_progress.rereading', '=', 1),
          ]),
    )
    .orderBy('book.id')
    .limit(limit)
    .execute()
  return rows.map(toReadBook)
}

/** It returns whether the viewer sees a series with any book in it. */
export const seesSeries = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('series')
    .select('series.id')
    .where('series.id', '=', seriesId)
    .where(visibleTo(viewer, 'series'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('book')
          .select('book.id')
          .whereRef('book.series_id', '=', 'series.id')
          .where('book.state', '!=', 'hidden')
          .where(visibleTo(viewer, 'book')),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

const ownProgress = (db: ReadDb, viewer: Viewer, completed: boolean | undefined) =>
  db
    .selectFrom('read_progress')
    .innerJoin('book', 'book.id', 'read_progress.book_id')
    .where('read_progress.user_id', '=', viewer.userId)
    .where('book.state', '!=', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .$if(completed !== undefined, (query) => query.where('read_progress.completed', '=', flag(completed ?? false)))

export const countProgress = async (db: ReadDb, viewer: Viewer, completed: boolean | undefined): Promise<number> => {
  const { count } = await ownProgress(db, viewer, completed)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectProgress = async (
  db: ReadDb,
  viewer: Viewer,
  completed: boolean | undefined,
  { limit, offset }: Paging,
): Promise<ReadProgress[]> => {
  const rows = await ownProgress(db, viewer, completed)
    .selectAll('read_progress')
    .select('book.page_count as pages')
    .orderBy('read_progress.updated_at', 'desc')
    .orderBy('read_progress.book_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => toProgress(row, row.pages))
}

const deviceName = sql<string | null>`coalesce(device.given_name, device.name)`.as('deviceName')

/** It reads a user's position, with the locator it came with. */
export const selectStanding = async (db: ReadDb, userId: string, bookId: string) => {
  const row = await db
    .selectFrom('read_progress')
    .leftJoin('reading_log', (join) =>
      join
        .onRef('reading_log.user_id', '=', 'read_progress.user_id')
        .onRef('reading_log.id', '=', 'read_progress.entry_id'),
    )
    .leftJoin('device', (join) =>
      join.onRef('device.user_id', '=', 'read_progress.user_id').onRef('device.id', '=', 'read_progress.device_id'),
    )
    .selectAll('read_progress')
    .select(['reading_log.locator', 'reading_log.said_at', deviceName])
    .where('read_progress.user_id', '=', userId)
    .where('read_progress.book_id', '=', bookId)
    .executeTakeFirst()
  return row
}

export const countPoints = async (db: ReadDb, userId: string, bookId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('reading_log')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()
  return count
}

/** The latest point comes first. */
export const selectPoints = async (
  db: ReadDb,
  userId: string,
  bookId: string,
  { limit, offset }: Paging,
): Promise<Omit<ProgressPoint, 'heldBack' | 'current'>[]> => {
  const rows = await db
    .selectFrom('reading_log')
    .leftJoin('device', (join) =>
      join.onRef('device.user_id', '=', 'reading_log.user_id').onRef('device.id', '=', 'reading_log.device_id'),
    )
    .select([
      'reading_log.id',
      'reading_log.at',
      'reading_log.kind',
      'reading_log.page',
      'reading_log.percentage',
      'reading_log.device_id',
      deviceName,
    ])
    .where('reading_log.user_id', '=', userId)
    .where('reading_log.book_id', '=', bookId)
    .orderBy('reading_log.at', 'desc')
    .orderBy('reading_log.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id, at, kind, page, percentage, device_id, deviceName }) => ({
    id,
    at,
    kind,
    device: { id: device_id, name: deviceName },
    currentPage: page,
    progressPercentage: percentage,
  }))
}

export const selectPoint = (db: ReadDb, userId: string, bookId: string, id: string) =>
  db
    .selectFrom('reading_log')
    .select(['kind', 'page', 'percentage', 'page_count', 'finishes', 'locator'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('book_id', '=', bookId)
    .executeTakeFirst()

/** A reader as a write needs them. */
export interface ReaderState {
  readonly zone: FigureZone
  /** It holds those of the requested devices that are known. */
  readonly devices: ReadonlyMap<string, DeviceState>
}

interface DeviceState {
  readonly name: string | null
  readonly lastUsedAt: string
  readonly mergedInto: string | null
}

const readerStates = (db: ReadDb, userId: string, isMeant: RawBuilder<boolean>) =>
  db
    .selectFrom('user')
    .leftJoin('figure_zone', 'figure_zone.user_id', 'user.id')
    .leftJoin('device', (join) => join.onRef('device.user_id', '=', 'user.id').on(isMeant))
    .select(['user.time_zone', 'figure_zone.zone', 'figure_zone.built_start', 'figure_zone.built_id'])
    .select(['device.id', 'device.name', 'device.last_used_at', 'device.merged_into'])
    .where('user.id', '=', userId)

const readerWith = cachedStatement(
  (db, { userId, deviceId }) => readerStates(db, userId, sql<boolean>`device.id = ${deviceId}`),
  ['userId', 'deviceId'],
)

/** The user is locked before this, so that nothing of the state changes any more. */
export const selectReaderState = async (
  db: WriteDb,
  userId: string,
  deviceIds: readonly string[],
): Promise<ReaderState> => {
  const [only, ...others] = deviceIds
  const rows =
    only !== undefined && others.length === 0
      ? await readerWith(db, { userId, deviceId: only }, undefined)
      : await readerStates(db, userId, sql<boolean>`device.id in (${sql.join(deviceIds)})`).execute()
  const [first] = rows
  if (!first) throw new Error('There is no such user')
  const devices = rows.flatMap(({ id, name, last_used_at, merged_into }) =>
    id === null || last_used_at === null
      ? []
      : [[id, { name, lastUsedAt: last_used_at, mergedInto: merged_into }] as const],
  )
  return { zone: toFigureZone(first), devices: new Map(devices) }
}

/** A device that has not said its name keeps the one it had. */
export const saveDevices = async (
  db: WriteDb,
  userId: string,
  { devices, states }: { readonly devices: readonly ReadingDevice[]; readonly states: ReaderState['devices'] },
  at: string,
): Promise<void> => {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const staleBefore = new Date(Date.parse(at) - lastUseKeptMs).toISOString()
  const rows = [...byId.values()].flatMap(({ id, name }) => {
    const was = states.get(id)
    const isFresh = was && was.lastUsedAt > staleBefore && (name === null || name === was.name)
    return isFresh ? [] : [{ user_id: userId, id, name: name ?? was?.name ?? null, last_used_at: at }]
  })
  await insertMany(db, 'device', rows, { keys: ['user_id', 'id'], sets: ['name', 'last_used_at'] })
}

const lastUseKeptMs = 10 * 60 * 1000

const toReadBook = ({ state, ...book }: Omit<ReadBook, 'isPresent'> & { state: string }): ReadBook => ({
  ...book,
  isPresent: state === 'present',
})

export type ProgressRow = Selectable<ReadingTables['read_progress']>

/** `pageCount` is that of the book by now. */
export const toProgress = (row: ProgressRow, pageCount: number): ReadProgress => ({
  id: progressIdOf(row.user_id, row.book_id),
  userId: row.user_id,
  bookId: row.book_id,
  ...shownIn(pageCount, { page: row.page, percentage: row.percentage, pageCount: row.page_count }),
  completed: row.completed === 1,
  startedAt: row.started_at,
  updatedAt: row.updated_at,
  completedAt: row.completed_at,
  heldBack: false,
})

/**
 * These tables hold the log and what is made from it, in an order in which nothing is made again from what is left
 * meanwhile.
 */
const tablesOfLog = [
  ['reading_log', 'id'],
  ['stated_completion', 'id'],
  ['removed_completion', 'id'],
  ['refiled_entry', 'id'],
  ['reading_head', 'book_id'],
  ['reading_snapshot', 'book_id'],
  ['read_progress', 'book_id'],
  ['read_completion', 'id'],
  ['reading_session', 'id'],
  ['reading_figure', 'start'],
  ['figure_zone', 'user_id'],
  ['reading_import', 'id'],
] as const

/** Some rows of one table; answers whether there may be more. */
export const deleteLogOfSome = async (db: WriteDb, userId: string, limit: number): Promise<boolean> => {
  for (const [table, key] of tablesOfLog) {
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .where(
        sql.ref(key),
        'in',
        sql`(select ${sql.ref(key)} from ${sql.table(table)} where user_id = ${userId} limit ${limit})`,
      )
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) return true
  }
  return false
}

export const insertRepair = (db: WriteDb, row: ReadingTables['reading_repair']): Promise<void> =>
  insertMany(db, 'reading_repair', [row])

export const deleteRepairsBefore = async (db: WriteDb, at: string): Promise<void> => {
  await db.deleteFrom('reading_repair').where('at', '<', at).execute()
}

export const countRepairs = async (db: ReadDb): Promise<number> => {
  const { count } = await db
    .selectFrom('reading_repair')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectRepairs = async (db: ReadDb, { limit, offset }: Paging): Promise<ReadingRepair[]> => {
  const rows = await db
    .selectFrom('reading_repair')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id, at, user_id, books, figures }) => ({ id, at, userId: user_id, books, figures: figures === 1 }))
}
