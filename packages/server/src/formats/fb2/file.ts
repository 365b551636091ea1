import { isUtf8 } from 'node:buffer'
import { readZipEntry, zipDirectoryOf, type ZipDirectory, type ZipEntry } from '../archive/zip.ts'
import { BookFault, type Candidate } from '../book-format.ts'
import { ifSound } from '../if-sound.ts'
import { isJunk } from '../picture-members.ts'
import { readExactly } from '../read-exactly.ts'
import { decodeText } from '../text-decoding.ts'

/** The size includes the pictures, which stand in the file as text. */
const fileBytesMax = 128 * 1024 * 1024

/** A tag, space before one, or what says how letters are written; for most files nothing more is looked at. */
const beginnings = new Set([0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef, 0xff, 0xfe])

/** It returns whether a file is a FictionBook by itself. */
export const isPlainFictionBook = (head: Buffer): boolean => {
  if (!beginnings.has(head[0] ?? -1)) return false
  const start = head.toString('latin1').replaceAll('\0', '')
  return /^[\xef\xbb\xbf\xff\xfe\s]{0,16}</.test(start) && /<(?:\w{1,16}:)?FictionBook[\s>]/.test(start)
}

/** The only book in a ZIP, when it is one of these. */
export const packedFictionBook = (
  candidate: Candidate,
): { readonly entry: ZipEntry; readonly directory: ZipDirectory } | undefined => {
  if (candidate.head.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return undefined
  const directory = ifSound(() => zipDirectoryOf(candidate))
  const entries = directory?.entries.filter(({ isFolder, name }) => !isFolder && !isJunk(name)) ?? []
  const [entry, second] = entries
  if (directory === undefined || entry === undefined || second !== undefined) return undefined
  return /\.fb2$/i.test(entry.name) ? { entry, directory } : undefined
}

/** It reads the whole file, in an encoding in which tags are written in single bytes. It throws a `BookFault`. */
export const readFictionBookFile = (candidate: Candidate, entry: ZipEntry | undefined): Buffer => {
  const size = entry === undefined ? candidate.size : entry.size
  if (size > fileBytesMax) throw new BookFault('limit', `The FictionBook has more than ${fileBytesMax} bytes`)
  const bytes =
    entry === undefined
      ? readExactly(candidate, 0, candidate.size)
      : readZipEntry(candidate, entry, { bytesMax: fileBytesMax })
  if (!isPlainFictionBook(bytes.subarray(0, 4096)))
    throw new BookFault('damaged', 'The FictionBook is something else inside')
  return isWide(bytes) ? Buffer.from(decodeText(bytes)) : bytes
}

const isWide = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0

const declaration = /^[^<]{0,8}<\?xml[^>]{1,100}?encoding\s{0,10}=\s{0,10}["']([\w.-]{1,40})["']/

/**
 * The declared encoding is used, and bytes that are no character are replaced: a cut end must not cost all the letters
 * before it.
 */
export const decodeFictionBook = (bytes: Buffer): string => {
  const [, label] = isUtf8(bytes) ? [] : (declaration.exec(bytes.toString('latin1', 0, 256)) ?? [])
  if (label === undefined) return decodeText(bytes)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    // An encoding nobody knows.
    return decodeText(bytes)
  }
}
