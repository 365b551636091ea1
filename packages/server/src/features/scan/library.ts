import type { FileFormat } from '@carrel/api'

/** A library as a scan needs it. */
export interface ScannedLibrary {
  readonly id: string
  readonly name: string
  readonly policy: string
  readonly numbering: 'file_order' | 'metadata' | 'filename' | 'smart'
  readonly titleFrom: 'filename' | 'metadata' | 'smart'
  readonly formats: readonly FileFormat[] | null
  readonly exclude: readonly string[]
  readonly roots: readonly ScannedRoot[]
  /** No longer part of it: what was there is elsewhere by now, or gone. */
  readonly removedRootIds: readonly string[]
  readonly bookCount: number
}

export interface ScannedRoot {
  readonly id: string
  readonly path: string
  readonly device: number | null
  readonly inode: number | null
}
