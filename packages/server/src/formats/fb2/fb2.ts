import { BookFault, type BookFormat, type Candidate, type Fault, type OpenBook, type Picture } from '../book-format.ts'
import { directoryFingerprint, fileFingerprint, koreaderFingerprint, memberFingerprints } from '../fingerprints.ts'
import type { FlowingChapter } from '../flowing/content.ts'
import { openFlowingBook } from '../flowing/flowing-book.ts'
import { ifSound } from '../if-sound.ts'
import { bookLimits } from '../limits.ts'
import { fictionBookCover, fictionBookLayer } from '../metadata/fiction-book.ts'
import { parseXml, type XmlElement } from '../xml.ts'
import { type Binaries, takeBinaries } from './binaries.ts'
import { decodeFictionBook, isPlainFictionBook, packedFictionBook, readFictionBookFile } from './file.ts'
import { chapterMarkup, styleSheet, styleSheetName, type ChapterContext } from './markup.ts'
import { chapterAt, outlineOf, readStructure, type Structure } from './structure.ts'

/** FictionBook 2, by itself or as the only book in a ZIP. */
export const fb2: BookFormat = {
  name: 'fb2',
  detect: (candidate) =>
    !candidate.isFolder && (isPlainFictionBook(candidate.head) || packedFictionBook(candidate) !== undefined),
  open: (candidate) => Promise.resolve().then(() => openFictionBook(candidate)),
}

const openFictionBook = (candidate: Candidate): OpenBook => {
  const packed = packedFictionBook(candidate)
  const bytes = readFictionBookFile(candidate, packed?.entry)
  const { text: written, binaries } = takeBinaries(bytes)
  if (written.length > bookLimits.textBytes)
    throw new BookFault('limit', `The text has more than ${bookLimits.textBytes} bytes`)
  const text = decodeFictionBook(written)
  const structure = readStructure(text)
  const description = ifSound(() => parseXml(Buffer.from(structure.description ?? '<description/>')))
  return openFlowingBook({
    format: 'fb2',
    warnings: [...(packed?.directory.warnings ?? []), ...warningsOf(structure, description)],
    layer: fictionBookLayer(description),
    isFixedLayout: false,
    // The size includes the pictures, and the text once more.
    heldBytes: bytes.length + written.length,
    chapters: chaptersOf(text, structure, binaries),
    outline: () => outlineOf(structure),
    resources: () => [{ href: styleSheetName, mediaType: 'text/css' }, ...binaries.all()],
    readResource: (name) => (name === styleSheetName ? Buffer.from(styleSheet) : binaries.read(name)),
    readCover: () => coverOf(description, binaries),
    fingerprints: () => {
      const file = packed ? directoryFingerprint(candidate, packed.directory.bytes) : fileFingerprint(candidate)
      const content = packed ? memberFingerprints([packed.entry]).content : file
      return { file, content, koreader: koreaderFingerprint(candidate) }
    },
  })
}

const warningsOf = ({ isWhole }: Structure, description: XmlElement | undefined): Fault[] => [
  ...(isWhole ? [] : [{ code: 'damaged' as const, message: 'The FictionBook breaks off: its end is missing' }]),
  ...(description ? [] : [{ code: 'damaged' as const, message: 'What the FictionBook says of itself is damaged' }]),
]

const chaptersOf = (text: string, { chapters, sections, ids }: Structure, binaries: Binaries): FlowingChapter[] => {
  const sectionIds = new Map(sections.map(({ start, id }) => [start, id]))
  const resources = (isNotes: boolean): ChapterContext => ({
    isNotes,
    sectionId: (start) => sectionIds.get(start),
    addressOf: (id) => {
      const start = ids.get(id)
      const target = start === undefined ? undefined : chapterAt(chapters, start)
      return target && `${target.name}#${encodeURI(id.toWellFormed())}`
    },
    pictureName: binaries.nameOf,
  })
  return chapters.map((chapter) => ({
    name: chapter.name,
    size: Buffer.byteLength(text.slice(chapter.start, chapter.end)),
    isLinear: !chapter.isNotes,
    markup: () => chapterMarkup(text, chapter, resources(chapter.isNotes)),
  }))
}

const coverOf = (description: XmlElement | undefined, binaries: Binaries): Picture | undefined => {
  const id = description && fictionBookCover(description)
  return id === undefined ? undefined : ifSound(() => binaries.picture(id))
}
