import { BookMetadataPatch, SeriesMetadataPatch } from '@carrel/api'
import type { CompatBookPatch, CompatSeriesPatch } from '@carrel/api/doors'
import type { Context } from '../../../context.ts'
import { openBooks } from '../../../catalogue/lists/lists.ts'
import { requireBook, requireSeries } from '../../../catalogue/entries/entries.ts'
import { editMetadata } from '../../../features/editing/editing.ts'
import { readAgain } from '../../../features/scan/scan.ts'
import { saveTags } from '../../../features/series/series.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { requireValid } from '../../../http/input/validate.ts'
import { AppError } from '../../../platform/errors.ts'
import { requireId } from '../spelling.ts'
import { bookPatch, seriesPatch } from './patches.ts'
import { readSharingTags } from './sharing-labels.ts'

interface Editing extends Pick<Context, 'db' | 'settings'> {
  readonly viewer: Viewer
  readonly now: Date
  /** Labels that nobody has used yet. */
  readonly mayMakeTags: boolean
}

const anyState = { expectMatch: () => undefined }

/** They are words of a person, above what files say, as in our own API. */
export const editCompatSeries = async (editing: Editing, id: string, sent: CompatSeriesPatch): Promise<undefined> => {
  const { db, viewer, now } = editing
  const patch = seriesPatch(sent)
  requireValid(SeriesMetadataPatch, patch, 'body')
  const tagIds = await readSharingTags(editing, sent)
  await editMetadata(db, { entity: 'series', id }, patch, { viewer, now, ...anyState })
  if (tagIds) await saveTags(db, viewer, id, { tagIds, now, ...anyState })
  return undefined
}

export const editCompatBook = async (
  { db, viewer, now }: Editing,
  id: string,
  sent: CompatBookPatch,
): Promise<undefined> => {
  const patch = bookPatch(sent)
  requireValid(BookMetadataPatch, patch, 'body')
  await editMetadata(db, { entity: 'book', id }, patch, { viewer, now, ...anyState })
  return undefined
}

/** Nothing is written before the whole request has been understood. */
export const editCompatBooks = async (
  editing: Editing,
  patches: Readonly<Record<string, CompatBookPatch>>,
): Promise<undefined> => {
  const all = Object.entries(patches).map(([id, sent]) => ({ id: requireId(id, 'book'), sent }))
  for (const { id, sent } of all) {
    requireValid(BookMetadataPatch, bookPatch(sent), 'body')
    await requireBook(editing.db.read, editing.viewer, id)
  }
  for (const { id, sent } of all) await editCompatBook(editing, id, sent)
  return undefined
}

const booksAtOnce = 250

export const readSeriesAgain = async (editing: Editing, seriesId: string): Promise<undefined> => {
  const { db, viewer, now } = editing
  await requireSeries(db.read, viewer, seriesId)
  const list = await openBooks(editing, viewer, { seriesId })
  for (let offset = 0; offset < list.total; offset += booksAtOnce) {
    const books = await list.rows({ offset, limit: booksAtOnce })
    await db.write((db) =>
      readAgain(
        db,
        books.map(({ id, library_id }) => ({ bookId: id, libraryId: library_id })),
        now,
      ),
    )
  }
  return undefined
}

export const readBookAgain = async ({ db, viewer, now }: Editing, bookId: string): Promise<undefined> => {
  const { id, library_id } = await requireBook(db.read, viewer, bookId)
  await db.write((db) => readAgain(db, [{ bookId: id, libraryId: library_id }], now))
  return undefined
}

export const refuseToDelete = (): never => {
  throw new AppError('not_allowed', 'Files are only ever read here. Delete them where they lie.')
}
