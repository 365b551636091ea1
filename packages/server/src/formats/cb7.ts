import type { ByteSource } from './archive/byte-source.ts'
import { refuseBomb, safeMembers } from './archive/safe-members.ts'
import {
  isSevenZip,
  largestDictionary,
  listSevenZip,
  unpack,
  type MemberReceiver,
  type SevenZipMember,
} from './archive/seven-zip.ts'
import { BookFault, type BookFormat, type OpenBook, type OpenResources } from './book-format.ts'
import { openBookFile, type BookFile } from './open-file.ts'
import { openPackedBook } from './packed-book.ts'

/** A 7z of pictures. */
export const cb7: BookFormat = {
  name: 'cb7',
  detect: (candidate) => !candidate.isFolder && isSevenZip(candidate.head),
  open: (candidate, resources) => openBookFile(candidate.path, (file) => openCb7(file, resources)),
}

const openCb7 = async ({ source, close }: BookFile, { cache }: OpenResources): Promise<OpenBook> => {
  const files = (await listSevenZip(source)).filter(({ isFolder }) => !isFolder)
  const { entries, warnings } = safeMembers(files)
  const totalBytes = files.reduce((total, { size }) => total + size, 0)
  refuseBomb(source.size, totalBytes)
  if (files.some(({ dictionaryBytes }) => dictionaryBytes > largestDictionary)) {
    throw new BookFault('limit', 'The archive needs too much memory to unpack')
  }
  const blocks = countBlocks(files)
  return openPackedBook<SevenZipMember>({
    format: 'cb7',
    file: source,
    cache,
    members: entries,
    warnings,
    isSolid: ({ block }) => (blocks.get(block) ?? 0) > 1,
    storedAt: () => undefined,
    unpack: (members, receive) => unpackSevenZip(source, totalBytes, { members, receive }),
    close,
  })
}

const countBlocks = (files: readonly SevenZipMember[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { block } of files) counts.set(block, (counts.get(block) ?? 0) + 1)
  return counts
}

/** One by its name; several by going through all of it. */
const unpackSevenZip = (
  source: ByteSource,
  totalBytes: number,
  { members, receive }: { members: readonly SevenZipMember[]; receive: () => MemberReceiver },
): Promise<void> => {
  const [only] = members
  const name = members.length === 1 && only ? { name: only.name } : {}
  return unpack({ source, type: '7z', expected: members, totalBytes, ...name }, receive)
}
