import { readZipEntry, zipDirectoryOf, zipEntryStart, type ZipDirectory, type ZipEntry } from './archive/zip.ts'
import { BookFault, type BookFormat, type Candidate, type OpenBook, type PageLocation } from './book-format.ts'
import { directoryFingerprint, koreaderFingerprint, memberFingerprints } from './fingerprints.ts'
import { openPictureBook, type PictureHead, type PictureSource } from './picture-book.ts'
import { isNamedAsPicture } from './picture-members.ts'

/** A ZIP of pictures. */
export const cbz: BookFormat = {
  name: 'cbz',
  detect: (candidate) => !candidate.isFolder && isPictureZip(candidate),
  open: (candidate) => Promise.resolve().then(() => openCbz(candidate)),
}

const openCbz = (candidate: Candidate): OpenBook => openPictureBook<ZipEntry>(zipSource(candidate))

const zipSource = (file: Candidate): PictureSource<ZipEntry> => {
  const directory = zipDirectoryOf(file)
  const members = directory.entries.filter(({ isFolder }) => !isFolder)
  const pictures = members.filter(isNamedAsPicture)
  if (pictures.length > 0 && pictures.every(({ isEncrypted }) => isEncrypted)) {
    throw new BookFault('encrypted', 'The pages of the ZIP are encrypted')
  }
  return {
    format: 'cbz',
    members,
    warnings: directory.warnings,
    readHead: (entry, length) => readHead(file, entry, length),
    read: (entry, bytesMax) => readZipEntry(file, entry, { bytesMax }),
    fingerprints: (pictures) => ({
      file: directoryFingerprint(file, directory.bytes),
      ...memberFingerprints(members, pictures),
      koreader: koreaderFingerprint(file),
    }),
    close: () => {},
  }
}

const readHead = (file: Candidate, entry: ZipEntry, length: number): PictureHead => {
  const { offset, head } = zipEntryStart(file, entry, length)
  return { head, location: locationOf(entry, offset) }
}

const locationOf = ({ method, storedSize, crc32 }: ZipEntry, offset: number): PageLocation | undefined =>
  method === 'other' ? undefined : { offset, storedSize, method, crc32 }

/** Members by which other kinds of ZIP are known that may hold pictures too: EPUB, office documents, programs. */
const foreign = new Set(['mimetype', 'META-INF/container.xml', 'META-INF/MANIFEST.MF', '[Content_Types].xml'])

const isPictureZip = (candidate: Candidate): boolean => {
  let directory: ZipDirectory
  try {
    directory = zipDirectoryOf(candidate)
  } catch {
    // A file that begins as a ZIP and cannot be listed is opened to find out why, unless it states another type.
    return begins(candidate, 'PK\u0003\u0004') && !begins(candidate, 'mimetypeapplication/epub+zip', 30)
  }
  const { entries } = directory
  return entries.some(isNamedAsPicture) && !entries.some(({ name }) => foreign.has(name))
}

const begins = ({ head }: Candidate, text: string, index = 0): boolean =>
  head.toString('latin1', index, index + text.length) === text
