import { allowedAddress, insideBook } from '../markup/references.ts'
import type { Resource } from '../book-format.ts'
import { descendantsNamed, child, parseXml, type XmlElement } from '../xml.ts'
import { bookLimits } from '../limits.ts'
import { fileAt } from './addresses.ts'
import type { EpubFiles } from './files.ts'
import type { EpubPackage } from './package.ts'

interface NarrationParts {
  readonly files: EpubFiles
  readonly book: EpubPackage
}

/** Readium has this type for what is read aloud to which part of a chapter. */
export const narrationType = 'application/guided-navigation+json'

interface Spoken {
  readonly textref: string
  /** The reference includes the time range. */
  readonly audioref: string
}

/**
 * It reads a media overlay without its markup: which part of a chapter is heard when. Files that are not in the book
 * are left out. It is undefined when nothing is left.
 */
export const readNarration = (
  parts: NarrationParts,
  path: string,
  isSound: (path: string) => boolean,
): Resource | undefined => {
  const root = parseXml(parts.files.read(path, bookLimits.xmlBytes))
  const guided = descendantsNamed(root, 'par').flatMap((par) => spokenIn(par, parts, path, isSound) ?? [])
  return guided.length === 0 ? undefined : { mediaType: narrationType, bytes: Buffer.from(JSON.stringify({ guided })) }
}

const spokenIn = (
  par: XmlElement,
  { book, files }: NarrationParts,
  path: string,
  isSound: (path: string) => boolean,
): Spoken | undefined => {
  const inside = (reference: string | undefined): string | undefined =>
    reference === undefined ? undefined : allowedAddress('load', reference, insideBook(path))
  const audio = child(par, 'audio')?.attributes
  const [textref, sound] = [inside(child(par, 'text')?.attributes.src), inside(audio?.src)]
  if (textref === undefined || sound === undefined) return undefined
  const [text, heard] = [fileAt(files, path, textref)?.path ?? '', fileAt(files, path, sound)?.path ?? '']
  if (!book.spine.some(({ item }) => item.path === text) || !isSound(heard)) return undefined
  const [begin, end] = [secondsOf(audio?.clipBegin) ?? 0, secondsOf(audio?.clipEnd)]
  if (end !== undefined && end <= begin) return undefined
  return { textref, audioref: `${sound.split('#', 1)[0] ?? ''}#t=${begin}${end === undefined ? '' : `,${end}`}` }
}

const units: Readonly<Record<string, number>> = { h: 3600, min: 60, s: 1, ms: 0.001, '': 1 }

/** A clock value of SMIL: `1:02:03.5`, `02:03.5`, `75.5s`, `20ms`, `1.5min`. */
const secondsOf = (text: string | undefined): number | undefined => {
  const written = (text ?? '').trim().replace(/^npt=/, '')
  const clock = /^(?:(\d{1,6}):)?([0-5]?\d):([0-5]?\d(?:\.\d{1,9})?)$/.exec(written)
  if (clock) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  const count = /^(\d{1,9}(?:\.\d{1,9})?)(h|min|s|ms|)$/.exec(written)
  return count ? Number(count[1]) * (units[count[2] ?? ''] ?? 1) : undefined
}
