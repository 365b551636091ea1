import type { Page } from '../book-format.ts'
import { ifSound } from '../if-sound.ts'
import { readImageHeader } from '../images/header.ts'
import { firstPicture } from '../markup/text.ts'
import type { FlowingChapter, FlowingContent } from './content.ts'

export interface PicturePage {
  /** It is the name of the picture. */
  readonly name: string
  readonly page: Page
}

/** A page that only shows a picture is short. */
const wrappingBytes = 64 * 1024

/**
 * Comics come as Kindle books too: of fixed layout, every chapter one picture and no words. They are read as comics are,
 * by these pages. Of any other book there are none, nor of one whose pages are not all of that kind.
 */
export const picturePages = (content: Pick<FlowingContent, 'chapters' | 'readResource'>): readonly PicturePage[] => {
  const pages: PicturePage[] = []
  for (const chapter of content.chapters) {
    const page = chapter.size > wrappingBytes ? undefined : ifSound(() => pageOf(content, chapter))
    if (page === undefined) return []
    pages.push(page)
  }
  return pages
}

const pageOf = (content: Pick<FlowingContent, 'readResource'>, chapter: FlowingChapter): PicturePage | undefined => {
  const picture = firstPicture(Buffer.from(chapter.markup()))
  if (!picture?.isAlone) return undefined
  const bytes = content.readResource(picture.address)
  const header = bytes && readImageHeader(bytes)
  if (bytes === undefined || header === undefined) return undefined
  const { mediaType, width, height } = header
  return { name: picture.address, page: { name: picture.address, mediaType, width, height, size: bytes.length } }
}
