import type { Locator, Manifest, TocEntry } from '@carrel/api'
import type { Context } from '../../context.ts'
import type { BookContents, TextHit } from '../../decoders/contents.ts'
import type { Jobs } from '../../decoders/jobs.ts'
import type { OutlineEntry, Page, Position, StoredMedia } from '../../formats/book-format.ts'
import { flowingFormats } from '../../formats/flowing/flowing-formats.ts'
import { fontType } from '../../formats/flowing/fonts.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { fileStream } from '../../platform/storage/file-stream.ts'
import type { LibraryReads } from '../../platform/storage/library-reads.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Media, MediaBytes, MediaFile } from '../../platform/media.ts'
import { shareInFlight } from '../../platform/share.ts'
import {
  damaged,
  type DecoderUse,
  type PageReading,
  type ReadableBook,
  requireSound,
  throughDecoder,
  writtenAt,
} from '../pages/pages.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'

export { contributorRole, dateIn, languageTag, wholeDate } from './describe.ts'

interface SearchHit {
  readonly locator: Locator
  readonly before: string
  readonly match: string
  readonly after: string
}

export interface SpinePart {
  readonly href: string
  readonly type: string
  readonly length: number
}

/** A reader of a book asks for this besides its pages. */
export interface ContentsReading {
  manifest(viewer: Viewer, bookId: string): Promise<Manifest>
  positions(viewer: Viewer, bookId: string): Promise<{ total: number; positions: Locator[] }>
  /** It returns those in its text, also where that is nothing but pictures and the book counts its pages; a book without text has none. */
  textPositions(viewer: Viewer, bookId: string): Promise<readonly Locator[]>
  resource(
    viewer: Viewer,
    request: { bookId: string; path: string; v?: string | undefined },
  ): Promise<Media<MediaBytes | MediaFile>>
  /** A font of a book, which says nothing of it: for anybody who knows the book's id. */
  font(bookId: string, path: string): Promise<Media>
  /** It returns the parts in reading order, with how much there is to read in each; a book of pages has none. */
  spine(viewer: Viewer, bookId: string): Promise<readonly SpinePart[]>
  /** It ends when it takes too long, or nobody waits for it any more. */
  search(viewer: Viewer, bookId: string, search: BookSearch): Promise<{ results: SearchHit[]; truncated: boolean }>
}

interface BookSearch {
  readonly query: string
  readonly left: AbortSignal
}

export interface ContentsContext extends Pick<Context, 'db' | 'decoders'>, DecoderUse {
  readonly pages: PageReading
}

/** The cache holds books that are being read; the positions of a thick one are a few hundred kilobytes. */
const keptMax = 50
const jobMaxMs = 20_000
const searchMaxMs = 20_000
const hitsMax = 100
/** A book that took too long so often is not searched again; it may be fine to read. */
const slowMax = 3
const slowKept = 1000

export const contentsReading = (context: ContentsContext): ContentsReading => {
  const { db, decoders, pages } = context
  const run = throughDecoder(context)
  const slow = new BoundedMap<number>(slowKept)
  const options = { urgent: true, silenceMaxMs: jobMaxMs } as const
  const inFiles = readingOfFiles({ ...context, unpackedDir: pages.unpackedDir }, options)
  const { locationOf, contentsOf, positionsOf } = inFiles

  return {
    manifest: async (viewer, bookId) => {
      const book = await requireSound(db.read, viewer, bookId)
      const listed = await pages.pagesOf(book)
      return manifestOf(book, listed, await contentsOf(book))
    },
    positions: async (viewer, bookId) => {
      const book = await requireSound(db.read, viewer, bookId)
      const listed = await pages.pagesOf(book)
      const positions = listed.length > 0 ? positionsOfPages(listed) : (await positionsOf(book)).map(toLocator)
      return { total: positions.length, positions }
    },
    textPositions: async (viewer, bookId) => {
      const book = await requireSound(db.read, viewer, bookId)
      // To look into the file of a comic takes longer than all the rest of a request.
      if (!flowingFormats.has(book.format)) return []
      const { flow } = await contentsOf(book)
      return flow ? (await positionsOf(book)).map(toLocator) : []
    },
    spine: async (viewer, bookId) => spineFrom(inFiles, await requireSound(db.read, viewer, bookId)),
    ...resourceReading(context, (book, name) =>
      run(book, async () => (await decoders.run('resource', { ...locationOf(book), name }, options)).resource),
    ),
    search: async (viewer, bookId, { query, left }) => {
      const book = await requireSound(db.read, viewer, bookId)
      const listed = await pages.pagesOf(book)
      const late = AbortSignal.timeout(searchMaxMs)
      const signal = AbortSignal.any([late, left])
      if ((slow.get(book.version) ?? 0) >= slowMax) throw damaged('This book cannot be searched: it takes too long.')
      const { hits, isTruncated } = await run(book, () =>
        decoders.run('searchText', { ...locationOf(book), query, hitsMax }, { ...options, signal }),
      ).catch((error: unknown) => {
        if (late.aborted) slow.set(book.version, (slow.get(book.version) ?? 0) + 1)
        throw error
      })
      return { results: hits.map((hit) => toHit(hit, listed)), truncated: isTruncated }
    },
  }
}

interface FilesContext extends Pick<Context, 'decoders'>, DecoderUse {
  /** Archives that can only be read from their beginning are unpacked here. */
  readonly unpackedDir: string
}

/** What stands in the file of a book, kept for the next who asks. */
const readingOfFiles = (
  { decoders, unpackedDir, ...use }: FilesContext,
  options: { readonly urgent?: boolean; readonly silenceMaxMs: number },
) => {
  const run = throughDecoder(use)
  const locationOf = ({ file, isFolder }: ReadableBook) => ({ path: file.path, isFolder, cacheDir: unpackedDir })
  return {
    locationOf,
    contentsOf: cachedByVersion<BookContents>((book) =>
      run(book, () => decoders.run('contents', locationOf(book), options)),
    ),
    positionsOf: cachedByVersion<readonly Position[]>((book) =>
      run(book, async () => (await decoders.run('positions', locationOf(book), options)).positions ?? []),
    ),
  }
}

const spineFrom = async (
  { contentsOf, positionsOf }: Pick<ReturnType<typeof readingOfFiles>, 'contentsOf' | 'positionsOf'>,
  book: ReadableBook,
): Promise<readonly SpinePart[]> => {
  const { flow } = await contentsOf(book)
  if (!flow) return []
  const lengths = Map.groupBy(await positionsOf(book), ({ href }) => href)
  return flow.spine.map(({ href, mediaType }) => ({
    href: resourceHref(href),
    type: mediaType,
    length: lengths.get(href)?.length ?? 0,
  }))
}

/** A task asks for the parts of books that it works on; those of a book that cannot be read are none. */
export const spineReading = (context: FilesContext & { readonly db: Pick<Context['db'], 'read'> }) => {
  const inFiles = readingOfFiles(context, { silenceMaxMs: jobMaxMs })
  return async (viewer: Viewer, bookId: string): Promise<readonly SpinePart[]> => {
    try {
      return await spineFrom(inFiles, await requireSound(context.db.read, viewer, bookId))
    } catch (error) {
      if (error instanceof AppError) return []
      throw error
    }
  }
}

type Resource = Awaited<ReturnType<Jobs['resource']>>['resource']

/** The files in a book. */
const resourceReading = (
  { db, libraryReads }: ContentsContext,
  read: (book: ReadableBook, name: string) => Promise<Resource>,
): Pick<ContentsReading, 'resource' | 'font'> => ({
  resource: async (viewer, { bookId, path, v }) => {
    const book = await requireSound(db.read, viewer, bookId)
    return {
      etag: etagOf(book, path),
      modifiedAt: writtenAt(book),
      isImmutable: v !== undefined && v === book.fileHash,
      read: async () => {
        const resource = await read(book, path.startsWith('/') ? path.slice(1) : path)
        if (!resource) throw notFound('file in this book')
        if (!('bytes' in resource)) return storedMedia(libraryReads, book, resource)
        const { mediaType, bytes } = resource
        return { mediaType, bytes: asBuffer(bytes) }
      },
    }
  },
  font: async (bookId, path) => {
    const book = await requireSound(db.read, 'everybody', bookId)
    return {
      etag: etagOf(book, path),
      modifiedAt: writtenAt(book),
      isImmutable: false,
      read: async () => fontIn(await read(book, path)),
    }
  },
})

/** The bytes decide whether it is a font: whatever else a book calls a font is not sent. */
const fontIn = (resource: Resource): MediaBytes => {
  const bytes = resource && 'bytes' in resource ? asBuffer(resource.bytes) : undefined
  const mediaType = bytes && fontType(bytes)
  if (!bytes || !mediaType) throw notFound('font in this book')
  return { mediaType, bytes }
}

const etagOf = ({ version }: ReadableBook, path: string): string =>
  `${version}-${Buffer.from(path).toString('base64url')}`

/** A buffer that comes from another process arrives as plain bytes. */
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Sound and film are read where they stand, as far as anybody listens. */
const storedMedia = async (
  reads: LibraryReads,
  { file }: ReadableBook,
  { mediaType, offset, size }: StoredMedia,
): Promise<MediaFile> => {
  const held = await reads.hold(file)
  return {
    mediaType,
    size,
    open: (from, to) => fileStream(held, offset + from, offset + to),
    close: held.release,
  }
}

const cachedByVersion = <Value extends object>(read: (book: ReadableBook) => Promise<Value>) => {
  const cache = new BoundedMap<Value>(keptMax)
  const share = shareInFlight<Value>()
  return async (book: ReadableBook): Promise<Value> => {
    const key = `${book.id} ${book.version}`
    const cached = cache.get(key)
    if (cached) return cached
    const value = await share(key, () => read(book))
    cache.set(key, value)
    return value
  }
}

/** Addresses within a book are relative to its manifest. */
const resourceHref = (href: string): string => `resources/${href}`
const pageHref = (page: number): string => `pages/${page}`

const manifestOf = (book: ReadableBook, pages: readonly Page[], { flow, outline }: BookContents): Manifest => {
  const readingOrder = flow
    ? flow.spine.map(({ href, mediaType, title, side, layout, narration }) => ({
        href: resourceHref(href),
        type: mediaType,
        ...(title !== null && { title }),
        ...(narration && { alternate: [{ href: resourceHref(narration.href), type: narration.mediaType }] }),
        ...((side ?? layout) && { properties: { ...(side && { page: side }), ...(layout && { layout }) } }),
      }))
    : pages.map(({ mediaType, width, height }, index) => ({
        href: pageHref(index + 1),
        type: mediaType,
        ...(width !== null && height !== null && { width, height }),
      }))
  const profile = flow ? 'epub' : book.format === 'pdf' ? 'pdf' : 'divina'
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: {
      '@type': flow ? 'http://schema.org/Book' : 'http://schema.org/ComicStory',
      identifier: `urn:uuid:${book.id}`,
      conformsTo: `https://readium.org/webpub-manifest/profiles/${profile}`,
      title: book.title,
      numberOfPages: book.pageCount,
      readingProgression: progressionOf(flow?.readingDirection ?? book.readingDirection),
      layout: flow && !flow.isFixedLayout ? 'reflowable' : 'fixed',
      ...(flow?.spokenClass && { mediaOverlay: { activeClass: flow.spokenClass } }),
      ...(flow?.isFixedLayout && { presentation: { spread: flow.hasSpreads ? 'auto' : 'none' } }),
    },
    links: [{ rel: 'self', href: `/api/v1/books/${book.id}/manifest`, type: 'application/webpub+json' }],
    readingOrder,
    resources: (flow?.resources ?? []).map(({ href, mediaType }) => ({ href: resourceHref(href), type: mediaType })),
    toc: tocOf(outline, 4),
  }
}

const progressionOf = (direction: 'ltr' | 'rtl' | 'ttb' | 'webtoon' | null): string =>
  direction === 'rtl' ? 'rtl' : direction === 'ttb' || direction === 'webtoon' ? 'ttb' : 'ltr'

const tocOf = (entries: readonly OutlineEntry[], levels: number): TocEntry[] =>
  entries.map(({ title, href, page, children }) => ({
    title,
    ...(href !== undefined && { href: resourceHref(href) }),
    ...(href === undefined && page !== undefined && { href: pageHref(page) }),
    ...(levels > 1 && children.length > 0 && { children: tocOf(children, levels - 1) }),
  }))

/**
 * Where an entry leads; a heading leads to the first of what stands under it. Applications leave out what leads nowhere,
 * with all that is in it.
 */
export const goalOf = ({ href, children = [] }: TocEntry): string | undefined => {
  if (href !== undefined) return href
  for (const child of children) {
    const goal = goalOf(child)
    if (goal !== undefined) return goal
  }
  return undefined
}

const positionsOfPages = (pages: readonly Page[]): Locator[] =>
  pages.map(({ mediaType }, index) => ({
    href: pageHref(index + 1),
    type: mediaType,
    locations: { position: index + 1, progression: 0, totalProgression: index / pages.length },
  }))

const toLocator = ({ href, mediaType, position, progression, totalProgression }: Position): Locator => ({
  href: resourceHref(href),
  type: mediaType,
  locations: { position, progression, totalProgression },
})

const toHit = (
  { href, page, title, progression, before, match, after }: TextHit,
  pages: readonly Page[],
): SearchHit => {
  const where =
    href === null
      ? {
          href: pageHref(page ?? 1),
          type: pages[(page ?? 1) - 1]?.mediaType ?? 'application/octet-stream',
          locations: { position: page ?? 1, progression },
        }
      : { href: resourceHref(href), type: 'application/xhtml+xml', locations: { progression } }
  return { locator: { ...where, ...(title !== null && { title }) }, before, match, after }
}
