import type { ImportKind } from '@carrel/api'

/**
 * What the store of another server says, in our words. A reader (`Reader`, below) knows one kind of store and yields
 * these; everything else knows these and no kind of store.
 *
 * - Ids are theirs, as text: a number, a UUID, a path. They mean something within one kind of record of one source.
 * - A record may name what is not there, or comes later: the engine links them when all are read.
 * - Times are ISO 8601 in UTC with milliseconds, `2023-03-08T00:06:19.786Z`; what is unknown or makes no sense is null.
 * - Paths have `/` between their parts, are below a root of their library and begin without a slash. A reader decodes
 *   what its server encodes; a path that leads out of the root, or is none, is null.
 * - What a reader passes over it counts in a record `passedOver`, and nothing is left out silently.
 */

export type SourceKind = ImportKind

/** It is the first record: how the store describes itself. */
export interface SourceRecord {
  readonly type: 'source'
  readonly kind: SourceKind
  /** It is the version of the other server, as its users know it; null where the store does not say. */
  readonly version: string | null
  /** It is the newest change of the schema that was applied, as the store names it. */
  readonly schema: string | null
}

export interface LibraryRecord {
  readonly type: 'library'
  readonly id: string
  readonly name: string
  /** These are absolute on their machine, without a slash at the end. Empty where the store has no folders. */
  readonly roots: readonly string[]
  /** It is the grouping of ours (C21) that makes the same series of the same files; null where ours should advise. */
  readonly grouping: { readonly policy: string; readonly config: Readonly<Record<string, unknown>> } | null
  readonly readingDirection: 'ltr' | 'rtl' | 'ttb' | 'webtoon' | null
}

export interface UserRecord {
  readonly type: 'user'
  readonly id: string
  /** Null in stores of one nameless person: whoever imports is meant. */
  readonly name: string | null
  readonly email: string | null
  readonly role: 'reader' | 'editor' | 'admin'
  readonly isActive: boolean
  readonly mayDownload: boolean
  /** `all`, or the ids of libraries. */
  readonly libraries: 'all' | readonly string[]
  /** What is rated above it is hidden. Where theirs says "this age and above", it is one less. */
  readonly ageCeiling: number | null
  /** With a ceiling: what has no rating is shown. */
  readonly includeUnrated: boolean
  readonly allowLabels: readonly string[]
  readonly denyLabels: readonly string[]
}

/** A value by the name of our field (`fieldsOfSeries`, `fieldsOfBooks` of the contract), with their lock. */
export interface SourceValue {
  readonly value: unknown
  /** A person has said it or had it held fast. Only these are taken over; files say the rest again. */
  readonly locked: boolean
}
export type SourceValues = Readonly<Record<string, SourceValue>>

export interface SeriesRecord {
  readonly type: 'series'
  readonly id: string
  /** Null where the store has no libraries: all of ours are searched. */
  readonly library: string | null
  readonly title: string
  /** Other names by which it may be found here. */
  readonly otherTitles: readonly string[]
  /** It lies in this folder below the root; empty: in the root itself; null: unknown, or of a single file. */
  readonly folder: string | null
  readonly isOneShot: boolean
  /** Labels that restrict who may see it: our sharing tags. */
  readonly labels: readonly string[]
  readonly metadata: SourceValues
}

/**
 * How their hash is made:
 *
 * - `sha256`, `sha1`, `md5`: over the whole file; `xxh3-128`: the same, seed 0, big-endian.
 * - `sha256-1mib`: SHA-256 over the first MiB; `sha1-512000`: SHA-1 over the first 512,000 bytes.
 * - `koreader`: KOReader's partial MD5; `koreader-komga`: as Komga makes it, whose last buffer keeps older bytes;
 *   `koreader-stump`: as Stump makes it, whose short reads are padded with zeros to 1 KiB.
 * - `stump`: SHA-256 over the first bytes, as many as the first six members of the archive have when unpacked.
 *
 * Values are lower case.
 */
export type HashKind =
  | 'sha256'
  | 'sha1'
  | 'md5'
  | 'xxh3-128'
  | 'sha256-1mib'
  | 'sha1-512000'
  | 'koreader'
  | 'koreader-komga'
  | 'koreader-stump'
  | 'stump'

export interface BookRecord {
  readonly type: 'book'
  readonly id: string
  readonly series: string | null
  readonly library: string | null
  /** It lies there below its root; null where the store does not know or says nonsense. */
  readonly path: string | null
  readonly size: number | null
  readonly hashes: readonly { readonly kind: HashKind; readonly value: string }[]
  readonly seriesTitle: string | null
  /** The number as it is shown: `7`, `10.5`, `1A`; null for what has none. */
  readonly number: string | null
  /** The volume, where theirs tells volumes from chapters. */
  readonly volume: string | null
  readonly title: string | null
  readonly pages: number | null
  /** Theirs no longer finds the file, or it lies in the trash. What was said of it is taken over all the same. */
  readonly isDeleted: boolean
  readonly metadata: SourceValues
}

/** Where somebody is. What is unknown is null; all may be. */
export interface Position {
  /** The page on the screen, from 1. */
  readonly page: number | null
  /** 0 to 1. */
  readonly fraction: number | null
  /** A Readium locator. */
  readonly locator: Readonly<Record<string, unknown>> | null
}

/** The state of one user and book, where theirs keeps one. */
export interface ProgressRecord {
  readonly type: 'progress'
  readonly user: string
  readonly book: string
  readonly position: Position
  /** The pages their server counted then; null where it is not known. */
  readonly pages: number | null
  readonly isCompleted: boolean
  readonly startedAt: string | null
  /** When it was read, not when it was written. */
  readonly at: string | null
  readonly completedAt: string | null
}

/** An entry of their log: time spent, a book finished, or begun anew. */
export interface SessionRecord {
  readonly type: 'session'
  readonly id: string
  readonly user: string
  readonly book: string
  readonly kind: 'progress' | 'completed' | 'reset'
  readonly position: Position
  readonly pages: number | null
  readonly startedAt: string | null
  readonly at: string
  readonly activeMs: number | null
  readonly pagesRead: number | null
  readonly device: string | null
}

/** A time at which a book was finished, where no `session` says it. */
export interface CompletionRecord {
  readonly type: 'completion'
  readonly id: string
  readonly user: string
  readonly book: string
  readonly startedAt: string | null
  readonly at: string
}

/** It names a series or a book of theirs. */
export type Subject = { readonly series: string } | { readonly book: string }

export interface RatingRecord {
  readonly type: 'rating'
  readonly user: string
  readonly of: Subject
  /** 1 to 100; null where there is a review alone. */
  readonly rating: number | null
  readonly review: string | null
  readonly at: string | null
}

export interface ListRecord {
  readonly id: string
  readonly name: string
  readonly summary: string | null
  readonly isOrdered: boolean
  /** Null: it belongs to the whole server. */
  readonly owner: string | null
  /** Others than the owner see it too. */
  readonly isShared: boolean
}
export interface CollectionRecord extends ListRecord {
  readonly type: 'collection'
  /** In their order, each once. */
  readonly series: readonly string[]
}
interface ReadListRecord extends ListRecord {
  readonly type: 'readList'
  readonly books: readonly string[]
}
/** A pile of things that is not a list of ours: a category or a shelf. Its name becomes a collection or a read list. */
export interface CategoryRecord extends ListRecord {
  readonly type: 'category'
  /** What such a pile is of, as long as there is nothing in it. */
  readonly holds: 'series' | 'books'
  readonly members: readonly Subject[]
}

export interface WantRecord {
  readonly type: 'want'
  readonly user: string
  readonly of: Subject
  readonly position: number | null
  readonly at: string | null
}

export interface BookmarkRecord {
  readonly type: 'bookmark'
  readonly user: string
  readonly book: string
  readonly position: Position
  readonly note: string | null
  readonly at: string | null
}

export interface AnnotationRecord {
  readonly type: 'annotation'
  readonly user: string
  readonly book: string
  readonly position: Position
  readonly quote: string
  readonly note: string | null
  readonly colour: string | null
  readonly at: string | null
}

/** Somebody does not want to see a series among what to read next. */
export interface OnDeckRemovalRecord {
  readonly type: 'onDeckRemoval'
  readonly user: string
  readonly series: string
}

/** A cover that a person has chosen. Its bytes are asked for when it is taken over (`Reader.cover`). */
export interface CoverRecord {
  readonly type: 'cover'
  readonly of: Subject | { readonly collection: string } | { readonly readList: string }
  /** The reader knows the picture by it. */
  readonly ref: string
  readonly bytes: number | null
}

export interface PresetRecord {
  readonly type: 'preset'
  readonly user: string
  readonly name: string
  readonly target: 'series' | 'books'
  /** In our words (`conditions.ts` of the contract); what cannot be said in them is passed over by the reader. */
  readonly condition: Readonly<Record<string, unknown>>
  readonly query: string | null
  readonly sort: string | null
}

/** The position that KOReader has sent, by the digest of the document. */
interface KoreaderPositionRecord {
  readonly type: 'koreaderPosition'
  readonly user: string
  readonly document: string
  readonly progress: string
  readonly percentage: number
  readonly device: string | null
  readonly at: string | null
}

/** The settings of a plugin or of a connection, without secrets. They are shown, for nothing here can use them. */
interface PluginSettingsRecord {
  readonly type: 'pluginSettings'
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * What is not taken, with why:
 *
 * - `not_in_store`: theirs has it, but not in what was given.
 * - `no_such_thing`: we have nothing of the kind.
 * - `secret`: passwords, keys, tokens.
 * - `not_a_persons_word`: made by their server: generated covers, values that no lock holds.
 * - `invalid`: damaged or nonsensical, or pointing nowhere.
 * - `too_much`: over a limit.
 * - `unreadable`: the reader does not know this form of it.
 */
export type PassedOverReason =
  | 'not_in_store'
  | 'no_such_thing'
  | 'secret'
  | 'not_a_persons_word'
  | 'invalid'
  | 'too_much'
  | 'unreadable'

export interface PassedOverRecord {
  readonly type: 'passedOver'
  /** What it is, in English and in the plural: `API keys`, `progress rows without a user`. */
  readonly what: string
  readonly reason: PassedOverReason
  /** Null where it cannot be counted: it is not in the store. */
  readonly count: number | null
  /** Up to five of them, cut to 200 characters. */
  readonly examples?: readonly string[]
}

export type ForeignRecord =
  | SourceRecord
  | LibraryRecord
  | UserRecord
  | SeriesRecord
  | BookRecord
  | ProgressRecord
  | SessionRecord
  | CompletionRecord
  | RatingRecord
  | CollectionRecord
  | ReadListRecord
  | CategoryRecord
  | WantRecord
  | BookmarkRecord
  | AnnotationRecord
  | OnDeckRemovalRecord
  | CoverRecord
  | PresetRecord
  | KoreaderPositionRecord
  | PluginSettingsRecord
  | PassedOverRecord
export type RecordType = ForeignRecord['type']

/** How much is read at most; what is more is cut or passed over, and counted. */
export const recordLimits = {
  /** Records in one batch that a reader yields. */
  batchRecords: 500,
  /** Characters of an id, a name, a title, a path. */
  line: 4000,
  /** Characters of a summary, a note, a review, a locator as JSON. */
  prose: 100_000,
  /** Members of one list. */
  members: 20_000,
  /** Entries of one list within a record: labels, other titles, hashes. */
  entries: 200,
  /** Rows of one table. */
  rows: 5_000_000,
  coverBytes: 20 * 1024 * 1024,
} as const

/** Files on this machine. A reader never writes to them and opens nothing outside of `folder`. */
export interface FileSource {
  /** The store itself: the file that was named or uploaded, or the first of `storeNames` that lies in the folder named. */
  readonly store: string
  /** The folder that was named, or in which the store lies: covers and second databases may lie there. Null: an upload. */
  readonly folder: string | null
  /** A private folder, empty at first, removed afterwards. */
  readonly scratch: string
}

/** Another server that runs. `get` asks for a path below its address, with the key, bounded in size and time. */
export interface AddressSource {
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: Uint8Array }>
}

/** A database that runs. The reader of its kind reads a copy of its tables. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string | null
  /** `checked`: encrypted, under a certificate that somebody vouches for. */
  readonly encryption: 'none' | 'encrypted' | 'checked'
}

/**
 * One kind of store. A reader is pure: it has no state, no database of ours and no network of its own. `read` and
 * `cover` run in a process of their own (`reader-process`), which is ended when it takes too long or too much.
 */
export interface Reader {
  readonly kind: SourceKind
  /** The names a store goes by in a folder, the likeliest first. */
  readonly storeNames: readonly string[]
  /** The first record is a `source`; batches are bounded by `recordLimits`. It throws `SourceFault` alone on purpose. */
  readonly read: (source: FileSource) => AsyncIterable<readonly ForeignRecord[]>
  /** The bytes of a picture that `read` has named; undefined where there are none. */
  readonly cover: (source: FileSource, ref: string) => Promise<Uint8Array | undefined>
  /** The same from a running server; absent where only files are read. */
  readonly atAddress?: {
    readonly read: (source: AddressSource) => AsyncIterable<readonly ForeignRecord[]>
    readonly cover: (source: AddressSource, ref: string) => Promise<Uint8Array | undefined>
  }
  /** It copies the tables of a running database into a store of this kind, which then is read as any other. */
  readonly copyDatabase?: (address: DatabaseAddress, store: string) => Promise<void>
}

/**
 * Why nothing can be read:
 *
 * - `not_found`: no file, or none of the names in the folder.
 * - `wrong_kind`: something else than the store of this kind.
 * - `damaged`: half a copy, pages that contradict each other.
 * - `locked`: somebody is writing to it just now.
 * - `unknown_version`: newer or older than what the reader knows. The message names the version.
 * - `too_large`: over a limit.
 * - `unreachable`, `refused`: an address that does not answer, or does not let us in.
 */
export type SourceFaultCode =
  | 'not_found'
  | 'wrong_kind'
  | 'damaged'
  | 'locked'
  | 'unknown_version'
  | 'too_large'
  | 'unreachable'
  | 'refused'

/** The message is for the person who imports: a sentence that says what is wrong and what to do. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: SourceFaultCode

  constructor(code: SourceFaultCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
