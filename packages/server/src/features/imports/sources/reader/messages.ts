import type { ForeignRecord, HashKind, SourceFaultCode, SourceKind } from '../../records.ts'

/** The files of a source, as the process that reads it is told of them. */
export interface SourceFiles {
  readonly kind: SourceKind
  /** A file, or a folder with a store in it. */
  readonly path: string
  readonly isUpload: boolean
  readonly scratch: string
}

/** One of our files, whose hashes of these kinds are wanted. */
export interface FileToHash {
  readonly id: string
  readonly path: string
  readonly kinds: readonly HashKind[]
}

export type ToReader =
  | { readonly kind: 'open'; readonly source: SourceFiles }
  /** The next batch of records is asked for only when the last one is stored. */
  | { readonly kind: 'next' }
  | { readonly kind: 'cover'; readonly ref: string }
  | { readonly kind: 'hash'; readonly file: FileToHash }

export type FromReader =
  | { readonly kind: 'opened' }
  | { readonly kind: 'records'; readonly records: readonly ForeignRecord[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'cover'; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'hashes'; readonly values: readonly { readonly kind: HashKind; readonly value: string }[] }
  | { readonly kind: 'fault'; readonly code: SourceFaultCode; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
