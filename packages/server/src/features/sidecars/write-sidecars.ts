import { join } from 'node:path'
import type { ReadDb } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import { type CoverStore, type GivenCover, packPicture, selectGivenCovers } from '../covers/covers.ts'
import { readStatesOnly } from '../editing/editing.ts'
import { type BookLocation, writtenLayersOf, type SeriesItself, type Sidecar, type WrittenCover } from './document.ts'
import { readBookOverrides } from './book-overrides.ts'
import { nameOfBookSidecar, nameOfLibraryFolder, nameOfSeriesSidecar, placeBeside } from './names.ts'
import { type Put, putSidecar } from './put-sidecar.ts'
import {
  type Scope,
  selectBooksAfter,
  selectBooksOfSeries,
  selectFollowedFolders,
  selectLibrariesWithMerges,
  selectSeriesAfter,
} from './queries.ts'

/** `written`: those that were new or said something else before; `inTheWay`: files of others in their places, which stay. */
export type WrittenSidecars = Readonly<Record<Put, number>>

interface WriteOptions extends Scope {
  /** A folder of ours, or the folders of the libraries. */
  readonly into: { readonly folder: string } | 'beside'
  readonly pictures: CoverStore
  readonly now: Date
  readonly signal?: AbortSignal
  readonly onDone?: (done: number) => void
}

const batchSize = 100
/** A series is known again by these of its books. */
const booksOfSeries = 5
/** So many are looked at where those of several series may be in one. */
const booksOfMerged = 200

/**
 * A file for each book and each series of what is shown of it, of what people and plugins have said and given, and of where
 * people have put it.
 */
export const writeSidecars = async (db: ReadDb, options: WriteOptions): Promise<WrittenSidecars> => {
  const count: Record<Put, number> = { written: 0, unchanged: 0, inTheWay: 0, refused: 0 }
  const put = async (path: string, sidecar: Sidecar): Promise<void> => {
    count[await putSidecar(path, sidecar, options.into === 'beside' ? 'beside' : 'ours')] += 1
    options.onDone?.(count.written + count.unchanged + count.inTheWay + count.refused)
  }
  const writing = { ...options, put, merging: await selectLibrariesWithMerges(db) }
  await writeBooks(db, writing)
  await writeSeries(db, writing)
  return count
}

interface Writing extends WriteOptions {
  readonly put: (path: string, sidecar: Sidecar) => Promise<void>
  /** Libraries in which people have merged series. */
  readonly merging: ReadonlySet<string>
}

const writeBooks = async (db: ReadDb, writing: Writing): Promise<void> => {
  const { into, put, merging } = writing
  for await (const books of batches(selectBooksAfter, db, writing)) {
    const contentOf = await readContents(db, 'book', books, writing)
    const overrides = await readBookOverrides(db, books, merging)
    for (const book of books) {
      const content = await contentOf(book.id)
      if (!content) continue
      const { library, root, folder, name } = book
      const path =
        into === 'beside'
          ? placeBeside(root, folder, name)
          : join(into.folder, nameOfLibraryFolder({ id: book.library_id, name: library }), nameOfBookSidecar(book))
      const byHand = overrides.get(book.id)
      await put(path, { ...head('book', library), books: [locationOf(book)], ...content, ...(byHand && { byHand }) })
    }
  }
}

const writeSeries = async (db: ReadDb, writing: Writing): Promise<void> => {
  const { into, put } = writing
  for await (const all of batches(selectSeriesAfter, db, writing)) {
    const contentOf = await readContents(db, 'series', all, writing)
    const booksOf = await readBooks(db, all, writing)
    const folders = Map.groupBy(await selectFollowedFolders(db, idsOf(all)), ({ series_id }) => series_id)
    for (const { id, path, key, name, library, library_id } of all) {
      const content = await contentOf(id)
      const { first, own } = booksOf(id)
      if (!content || !first) continue
      const target =
        into === 'beside'
          ? placeBeside(first.root, first.folder, `series-${id}`)
          : join(into.folder, nameOfLibraryFolder({ id: library_id, name: library }), nameOfSeriesSidecar({ id, path }))
      const series: SeriesItself = {
        id,
        key: key.startsWith(keyOfMade) ? null : key,
        name,
        folders: (folders.get(id) ?? []).map(({ folder, at }) => ({ folder: folder ?? '', at })),
      }
      await put(target, { ...head('series', library), books: own.map(locationOf), ...content, series })
    }
  }
}

/** No grouping has such a key. */
const keyOfMade = '//'

/** The first of each, and those by which it is known again: that are in it as the grouping says. */
const readBooks = async (
  db: ReadDb,
  series: readonly { readonly id: string; readonly library_id: string }[],
  { merging }: Writing,
) => {
  const isMerged = series.some(({ library_id }) => merging.has(library_id))
  const rows = await selectBooksOfSeries(db, idsOf(series), isMerged ? booksOfMerged : booksOfSeries)
  const overrides = await readBookOverrides(db, rows, merging)
  const bySeries = Map.groupBy(rows, ({ series_id }) => series_id)
  return (id: string) => {
    const books = bySeries.get(id) ?? []
    return { first: books[0], own: books.filter((book) => !overrides.has(book.id)).slice(0, booksOfSeries) }
  }
}

async function* batches<Row extends { readonly id: string }>(
  select: (db: ReadDb, scope: Scope, after: string, limit: number) => Promise<Row[]>,
  db: ReadDb,
  { signal, ...scope }: Scope & { readonly signal?: AbortSignal },
): AsyncGenerator<Row[]> {
  let after = ''
  for (;;) {
    signal?.throwIfAborted()
    const rows = await select(db, scope, after, batchSize)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.id ?? after
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** What is shown, said and given, by their ids; pictures are read one by one. */
const readContents = async (
  db: ReadDb,
  entity: Entity,
  rows: readonly { readonly id: string }[],
  { pictures, now }: Writing,
) => {
  const ids = idsOf(rows)
  const states = await readStatesOnly(db, entity, ids, now)
  const given = await selectGivenCovers(db, entity, ids)
  return async (id: string): Promise<Pick<Sidecar, 'shown' | 'said' | 'covers'> | undefined> => {
    const state = states.get(id)
    if (!state) return undefined
    const covers = await packed(given.get(id) ?? [], pictures)
    return { shown: { ...state.record }, said: writtenLayersOf(state.words), ...(covers.length > 0 && { covers }) }
  }
}

/** A sidecar stays within what is read of one: then the shown cover is in it, and of the others the last that were given. */
const picturesBytesMax = 8 * 1024 * 1024

const packed = async (given: readonly GivenCover[], store: CoverStore): Promise<WrittenCover[]> => {
  const covers = new Map<GivenCover, WrittenCover>()
  let room = picturesBytesMax
  for (const each of [
    ...given.filter(({ isShown }) => isShown),
    ...given.filter(({ isShown }) => !isShown).toReversed(),
  ]) {
    const picture = await packPicture(store, each.contentHash)
    if (!picture) continue
    room -= picture.large.length + picture.small.length
    if (room < 0) break
    const { source, page, width, height, placeholder, tone, at, isShown } = each
    covers.set(each, { source, page, width, height, placeholder, tone, at, isShown, picture })
  }
  return given.flatMap((each) => covers.get(each) ?? [])
}

const head = (kind: Entity, library: string) => ({ carrel: 'sidecar', version: 1, kind, library }) as const

interface FileRow {
  readonly root: string
  readonly folder: string
  readonly name: string
  readonly content_hash: string | null
}

const locationOf = ({ root, folder, name, content_hash }: FileRow): BookLocation => ({
  root,
  path: folder + name,
  contentHash: content_hash,
})
