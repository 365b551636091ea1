import { safeMembers } from './archive/safe-members.ts'
import { isTar, readTar } from './archive/tar.ts'
import type { BookFormat, Candidate, OpenBook } from './book-format.ts'
import { fileFingerprint, koreaderFingerprint, memberFingerprints } from './fingerprints.ts'
import { openBookFile, type BookFile } from './open-file.ts'
import { openPictureBook } from './picture-book.ts'
import { isNamedAsPicture } from './picture-members.ts'
import { readStored, readStoredHead, storedChecksum, storedLocation, type StoredMember } from './stored-members.ts'

/** A TAR of pictures. It knows no checksums: they are taken of what stands there. */
export const cbt: BookFormat = {
  name: 'cbt',
  detect: (candidate) => !candidate.isFolder && isPictureTar(candidate),
  open: (candidate) => openBookFile(candidate.path, openCbt),
}

const openCbt = ({ source, close }: BookFile): OpenBook => {
  const archive = readTar(source)
  const files = archive.entries.filter(({ isFolder }) => !isFolder)
  const { entries, warnings } = safeMembers(files)
  const sums = new Map<StoredMember, number>()
  const sumOf = (member: StoredMember): number => {
    const sum = sums.get(member) ?? storedChecksum(source, member)
    sums.set(member, sum)
    return sum
  }
  const members = entries.map(({ name, size, dataOffset }) => ({ name, size, dataOffset, crc32: undefined }))
  return openPictureBook({
    format: 'cbt',
    members,
    warnings: [...archive.warnings, ...warnings],
    readHead: (member, length) => ({
      head: readStoredHead(source, member, length),
      location: storedLocation(member, sumOf(member)),
    }),
    read: (member, bytesMax) => readStored(source, member, bytesMax),
    fingerprints: () => ({
      file: fileFingerprint(source),
      ...memberFingerprints(members.map((member) => ({ ...member, crc32: sumOf(member) }))),
      koreader: koreaderFingerprint(source),
    }),
    close,
  })
}

/** Backups and packages are TARs too. */
const isPictureTar = (candidate: Candidate): boolean => {
  if (!isTar(candidate.head)) return false
  try {
    return readTar(candidate).entries.some(isNamedAsPicture)
  } catch {
    // The file is opened to find out why.
    return true
  }
}
