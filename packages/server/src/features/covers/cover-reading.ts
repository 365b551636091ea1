import { seriesCoverVersion } from '../../catalogue/entries/entries.ts'
import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ReadDb } from '../../database/database.ts'
import { BookFault } from '../../formats/book-format.ts'
import { notFound } from '../../platform/errors.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import type { Media } from '../../platform/media.ts'
import { StoreAway } from '../../platform/objects/objects.ts'
import { shareInFlight } from '../../platform/share.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { coverInputs } from './cover-input.ts'
import { plainPicture } from './plain-picture.ts'
import {
  hasFault,
  type Pictured,
  selectCover,
  selectFirstVisibleBook,
  selectPicturedBook,
  selectPicturedSeries,
  selectSubjects,
} from './queries.ts'
import { recordCovers, recordFailures } from './record-covers.ts'
import { type CoverSize, type CoverStore, coversToShow } from './store.ts'
import { forgetPictures, isWorthATry, coverSizesOf, storeCovers } from './tasks.ts'

interface CoverRequest {
  readonly size?: CoverSize | undefined
  /** The version in the address. */
  readonly v?: string | undefined
}

/** The pictures that stand for books and series. */
export interface CoverReading {
  ofBook(viewer: Viewer, id: string, request: CoverRequest): Promise<Media>
  ofSeries(viewer: Viewer, id: string, request: CoverRequest): Promise<Media>
  /** It reads one of the covers of an entity that the caller may see. */
  one(entityId: string, coverId: string, request: CoverRequest): Promise<Media>
  readonly store: CoverStore
}

export type CoverContext = Pick<Context, 'db' | 'decoders' | 'config' | 'settings' | 'clock' | 'log'> & {
  readonly libraryReads: LibraryReads
  readonly unpackedDir: string
}

const jobMaxMs = 20_000
/** Nobody waits longer for a picture; it is finished all the same. */
const patienceMs = 8000

export const createCoverReader = (context: CoverContext): CoverReading => {
  const { db } = context
  const store = coversToShow(context.config, context.log)
  const makeOne = shareInFlight<void>()

  /** The book as it is pictured once its cover has been made, if one can be. */
  const readWithCover = async (viewer: Viewer, id: string): Promise<Pictured> => {
    const book = await selectPicturedBook(db.read, viewer, id)
    if (!book) throw notFound('book')
    if (book.contentHash !== null || (await hasFault(db.read, id))) return book
    await waitBriefly(
      makeOne(id, () => makeNow(context, store, id)),
      context,
    )
    return (await selectPicturedBook(db.read, viewer, id)) ?? book
  }

  /** A picture that is gone from the disk is made again: the book may still show it. */
  const restore = (bookId: string) =>
    waitBriefly(
      makeOne(bookId, () => makeNow(context, store, bookId)),
      context,
    )

  const mediaOf = (
    book: Pictured,
    { size = 'small', v }: CoverRequest,
    isCurrent = v === String(book.coverVersion),
  ): Media => {
    const { id, contentHash, title } = book
    if (contentHash === null) return plainMedia(title)
    return {
      etag: `${contentHash}-${size}`,
      isImmutable: isCurrent && v !== undefined,
      read: async () => {
        const bytes =
          (await store.get(contentHash, size)) ?? (await restore(id).then(() => store.get(contentHash, size)))
        return bytes ? { mediaType: 'image/jpeg', bytes } : { ...(await plainMedia(title).read()), isStandIn: true }
      },
    }
  }

  return {
    store,
    ofBook: async (viewer, id, request) => mediaOf(await readWithCover(viewer, id), request),
    ofSeries: async (viewer, id, request) => {
      const series = await selectPicturedSeries(db.read, viewer, id)
      if (!series) throw notFound('series')
      if (series.contentHash !== null) return mediaOf(series, request)
      const bookId = await selectFirstVisibleBook(db.read, viewer, id)
      if (bookId === undefined) return plainMedia(series.title)
      const first = await readWithCover(viewer, bookId)
      return mediaOf(first, request, request.v === seriesCoverVersion(series.coverVersion, first))
    },
    one: (entityId, coverId, request) => oneOf(db.read, store, { entityId, coverId }, request),
  }
}

const oneOf = async (
  db: ReadDb,
  store: CoverStore,
  { entityId, coverId }: { readonly entityId: string; readonly coverId: string },
  { size = 'small' }: CoverRequest,
): Promise<Media> => {
  const cover = await selectCover(db, entityId, coverId)
  if (!cover) throw notFound('cover')
  return {
    etag: `${cover.content_hash}-${size}`,
    isImmutable: false,
    read: async () => {
      const bytes = await store.get(cover.content_hash, size)
      if (!bytes) throw notFound('picture any more')
      return { mediaType: 'image/jpeg', bytes }
    },
  }
}

const plainMedia = (title: string): Media => ({
  etag: `blank-${hash('sha1', title, 'hex').slice(0, 16)}`,
  isImmutable: false,
  read: async () => ({ mediaType: 'image/jpeg', bytes: plainPicture(title) }),
})

/** An error of a cover is reported with the book, not with the picture. A store that is away is no error of the cover. */
const waitBriefly = async (work: Promise<void>, { log }: Pick<CoverContext, 'log'>): Promise<void> => {
  const quiet = work.catch((err: unknown) => {
    if (err instanceof StoreAway) throw err
    log.warn({ err }, 'A cover could not be made')
  })
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  try {
    await Promise.race([quiet, enough])
  } finally {
    clearTimeout(timer)
    // Nobody waits for what comes too late.
    quiet.catch(() => undefined)
  }
}

const makeNow = async (context: CoverContext, store: CoverStore, bookId: string): Promise<void> => {
  const { db, decoders, libraryReads, settings, unpackedDir, clock } = context
  const [row] = await selectSubjects(db.read, [bookId])
  if (!row || !isWorthATry(row.analysis)) return
  const [input] = await coverInputs(db.read, [row], { sizes: coverSizesOf(settings), cacheDir: unpackedDir })
  if (!input) return
  await libraryReads.probe(row.root_id, pathBelow(row.root_path, row.folder, row.name))
  try {
    const covers = await decoders.run('bookCover', input, { silenceMaxMs: jobMaxMs, urgent: true })
    const made = await storeCovers(store, row, covers, input.folderPicture === 'series')
    const replaced = await db.write((db) => recordCovers(db, [made], clock()))
    await forgetPictures(store, db.read, replaced)
  } catch (error) {
    if (!(error instanceof BookFault)) throw error
    const fault = { code: error.code, message: error.message }
    await db.write((db) => recordFailures(db, [{ bookId, tries: 0, fault }], clock()))
  }
}
