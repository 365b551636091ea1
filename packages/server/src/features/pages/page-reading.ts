import { join } from 'node:path'
import type { PageDto, PageFormat, PageText } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { BookLocation, PageInput } from '../../decoders/page.ts'
import { BookFault, type Page } from '../../formats/book-format.ts'
import { unpackPages } from '../../formats/page-index.ts'
import { notFound } from '../../platform/errors.ts'
import { type FileCache, fileCache } from '../../platform/files/file-cache.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Media, MediaBytes } from '../../platform/media.ts'
import { shareInFlight } from '../../platform/share.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { cachedBooks } from './cached-books.ts'
import { mediaTypeOf, type PageBytes, pageBytes, type ReadPageBytes } from './page-bytes.ts'
import { selectPageIndex } from './queries.ts'
import { type ReadableBook, writtenAt } from './readable-book.ts'
import { type DecoderUse, throughDecoder } from './through-decoder.ts'
import { variantOf, type Variant } from './variant.ts'
import { FileChanged } from '../../platform/storage/library-reads.ts'

interface PageRequest {
  readonly bookId: string
  readonly number: number
  readonly width?: number | undefined
  readonly isWidthMost?: boolean | undefined
  readonly format?: PageFormat | undefined
  /** The version in the address. */
  readonly v?: string | undefined
  /** The media types the client takes. */
  readonly accept: string
}

/** Reading pages: what they are, their bytes, and smaller or other pictures of them. */
export interface PageReading {
  list(viewer: Viewer, bookId: string): Promise<PageDto[]>
  /** It returns the page as a picture, in a format the client accepts. */
  page(viewer: Viewer, request: PageRequest): Promise<Media>
  /** The same as a document of its own; undefined when the book is none whose pages can be that. */
  document(viewer: Viewer, request: Pick<PageRequest, 'bookId' | 'number'>): Promise<Media | undefined>
  /** Its words and where they stand; none of a page that is a picture. */
  text(viewer: Viewer, request: Pick<PageRequest, 'bookId' | 'number'>): Promise<PageText>
  /** The caller has checked that the book may be seen; a book whose text flows has no pages. */
  pagesOf(book: ReadableBook): Promise<readonly Page[]>
  /** Decoders cache its unpacked contents here. */
  readonly unpackedDir: string
}

/** The cache holds books that are being read; it takes a few hundred bytes a page. */
const booksMax = 200
const variantBytesMax = 1024 * 1024 * 1024
const jobMaxMs = 30_000
/** A page of a PDF that nobody asked a width for. */
const usualEdge = 2400

interface PageContext extends Pick<Context, 'db' | 'decoders' | 'config' | 'log'>, DecoderUse {
  /** It is called when somebody reads a book that no scan has analysed yet. */
  readonly requestAnalysis: (book: ReadableBook) => void
  /** It is called when a file is not the one that was scanned: it may have changed before its folder was watched. */
  readonly requestScan: (book: ReadableBook) => void
}

export const createPageReader = (context: PageContext): PageReading => {
  const { db, libraryReads, config, log } = context
  const unpackedDir = join(config.dataDir, 'cache', 'unpacked')
  const variants = fileCache(join(config.dataDir, 'cache', 'pages'), variantBytesMax, log)
  const shareVariant = shareInFlight<Buffer>()
  const ask = askDecoders(context, unpackedDir)
  const pagesOf = pageLists(context, ask)
  const bookFor = cachedBooks(db)
  const readBytes = pageBytes(libraryReads, (book, number, maxEdge) =>
    ask.page(book, { number, location: null, size: 0, maxEdge, options: null }),
  )

  const original = originals(readBytes, context)
  const converted = async (
    book: ReadableBook,
    { number, page }: PageBytes,
    { width, format }: Variant,
    name: string,
  ): Promise<MediaBytes> => {
    const maxEdge = width === null ? usualEdge : Math.max(width * 2, usualEdge)
    const options = { width, format, quality: 85 }
    const input = { number, location: page.location ?? null, size: page.size, maxEdge, options }
    const bytes = await shareVariant(name, () => fromCache(variants, name, () => ask.page(book, input)))
    return { mediaType: `image/${format}`, bytes, fileName: `${lastPart(page.name).replace(/\.[^.]*$/, '')}.${format}` }
  }

  return {
    unpackedDir,
    pagesOf,
    list: async (viewer, bookId) =>
      (await pagesOf(await bookFor(viewer, bookId))).map((page, index) => toDto(page, index + 1)),
    page: async (viewer, request) => {
      const book = await bookFor(viewer, request.bookId)
      const page = (await pagesOf(book))[request.number - 1]
      if (!page) throw notFound('page')
      const pageToRead = { number: request.number, page }
      const variant = variantOf(page, book.format === 'pdf', request)
      const plainName = `${book.version}-${request.number}`
      const name = variant ? `${plainName}-${variant.width ?? 'full'}.${variant.format}` : plainName
      return {
        etag: name,
        modifiedAt: writtenAt(book),
        isImmutable: request.v !== undefined && request.v === book.fileHash,
        variesByAccept: true,
        read: async () => {
          if (!variant) return original(book, pageToRead)
          try {
            return await converted(book, pageToRead, variant, name)
          } catch (error) {
            // A page that cannot be converted is sent as it is: the client may be able to show it after all.
            if (!variant.isOurOptions || !isUnsupported(error)) throw error
            return original(book, pageToRead)
          }
        },
      }
    },
    document: documents({ bookFor, pagesOf, variants, shareVariant, ask }),
    text: texts({ bookFor, pagesOf, variants, shareVariant, ask }),
  }
}

const originals =
  (readBytes: ReadPageBytes, { requestScan }: Pick<PageContext, 'requestScan'>) =>
  async (book: ReadableBook, pageToRead: PageBytes): Promise<MediaBytes> => {
    const { bytes, giveBack } = await readBytes(book, pageToRead, usualEdge).catch((error: unknown) => {
      if (error instanceof FileChanged) requestScan(book)
      throw error
    })
    return { mediaType: mediaTypeOf(bytes), bytes, giveBack, fileName: lastPart(pageToRead.page.name) }
  }

interface DocumentContext {
  readonly bookFor: ReturnType<typeof cachedBooks>
  readonly pagesOf: PageReading['pagesOf']
  readonly variants: FileCache
  readonly shareVariant: ReturnType<typeof shareInFlight<Buffer>>
  readonly ask: Ask
}

const documents =
  ({ bookFor, pagesOf, variants, shareVariant, ask }: DocumentContext): PageReading['document'] =>
  async (viewer, { bookId, number }) => {
    const book = await bookFor(viewer, bookId)
    if (book.format !== 'pdf') return undefined
    if (!(await pagesOf(book))[number - 1]) throw notFound('page')
    const name = `${book.version}-${number}.pdf`
    const make = () => shareVariant(name, () => fromCache(variants, name, () => ask.cutPage(book, number)))
    return {
      etag: name,
      modifiedAt: writtenAt(book),
      isImmutable: false,
      variesByAccept: true,
      read: async () => ({ mediaType: 'application/pdf', bytes: await make(), fileName: `${number}.pdf` }),
    }
  }

const texts =
  ({ bookFor, pagesOf, variants, shareVariant, ask }: DocumentContext): PageReading['text'] =>
  async (viewer, { bookId, number }) => {
    const book = await bookFor(viewer, bookId)
    if (!(await pagesOf(book))[number - 1]) throw notFound('page')
    if (book.format !== 'pdf') return { words: [], truncated: false }
    const name = `${book.version}-${number}-words.json`
    const bytes = await shareVariant(name, () => fromCache(variants, name, () => ask.pageText(book, number)))
    return JSON.parse(bytes.toString()) as PageText
  }

type Ask = ReturnType<typeof askDecoders>

const askDecoders = (context: PageContext, cacheDir: string) => {
  const { decoders } = context
  const run = throughDecoder(context)
  const locationOf = ({ file, isFolder }: ReadableBook) => ({ path: file.path, isFolder, cacheDir })
  const options = { silenceMaxMs: jobMaxMs, urgent: true } as const

  return {
    pages: (book: ReadableBook): Promise<readonly Page[]> =>
      run(book, async () => (await decoders.run('listPages', locationOf(book), options)).pages),
    page: (book: ReadableBook, input: Omit<PageInput, keyof BookLocation>): Promise<Buffer> =>
      run(book, async () => asBuffer((await decoders.run('page', { ...locationOf(book), ...input }, options)).bytes)),
    pageText: (book: ReadableBook, number: number): Promise<Buffer> =>
      run(book, async () => {
        const { words, isTruncated } = await decoders.run('pageText', { ...locationOf(book), number }, options)
        return Buffer.from(JSON.stringify({ words, truncated: isTruncated }))
      }),
    cutPage: (book: ReadableBook, number: number): Promise<Buffer> =>
      run(book, async () => asBuffer((await decoders.run('cutPage', { ...locationOf(book), number }, options)).bytes)),
  }
}

const pageLists = ({ db, requestAnalysis }: PageContext, ask: Ask): PageReading['pagesOf'] => {
  const cachedPages = new BoundedMap<readonly Page[]>(booksMax)
  const share = shareInFlight<readonly Page[]>()

  const read = async (book: ReadableBook): Promise<readonly Page[]> => {
    const packed = await selectPageIndex(db.read, book.id)
    // That of a file which has changed since leads to other bytes.
    if (packed && book.isAnalysed) return unpackPages(packed)
    if (book.isAnalysed) return []
    requestAnalysis(book)
    return ask.pages(book)
  }

  return async (book) => {
    // The same content may lie elsewhere in a file that was packed anew.
    const key = `${book.id} ${book.version} ${book.file.size} ${book.file.modifiedUs}`
    const cached = cachedPages.get(key)
    if (cached) return cached
    return share(key, async () => {
      const pages = await read(book)
      cachedPages.set(key, pages)
      return pages
    })
  }
}

const fromCache = async (cache: FileCache, name: string, make: () => Promise<Buffer>): Promise<Buffer> => {
  const key = cacheName(name)
  const cached = await cache.get(key)
  if (cached) return cached
  const made = await make()
  await cache.put(key, made)
  return made
}

/** The name contains the version of the book: cached files that nobody asks for any more expire by themselves. */
const cacheName = (name: string): string => name.replaceAll(/[^a-z0-9.-]/gi, '_')

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

const toDto = ({ name, mediaType, width, height, size }: Page, pageNumber: number): PageDto => ({
  pageNumber,
  fileName: lastPart(name),
  mediaType,
  width,
  height,
  fileSize: size,
})

/** A buffer that comes from another process arrives as plain bytes. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const isUnsupported = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof BookFault && error.cause.code === 'unsupported'
