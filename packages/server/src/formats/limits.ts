const mebibyte = 1024 * 1024

/** No book may ask more of us, whoever made it. Each limit is tested below, at and above. */
export const bookLimits = {
  entries: 20_000,
  pages: 20_000,
  directoryBytes: 16 * mebibyte,
  nameBytes: 1024,
  /** The limit holds for one page or resource, unpacked. */
  entryBytes: 256 * mebibyte,
  /** The limit holds for everything that is unpacked for one book. */
  bookBytes: 8 * 1024 * mebibyte,
  /** Unpacked to packed, past the first 64 MiB. */
  ratio: 200,
  ratioFromBytes: 64 * mebibyte,
  /** The limit holds for a chapter or a style sheet, which is read as a whole to make it safe. */
  chapterBytes: 16 * mebibyte,
  chapterElements: 400_000,
  /** The limit holds for the text of a book that is read in one piece, pictures apart. */
  textBytes: 64 * mebibyte,
  /** Places in such a book that links lead to. */
  anchors: 100_000,
  xmlBytes: 4 * mebibyte,
  xmlDepth: 64,
  xmlNodes: 100_000,
  jsonBytes: mebibyte,
  /** Width times height of a picture that is decoded or rendered. */
  pixels: 64_000_000,
} as const

/** Texts may have these lengths. */
export const textLimits = {
  title: 512,
  name: 256,
  summary: 64 * 1024,
  listLength: 200,
} as const
