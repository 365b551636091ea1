export { readIndexedPages } from './indexed-pages.ts'
export { type PageReading, createPageReader } from './page-reading.ts'
export {
  damaged,
  type ReadableBook,
  requireReadable,
  requireReadableFile,
  requireSound,
  type FileChoice,
  writtenAt,
} from './readable-book.ts'
export { savePages, takeOverPages } from './queries.ts'
export { type DecoderUse, throughDecoder } from './through-decoder.ts'
