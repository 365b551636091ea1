import type { DatabaseAddress, ForeignRecord, HashKind, SourceFaultCode, SourceKind } from '../../records.ts'

/** The files of a source, as the process that reads it is told of them. */
export interface SourceFiles {
  readonly kind: SourceKind
  /** A file, or a folder with a store in it. */
  readonly path: string
  readonly isUpload: boolean
  readonly scratch: string
}

/** A server that runs: whoever started the process asks it, for the process has neither the address nor the key. */
interface SourceServer {
  readonly kind: SourceKind
}

/** A database that runs. */
export interface SourceDatabase {
  readonly kind: SourceKind
  readonly database: DatabaseAddress
  readonly scratch: string
}

export type SourceToOpen = SourceFiles | SourceServer | SourceDatabase

/** One of our files, whose hashes of these kinds are wanted. */
export interface FileToHash {
  readonly id: string
  readonly path: string
  readonly kinds: readonly HashKind[]
}

export type ToReader =
  | { readonly kind: 'open'; readonly source: SourceToOpen }
  /** The next batch of records is asked for only when the last one is stored. */
  | { readonly kind: 'next' }
  | { readonly kind: 'cover'; readonly ref: string }
  | { readonly kind: 'hash'; readonly file: FileToHash }
  /** It is what the other server answered. */
  | { readonly kind: 'got'; readonly status: number; readonly body: Uint8Array }

export type FromReader =
  | { readonly kind: 'opened' }
  | { readonly kind: 'records'; readonly records: readonly ForeignRecord[] }
  | { readonly kind: 'end' }
  /** Before it answers it wants to know what lies at this path of the other server. */
  | { readonly kind: 'wanted'; readonly path: string }
  | { readonly kind: 'cover'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'hashes'; readonly values: readonly { readonly kind: HashKind; readonly value: string }[] }
  | { readonly kind: 'fault'; readonly code: SourceFaultCode; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
