import { BookFault, type BookFormat, type Candidate, type Fault, type OpenBook } from '../book-format.ts'
import { fileFingerprint, koreaderFingerprint } from '../fingerprints.ts'
import { openFlowingBook } from '../flowing/flowing-book.ts'
import { ifSound } from '../if-sound.ts'
import { mobiLayer } from '../metadata/mobi.ts'
import { type Exth, readExth } from './exth.ts'
import { type MobiHeader, readMobiHeader } from './header.ts'
import { readKf8 } from './kf8.ts'
import { readMobi6 } from './mobi6.ts'
import { databaseKind, openPalmDatabase, type PalmDatabase } from './palm-database.ts'
import type { FlowingText, MobiParts } from './parts.ts'
import { mobiResources } from './resources.ts'

/** Mobipocket; a file that holds the book as KF8 too is read as that. */
export const mobi: BookFormat = {
  name: 'mobi',
  detect: (candidate) => versionOf(candidate) === 'mobi',
  open: (candidate) => Promise.resolve().then(() => openMobi(candidate, 'mobi')),
}

/** KF8 alone, which Kindles call AZW3. */
export const azw3: BookFormat = {
  name: 'azw3',
  detect: (candidate) => versionOf(candidate) === 'azw3',
  open: (candidate) => Promise.resolve().then(() => openMobi(candidate, 'azw3')),
}

const kf8Version = 8

/** The first record states the version; a file cut off before it is opened to find out why. */
const versionOf = (candidate: Candidate): 'mobi' | 'azw3' | undefined => {
  if (candidate.isFolder || databaseKind(candidate.head) !== 'BOOKMOBI') return undefined
  const start = candidate.head.length < 82 ? 0 : candidate.head.readUInt32BE(78)
  const version = candidate.read(start + 36, 4)
  return version.length === 4 && version.readUInt32BE(0) === kf8Version ? 'azw3' : 'mobi'
}

const openMobi = (candidate: Candidate, format: 'mobi' | 'azw3'): OpenBook => {
  const database = openPalmDatabase(candidate)
  const main = partsOf(database)
  const warnings: Fault[] = []
  if (database.missing > 0)
    warnings.push({ code: 'damaged', message: `The file is cut off: ${database.missing} of its records are missing` })
  const { parts, text } = readYoungest(main, warnings)
  const { exth, header } = parts
  return openFlowingBook({
    ...text,
    format,
    warnings,
    layer: mobiLayer({ title: header.title, locale: header.locale, texts: exth.texts }),
    isFixedLayout: exth.texts(exthKinds.fixedLayout)[0]?.trim() === 'true',
    readCover: () => coverOf(parts),
    fingerprints: () => {
      const file = fileFingerprint(candidate)
      return { file, content: file, koreader: koreaderFingerprint(candidate) }
    },
  })
}

const exthKinds = { boundary: 121, fixedLayout: 122, cover: 201, thumbnail: 202 } as const

const partsOf = (database: PalmDatabase): MobiParts => {
  const { header, exth } = headerAt(database, 0)
  const resources = mobiResources(database, { first: header.firstResource, end: database.count })
  return { database, first: 0, header, exth, resources }
}

const headerAt = (database: PalmDatabase, first: number): { readonly header: MobiHeader; readonly exth: Exth } => {
  const header = readMobiHeader(database, first)
  if (header.isEncrypted) throw new BookFault('encrypted', 'The book is protected by DRM and cannot be read here')
  return { header, exth: readExth(header.exth, header.encoding) }
}

/** A file with two formats is read in the newer one, unless that is damaged. */
const readYoungest = (
  main: MobiParts,
  warnings: Fault[],
): { readonly parts: MobiParts; readonly text: FlowingText } => {
  if (main.header.version === kf8Version) return { parts: main, text: readKf8(main) }
  const first = main.exth.number(exthKinds.boundary)
  if (first === undefined || first === 0) return { parts: main, text: readMobi6(main) }
  const young = ifSound(() => {
    const { database } = main
    const resources = mobiResources(database, { first: main.header.firstResource, end: first - 1 })
    const parts = { database, first, ...headerAt(database, first), resources }
    return { parts, text: readKf8(parts) }
  })
  if (young !== undefined) return young
  warnings.push({
    code: 'damaged',
    message: 'The newer of the two books in the file is damaged; the older one is read',
  })
  return { parts: main, text: readMobi6(main) }
}

const coverOf = ({ exth, resources }: MobiParts) => {
  for (const kind of [exthKinds.cover, exthKinds.thumbnail]) {
    const number = exth.number(kind)
    const picture = number === undefined ? undefined : ifSound(() => resources.picture(number + 1))
    if (picture !== undefined) return picture
  }
  return undefined
}
