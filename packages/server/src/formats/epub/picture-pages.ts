import { BookFault, type Page } from '../book-format.ts'
import { findImageHeader, headBytes } from '../images/header.ts'
import { bookLimits } from '../limits.ts'
import { fileAt } from './addresses.ts'
import type { EpubParts } from './resources.ts'
import { firstPicture } from '../markup/text.ts'

export interface PicturePage {
  readonly path: string
  readonly page: Page
}

/** A page that only shows a picture is short. */
const wrappingBytes = 64 * 1024

/**
 * Comics come as EPUBs too: of fixed layout, every chapter one picture and no words. They are read as comics are, by
 * these pages. Of any other book there are none, nor of one whose pages are not all of that kind.
 */
export const picturePages = async (parts: EpubParts): Promise<readonly PicturePage[]> => {
  const chapters = parts.book.spine.filter(({ isLinear }) => isLinear)
  if (!parts.book.isFixedLayout || chapters.length > bookLimits.pages) return []
  const pages: PicturePage[] = []
  try {
    for (const { item, isFixed } of chapters) {
      const path = isFixed ? picturePath(parts, item.path) : undefined
      const page = path === undefined ? undefined : await pageOf(parts, path)
      if (path === undefined || page === undefined) return []
      pages.push({ path, page })
    }
  } catch (error) {
    if (error instanceof BookFault) return []
    throw error
  }
  return pages
}

const picturePath = ({ files, book }: EpubParts, path: string): string | undefined => {
  if (book.items.get(path)?.mediaType.startsWith('image/')) return path
  if ((files.entry(path)?.size ?? Infinity) > wrappingBytes) return undefined
  const picture = firstPicture(files.read(path, wrappingBytes))
  return picture?.isAlone ? fileAt(files, path, picture.address)?.path : undefined
}

const pageOf = async ({ files }: EpubParts, path: string): Promise<Page | undefined> => {
  const entry = files.entry(path)
  if (entry === undefined || entry.method === 'other') return undefined
  const { offset, head } = files.start(entry, headBytes)
  const header = await findImageHeader(head, (length) => files.start(entry, length).head)
  if (header === undefined) return undefined
  const { method, storedSize, crc32, size } = entry
  return {
    name: path,
    mediaType: header.mediaType,
    width: header.width,
    height: header.height,
    size,
    location: { offset, storedSize, method, crc32 },
  }
}
