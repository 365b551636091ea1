import type { FileFormat } from '@carrel/api'
import type { Fault, Fingerprints, MetadataLayer, OutlineEntry, Picture, ResourceLink } from '../book-format.ts'

/** A book that flows and is one file: taken apart into what an EPUB would have as files. No name needs encoding. */
export interface FlowingContent {
  readonly format: FileFormat
  readonly warnings: readonly Fault[]
  readonly layer: MetadataLayer
  readonly isFixedLayout: boolean
  /** Of the text, as it is kept while the book is open. */
  readonly heldBytes: number
  /** In reading order. */
  readonly chapters: readonly FlowingChapter[]
  outline(): readonly OutlineEntry[]
  /** What chapters are shown with. */
  resources(): readonly ResourceLink[]
  /** Neither made safe nor believed. */
  readResource(name: string): Buffer | undefined
  readCover(): Picture | undefined
  fingerprints(): Fingerprints
}

export interface FlowingChapter {
  readonly name: string
  /** Of its markup in bytes, as far as it is known without reading it. */
  readonly size: number
  readonly isLinear: boolean
  /** As XHTML, with addresses that lead to the names of chapters and resources. */
  markup(): string
}
