/** The three languages a chapter is written in; what is in none of them is `other`. */
export type MarkupSpace = 'html' | 'svg' | 'math' | 'other'

export interface MarkupElement {
  readonly space: MarkupSpace
  /** The name is in lower case and without a prefix. */
  readonly name: string
  /** Names as those of elements, but for `xml:lang` and `epub:type`; `xlink:href` is `href`. */
  readonly attributes: readonly MarkupAttribute[]
}

export type MarkupAttribute = readonly [name: string, value: string]

/** It receives a document from its beginning to its end; every `open` has its `close`. */
export interface MarkupSink {
  open(element: MarkupElement): void
  text(text: string): void
  close(): void
}

/** Deeper elements are read as if their tags were not there. */
export const markupDepthMax = 256
