import type { FileFormat, fieldsOfBooks, fieldsOfSeries, ShownValue } from '@carrel/api'

/**
 * Every format of book has these functions, and the rest of the code knows no more about formats. A format knows no
 * other, no database and no request. It runs in processes that may die (decoders), so it may be synchronous inside;
 * `limits.ts` bounds the time, memory and output it may use.
 */
export interface BookFormat {
  readonly name: FileFormat
  /** It returns whether this is such a book, by what is inside; never by the extension. It throws nothing. */
  detect(candidate: Candidate): boolean
  /** It throws a `BookFault` that says why it cannot be read. */
  open(candidate: Candidate, resources: OpenResources): Promise<OpenBook>
}

/** Something in a library that may be a book. */
export interface Candidate {
  /** The path is written as `platform/files/file-names.ts` does. */
  readonly path: string
  /** The first 4 KiB; empty for a folder. */
  readonly head: Buffer
  readonly isFolder: boolean
  /** A look further inside, for formats that share their first bytes with others. */
  read(position: number, length: number): Buffer
  readonly size: number
}

export interface OpenResources {
  /** It unpacks and renders at most once into this bounded cache; the name is the book's content. */
  readonly cache: UnpackCache
}

/** A bounded folder of unpacked books: `features/pages` owns one. */
export interface UnpackCache {
  /** The folder that `fill` has filled, now or before. What was left half done is filled again. */
  folderFor(key: string, fill: (folder: string) => Promise<void>): Promise<string>
}

export interface OpenBook {
  readonly format: FileFormat
  /**
   * These are not bad enough to refuse the book, and are shown with it. Those of its pages are there once `pages()` was
   * called.
   */
  readonly warnings: readonly Fault[]
  /** Pages come in reading order; there are none when the text flows to fit the screen. */
  pages(): Promise<readonly Page[]>
  /** The bytes of one page, from 1 on, as they stand in the file. A PDF page is rendered to fit `maxEdge` pixels. */
  readPage(number: number, options?: { readonly maxEdge?: number }): Promise<Picture>
  /** One page as a document of the same format, where pages are drawn. */
  cutPage?(number: number, bytesMax: number): Promise<Buffer>
  /** The picture that stands for the book. */
  readCover(): Promise<Picture | undefined>
  /** It returns what the book says about itself, one layer for each place it says it in. */
  metadata(): Promise<readonly MetadataLayer[]>
  fingerprints(): Promise<Fingerprints>
  /** A reader of flowing text needs this. */
  readonly reflowable?: Reflowable
  /** It returns the text of the book, a part at a time: pages of a PDF, chapters of an EPUB. */
  text?(): AsyncIterable<TextPart>
  /** The words of one page, from 1 on, and where they stand, where pages are drawn from text. */
  readWords?(number: number): Promise<PageText>
  outline?(): Promise<readonly OutlineEntry[]>
  /** It was taken apart as a whole when it was opened, and what it keeps of that in memory: worth to stay open for a while. */
  readonly heldBytes?: number
  close(): void
}

export interface Page {
  readonly name: string
  readonly mediaType: string
  readonly width: number | null
  readonly height: number | null
  readonly size: number
  /** It says where the bytes of the page stand in the file, when they can be read without opening the book. */
  readonly location?: PageLocation | undefined
}

export interface PageLocation {
  readonly offset: number
  readonly storedSize: number
  readonly method: 'stored' | 'deflated'
  readonly crc32: number
}

export interface Picture {
  readonly mediaType: string
  readonly bytes: Buffer
}

export interface Fault {
  readonly code: FaultCode
  /** The message tells the administrator what is wrong with this file. It has no path and no stack. */
  readonly message: string
  /** Finding it out has taken most of what a decoder may take. */
  readonly wasCostly?: true
}

/** The code says why a book cannot be read, or not all of it. */
const faultCodes = [
  'unknown_format',
  'damaged',
  'encrypted',
  'empty',
  'limit',
  'unsupported',
  'unreadable',
  'timeout',
  'crashed',
] as const
export type FaultCode = (typeof faultCodes)[number]

export class BookFault extends Error {
  override readonly name = 'BookFault'
  readonly code: FaultCode
  readonly wasCostly: boolean

  constructor(
    code: FaultCode,
    message: string,
    { wasCostly = false, ...options }: ErrorOptions & { readonly wasCostly?: boolean | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.wasCostly = wasCostly || code === 'crashed' || code === 'timeout'
  }
}

/** A source of metadata as the layers name it. */
type LayerSource =
  | 'file:comicinfo'
  | 'file:opf'
  | 'file:pdf'
  | 'file:mobi'
  | 'file:fb2'
  | 'sidecar:opf'
  | 'sidecar:series.json'
  | 'sidecar:comicinfo'
  | 'path'

export interface MetadataLayer {
  readonly source: LayerSource
  readonly book: BookFields
  /** The book says these of its series. */
  readonly series: SeriesFields
}

const authorRoles = [
  'author',
  'co_author',
  'editor',
  'translator',
  'illustrator',
  'contributor',
  'writer',
  'penciller',
  'inker',
  'colorist',
  'letterer',
  'cover_artist',
] as const

export interface Author {
  readonly name: string
  readonly role: (typeof authorRoles)[number] | null
  readonly sortName: string | null
}

export interface ExternalId {
  /** `isbn`, `calibre`, `comicvine`, `anilist`, … */
  readonly source: string
  readonly id: string
  readonly url?: string | undefined
}

interface LayerRows {
  readonly authors: readonly Author[]
  readonly alternateTitles: readonly { readonly label: string; readonly title: string }[]
  readonly externalIds: readonly ExternalId[]
  readonly externalLinks: readonly string[]
}

type LayerValue<Field> = Field extends { readonly rows: infer Rows }
  ? Rows extends keyof LayerRows
    ? LayerRows[Rows]
    : never
  : Field extends { readonly kind: 'json' | 'picture' }
    ? never
    : Field extends { readonly kind: 'words' }
      ? readonly string[]
      : NonNullable<ShownValue<Field>>

type LayerName<Name, Field> = [LayerValue<Field>] extends [never]
  ? never
  : Field extends { readonly layer: infer Layer extends string }
    ? Layer
    : Name

/** Absent: it does not say. A field has the name that the layers have for it. */
type LayerFields<Fields> = {
  readonly [Name in keyof Fields as LayerName<Name, Fields[Name]>]?: LayerValue<Fields[Name]>
}

export type BookFields = LayerFields<typeof fieldsOfBooks> & {
  /** A page the file calls its front cover, from 1 on. */
  readonly coverPage?: number
  /** Stories that it is a part of, each once; null: it does not say which. */
  readonly storyArcs?: readonly { readonly name: string; readonly number: string | null }[]
  /** What its series belongs to together with others, each once. */
  readonly seriesGroups?: readonly string[]
}
export type SeriesFields = LayerFields<typeof fieldsOfSeries>

/**
 * A book is recognised by these. All are lower-case hexadecimal.
 * - `file`: these very bytes, sampled (size, beginning, end, places between).
 * - `content`: the same members with the same bytes, however packed; for what has no members the same as `file`.
 * - `pages`: the same pictures in any order, whatever stands beside them; absent for books without pictures.
 * - `koreader`: KOReader's partial MD5; a folder is no file and has none.
 */
export interface Fingerprints {
  readonly file: string
  readonly content: string
  readonly pages?: string | undefined
  readonly koreader?: string | undefined
}

/** Every `href` is an address from the top of the book, percent-encoded; in the outline a `#fragment` may follow. */
export interface Reflowable {
  spine(): Promise<readonly SpineItem[]>
  /** Readium positions: one for each 1,024 bytes of each chapter, one for each page of fixed layout. */
  positions(): Promise<readonly Position[]>
  /** Chapters are shown with these: pictures, fonts, style sheets, sound. */
  resources?(): Promise<readonly ResourceLink[]>
  /**
   * One file of the book, made safe to show (pins W5), by its name: an `href` decoded. Undefined when the book has no
   * such file.
   */
  readResource(path: string): Promise<Resource | undefined>
  /** It returns where sound or film stands in the file, when that can be read without opening the book. */
  locateMedia?(path: string): Promise<StoredMedia | undefined>
  readonly readingDirection: 'ltr' | 'rtl' | null
  readonly isFixedLayout: boolean
  /** False for a book of fixed layout whose pages are never to lie side by side. */
  readonly hasSpreads?: boolean | undefined
  /** The class its styles have for what is being read aloud. */
  readonly spokenClass?: string | undefined
}

export type PageSide = 'left' | 'right' | 'center'

export interface SpineItem {
  readonly href: string
  readonly mediaType: string
  readonly title: string | null
  readonly isLinear: boolean
  /** It is the side of the page when two are open, if the book says so. */
  readonly side?: PageSide | undefined
  /** It is present where the layout is not that of the book. */
  readonly layout?: 'fixed' | 'reflowable' | undefined
  /** It narrates the chapter. */
  readonly narration?: ResourceLink | undefined
}

export interface Position {
  readonly href: string
  readonly mediaType: string
  readonly position: number
  /** Both are counted from 0 to 1: within the chapter, and within the book. */
  readonly progression: number
  readonly totalProgression: number
}

export interface ResourceLink {
  readonly href: string
  readonly mediaType: string
}

export interface Resource {
  readonly mediaType: string
  readonly bytes: Buffer
}

export interface StoredMedia {
  readonly mediaType: string
  readonly offset: number
  readonly size: number
}

export interface OutlineEntry {
  readonly title: string
  /** A resource of a reflowable book, or a page from 1 on. */
  readonly href?: string | undefined
  readonly page?: number | undefined
  readonly children: readonly OutlineEntry[]
}

export interface TextPart {
  readonly href?: string | undefined
  readonly page?: number | undefined
  readonly title: string | null
  readonly text: string
}

export interface PageText {
  /** They come as they are read; one after the other they are the text of the page. */
  readonly words: readonly PlacedWord[]
  /** The page has more words than a page may have. */
  readonly isTruncated: boolean
}

/** The place is in shares of the page as it is shown, from its upper left corner. */
export interface PlacedWord {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}
