import { lstatSync } from 'node:fs'
import type { FileFormat } from '@carrel/api'
import type { Fault, Fingerprints, MetadataLayer, OpenBook } from '../formats/book-format.ts'
import { packPages } from '../formats/page-index.ts'
import { pathForSystem } from '../platform/files/file-names.ts'
import { faultOf } from './fault.ts'
import { withBook } from './open-book.ts'

export interface AnalyseInput {
  readonly files: readonly FileToAnalyse[]
  /** Unpacked books are cached here. */
  readonly cacheDir: string
  /** Each file is reported as soon as it is done, so that a file that ends the process is known. */
  readonly tellsEach?: boolean
}

interface FileToAnalyse {
  readonly path: string
  readonly isFolder: boolean
  /** Size and time are those seen before: a file that is still being written is not read. */
  readonly size: number
  readonly modifiedUs: number
}

/** A scan needs this of a book; it is plain data. */
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

/** Reporting one file costs as much as reading a small one: the files of this time are reported together. */
const tellEveryMs = 20

/** One file at a time is in it. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024)

/** One file after the other. */
export const analyse = async (
  { files, cacheDir, tellsEach = false }: AnalyseInput,
  emit: (analysed: readonly Analysed[]) => void,
): Promise<{ readonly done: number }> => {
  let untold: Analysed[] = []
  let toldAt = performance.now()
  for (const [index, file] of files.entries()) {
    untold.push({ index, ...(await analyseOne(file, cacheDir)) })
    const now = performance.now()
    if (!tellsEach && index < files.length - 1 && now - toldAt < tellEveryMs) continue
    emit(untold)
    untold = []
    toldAt = now
  }
  return { done: files.length }
}

/** A result read while the file was changing counts neither as good nor as bad. */
const analyseOne = async (file: FileToAnalyse, cacheDir: string) => {
  if (!isAsSeen(file)) return { isUnsettled: true } as const
  try {
    const analysis = await withBook(file, cacheDir, analysisOf, buffer)
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
