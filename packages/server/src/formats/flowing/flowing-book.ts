import {
  BookFault,
  type OpenBook,
  type OutlineEntry,
  type Picture,
  type Reflowable,
  type Resource,
  type SpineItem,
  type TextPart,
} from '../book-format.ts'
import { ifSound } from '../if-sound.ts'
import { readImageHeader } from '../images/header.ts'
import { bookLimits } from '../limits.ts'
import { insideBook } from '../markup/references.ts'
import { sanitise } from '../markup/sanitise.ts'
import { chapterText, firstPicture } from '../markup/text.ts'
import type { FlowingChapter, FlowingContent } from './content.ts'
import { fontType } from './fonts.ts'
import { once, promised } from './lazily.ts'
import { picturePages, type PicturePage } from './picture-pages.ts'
import { positionsOf } from './positions.ts'
import { titlesByAddress } from './titles.ts'

const chapterType = 'application/xhtml+xml'

export const openFlowingBook = (content: FlowingContent): OpenBook => {
  const { chapters, layer } = content
  if (chapters.length === 0) throw new BookFault('empty', 'The book has no text')
  if (chapters.length > bookLimits.pages)
    throw new BookFault('limit', `The book has more than ${bookLimits.pages} chapters`)
  const outline = once(() => content.outline())
  const pages = once(() => (content.isFixedLayout ? picturePages(content) : []))
  return {
    format: content.format,
    warnings: content.warnings,
    heldBytes: content.heldBytes,
    pages: () => promised(() => pages().map(({ page }) => page)),
    readPage: (number) => promised(() => readPicture(content, pages()[number - 1], number)),
    readCover: () => promised(() => content.readCover() ?? pictureOnFirstPage(content)),
    metadata: () => Promise.resolve([layer]),
    fingerprints: () => promised(() => content.fingerprints()),
    reflowable: reflowableOf(content, outline),
    text: () => textOf(content, outline),
    outline: () => promised(outline),
    close: () => {},
  }
}

const readPicture = (content: FlowingContent, page: PicturePage | undefined, number: number): Picture => {
  if (page === undefined) throw new BookFault('damaged', `It has no page ${number}`)
  const picture = pictureNamed(content, page.name)
  if (picture === undefined) throw new BookFault('damaged', `Page ${number} is no picture`)
  return picture
}

const pictureNamed = (content: FlowingContent, name: string): Picture | undefined => {
  const bytes = content.readResource(name)
  const mediaType = bytes && readImageHeader(bytes)?.mediaType
  return bytes === undefined || mediaType === undefined ? undefined : { mediaType, bytes }
}

const pictureOnFirstPage = (content: FlowingContent): Picture | undefined => {
  const [first] = content.chapters
  const picture = first && ifSound(() => firstPicture(markupOf(first)))
  return picture && pictureNamed(content, picture.address)
}

const markupOf = (chapter: FlowingChapter): Buffer => {
  const bytes = chapter.size > bookLimits.chapterBytes ? undefined : Buffer.from(chapter.markup())
  if (bytes === undefined || bytes.length > bookLimits.chapterBytes)
    throw new BookFault('limit', `A chapter of the book has more than ${bookLimits.chapterBytes} bytes`)
  return bytes
}

const reflowableOf = (content: FlowingContent, outline: () => readonly OutlineEntry[]): Reflowable => {
  const { chapters, isFixedLayout, layer } = content
  const direction = layer.book.readingDirection
  const resources = once(() => content.resources())
  return {
    isFixedLayout,
    readingDirection: direction === 'rtl' || direction === 'ltr' ? direction : null,
    spine: () => promised(() => spineOf(content, outline())),
    positions: () =>
      promised(() =>
        positionsOf(
          chapters
            .filter(({ isLinear }) => isLinear)
            .map(({ name, size }) => ({
              href: name,
              mediaType: chapterType,
              storedSize: size,
              isFixed: isFixedLayout,
            })),
        ),
      ),
    resources: () => promised(resources),
    readResource: (name) => promised(() => readSafely(content, name)),
  }
}

const spineOf = ({ chapters }: FlowingContent, outline: readonly OutlineEntry[]): SpineItem[] => {
  const titles = titlesByAddress(outline)
  return chapters.map(({ name, isLinear }) => ({
    href: name,
    mediaType: chapterType,
    title: titles.get(name) ?? null,
    isLinear,
  }))
}

/** A chapter or a drawing goes through the sanitiser (pins W5); pictures and fonts are what their first bytes say. */
const readSafely = (content: FlowingContent, name: string): Resource | undefined => {
  const resolve = insideBook(name)
  const chapter = content.chapters.find((each) => each.name === name)
  if (chapter !== undefined)
    return { mediaType: chapterType, bytes: sanitise(markupOf(chapter), chapterType, { resolve }) }
  const bytes = content.readResource(name)
  if (bytes === undefined) return undefined
  const document = documents.get(name.slice(name.lastIndexOf('.') + 1))
  if (document === undefined) {
    const mediaType = readImageHeader(bytes)?.mediaType ?? fontType(bytes)
    return mediaType === undefined ? undefined : { mediaType, bytes }
  }
  if (bytes.length > bookLimits.chapterBytes)
    throw new BookFault('limit', `A part of the book has more than ${bookLimits.chapterBytes} bytes`)
  return { mediaType: document, bytes: sanitise(bytes, document, { resolve }) }
}

const documents = new Map([
  ['css', 'text/css'],
  ['svg', 'image/svg+xml'],
] as const) as ReadonlyMap<string, 'text/css' | 'image/svg+xml'>

/** Notes that stand aside are found too: nobody remembers where a word stood. */
async function* textOf(content: FlowingContent, outline: () => readonly OutlineEntry[]): AsyncIterable<TextPart> {
  const titles = titlesByAddress(outline())
  for (const chapter of content.chapters) {
    const text = ifSound(() => chapterText(markupOf(chapter)))
    if (text !== undefined && text !== '') yield { href: chapter.name, title: titles.get(chapter.name) ?? null, text }
  }
}
