import type { KoreaderStoredPosition, KoreaderPosition } from '@carrel/api/doors'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { withDeadline } from '../../platform/limits.ts'
import { md5 } from '../../platform/secrets/tokens.ts'
import {
  selectReadBooks,
  type BookShape,
  type EntryElsewhere,
  locatorFromLocation,
  locationFromKoreader,
  type ReadBook,
  recordElsewhere,
  standingIn,
} from '../reading/reading.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { isFlowing, progressFrom } from './progress.ts'
import {
  deleteOldDocuments,
  type DocumentRow,
  saveDocuments,
  selectBooksByDigest,
  selectBooksByName,
  selectDocumentOfEntry,
  selectDocuments,
} from './queries.ts'

export interface KoreaderDependencies {
  readonly db: Database
  readonly clock: () => Date
  /** It returns the parts of a book in reading order; a book of pages has none. */
  readonly spineOf: (viewer: Viewer, bookId: string) => Promise<BookShape['spine']>
}

/** KOReader waits five seconds in all. */
const spineMs = 2500
const documentsMax = 2000
const wordsMax = 100

/**
 * The book that a document is. Of several copies the one that is there, and of these the one that was read last; a mere
 * file name counts only where it names one book.
 */
export const bookOf = async (
  db: ReadDb,
  viewer: Viewer,
  document: string,
  fileName: string | undefined,
): Promise<ReadBook | undefined> => {
  const copies = await selectBooksByDigest(db, viewer, document.toLowerCase())
  const [best] = copies.toSorted(
    (one, other) =>
      Number(other.state === 'present') - Number(one.state === 'present') ||
      (other.readAt ?? '').localeCompare(one.readAt ?? '') ||
      one.id.localeCompare(other.id),
  )
  const id = best?.id ?? (await namesakeOf(db, viewer, document, fileName))
  return id === undefined ? undefined : (await selectReadBooks(db, viewer, [id])).get(id)
}

const namesakeOf = async (
  db: ReadDb,
  viewer: Viewer,
  document: string,
  fileName: string | undefined,
): Promise<string | undefined> => {
  const name = fileName?.split(/[/\\]/).at(-1)
  const digests = [document.toLowerCase(), ...(name ? [md5(name)] : [])]
  const books = await selectBooksByName(db, viewer, digests)
  return books.length === 1 ? books[0]?.id : undefined
}

export const savePosition = async (
  context: KoreaderDependencies,
  viewer: Viewer,
  sent: KoreaderPosition,
): Promise<{ document: string; timestamp: number }> => {
  const { db, clock } = context
  const now = clock()
  const row = rowFrom(viewer.userId, sent, now)
  const fileName = sent.metadata?.filename
  const book = await bookOf(db.read, viewer, row.document, fileName)
  const shape = book && (await shapeOf(context, viewer, book))
  await db.write(async (db) => {
    await lockUser(db, viewer.userId)
    await saveDocuments(db, [row])
    if (book) await takeIn(db, { viewer, book, now, shape }, row.document, row.device_id)
    await deleteOldDocuments(db, viewer.userId, documentsMax)
  })
  return { document: row.document, timestamp: secondsOf(row.at) }
}

const rowFrom = (userId: string, { metadata, ...sent }: KoreaderPosition, now: Date): DocumentRow => {
  const device = plain(sent.device ?? '') || 'KOReader'
  return {
    user_id: userId,
    document: sent.document,
    device_id: plain(sent.device_id ?? '') || device,
    device,
    progress: String(sent.progress),
    percentage: Math.min(1, sent.percentage),
    metadata: metadata ? JSON.stringify(metadata) : null,
    at: now.toISOString(),
    entry_id: null,
  }
}

/**
 * Control characters in the name of a device are removed instead of refused: the device cannot be asked to correct it.
 */
const plain = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, wordsMax)
    .toWellFormed()

const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1000)

/** A book that flows has a spine when its parts can be read in time; otherwise its percentage has to do. */
const shapeOf = async (
  { spineOf }: Pick<KoreaderDependencies, 'spineOf'>,
  viewer: Viewer,
  { id, format, pageCount }: ReadBook,
): Promise<BookShape> => {
  if (!isFlowing(format)) return { pageCount, spine: [] }
  try {
    return { pageCount: 0, spine: await withDeadline(spineOf(viewer, id), spineMs, 'The book takes long to open.') }
  } catch (error) {
    if (error instanceof AppError) return { pageCount: 0, spine: [] }
    throw error
  }
}

interface Intake {
  readonly viewer: Viewer
  readonly book: ReadBook
  readonly now: Date
  readonly shape: BookShape | undefined
}

/**
 * It writes positions that devices reported for a document into the log of its book: those that have waited with the
 * time they came, those that have just come with the present time, after all that is known.
 */
const takeIn = async (
  db: WriteDb,
  { viewer, book, now, shape = { pageCount: book.pageCount, spine: [] } }: Intake,
  document: string,
  justCome?: string,
): Promise<void> => {
  const rows = (await selectDocuments(db, viewer.userId, document)).filter(({ entry_id }) => entry_id === null)
  const entries = rows.map((row): EntryElsewhere => {
    const moment = Date.parse(row.at)
    return {
      ...positionOf(row, book, shape),
      device: { id: `koreader:${row.device_id}`, name: row.device },
      source: 'koreader',
      time: row.device_id === justCome ? null : { started: moment, ended: moment },
    }
  })
  const ids = await recordElsewhere(db, { viewer, book, now }, entries)
  await saveDocuments(
    db,
    rows.map((row, index) => ({ ...row, entry_id: ids[index] ?? null })),
  )
}

const positionOf = ({ progress, percentage }: DocumentRow, { format }: ReadBook, shape: BookShape) => {
  // The pages of a book that flows depend on the screen.
  const isNumber = /^\s*\d+\s*$/.test(progress)
  if (isFlowing(format) && isNumber) return { page: null, percentage }
  const location = locationFromKoreader(shape, { progress, percentage })
  if (!isFlowing(format)) return { page: location?.page === 0 ? null : (location?.page ?? null), percentage }
  const locator = location?.item && locatorFromLocation(shape, location)
  return { page: null, percentage, locator: locator ? JSON.stringify(locator) : null }
}

/**
 * Positions that waited for their book are moved into its log, if there is one by now that the viewer sees. It returns
 * that book.
 */
export const linkDocument = async (
  context: Pick<KoreaderDependencies, 'spineOf'> & {
    readonly db: Pick<Database, 'read'>
    readonly write: Database['write']
  },
  { viewer, document, now }: { readonly viewer: Viewer; readonly document: string; readonly now: Date },
): Promise<ReadBook | undefined> => {
  const rows = await selectDocuments(context.db.read, viewer.userId, document)
  const book = await bookOf(context.db.read, viewer, document, fileNameIn(rows))
  if (!book || rows.every(({ entry_id }) => entry_id !== null)) return book
  const shape = await shapeOf(context, viewer, book)
  await context.write(async (db) => {
    await lockUser(db, viewer.userId)
    await takeIn(db, { viewer, book, now, shape }, document)
  })
  return book
}

export const fileNameIn = (rows: readonly DocumentRow[]): string | undefined => {
  const told = rows.find(({ metadata }) => metadata !== null)?.metadata
  return told == null ? undefined : (JSON.parse(told) as NonNullable<KoreaderPosition['metadata']>).filename
}

export const readPosition = async (
  context: KoreaderDependencies,
  viewer: Viewer,
  document: string,
): Promise<KoreaderStoredPosition> => {
  const { db, clock } = context
  const book = await linkDocument({ ...context, write: db.write }, { viewer, document, now: clock() })
  if (!book) {
    const [last] = await selectDocuments(db.read, viewer.userId, document)
    return last ? toStoredPosition(last) : {}
  }
  const standing = await standingIn(db.read, viewer.userId, book)
  if (!standing) return {}
  const saved = await selectDocumentOfEntry(db.read, viewer.userId, document, standing.entryId)
  if (saved) return toStoredPosition(saved)
  const shape = await shapeOf(context, viewer, book)
  const progress = progressFrom(shape, book.format, standing)
  if (progress === undefined) return {}
  const { device, at, percentage } = standing
  return {
    document,
    progress,
    percentage: percentage ?? 0,
    device: device.name ?? 'Carrel',
    device_id: device.id.replace(/^koreader:/, ''),
    timestamp: secondsOf(at),
  }
}

const toStoredPosition = ({
  document,
  progress,
  percentage,
  device,
  device_id,
  at,
}: DocumentRow): KoreaderStoredPosition => ({
  document,
  progress,
  percentage,
  device,
  device_id,
  timestamp: secondsOf(at),
})
