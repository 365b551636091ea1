import type { FileFormat } from '@carrel/api'
import type { Fault, Fingerprints, MetadataLayer, OutlineEntry, Picture, ResourceLink } from '../book-format.ts'

/** A book that flows and is one file: taken apart into what an EPUB would have as files. No name needs encoding. */
export interface FlowingContent {
  readonly format: FileFormat
  readonly warnings: readonly Fault[]
  readonly layer: MetadataLayer
  readonly isFixedLayout: boolean
  /** It is the size of the text that stays in memory while the book is open. */
  readonly heldBytes: number
  /** Chapters come in reading order. */
  readonly chapters: readonly FlowingChapter[]
  outline(): readonly OutlineEntry[]
  /** Chapters are shown with these. */
  resources(): readonly ResourceLink[]
  /** The resource is not sanitised, and its stated type is not checked. */
  readResource(name: string): Buffer | undefined
  readCover(): Picture | undefined
  fingerprints(): Fingerprints
}

export interface FlowingChapter {
  readonly name: string
  /** It is the size of the markup in bytes, as far as it is known without reading it. */
  readonly size: number
  readonly isLinear: boolean
  /** The markup is XHTML, with addresses that lead to the names of chapters and resources. */
  markup(): string
}
