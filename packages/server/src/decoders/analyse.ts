import type { FileFormat } from '@carrel/api'
import { allFormats } from '../formats/all-formats.ts'
import type { Fault, Fingerprints, MetadataLayer, OpenBook } from '../formats/book-format.ts'
import { packPages } from '../formats/page-index.ts'
import { faultOf } from './fault.ts'
import { openBook } from './open-book.ts'

export interface AnalyseInput {
  readonly files: readonly FileToAnalyse[]
  /** Where unpacked books are kept. */
  readonly cacheDir: string
}

export interface FileToAnalyse {
  readonly path: string
  readonly isFolder: boolean
}

/** What a scan wants to know of a book; plain data. */
export interface Analysis {
  readonly format: FileFormat
  readonly pageCount: number
  readonly pageIndex: Uint8Array | null
  readonly fingerprints: Fingerprints
  readonly layers: readonly MetadataLayer[]
  readonly warnings: readonly Fault[]
}

export type Analysed =
  | { readonly index: number; readonly analysis: Analysis }
  | { readonly index: number; readonly fault: Fault }

/** One file after the other; each is told as soon as it is done, so that one that ends the process is known. */
export const analyse = async (
  { files, cacheDir }: AnalyseInput,
  emit: (analysed: readonly Analysed[]) => void,
): Promise<{ readonly done: number }> => {
  for (const [index, file] of files.entries()) {
    emit([
      await analyseOne(file, cacheDir).then(
        (analysis) => ({ index, analysis }),
        (error: unknown) => ({ index, fault: faultOf(error) }),
      ),
    ])
  }
  return { done: files.length }
}

const analyseOne = async (file: FileToAnalyse, cacheDir: string): Promise<Analysis> => {
  const book = await openBook(file, allFormats, cacheDir)
  try {
    return await analysisOf(book)
  } finally {
    book.close()
  }
}

const analysisOf = async (book: OpenBook): Promise<Analysis> => {
  const pages = await book.pages()
  return {
    format: book.format,
    pageCount: book.reflowable ? (await book.reflowable.positions()).length : pages.length,
    pageIndex: pages.length === 0 ? null : packPages(pages),
    fingerprints: await book.fingerprints(),
    layers: await book.metadata(),
    warnings: book.warnings,
  }
}
