import { lstatSync } from 'node:fs'
import type { FileFormat } from '@carrel/api'
import type { Fault, Fingerprints, MetadataLayer, OpenBook } from '../formats/book-format.ts'
import { packPages } from '../formats/page-index.ts'
import { pathForSystem } from '../platform/file-names.ts'
import { faultOf } from './fault.ts'
import { withBook } from './open-book.ts'

export interface AnalyseInput {
  readonly files: readonly FileToAnalyse[]
  /** Where unpacked books are kept. */
  readonly cacheDir: string
}

interface FileToAnalyse {
  readonly path: string
  readonly isFolder: boolean
  /** As it was seen before: one that is still being written is not read. */
  readonly size: number
  readonly modifiedUs: number
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
  | { readonly index: number; readonly isUnsettled: true }

/** One file after the other; each is told as soon as it is done, so that one that ends the process is known. */
export const analyse = async (
  { files, cacheDir }: AnalyseInput,
  emit: (analysed: readonly Analysed[]) => void,
): Promise<{ readonly done: number }> => {
  for (const [index, file] of files.entries()) emit([{ index, ...(await analyseOne(file, cacheDir)) }])
  return { done: files.length }
}

/** What was read while the file was changing says nothing, neither good nor bad. */
const analyseOne = async (file: FileToAnalyse, cacheDir: string) => {
  if (!isAsSeen(file)) return { isUnsettled: true } as const
  try {
    const analysis = await withBook(file, cacheDir, analysisOf)
    return isAsSeen(file) ? { analysis } : ({ isUnsettled: true } as const)
  } catch (error) {
    return isAsSeen(file) ? { fault: faultOf(error) } : ({ isUnsettled: true } as const)
  }
}

const isAsSeen = ({ path, isFolder, size, modifiedUs }: FileToAnalyse): boolean => {
  const stats = lstatSync(pathForSystem(path), { throwIfNoEntry: false })
  if (!stats) return false
  return isFolder || (stats.size === size && Math.round(stats.mtimeMs * 1000) === modifiedUs)
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
