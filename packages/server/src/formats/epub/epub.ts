import {
  BookFault,
  type BookFields,
  type BookFormat,
  type Candidate,
  type Fingerprints,
  type OpenBook,
  type OutlineEntry,
  type Picture,
  type Reflowable,
  type SpineItem,
  type TextPart,
} from '../book-format.ts'
import { directoryFingerprint, koreaderFingerprint, memberFingerprints } from '../fingerprints.ts'
import { once, promised } from '../flowing/lazily.ts'
import { titlesByAddress } from '../flowing/titles.ts'
import { ifSound } from '../if-sound.ts'
import { bookLimits } from '../limits.ts'
import { coverHref, opfLayer } from '../metadata/opf.ts'
import { fileAt } from './addresses.ts'
import { readEncryption } from './encryption.ts'
import { openEpubFiles } from './files.ts'
import { readOutline } from './navigation.ts'
import { narrationType } from './narration.ts'
import { type PackageItem, readPackage } from './package.ts'
import { picturePages, type PicturePage } from './picture-pages.ts'
import { positionsOf } from '../flowing/positions.ts'
import { addressOf } from '../markup/references.ts'
import { isOverlay, locateMedia, readEpubPicture, readEpubResource, servedType, type EpubParts } from './resources.ts'
import { chapterText, firstPicture } from '../markup/text.ts'

/** EPUB 2 and 3. */
export const epub: BookFormat = {
  name: 'epub',
  detect: (candidate) => !candidate.isFolder && isEpub(candidate),
  open: (candidate) => Promise.resolve().then(() => openEpub(candidate)),
}

const mimetype = 'application/epub+zip'

/** It says so in its first member, which is there for that; or it has the file where a reader begins. */
const isEpub = (candidate: Candidate): boolean => {
  const { head } = candidate
  if (head.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return false
  if (head.toString('latin1', 30, 38 + mimetype.length) === `mimetype${mimetype}`) return true
  return (
    ifSound(() => {
      const files = openEpubFiles(candidate)
      if (files.has('META-INF/container.xml')) return true
      return files.has('mimetype') && files.read('mimetype', 1024).toString('latin1').trim() === mimetype
    }) ?? false
  )
}

const openEpub = (candidate: Candidate): OpenBook => {
  const files = openEpubFiles(candidate)
  const obfuscated = readEncryption(files)
  const parts: EpubParts = { files, book: readPackage(files), obfuscated }
  const layer = opfLayer(parts.book.root, 'file:opf')
  const outline = once(() => readOutline(files, parts.book))
  const pages = once(() => picturePages(parts))
  return {
    format: 'epub',
    warnings: [...files.directory.warnings, ...parts.book.warnings],
    pages: async () => (await pages()).map(({ page }) => page),
    readPage: async (number) => readPicture(parts, (await pages())[number - 1], number),
    readCover: () => promised(() => readCover(parts)),
    metadata: () => Promise.resolve([layer]),
    fingerprints: async () => fingerprintsOf(candidate, parts, await pages()),
    reflowable: reflowableOf(parts, { outline, direction: layer.book.readingDirection }),
    text: () => textOf(parts, outline),
    outline: () => promised(outline),
    close: () => {},
  }
}

const readPicture = (parts: EpubParts, page: PicturePage | undefined, number: number): Picture => {
  if (page === undefined) throw new BookFault('damaged', `It has no page ${number}`)
  const picture = readEpubPicture(parts, page.path)
  if (picture === undefined) throw new BookFault('damaged', `Page ${number} is no picture`)
  return picture
}

/** The cover is what the package names, a picture or a page; else it is the first picture of the first page. */
const readCover = (parts: EpubParts): Picture | undefined => {
  const { book } = parts
  const named = coverHref(book.root)
  const path = named === undefined ? undefined : fileAt(parts.files, book.path, named)?.path
  const first = book.spine.find(({ isLinear }) => isLinear)?.item.path
  for (const candidate of [path, first]) {
    const picture = candidate === undefined ? undefined : ifSound(() => pictureAt(parts, candidate))
    if (picture !== undefined) return picture
  }
  return undefined
}

const pictureAt = (parts: EpubParts, path: string): Picture | undefined => {
  const picture = parts.files.has(path) ? readEpubPicture(parts, path) : undefined
  if (picture !== undefined || !parts.book.spine.some(({ item }) => item.path === path)) return picture
  const onPage = firstPicture(parts.files.read(path, bookLimits.chapterBytes))
  const target = onPage && fileAt(parts.files, path, onPage.address)?.path
  return target === undefined ? undefined : readEpubPicture(parts, target)
}

const fingerprintsOf = (candidate: Candidate, { files }: EpubParts, pages: readonly PicturePage[]): Fingerprints => {
  const pictures = pages.flatMap(({ path }) => files.entry(path) ?? [])
  const { content } = memberFingerprints(files.directory.entries.filter(({ isFolder }) => !isFolder))
  return {
    file: directoryFingerprint(candidate, files.directory.bytes),
    content,
    koreader: koreaderFingerprint(candidate),
    ...(pages.length > 0 && { pages: memberFingerprints(pictures).pages }),
  }
}

const reflowableOf = (
  parts: EpubParts,
  { outline, direction }: { outline: () => readonly OutlineEntry[]; direction: BookFields['readingDirection'] },
): Reflowable => {
  const { files, book } = parts
  return {
    isFixedLayout: book.isFixedLayout,
    hasSpreads: book.hasSpreads,
    spokenClass: book.spokenClass,
    readingDirection: direction === 'rtl' || direction === 'ltr' ? direction : null,
    spine: () => promised(() => spineOf(parts, outline())),
    positions: () =>
      promised(() =>
        positionsOf(
          book.spine
            .filter(({ isLinear }) => isLinear)
            .map(({ item, isFixed }) => ({
              href: addressOf(item.path),
              mediaType: servedType(item),
              storedSize: files.entry(item.path)?.storedSize ?? 0,
              isFixed,
            })),
        ),
      ),
    resources: () => promised(() => resourcesOf(parts)),
    readResource: (path) => promised(() => readEpubResource(parts, path)),
    locateMedia: (path) => promised(() => locateMedia(parts, path)),
  }
}

const spineOf = ({ book }: EpubParts, outline: readonly OutlineEntry[]): SpineItem[] => {
  const titles = titlesByAddress(outline)
  return book.spine.map(({ item, isLinear, isFixed, side }) => {
    const href = addressOf(item.path)
    return {
      href,
      mediaType: servedType(item),
      title: titles.get(href) ?? null,
      isLinear,
      ...(side !== undefined && { side }),
      ...narrationOf(book, item),
      ...(isFixed !== book.isFixedLayout && { layout: isFixed ? ('fixed' as const) : ('reflowable' as const) }),
    }
  })
}

const narrationOf = (book: EpubParts['book'], { overlay }: PackageItem): Pick<SpineItem, 'narration'> => {
  const item = book.itemWithId(overlay)
  return item && isOverlay(item) ? { narration: { href: addressOf(item.path), mediaType: narrationType } } : {}
}

const resourcesOf = ({ book }: EpubParts) => {
  const inSpine = new Set(book.spine.map(({ item }) => item.path))
  return [...book.items.values()]
    .filter(({ path, mediaType }) => !inSpine.has(path) && !unshown.test(mediaType))
    .map((item) => ({ href: addressOf(item.path), mediaType: servedType(item) }))
}

/** Parts for programs, never served. */
const unshown = /javascript|ecmascript|^application\/(?:x-dtbncx\+xml|smil\+xml|pls\+xml|oebps-package\+xml)$/

async function* textOf({ files, book }: EpubParts, outline: () => readonly OutlineEntry[]): AsyncIterable<TextPart> {
  const titles = titlesByAddress(outline())
  for (const { item, isLinear } of book.spine) {
    if (!isLinear) continue
    const href = addressOf(item.path)
    const text = ifSound(() => chapterText(files.read(item.path, bookLimits.chapterBytes)))
    if (text !== undefined && text !== '') yield { href, title: titles.get(href) ?? null, text }
  }
}
