import type { FileFormat } from '@carrel/api'
import type { ByteSource } from './archive/byte-source.ts'
import type { MemberReceiver } from './archive/seven-zip.ts'
import { BookFault, type Fault, type Fingerprints, type OpenBook, type UnpackCache } from './book-format.ts'
import { fileFingerprint, koreaderFingerprint, memberFingerprints, type SummedMember } from './fingerprints.ts'
import { openPictureBook, type PictureHead } from './picture-book.ts'
import { findComicInfo, isNamedAsPicture, type Member } from './picture-members.ts'
import { readStored, readStoredHead, storedChecksum, storedLocation } from './stored-members.ts'
import { checksumsOf, unpackedBook, unpackOne, type UnpackedBook } from './unpacked-members.ts'

export interface ArchivedMember extends Member {
  readonly crc32: number | undefined
  readonly isEncrypted: boolean
}

/** An archive that packs its members, all or some. */
export interface PackedArchive<Named extends ArchivedMember> {
  readonly format: FileFormat
  readonly file: ByteSource
  readonly cache: UnpackCache
  /** Files only, in the order of the archive. */
  readonly members: readonly Named[]
  readonly warnings: readonly Fault[]
  /** It returns whether the member depends on what was unpacked before it. */
  readonly isSolid: (member: Named) => boolean
  /** It returns where the bytes of a member stand in the file, when they are stored unpacked. */
  readonly storedAt: (member: Named) => number | undefined
  readonly unpack: (members: readonly Named[], receive: () => MemberReceiver) => Promise<void>
  readonly close: () => void
}

/** No more than this is unpacked only to know how large pictures are. */
const inspectedBytesMax = 1024 * 1024 * 1024

/**
 * A packed archive is unpacked as a whole, once, into the cache: looking at each picture costs that much anyway, and
 * after that each page is a file.
 */
export const openPackedBook = <Named extends ArchivedMember>(archive: PackedArchive<Named>): OpenBook => {
  const { file, members } = archive
  const pictures = members.filter(isNamedAsPicture)
  if (pictures.length > 0 && pictures.every(({ isEncrypted }) => isEncrypted)) {
    throw new BookFault('encrypted', 'The pages of the archive are encrypted')
  }
  const packed = packedMembers(archive, pictures)
  const isCheapToInspect = packed.reduce((total, { size }) => total + size, 0) <= inspectedBytesMax
  const key = memoized(() => cacheKey(archive))
  const unpacked = unpackedBook({ cache: archive.cache, key, members: packed, unpack: archive.unpack })
  return openPictureBook<Named>({
    format: archive.format,
    members,
    warnings: archive.warnings,
    readHead: (member, length) => {
      const position = offsetIn(archive, member)
      if (position !== undefined) return headOfStored(file, { ...member, dataOffset: position }, length)
      return isCheapToInspect ? unpacked.read(member, length).then((head) => ({ head })) : undefined
    },
    read: (member, bytesMax) => {
      const position = offsetIn(archive, member)
      if (position !== undefined) return readStored(file, { ...member, dataOffset: position }, bytesMax)
      return readPacked(archive, { member, bytesMax, unpacked, isCheapToInspect })
    },
    fingerprints: () => fingerprintsOf(archive),
    close: archive.close,
  })
}

const offsetIn = <Named extends ArchivedMember>(
  { storedAt }: PackedArchive<Named>,
  member: Named,
): number | undefined => {
  if (member.isEncrypted) throw new BookFault('encrypted', 'A member of the archive is encrypted')
  return storedAt(member)
}

/**
 * It unpacks the pages, and the metadata files if these cannot be read without the others. Nobody asks for other
 * members.
 */
const packedMembers = <Named extends ArchivedMember>(
  archive: PackedArchive<Named>,
  pictures: readonly Named[],
): readonly Named[] => {
  const isPacked = (member: Named): boolean => !member.isEncrypted && archive.storedAt(member) === undefined
  const needed = new Set(pictures.filter(isPacked))
  const description = findComicInfo(archive.members)
  if (needed.size > 0 && description && isPacked(description) && archive.isSolid(description)) needed.add(description)
  return archive.members.filter((member) => needed.has(member))
}

const memoized = (make: () => string): (() => string) => {
  let made: string | undefined
  return () => (made ??= make())
}

/** The samples tell files apart, the checksums what was changed between the samples. */
const cacheKey = <Named extends ArchivedMember>({ file, members }: PackedArchive<Named>): string => {
  const stated = members.map((member) => ({ ...member, crc32: member.crc32 ?? 0 }))
  return `${fileFingerprint(file)}-${memberFingerprints(stated).content}`
}

type LocatedMember = ArchivedMember & { readonly dataOffset: number }

const headOfStored = (file: ByteSource, member: LocatedMember, length: number): PictureHead => ({
  head: readStoredHead(file, member, length),
  location: storedLocation(member, storedChecksum(file, member)),
})

interface PackedRead<Named extends ArchivedMember> {
  readonly member: Named
  readonly bytesMax: number
  readonly unpacked: UnpackedBook<Named>
  readonly isCheapToInspect: boolean
}

const readPacked = async <Named extends ArchivedMember>(
  archive: PackedArchive<Named>,
  { member, bytesMax, unpacked, isCheapToInspect }: PackedRead<Named>,
): Promise<Buffer> => {
  if (member.size > bytesMax) throw new BookFault('limit', `A member of the archive has ${member.size} bytes`)
  const isWorthAll = archive.isSolid(member) || (isCheapToInspect && isNamedAsPicture(member))
  return isWorthAll && unpacked.has(member) ? unpacked.read(member, member.size) : unpackOne(archive, member)
}

const fingerprintsOf = async <Named extends ArchivedMember>(archive: PackedArchive<Named>): Promise<Fingerprints> => ({
  file: fileFingerprint(archive.file),
  ...memberFingerprints(await summedMembers(archive)),
  koreader: koreaderFingerprint(archive.file),
})

/** Nearly every archive states the checksums; where it does not, they are computed from the bytes. */
const summedMembers = async <Named extends ArchivedMember>(archive: PackedArchive<Named>): Promise<SummedMember[]> => {
  const unsummed = archive.members.filter(
    (member) =>
      member.crc32 === undefined && member.size > 0 && !member.isEncrypted && archive.storedAt(member) === undefined,
  )
  const sums = unsummed.length === 0 ? new Map<Named, number>() : await checksumsOf(archive, unsummed)
  return archive.members.map((member) => {
    const position = member.isEncrypted ? undefined : archive.storedAt(member)
    const sum =
      position === undefined
        ? (member.crc32 ?? sums.get(member))
        : storedChecksum(archive.file, { ...member, dataOffset: position })
    return { name: member.name, size: member.size, crc32: sum ?? 0 }
  })
}
