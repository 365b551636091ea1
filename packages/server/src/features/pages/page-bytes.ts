import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import type { Page, PageLocation } from '../../formats/book-format.ts'
import { readImageHeader } from '../../formats/images/header.ts'
import { bookLimits } from '../../formats/limits.ts'
import { type BufferPool, bufferPool, type Lent } from '../../platform/memory/buffer-pool.ts'
import { FileChanged, type LibraryReads } from '../../platform/storage/library-reads.ts'
import { byteBudget } from './byte-budget.ts'
import { damaged, type ReadableBook } from './readable-book.ts'

export interface PageBytes {
  readonly number: number
  readonly page: Page
}

type ThroughDecoder = (book: ReadableBook, number: number, maxEdge: number) => Promise<Buffer>
export type ReadPageBytes = (book: ReadableBook, pageBytes: PageBytes, maxEdge: number) => Promise<Lent>

const inflate = promisify(inflateRaw)
/** The smallest piece there may be. */
const spareBytes = 64

/** The bytes of a page as they stand in the book: straight from their place when they have one. */
export const pageBytes = (reads: LibraryReads, throughDecoder: ThroughDecoder): ReadPageBytes => {
  const withinBudget = byteBudget()
  const pool = bufferPool()

  return (book, { number, page }, maxEdge) =>
    withinBudget(page.size + (page.location?.storedSize ?? 0), () => {
      if (page.location) return readStoredPage({ reads, pool }, book, page, page.location)
      if (book.isFolder && !page.name.includes('/')) return own(readFolderPage(reads, book, page))
      return own(throughDecoder(book, number, maxEdge))
    })
}

const own = async (bytes: Promise<Buffer>): Promise<Lent> => ({ bytes: await bytes, giveBack: () => undefined })

interface PageByteContext {
  readonly reads: LibraryReads
  readonly pool: BufferPool
}

const readStoredPage = async (
  { reads, pool }: PageByteContext,
  { file }: ReadableBook,
  { size }: Page,
  { offset, storedSize, method, crc32: expected }: PageLocation,
): Promise<Lent> => {
  if (size > bookLimits.entryBytes) throw damaged('The page is too large to be shown.')
  const held = await reads.hold(file)
  try {
    const stored = pool.lend(storedSize)
    await held.read(offset, storedSize, stored.bytes)
    const page = method === 'stored' ? stored : await inflated(stored, size)
    if (page?.bytes.length === size && crc32(page.bytes) === expected) return page
    if (!(await held.isUnchanged())) throw new FileChanged()
    throw damaged('The page is damaged: it is not what its checksum says.')
  } finally {
    held.release()
  }
}

/** Undefined when it is not what it says. */
const inflated = async (stored: Lent, size: number): Promise<Lent | undefined> => {
  try {
    // The member is inflated in one piece, with room to see that it really ends there.
    const options = { maxOutputLength: Math.max(1, size), chunkSize: size + spareBytes }
    return await own(inflate(stored.bytes, options).finally(stored.giveBack))
  } catch {
    return undefined
  }
}

const readFolderPage = async (reads: LibraryReads, { file }: ReadableBook, { name, size }: Page): Promise<Buffer> => {
  const bytes = await reads.readWhole(file.rootId, `${file.path}/${name}`, bookLimits.entryBytes)
  if (bytes.length !== size) throw new FileChanged()
  return bytes
}

/** The first bytes decide, whatever the name says. */
export const mediaTypeOf = (bytes: Buffer): string => readImageHeader(bytes)?.mediaType ?? 'application/octet-stream'
