import { bookTitleIn, type DownloadMetadata, fileNamesIn, type NamedBook, withPositions } from '@carrel/api'
import type { ShownBook } from '../../formats/metadata/shown-book.ts'
import { notFound } from '../../platform/errors.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import type { Download } from '../../platform/media.ts'
import { streamOf } from '../../platform/storage/file-stream.ts'
import type { ExpectedFile } from '../../platform/storage/library-reads.ts'
import { requireReadable } from '../pages/pages.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { FileContext } from './dependencies.ts'
import { type EmbeddedFile, isEmbeddable, streamPieces } from './embedding.ts'
import { folderItems, timeOf } from './folder-items.ts'
import { extensionOf, named, uniqueName } from './names.ts'
import { type FileRow, selectFilesOfReadList, selectFilesOfSeries, selectSeriesTitle } from './queries.ts'
import { readShownBooks } from './shown-books.ts'
import { storedZip, storedZipSize, type ZipItem } from './stored-zip.ts'
import { versionOf } from './version-of.ts'

/** Nobody downloads a series or list with more books. */
const booksMax = 20_000

export const downloadSeries = async (
  context: FileContext,
  viewer: Viewer,
  seriesId: string,
  metadata: DownloadMetadata,
): Promise<Download> => {
  const { db } = context
  const title = await selectSeriesTitle(db.read, viewer, seriesId)
  const rows = title === undefined ? [] : await selectFilesOfSeries(db.readSlowly, viewer, seriesId, booksMax)
  if (title === undefined || rows.length === 0) throw notFound('series')
  return zipOfBooks(context, viewer, rows, { title, namesOf: fileNamesIn, metadata })
}

/** One that the viewer may see; their files stand in its order. */
export const downloadReadList = async (
  context: FileContext,
  viewer: Viewer,
  { id, name: title }: { readonly id: string; readonly name: string },
  metadata: DownloadMetadata,
): Promise<Download> => {
  const rows = await selectFilesOfReadList(context.db.readSlowly, viewer, id, booksMax)
  if (rows.length === 0) throw notFound('book in this read list')
  const namesOf = (books: readonly NamedBook[]) =>
    withPositions(books.map((book) => bookTitleIn('download', book).text))
  return zipOfBooks(context, viewer, rows, { title, namesOf, metadata })
}

interface Naming {
  readonly title: string
  /** The names have no extensions. */
  readonly namesOf: (books: readonly NamedBook[]) => readonly string[]
  readonly metadata: DownloadMetadata
}

const zipOfBooks = async (
  context: FileContext,
  viewer: Viewer,
  rows: readonly FileRow[],
  { title, namesOf, metadata }: Naming,
): Promise<Download> => {
  const names = namesOf(rows.map(named))
  const taken = new Set<string>()
  const books = rows.map((row, index) => {
    const extension = row.is_folder === 1 ? '' : extensionOf(row.name)
    return { row, name: uniqueName({ stem: names[index] ?? '', extension }, taken) }
  })
  const version = versionOf([
    metadata,
    ...names,
    ...rows.flatMap(({ id, size, modified_us, name }) => [id, name, size, modified_us]),
    // What is written of a series into the files of its books is as much as this viewer is shown of it.
    ...(metadata === 'embedded' ? [viewer.rule.ageCeiling, viewer.rule.includeUnrated] : []),
    ...(metadata === 'embedded' ? rows.flatMap((row) => [row.updated_at, row.series_updated_at]) : []),
  ])
  const download = {
    etag: `${version}-zip`,
    modifiedAt: undefined,
    mediaType: 'application/zip',
    fileName: `${bookTitleIn('download', { title, seriesName: '', oneShot: true }).text}.zip`,
    isWhole: true,
    close: () => undefined,
  }
  if (metadata === 'embedded') {
    // How long each file becomes is known only once it has been looked into: nobody waits for that before the first byte.
    const open = () => storedZip(itemsWithMetadata(context, viewer, books))
    return { ...download, size: undefined, metadata, open }
  }
  const items: ZipItem[] = []
  for (const book of books) items.push(...(await itemsOf(context, viewer, book)))
  return { ...download, size: storedZipSize(items), metadata, open: () => storedZip(items) }
}

interface NamedRow {
  readonly row: FileRow
  readonly name: string
}

const fileOf = (row: FileRow): ExpectedFile => ({
  rootId: row.root_id,
  path: pathBelow(row.root_path, row.folder, row.name),
  root: { path: row.root_path, isAway: row.root_status === 'unavailable' },
  size: row.size,
  modifiedUs: row.modified_us,
})

const itemsOf = async (context: FileContext, viewer: Viewer, { row, name }: NamedRow): Promise<ZipItem[]> => {
  if (row.is_folder === 1) {
    const book = await requireReadable(context.db.read, viewer, row.id)
    return (await folderItems(context, book)).map((item) => ({ ...item, name: `${name}/${item.name}` }))
  }
  return [fileItem(context, { row, name })]
}

const fileItem = ({ libraryReads }: FileContext, { row, name }: NamedRow): ZipItem => {
  const file = fileOf(row)
  return { name, size: file.size, modifiedAt: timeOf(file.modifiedUs), open: () => streamOf(libraryReads, file) }
}

/** So many rows of metadata are read at once. */
const batchSize = 50

async function* itemsWithMetadata(
  context: FileContext,
  viewer: Viewer,
  books: readonly NamedRow[],
): AsyncGenerator<ZipItem> {
  for (let from = 0; from < books.length; from += batchSize) {
    const batch = books.slice(from, from + batchSize)
    const shown = await readShownBooks(
      context.db.readSlowly,
      viewer,
      batch.map(({ row }) => row.id),
    )
    for (const book of batch) yield* await embeddedItems(context, viewer, book, shown.get(book.row.id))
  }
}

const embeddedItems = async (
  context: FileContext,
  viewer: Viewer,
  { row, name }: NamedRow,
  shown: ShownBook | undefined,
): Promise<ZipItem[]> => {
  if (row.is_folder === 1) {
    const book = await requireReadable(context.db.read, viewer, row.id)
    const items = await folderItems(context, book, isEmbeddable(book) ? shown : undefined)
    return items.map((item) => ({ ...item, name: `${name}/${item.name}` }))
  }
  const book = { ...row, isFolder: false, isAnalysed: isAnalysed(row), file: fileOf(row) }
  const embedded = shown && (await context.embedding.of(book, shown))
  return [embedded ? embeddedItem(context, { row, name }, embedded) : fileItem(context, { row, name })]
}

const isAnalysed = ({ analysed, analysis }: FileRow): boolean => analysed === 1 && analysis === 'done'

const embeddedItem = (
  { libraryReads }: FileContext,
  { row, name }: NamedRow,
  { pieces, size }: EmbeddedFile,
): ZipItem => {
  const file = fileOf(row)
  return {
    name,
    size,
    modifiedAt: timeOf(file.modifiedUs),
    open: async function* () {
      const held = await libraryReads.hold(file)
      try {
        yield* streamPieces(held, pieces, 0, size)
      } finally {
        held.release()
      }
    },
  }
}
