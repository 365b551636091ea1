import type { CoverDto } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { MadeCover } from '../../decoders/cover.ts'
import { unpackTone } from '../../decoders/tone.ts'
import { BookFault } from '../../formats/book-format.ts'
import { full, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import {
  setBookCovers,
  renewCoversOfFirstBooks,
  setLocksOfBooks,
  setLocksOfSeries,
  setSeriesCovers,
} from '../../catalogue/shown/shown.ts'
import { damaged, type PageReading, requireSound } from '../pages/pages.ts'
import { announceCovers, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { CoverReading, CoverContext } from './cover-reading.ts'
import {
  type CoverRow,
  deleteCoverRows,
  type Entity,
  type Pictured,
  selectCover,
  selectCoverChoices,
  selectCovers,
  selectFirstVisibleBook,
  selectPicturedBook,
  selectPicturedSeries,
  upsertCovers,
} from './queries.ts'
import { requestCovers } from './record.ts'
import { coverLock, locksIn, toRow } from './record-covers.ts'
import { forgetPictures, coverSizesOf } from './tasks.ts'

export interface Entitled {
  readonly kind: Entity
  readonly id: string
}

export interface Choosing extends CoverContext {
  readonly reading: CoverReading
  readonly pages: PageReading
}

/** It throws when this viewer may not see it. */
export const requirePictured = async (db: ReadDb, viewer: Viewer, { kind, id }: Entitled): Promise<Pictured> => {
  const select = kind === 'book' ? selectPicturedBook : selectPicturedSeries
  const pictured = await select(db, viewer, id)
  if (!pictured) throw notFound(kind)
  return pictured
}

export const listCovers = async (
  context: Pick<CoverContext, 'db'>,
  viewer: Viewer,
  entity: Entitled,
): Promise<CoverDto[]> => {
  const { coverId } = await requirePictured(context.db.read, viewer, entity)
  return (await selectCovers(context.db.read, entity.id)).map((row) => toDto(row, coverId))
}

export const toDto = (row: CoverRow, selectedId: string | null): CoverDto => ({
  id: row.id,
  source: row.source,
  page: row.page,
  width: row.width,
  height: row.height,
  placeholder: row.placeholder,
  tone: unpackTone(row.tone),
  isSelected: row.id === selectedId,
  createdAt: row.created_at,
})

export const coversMax = 50

export const uploadCover = async (
  context: Choosing,
  viewer: Viewer,
  entity: Entitled,
  bytes: Buffer,
): Promise<CoverDto> => {
  await requirePictured(context.db.read, viewer, entity)
  const cover = await withoutFault(() =>
    context.decoders.run(
      'cover',
      { bytes, sizes: coverSizesOf(context.settings) },
      { urgent: true, silenceMaxMs: 20_000 },
    ),
  )
  return keep(context, viewer, entity, { cover, source: 'upload', page: null })
}

export const coverFromPage = async (
  context: Choosing,
  viewer: Viewer,
  entity: Entitled,
  options: { readonly bookId?: string | undefined; readonly page: number },
): Promise<CoverDto> => {
  await requirePictured(context.db.read, viewer, entity)
  const bookId = options.bookId ?? (await ownBook(context, viewer, entity))
  const book = await requireSound(context.db.read, viewer, bookId)
  const page = (await context.pages.pagesOf(book))[options.page - 1]
  if (!page) throw notFound('page')
  await context.libraryReads.probe(book.file.rootId, book.file.path)
  const input = {
    path: book.file.path,
    isFolder: book.isFolder,
    cacheDir: context.unpackedDir,
    sizes: coverSizesOf(context.settings),
    page: { number: options.page, location: page.location ?? null, size: page.size },
  }
  const cover = await withoutFault(() =>
    context.decoders.run('pageCover', input, { urgent: true, silenceMaxMs: 20_000 }),
  )
  return keep(context, viewer, entity, { cover, source: 'page', page: options.page })
}

const ownBook = async ({ db }: Choosing, viewer: Viewer, { kind, id }: Entitled): Promise<string> => {
  const bookId = kind === 'book' ? id : await selectFirstVisibleBook(db.read, viewer, id)
  if (bookId === undefined) throw notFound('book')
  return bookId
}

export const withoutFault = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof BookFault ? damaged(error.message, { cause: error }) : error
  }
}

const keep = async (
  context: Choosing,
  viewer: Viewer,
  entity: Entitled,
  { cover, source, page }: { readonly cover: MadeCover; readonly source: string; readonly page: number | null },
): Promise<CoverDto> => {
  const { db, clock, reading } = context
  const contentHash = await reading.store.put(cover)
  const now = clock()
  const row: CoverRow = {
    ...toRow(entity.kind, entity.id, { ...cover, contentHash, source, page }, now),
    id: newId(now.getTime()),
    by_user_id: viewer.userId,
  }
  await db.write(async (db) => {
    if ((await selectCovers(db, entity.id)).length >= coversMax)
      throw full(coversMax, `It has ${coversMax} covers already. Delete one first.`)
    await upsertCovers(db, [row])
    const { locks } = await requirePictured(db, viewer, entity)
    await show(db, entity, { cover: row, locks: withLock(locks) }, now)
  })
  return toDto(row, row.id)
}

export const withLock = (locks: string): string[] => [...new Set([...locksIn(locks), coverLock])]
const withoutLock = (locks: string): string[] => locksIn(locks).filter((each) => each !== coverLock)

/** Null means none of its own. */
interface Shown {
  readonly cover: CoverRow | null
  readonly locks: readonly string[]
}

/** It sets the shown cover. */
export const show = (db: WriteDb, { kind, id }: Entitled, shown: Shown, now: Date): Promise<void> =>
  showEach(db, kind, [{ id, ...shown }], now)

export const showEach = async (
  db: WriteDb,
  kind: Entity,
  shown: readonly (Shown & { readonly id: string })[],
  now: Date,
): Promise<void> => {
  const ids = shown.map(({ id }) => id)
  const locks = shown.map(({ id, locks }) => ({ id, locks: JSON.stringify(locks) }))
  const covers = shown.map(({ id, cover }) => {
    const { id: coverId = null, placeholder = null, tone = null } = cover ?? {}
    return { id, coverId, placeholder, tone }
  })
  if (kind === 'book') {
    await setBookCovers(db, covers)
    await setLocksOfBooks(db, locks, now.toISOString())
    await renewCoversOfFirstBooks(db, ids)
  } else {
    await setSeriesCovers(db, covers)
    await setLocksOfSeries(db, locks, now.toISOString())
  }
  await announceCovers(db, kind, ids, now)
}

export const selectOne = async (
  context: Choosing,
  viewer: Viewer,
  entity: Entitled,
  coverId: string,
): Promise<undefined> => {
  const { db, clock } = context
  return db.write(async (db) => {
    const { locks } = await requirePictured(db, viewer, entity)
    const cover = await selectCover(db, entity.id, coverId)
    if (!cover) throw notFound('cover')
    await show(db, entity, { cover, locks: withLock(locks) }, clock())
    return undefined
  })
}

/** The cover from the file or the folder comes back. */
export const unselect = async (context: Choosing, viewer: Viewer, entity: Entitled): Promise<undefined> => {
  const { db, clock } = context
  return db.write(async (db) => {
    const { locks } = await requirePictured(db, viewer, entity)
    await showAutomatic(db, entity, locks, clock())
    return undefined
  })
}

export const showAutomatic = async (db: WriteDb, entity: Entitled, locks: string, now: Date): Promise<void> => {
  const covers = await selectCovers(db, entity.id)
  const cover =
    covers.find(({ source }) => source.startsWith('plugin:')) ??
    covers.find(({ source }) => source === 'sidecar') ??
    covers.find(({ source }) => source === 'file') ??
    null
  await show(db, entity, { cover, locks: withoutLock(locks) }, now)
  if (!cover && entity.kind === 'book') await requestCovers(db, [entity.id], now)
}

/**
 * One book takes the place of another, whose covers have gone over to it: one that was chosen stands for it where nobody
 * had chosen for the one that takes over.
 */
export const takeOverCovers = async (db: WriteDb, fromBookId: string, toBookId: string, now: Date): Promise<void> => {
  const books = await selectCoverChoices(db, 'book', [fromBookId, toBookId])
  const from = books.find(({ id }) => id === fromBookId)
  const to = books.find(({ id }) => id === toBookId)
  if (!from || !to || locksIn(to.locks).includes(coverLock)) return
  const isChosen = from.cover_id !== null && locksIn(from.locks).includes(coverLock)
  const cover = isChosen ? await selectCover(db, toBookId, from.cover_id ?? '') : undefined
  if (cover) await show(db, { kind: 'book', id: toBookId }, { cover, locks: withLock(to.locks) }, now)
  else if (to.cover_id === null) await requestCovers(db, [toBookId], now)
}

export const removeCover = async (
  context: Choosing,
  viewer: Viewer,
  entity: Entitled,
  coverId: string,
): Promise<undefined> => {
  const { db, clock, reading } = context
  const name = await db.write(async (db) => {
    const { locks, coverId: selectedId } = await requirePictured(db, viewer, entity)
    const cover = await selectCover(db, entity.id, coverId)
    if (!cover) throw notFound('cover')
    await deleteCoverRows(db, [coverId])
    if (selectedId === coverId) await showAutomatic(db, entity, locks, clock())
    return cover.content_hash
  })
  await forgetPictures(reading.store, db.read, [name])
  return undefined
}
