import type { Context } from '../../../context.ts'
import type { ContentsReading } from '../../../features/contents/contents.ts'
import type { CoverReading } from '../../../features/covers/covers.ts'
import { downloadBook, type Embedding, type FileRequest } from '../../../features/files/files.ts'
import { type PageReading, requireReadableFile } from '../../../features/pages/pages.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { notFound } from '../../../platform/errors.ts'
import type { LibraryReads } from '../../../platform/storage/library-reads.ts'
import type { Download, Media } from '../../../platform/media.ts'
import { offeredFile } from '../book-files.ts'
import { shownAs } from './manifest.ts'

/** It reads books over one set of open files. */
export interface OpdsDependencies {
  readonly libraryReads: LibraryReads
  readonly embedding: Embedding
  readonly pages: PageReading
  readonly covers: CoverReading
  readonly contents: ContentsReading
}

/** The download has the name and type that its entry states. */
export const downloadOffered = async (
  dependencies: OpdsDependencies & Pick<Context, 'db'>,
  viewer: Viewer,
  bookId: string,
  request: FileRequest,
): Promise<Download> => {
  const { format, fileName } = await requireReadableFile(dependencies.db.read, viewer, bookId, request)
  const download = await downloadBook(dependencies, viewer, bookId, request)
  const { mediaType, name } = offeredFile(format, fileName)
  return { ...download, mediaType, fileName: name }
}

const widthMax = 10_000

/** Page streaming counts from 0, and everybody who streams can show a JPEG. */
export const readPageAsJpeg = (
  { pages }: OpdsDependencies,
  viewer: Viewer,
  { id, index }: { readonly id: string; readonly index: number },
  width: string | undefined,
): Promise<Media> => {
  const pixels = /^\d{1,9}$/.test(width ?? '') ? Number(width) : 0
  return pages.page(viewer, {
    bookId: id,
    number: index + 1,
    ...(pixels > 0 && { width: Math.min(pixels, widthMax), isWidthMost: true }),
    format: 'jpeg',
    accept: 'image/jpeg',
  })
}

/** The page has the type that the manifest states, whatever else the client could show. */
export const readPageAsStated = async (
  { pages }: OpdsDependencies,
  viewer: Viewer,
  { id, number }: { readonly id: string; readonly number: number },
): Promise<Media> => {
  const page = (await pages.list(viewer, id))[number - 1]
  if (!page) throw notFound('page')
  return pages.page(viewer, { bookId: id, number, accept: shownAs(page.mediaType) })
}
