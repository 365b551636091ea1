import type { Picture, Resource, StoredMedia } from '../book-format.ts'
import { fontType } from '../flowing/fonts.ts'
import { readImageHeader } from '../images/header.ts'
import { bookLimits } from '../limits.ts'
import { undoObfuscation, type readEncryption } from './encryption.ts'
import type { EpubFiles } from './files.ts'
import { readNarration } from './narration.ts'
import type { EpubPackage, PackageItem } from './package.ts'
import { insideBook } from '../markup/references.ts'
import { sanitise, type SanitisedType } from '../markup/sanitise.ts'

/** An EPUB that is open: its archive, what it says it is made of, and which of its fonts are obfuscated. */
export interface EpubParts {
  readonly files: EpubFiles
  readonly book: EpubPackage
  readonly obfuscated: ReturnType<typeof readEncryption>
}

/**
 * One file of the book made safe to show. Only what the manifest names, and only kinds that are shown, by a type from a
 * fixed list: none of them is a script, and pictures and fonts are what their first bytes say.
 */
export const readEpubResource = (parts: EpubParts, name: string): Resource | undefined => {
  const path = parts.files.nameOf(name) ?? name
  const item = parts.book.items.get(path)
  if (item === undefined) return undefined
  if (isOverlay(item)) return readNarration(parts, path, (sound) => isSound(parts, sound))
  const document = documentType(item)
  if (document === undefined) return otherResource(parts, item)
  const bytes = parts.files.read(path, bookLimits.chapterBytes)
  // A picture is a picture, whatever the manifest calls it.
  const picture = readImageHeader(bytes)
  if (picture !== undefined) return { mediaType: picture.mediaType, bytes }
  return {
    mediaType: servedType(item),
    bytes: sanitise(bytes, document, { resolve: insideBook(path) }),
  }
}

export const isOverlay = ({ mediaType }: PackageItem): boolean => mediaType === 'application/smil+xml'

const isSound = ({ book }: EpubParts, path: string): boolean =>
  media.get(book.items.get(path)?.mediaType ?? '')?.startsWith('audio/') === true

/** Only bitmaps count: an SVG is a document. */
export const readEpubPicture = ({ files }: EpubParts, path: string): Picture | undefined => {
  const bytes = files.read(path, bookLimits.entryBytes)
  const mediaType = readImageHeader(bytes)?.mediaType
  return mediaType === undefined ? undefined : { mediaType, bytes }
}

const documents: Readonly<Record<string, SanitisedType>> = {
  'application/xhtml+xml': 'application/xhtml+xml',
  'text/html': 'text/html',
  'application/html': 'text/html',
  'text/x-oeb1-document': 'text/html',
  'image/svg+xml': 'image/svg+xml',
  'text/css': 'text/css',
  'text/x-oeb1-css': 'text/css',
}

const extensions: Readonly<Record<string, SanitisedType>> = {
  xhtml: 'application/xhtml+xml',
  html: 'text/html',
  htm: 'text/html',
  svg: 'image/svg+xml',
  css: 'text/css',
}

const documentType = ({ path, mediaType }: PackageItem): SanitisedType | undefined => {
  if (Object.hasOwn(documents, mediaType)) return documents[mediaType]
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  const isUnspecific = /^(?:|text\/(?:xml|plain)|application\/(?:xml|octet-stream))$/.test(mediaType)
  return isUnspecific && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined
}

/** HTML leaves as XHTML. What is no document keeps what the manifest says: it is served by its bytes alone. */
export const servedType = (item: PackageItem): string => {
  const document = documentType(item)
  return document === 'text/html' ? 'application/xhtml+xml' : (document ?? item.mediaType)
}

const otherResource = (
  { files, book, obfuscated }: EpubParts,
  { path, mediaType }: PackageItem,
): Resource | undefined => {
  const stored = files.read(path, bookLimits.entryBytes)
  const obfuscation = obfuscated.get(path)
  const bytes = obfuscation === undefined ? stored : undoObfuscation(stored, obfuscation, book.root)
  if (bytes === undefined) return undefined
  const served = readImageHeader(bytes)?.mediaType ?? fontType(bytes) ?? media.get(mediaType)
  return served === undefined ? undefined : { mediaType: served, bytes }
}

/** The first bytes show the type; a picture or a font is one, whatever the manifest calls it. */
const mediaHeadBytes = 4096

/** Sound and film that are not packed, as they hardly ever are: players ask for them a part at a time. */
export const locateMedia = ({ files, book, obfuscated }: EpubParts, name: string): StoredMedia | undefined => {
  const path = files.nameOf(name) ?? name
  const mediaType = media.get(book.items.get(path)?.mediaType ?? '')
  const entry = files.entry(path)
  if (mediaType === undefined || entry?.method !== 'stored' || entry.size !== entry.storedSize) return undefined
  const { offset, head } = files.start(entry, mediaHeadBytes)
  const isOther = obfuscated.has(path) || readImageHeader(head) !== undefined || fontType(head) !== undefined
  return isOther ? undefined : { mediaType, offset, size: entry.size }
}

/** Sound and film, under the names browsers know. */
const media = new Map([
  ...`audio/mpeg audio/mp4 audio/aac audio/ogg audio/opus audio/wav audio/webm audio/flac video/mp4 video/webm video/ogg
  video/mpeg video/quicktime`
    .split(/\s+/)
    .map((type): [string, string] => [type, type]),
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/x-wav', 'audio/wav'],
  ['video/x-m4v', 'video/mp4'],
])
