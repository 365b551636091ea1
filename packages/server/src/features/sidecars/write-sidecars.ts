import { join } from 'node:path'
import type { ReadDb } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import { readStatesOnly } from '../editing/editing.ts'
import { type BookLocation, saidIn, type Sidecar } from './document.ts'
import { nameOfBookSidecar, nameOfLibraryFolder, nameOfSeriesSidecar, placeBeside } from './names.ts'
import { type Put, putSidecar } from './put-sidecar.ts'
import { type Scope, selectBooksAfter, selectBooksOfSeries, selectSeriesAfter } from './queries.ts'

/** `written`: those that were new or said something else before; `inTheWay`: files of others in their places, which stay. */
export type WrittenSidecars = Readonly<Record<Put, number>>

interface WriteOptions extends Scope {
  /** A folder of ours, or the folders of the libraries. */
  readonly into: { readonly folder: string } | 'beside'
  readonly now: Date
  readonly signal?: AbortSignal
  readonly onDone?: (done: number) => void
}

const batchSize = 100
/** A series is known again by these of its books. */
const booksOfSeries = 5

/** A file for each book and each series of what is shown of it, and of what people and plugins have said. */
export const writeSidecars = async (db: ReadDb, options: WriteOptions): Promise<WrittenSidecars> => {
  const count: Record<Put, number> = { written: 0, unchanged: 0, inTheWay: 0, refused: 0 }
  const put = async (path: string, sidecar: Sidecar): Promise<void> => {
    count[await putSidecar(path, sidecar, options.into === 'beside' ? 'beside' : 'ours')] += 1
    options.onDone?.(count.written + count.unchanged + count.inTheWay + count.refused)
  }
  await writeBooks(db, options, put)
  await writeSeries(db, options, put)
  return count
}

type PutOne = (path: string, sidecar: Sidecar) => Promise<void>

const writeBooks = async (db: ReadDb, options: WriteOptions, put: PutOne): Promise<void> => {
  const { into, now } = options
  for await (const books of batches(selectBooksAfter, db, options)) {
    const states = await statesOf(db, 'book', books, now)
    for (const book of books) {
      const state = states.get(book.id)
      if (!state) continue
      const { library, root, folder, name } = book
      const path =
        into === 'beside'
          ? placeBeside(root, folder, name)
          : join(into.folder, nameOfLibraryFolder({ id: book.library_id, name: library }), nameOfBookSidecar(book))
      await put(path, { ...head('book', library), books: [placeOf(book)], ...contentOf(state) })
    }
  }
}

const writeSeries = async (db: ReadDb, options: WriteOptions, put: PutOne): Promise<void> => {
  const { into, now } = options
  for await (const series of batches(selectSeriesAfter, db, options)) {
    const states = await statesOf(db, 'series', series, now)
    const ids = series.map(({ id }) => id)
    const books = Map.groupBy(await selectBooksOfSeries(db, ids, booksOfSeries), ({ series_id }) => series_id)
    for (const { id, path, library, library_id } of series) {
      const state = states.get(id)
      const [first, ...more] = books.get(id) ?? []
      if (!state || !first) continue
      const place =
        into === 'beside'
          ? placeBeside(first.root, first.folder, `series-${id}`)
          : join(into.folder, nameOfLibraryFolder({ id: library_id, name: library }), nameOfSeriesSidecar({ id, path }))
      await put(place, { ...head('series', library), books: [first, ...more].map(placeOf), ...contentOf(state) })
    }
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

const statesOf = (db: ReadDb, entity: Entity, rows: readonly { readonly id: string }[], now: Date) =>
  readStatesOnly(
    db,
    entity,
    rows.map(({ id }) => id),
    now,
  )

type State = Awaited<ReturnType<typeof statesOf>> extends ReadonlyMap<string, infer Each> ? Each : never

const head = (kind: Entity, library: string) => ({ carrel: 'sidecar', version: 1, kind, library }) as const

const contentOf = ({ record, words }: State) => ({ shown: { ...record }, said: saidIn(words) })

interface FileRow {
  readonly root: string
  readonly folder: string
  readonly name: string
  readonly content_hash: string | null
}

const placeOf = ({ root, folder, name, content_hash }: FileRow): BookLocation => ({
  root,
  path: folder + name,
  contentHash: content_hash,
})
