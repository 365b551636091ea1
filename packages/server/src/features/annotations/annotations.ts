import {
  type AnnotationDto,
  type AnnotationPatch,
  annotationsMax,
  type BookmarkDto,
  type BookmarkPatch,
  bookmarksMax,
  type ListAnswer,
  locatorBytesMax,
  type NewAnnotation,
  type NewBookmark,
  type ReadiumLocator,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Paging } from '../../platform/paging.ts'
import { requireBook } from '../../catalogue/entries/entries.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  countIn,
  countOf,
  deleteBrought,
  deleteMark,
  insertBrought,
  insertMark,
  type Kind,
  type Marks,
  selectMark,
  selectMarks,
  selectWithoutPart,
  type Shelf,
  updateMark,
} from './queries.ts'

export { markRules } from './merge-rules.ts'
export { selectWithoutPart } from './queries.ts'

/** It names a user and a book. */
export interface AtBook {
  readonly viewer: Viewer
  readonly bookId: string
}

const usualColour = 'yellow'

const shelfOf = async (db: ReadDb, { viewer, bookId }: AtBook): Promise<Shelf> => ({
  userId: viewer.userId,
  bookId: (await requireBook(db, viewer, bookId)).id,
})

export const listMarks = async <K extends Kind>(
  db: ReadDb,
  kind: K,
  at: AtBook,
  paging: Paging,
): Promise<ListAnswer<Marks[K]>> => {
  const shelf = await shelfOf(db, at)
  const total = await countIn(db, kind, shelf)
  return { total, data: paging.offset < total ? await selectMarks(db, kind, shelf, paging) : [] }
}

export const createBookmark = (
  db: Database,
  at: AtBook,
  { locator, note = '' }: NewBookmark,
  now: Date,
): Promise<BookmarkDto> => {
  const position = positionOf(locator)
  return db.write(async (db) => {
    const shelf = await shelfOf(db, at)
    await lockUser(db, shelf.userId)
    const id = newId(now.getTime())
    await insertMark(db, 'bookmark', { id, ...ownedBy(shelf, now), ...position, note })
    await requireRoom(db, 'bookmark', shelf.userId)
    return requireMark(db, 'bookmark', shelf, id)
  })
}

export const createAnnotation = (
  db: Database,
  at: AtBook,
  { locator, quote = '', before = '', after = '', colour = usualColour, note = '' }: NewAnnotation,
  now: Date,
): Promise<AnnotationDto> => {
  const position = positionOf(locator)
  return db.write(async (db) => {
    const shelf = await shelfOf(db, at)
    await lockUser(db, shelf.userId)
    const id = newId(now.getTime())
    const words = { quote, text_before: before, text_after: after, colour, note }
    await insertMark(db, 'annotation', { id, ...ownedBy(shelf, now), ...position, ...words })
    await requireRoom(db, 'annotation', shelf.userId)
    return requireMark(db, 'annotation', shelf, id)
  })
}

interface Change<Patch, Record> {
  readonly id: string
  readonly patch: Patch
  readonly now: Date
  readonly expectMatch: (current: Record) => void
}

export const changeBookmark = (
  db: Database,
  at: AtBook,
  { id, patch: { locator, note }, now, expectMatch }: Change<BookmarkPatch, BookmarkDto>,
): Promise<BookmarkDto> =>
  db.write(async (db) => {
    const shelf = await shelfOf(db, at)
    await lockUser(db, shelf.userId)
    expectMatch(await requireMark(db, 'bookmark', shelf, id))
    await updateMark(db, 'bookmark', id, {
      ...(locator && positionOf(locator)),
      ...(note !== undefined && { note }),
      updated_at: now.toISOString(),
    })
    return requireMark(db, 'bookmark', shelf, id)
  })

export const changeAnnotation = (
  db: Database,
  at: AtBook,
  { id, patch, now, expectMatch }: Change<AnnotationPatch, AnnotationDto>,
): Promise<AnnotationDto> =>
  db.write(async (db) => {
    const shelf = await shelfOf(db, at)
    await lockUser(db, shelf.userId)
    expectMatch(await requireMark(db, 'annotation', shelf, id))
    const { locator, before, after, ...words } = patch
    await updateMark(db, 'annotation', id, {
      ...(locator && positionOf(locator)),
      ...words,
      ...(before !== undefined && { text_before: before }),
      ...(after !== undefined && { text_after: after }),
      updated_at: now.toISOString(),
    })
    return requireMark(db, 'annotation', shelf, id)
  })

export const removeMark = (db: Database, kind: Kind, at: AtBook, id: string): Promise<undefined> =>
  db.write(async (db) => {
    if (!(await deleteMark(db, kind, await shelfOf(db, at), id))) throw notFound(kind)
    return undefined
  })

const requireMark = async <K extends Kind>(db: ReadDb, kind: K, shelf: Shelf, id: string): Promise<Marks[K]> => {
  const mark = await selectMark(db, kind, shelf, id)
  if (mark === undefined) throw notFound(kind)
  return mark
}

const most: Readonly<Record<Kind, number>> = { bookmark: bookmarksMax, annotation: annotationsMax }

const requireRoom = async (db: WriteDb, kind: Kind, userId: string): Promise<void> => {
  if ((await countOf(db, kind, userId)) > most[kind])
    throw full(most[kind], `You have ${most[kind]} ${kind}s already. Remove some first.`)
}

const ownedBy = ({ userId, bookId }: Shelf, now: Date) => {
  const at = now.toISOString()
  return { user_id: userId, book_id: bookId, created_at: at, updated_at: at }
}

const positionOf = (locator: ReadiumLocator): { locator: string; place: number } => {
  const text = JSON.stringify(locator)
  if (Buffer.byteLength(text) > locatorBytesMax) throw invalid('/locator', 'A locator takes up to 16 KiB.')
  return { locator: text, place: locator.locations?.totalProgression ?? 1 }
}

// What somebody has marked elsewhere

interface BroughtMark {
  /** It is the same whenever the mark is brought. */
  readonly id: string
  readonly userId: string
  readonly bookId: string
  readonly locator: ReadiumLocator
  readonly note: string
  readonly at: string
  /** Only annotations have one. */
  readonly quote?: string
  readonly colour?: string | null
}

/** Marks that were brought before it was known in which part of the book they are. It returns how many there are. */
export const placeMarks = async (db: WriteDb, kind: Kind, marks: readonly BroughtMark[]): Promise<number> => {
  const broughtAt = await selectWithoutPart(
    db,
    kind,
    marks.map(({ id }) => id),
  )
  const placed = marks.flatMap((mark) => {
    const at = broughtAt.get(mark.id)
    return at === undefined ? [] : [{ ...mark, at }]
  })
  await deleteBrought(db, kind, [...broughtAt.keys()])
  return (await bringMarks(db, kind, placed)).length
}

/** A mark is left out whose locator is too long, and those that a reader has no room for. It returns the new ones. */
export const bringMarks = async (
  db: WriteDb,
  kind: Kind,
  marks: readonly BroughtMark[],
): Promise<readonly string[]> => {
  const room = new Map<string, number>()
  for (const userId of new Set(marks.map((mark) => mark.userId))) {
    await lockUser(db, userId)
    room.set(userId, most[kind] - (await countOf(db, kind, userId)))
  }
  const rows = marks.flatMap(({ id, userId, bookId, locator, note, at, quote = '', colour }) => {
    const left = room.get(userId) ?? 0
    if (left <= 0 || Buffer.byteLength(JSON.stringify(locator)) > locatorBytesMax) return []
    room.set(userId, left - 1)
    const words = { quote, text_before: '', text_after: '', colour: colour ?? usualColour }
    const shelved = { id, user_id: userId, book_id: bookId, created_at: at, updated_at: at, note }
    return [{ ...shelved, ...positionOf(locator), ...(kind === 'annotation' && words) }]
  })
  return insertBrought(db, kind, rows as never)
}

export const takeMarksBack = (db: WriteDb, kind: Kind, ids: readonly string[]): Promise<void> =>
  deleteBrought(db, kind, ids)
