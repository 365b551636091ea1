import { hash } from 'node:crypto'
import { bookTitleIn, type FileFormat, fileNamesIn, type NamedBook, withPositions } from '@carrel/api'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { fileStream, streamOf } from '../../platform/storage/file-stream.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import type { Download } from '../../platform/media.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import {
  type PageReading,
  type ReadableBook,
  requireReadable,
  requireReadableFile,
  type FileChoice,
} from '../pages/pages.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { type FileRow, selectFilesOfReadList, selectFilesOfSeries, selectNamed, selectSeriesTitle } from './queries.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { type Checksums, type SizedItem, storedZip, storedZipSize, type ZipItem } from './stored-zip.ts'

interface FileContext extends Pick<Context, 'db'> {
  readonly libraryReads: LibraryReads
  readonly pages: PageReading
}

export { storedZip } from './stored-zip.ts'

const mediaTypes: Readonly<Record<FileFormat, string>> = {
  cbz: 'application/vnd.comicbook+zip',
  cbr: 'application/vnd.comicbook-rar',
  cb7: 'application/x-cb7',
  cbt: 'application/x-cbt',
  folder: 'application/zip',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
  azw3: 'application/vnd.amazon.ebook',
  fb2: 'application/x-fictionbook+xml',
}

const mediaTypeOf = (format: FileFormat, fileName: string): string =>
  format === 'fb2' && /\.(?:zip|fbz)$/i.test(fileName) ? 'application/x-zip-compressed-fb2' : mediaTypes[format]

const noClose = (): void => undefined
const timeOf = (modifiedUs: number): Date => new Date(modifiedUs / 1000)

/**
 * The file of a book as it lies there, damaged or not. It keeps its name for other applications: KOReader may know it by
 * that, and those made for Komga expect it.
 */
export const downloadBook = async (
  context: FileContext,
  viewer: Viewer,
  bookId: string,
  choice: FileChoice = {},
): Promise<Download> => {
  const book = await requireReadableFile(context.db.read, viewer, bookId, choice)
  return book.isFolder ? downloadFolder(context, book) : downloadFile(context, book)
}

/** The same, called as the book is. */
export const downloadNamedBook = async (
  context: FileContext,
  viewer: Viewer,
  bookId: string,
  choice: FileChoice,
): Promise<Download> => {
  const download = await downloadBook(context, viewer, bookId, choice)
  const row = await selectNamed(context.db.read, viewer, bookId)
  if (!row) return download
  return { ...download, fileName: `${bookTitleIn('download', named(row)).text}${extensionOf(download.fileName)}` }
}

const downloadFile = async (
  { libraryReads }: FileContext,
  { file, fileName, format }: ReadableBook,
): Promise<Download> => {
  const held = await libraryReads.hold(file)
  return {
    etag: etagOf([file.path, file.size, file.modifiedUs]),
    modifiedAt: timeOf(file.modifiedUs),
    mediaType: mediaTypeOf(format, fileName),
    fileName,
    size: file.size,
    open: (from, to) => fileStream(held, from, to),
    close: held.release,
  }
}

/** It computes the size of a folder of pictures as the ZIP in which it is sent. */
export const folderZipSize = (pictures: readonly SizedItem[]): number => storedZipSize(pictures)

/** The cache holds folders that are being downloaded part by part: it takes a few bytes a picture. */
const knownSums = new BoundedMap<Checksums>(200)

const downloadFolder = async ({ libraryReads, pages }: FileContext, book: ReadableBook): Promise<Download> => {
  const { file, fileName, version } = book
  const listed = await pages.pagesOf(book)
  const items = listed.map(({ name, size }): ZipItem => ({
    name,
    size,
    modifiedAt: timeOf(file.modifiedUs),
    open: async function* () {
      yield await libraryReads.readWhole(file.rootId, `${file.path}/${name}`, size)
    },
  }))
  const etag = etagOf([version, file.path, file.modifiedUs])
  const sums = knownSums.get(etag) ?? new Map<number, number>()
  knownSums.set(etag, sums)
  return {
    ...zipDownload(items, fileName, etag),
    isWhole: false,
    open: (from, to) => storedZip(items, { from, to, sums }),
  }
}

/** Nobody downloads a series or list with more books. */
const booksMax = 20_000

export const downloadSeries = async (context: FileContext, viewer: Viewer, seriesId: string): Promise<Download> => {
  const { db } = context
  const title = await selectSeriesTitle(db.read, viewer, seriesId)
  const rows = title === undefined ? [] : await selectFilesOfSeries(db.readSlowly, viewer, seriesId, booksMax)
  if (title === undefined || rows.length === 0) throw notFound('series')
  return zipOfBooks(context, viewer, rows, { title, namesOf: fileNamesIn })
}

/** One that the viewer may see; their files stand in its order. */
export const downloadReadList = async (
  context: FileContext,
  viewer: Viewer,
  { id, name: title }: { readonly id: string; readonly name: string },
): Promise<Download> => {
  const rows = await selectFilesOfReadList(context.db.readSlowly, viewer, id, booksMax)
  if (rows.length === 0) throw notFound('book in this read list')
  const namesOf = (books: readonly NamedBook[]) =>
    withPositions(books.map((book) => bookTitleIn('download', book).text))
  return zipOfBooks(context, viewer, rows, { title, namesOf })
}

interface Naming {
  readonly title: string
  /** The names have no extensions. */
  readonly namesOf: (books: readonly NamedBook[]) => readonly string[]
}

const named = ({ is_one_shot, ...book }: NamedBook & Pick<FileRow, 'is_one_shot'>): NamedBook => ({
  ...book,
  oneShot: is_one_shot === 1,
})

const zipOfBooks = async (
  context: FileContext,
  viewer: Viewer,
  rows: readonly FileRow[],
  { title, namesOf }: Naming,
): Promise<Download> => {
  const { db, libraryReads } = context
  const names = namesOf(rows.map(named))
  const taken = new Set<string>()
  const items: ZipItem[] = []
  for (const [index, row] of rows.entries()) {
    const file = {
      rootId: row.root_id,
      path: pathBelow(row.root_path, row.folder, row.name),
      size: row.size,
      modifiedUs: row.modified_us,
    }
    const extension = row.is_folder === 1 ? '' : extensionOf(row.name)
    const name = uniqueName({ stem: names[index] ?? '', extension }, taken)
    if (row.is_folder === 0) {
      items.push({
        name,
        size: file.size,
        modifiedAt: timeOf(file.modifiedUs),
        open: () => streamOf(libraryReads, file),
      })
      continue
    }
    const book = await requireReadable(db.read, viewer, row.id)
    for (const page of await context.pages.pagesOf(book))
      items.push({
        name: `${name}/${page.name}`,
        size: page.size,
        modifiedAt: timeOf(file.modifiedUs),
        open: async function* () {
          yield await libraryReads.readWhole(file.rootId, `${file.path}/${page.name}`, page.size)
        },
      })
  }
  const etag = etagOf([...names, ...rows.flatMap(({ id, size, modified_us, name }) => [id, name, size, modified_us])])
  return zipDownload(items, bookTitleIn('download', { title, seriesName: '', oneShot: true }).text, etag)
}

const zipDownload = (items: readonly ZipItem[], title: string, version: string): Download => {
  const size = storedZipSize(items)
  return {
    etag: `${version}-zip`,
    modifiedAt: undefined,
    mediaType: 'application/zip',
    fileName: `${title}.zip`,
    size,
    isWhole: true,
    open: () => storedZip(items),
    close: noClose,
  }
}

/** Names differ also for file systems that do not tell capitals from small letters. */
const uniqueName = ({ stem, extension }: { stem: string; extension: string }, taken: Set<string>): string => {
  let free = `${stem}${extension}`
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${extension}`
  taken.add(free.toLowerCase())
  return free
}

/** `.kepub.epub` is one. */
const extensionOf = (fileName: string): string => /(?:\.kepub|\.fb2)?\.[^.\s]{1,8}$/i.exec(fileName)?.[0] ?? ''

const etagOf = (events: readonly (string | number)[]): string => hash('sha1', JSON.stringify(events), 'base64url')
