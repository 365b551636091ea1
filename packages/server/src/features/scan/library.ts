import type { FileFormat } from '@carrel/api'
import type { NamingRules } from '../../catalogue/shown/shown.ts'

/** A library as a scan needs it. */
export interface ScannedLibrary extends NamingRules {
  readonly name: string
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
