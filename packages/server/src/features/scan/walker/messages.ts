/** What stands in a library, as plain arrays: a hundred thousand of them go from process to process. */

/** It stands for a file, or a folder that is a book. Times are microseconds; a folder ends with a slash, the root's is empty. */
export type WalkedFile = readonly [
  folder: string,
  name: string,
  size: number,
  modifiedUs: number,
  changedUs: number,
  inode: number,
  device: number,
  isFolder: 0 | 1,
]

/** What the database knows. `id` is the book's or the sidecar's. */
export type StoredFile = readonly [id: string, ...found: WalkedFile]

/**
 * All that is known of one folder, in two texts (`stored-text.ts`): nearly always it is just what is there, and then the
 * first is compared as a whole and the other never looked at. They come in the order of the walk: by folder, byte by byte.
 */
export type StoredFolder = readonly [folder: string, count: number, figures: string, ids: string]

export interface StoredFolders {
  readonly folders: readonly StoredFolder[]
  readonly isLast: boolean
}

export type RowKind = 'files' | 'sidecars'

/** A part of a root that is walked. */
export interface Target {
  readonly rootPath: string
  /** Only what is below it; empty: everything. */
  readonly folder: string
  readonly exclude: readonly string[]
  /** Extensions of books, lower case and with their dot. */
  readonly extensions: readonly string[]
}

export type ToWalker =
  | { readonly kind: 'walk'; readonly target: Target }
  | ({ readonly kind: 'known'; readonly of: RowKind } & StoredFolders)

export interface Changes {
  readonly added: WalkedFile[]
  readonly changed: StoredFile[]
  /** Known, and not there any more where the walk could look. */
  readonly vanished: StoredFile[]
  readonly sidecarsAdded: WalkedFile[]
  readonly sidecarsChanged: StoredFile[]
  readonly sidecarsVanished: StoredFile[]
}

export interface WalkError {
  readonly path: string
  readonly code: string
}

export type FromWalker =
  | { readonly kind: 'need'; readonly of: RowKind }
  | { readonly kind: 'changes'; readonly changes: Changes; readonly filesSeen: number }
  | { readonly kind: 'done'; readonly summary: WalkSummary }
  | { readonly kind: 'turning'; readonly filesSeen: number }

export interface WalkSummary {
  /** Why the root could not be looked at; undefined when it could. */
  readonly rootError: WalkError | undefined
  readonly device: number
  readonly inode: number
  /** Nothing at all was in it. */
  readonly isEmpty: boolean
  readonly filesSeen: number
  /** It counts the files that the database knew before the walk. */
  readonly filesKnown: number
  readonly errors: readonly WalkError[]
  readonly errorCount: number
  /** Folders that are there, and hold nothing now or lie on another device than what they held. */
  readonly emptiedFolders: readonly string[]
}
