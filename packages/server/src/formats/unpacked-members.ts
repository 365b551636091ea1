import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { MemberReceiver } from './archive/seven-zip.ts'
import { BookFault, type UnpackCache } from './book-format.ts'

export interface PackedMember {
  readonly size: number
  readonly crc32: number | undefined
}

/** Members that stand packed in their archive. */
export interface PackedMembers<Member extends PackedMember> {
  readonly cache: UnpackCache
  /** The cache recognises these members by this key. */
  readonly key: () => string
  /** These members will be read, in the order of the archive. */
  readonly members: readonly Member[]
  readonly unpack: (members: readonly Member[], receive: () => MemberReceiver) => Promise<void>
}

export interface UnpackedBook<Member extends PackedMember> {
  readonly has: (member: Member) => boolean
  /** The first bytes of a member. */
  readonly read: (member: Member, length: number) => Promise<Buffer>
}

/** The book unpacked as a whole: when it is first asked for, or by whoever needed it before. */
export const unpackedBook = <Member extends PackedMember>(packed: PackedMembers<Member>): UnpackedBook<Member> => {
  const names = new Map(packed.members.map((member, index) => [member, fileName(index)]))
  let fault: BookFault | undefined
  const folder = async (): Promise<string> => {
    // A failed member would fail again for each page.
    if (fault) throw fault
    try {
      return await packed.cache.folderFor(packed.key(), (folder) => unpackInto(folder, packed))
    } catch (error) {
      if (error instanceof BookFault) fault = error
      throw error
    }
  }
  return {
    has: (member) => names.has(member),
    read: async (member, length) => {
      const name = names.get(member)
      if (name === undefined) throw new Error('Not among the members that are unpacked')
      return readFileHead(join(await folder(), name), Math.min(length, member.size))
    },
  }
}

/** A member by itself, without the others and without a disk. */
export const unpackOne = async <Member extends PackedMember>(
  { unpack }: Pick<PackedMembers<Member>, 'unpack'>,
  member: Member,
): Promise<Buffer> => {
  let bytes: Buffer | undefined
  await unpack([member], () => {
    const chunks: Buffer[] = []
    return {
      write: (chunk) => chunks.push(Buffer.from(chunk)),
      end: (index) => {
        if (index === 0) bytes = Buffer.concat(chunks)
      },
    }
  })
  if (bytes === undefined) throw damagedMember()
  return bytes
}

/** The checksums of members whose archive does not state them. */
export const checksumsOf = async <Member extends PackedMember>(
  { unpack }: Pick<PackedMembers<Member>, 'unpack'>,
  members: readonly Member[],
): Promise<ReadonlyMap<Member, number>> => {
  const sums = new Map<Member, number>()
  await unpack(members, () => {
    let sum = 0
    return {
      write: (chunk) => {
        sum = crc32(chunk, sum)
      },
      end: (index) => {
        const member = index === undefined ? undefined : members[index]
        if (member) sums.set(member, sum)
      },
    }
  })
  return sums
}

const damagedMember = (): BookFault => new BookFault('damaged', 'A member of the archive cannot be unpacked')

/** Files are named by number: no member's name ever becomes the name of a file. */
const fileName = (index: number): string => String(index + 1).padStart(5, '0')
/** The marker takes the place of a member that could not be unpacked. */
const missing = '.missing'

const unpackInto = async <Member extends PackedMember>(
  folder: string,
  { members, unpack }: PackedMembers<Member>,
): Promise<void> => {
  const written = new Set<string>()
  const receivers: FileReceiver[] = []
  try {
    await unpack(members, () => {
      const receiver = fileReceiver(folder, written)
      receivers.push(receiver)
      return receiver
    })
    for (const index of members.keys()) {
      const name = fileName(index)
      if (!written.has(name)) writeFileSync(join(folder, name + missing), '')
    }
  } catch (error) {
    for (const receiver of receivers) receiver.abandon()
    for (const name of written) rmSync(join(folder, name), { force: true })
    throw error
  }
}

interface FileReceiver extends MemberReceiver {
  abandon(): void
}

const fileReceiver = (folder: string, written: Set<string>): FileReceiver => {
  const path = join(folder, 'unpacking')
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  return {
    write: (chunk) => {
      for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done)
    },
    end: (index) => {
      close()
      if (index === undefined) return rmSync(path, { force: true })
      renameSync(path, join(folder, fileName(index)))
      written.add(fileName(index))
    },
    abandon: () => {
      if (isOpen) rmSync(path, { force: true })
      close()
    },
  }
}

const readFileHead = (path: string, length: number): Buffer => {
  const fd = openUnpacked(path)
  try {
    const bytes = Buffer.allocUnsafe(Math.min(length, fstatSync(fd).size))
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(fd, bytes, filled, bytes.length - filled, filled)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(fd)
  }
}

const openUnpacked = (path: string): number => {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isThere(path + missing)) throw damagedMember()
    throw new BookFault('unreadable', 'The unpacked book is gone again', { cause: error })
  }
}

const isThere = (path: string): boolean => {
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW))
    return true
  } catch {
    return false
  }
}
