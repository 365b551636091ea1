import { crc32 } from 'node:zlib'
import { rarFixture } from './fixtures/fixtures.ts'

/** RAR archives of stored members, right ones and, for whoever asks, wrong ones. */
export interface RarMember {
  readonly name: string
  /** The bytes are as they stand in the archive: stored, unless `method` says otherwise. */
  readonly bytes?: Buffer
  readonly kind?: 'file' | 'folder' | 'link' | 'device'
  /** The member is part of the solid stream: it needs what comes before it. */
  readonly isSolid?: boolean
  readonly isEncrypted?: boolean
  readonly isSplit?: boolean
  /** 0 stores, 1 to 5 pack. */
  readonly method?: number
  /** 128 KiB and as many times its double; of RAR 5 only. */
  readonly dictionary?: number
  /** The header states this size, whatever is true. */
  readonly size?: number
  readonly packedSize?: number
  readonly checksum?: number | undefined
  /** RAR 5 may leave it out. */
  readonly hasChecksum?: boolean
}

export interface RarOptions {
  readonly isSolid?: boolean
  readonly isVolume?: boolean
  readonly hasEncryptedHeaders?: boolean
  /** A program that unpacks itself, for one. */
  readonly prefix?: Buffer
  /** Raw blocks between the main header and the members. */
  readonly blocks?: readonly Buffer[]
  readonly hasEnd?: boolean
}

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value & 0xffff)
  return bytes
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const sizesOf = (member: RarMember): { bytes: Buffer; size: number; packedSize: number; checksum: number } => {
  const bytes = member.bytes ?? Buffer.alloc(0)
  return {
    bytes,
    size: member.size ?? bytes.length,
    packedSize: member.packedSize ?? bytes.length,
    checksum: member.checksum ?? crc32(bytes),
  }
}

/** A block of RAR 4 with its checksum: type, flags, and what comes after the seven bytes that each begins with. */
export const rar4Block = (type: number, flags: number, fields: Buffer = Buffer.alloc(0)): Buffer => {
  const rest = Buffer.concat([Buffer.from([type]), uint16(flags), uint16(7 + fields.length), fields])
  return Buffer.concat([uint16(crc32(rest)), rest])
}

const rar4Modes = { file: 0o100644, folder: 0o040755, link: 0o120777, device: 0o020666 } as const

const rar4File = (member: RarMember): Buffer => {
  const { bytes, size, packedSize, checksum } = sizesOf(member)
  const kind = member.kind ?? 'file'
  const name = Buffer.from(member.name)
  const isLarge = size > 0xffffffff || packedSize > 0xffffffff
  const flags =
    0x8000 |
    (member.isSplit ? 0x02 : 0) |
    (member.isEncrypted ? 0x04 : 0) |
    (member.isSolid ? 0x10 : 0) |
    (isLarge ? 0x100 : 0) |
    (name.length === member.name.length ? 0 : 0x200) |
    (kind === 'folder' ? 0xe0 : 0)
  const fields = Buffer.concat([
    uint32(packedSize % 2 ** 32),
    uint32(size % 2 ** 32),
    Buffer.from([3]),
    uint32(checksum),
    uint32(0x4a_21_00_00),
    Buffer.from([29, 0x30 + (member.method ?? 0)]),
    uint16(name.length),
    uint32(rar4Modes[kind]),
    ...(isLarge ? [uint32(packedSize / 2 ** 32), uint32(size / 2 ** 32)] : []),
    name,
  ])
  return Buffer.concat([rar4Block(0x74, flags, fields), bytes])
}

export const rar4Archive = (members: readonly RarMember[], options: RarOptions = {}): Buffer => {
  const flags = (options.isVolume ? 0x01 : 0) | (options.isSolid ? 0x08 : 0) | (options.hasEncryptedHeaders ? 0x80 : 0)
  return Buffer.concat([
    options.prefix ?? Buffer.alloc(0),
    Buffer.from('526172211a0700', 'hex'),
    rar4Block(0x73, flags, Buffer.alloc(6)),
    ...(options.blocks ?? []),
    ...members.map(rar4File),
    options.hasEnd === false ? Buffer.alloc(0) : rar4Block(0x7b, 0x4000),
  ])
}

/** Seven bits a byte, the lowest first. */
const rar5Number = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}

/** A block of RAR 5 with its size and checksum; the fields begin with its type. */
export const rar5Block = (...fields: readonly (Buffer | number)[]): Buffer => {
  const rest = Buffer.concat(fields.map((field) => (typeof field === 'number' ? rar5Number(field) : field)))
  const header = Buffer.concat([rar5Number(rest.length), rest])
  return Buffer.concat([uint32(crc32(header)), header])
}

const rar5Record = (type: number, data: Buffer): Buffer =>
  Buffer.concat([rar5Number(data.length + rar5Number(type).length), rar5Number(type), data])

const rar5Modes = { file: 0o100644, folder: 0o040755, link: 0o120777, device: 0o020666 } as const

const rar5File = (member: RarMember): Buffer => {
  const { bytes, size, packedSize, checksum } = sizesOf(member)
  const kind = member.kind ?? 'file'
  const name = Buffer.from(member.name)
  const target = Buffer.from('/etc/passwd')
  const extra = Buffer.concat([
    member.isEncrypted ? rar5Record(1, Buffer.alloc(35)) : Buffer.alloc(0),
    kind === 'link'
      ? rar5Record(5, Buffer.concat([rar5Number(1), rar5Number(0), rar5Number(target.length), target]))
      : Buffer.alloc(0),
  ])
  const hasChecksum = member.hasChecksum !== false && kind !== 'folder'
  const header = rar5Block(
    2,
    0x02 | (extra.length > 0 ? 0x01 : 0) | (member.isSplit ? 0x10 : 0),
    ...(extra.length > 0 ? [extra.length] : []),
    packedSize,
    (kind === 'folder' ? 0x01 : 0) | (hasChecksum ? 0x04 : 0),
    size,
    rar5Modes[kind],
    ...(hasChecksum ? [uint32(checksum)] : []),
    (member.isSolid ? 0x40 : 0) | ((member.method ?? 0) << 7) | ((member.dictionary ?? 0) << 10),
    1,
    name.length,
    name,
    extra,
  )
  return Buffer.concat([header, bytes])
}

export const rar5Archive = (members: readonly RarMember[], options: RarOptions = {}): Buffer => {
  const flags = (options.isVolume ? 0x01 : 0) | (options.isSolid ? 0x04 : 0)
  return Buffer.concat([
    options.prefix ?? Buffer.alloc(0),
    Buffer.from('526172211a070100', 'hex'),
    ...(options.hasEncryptedHeaders ? [rar5Block(4, 0, 0, 0, Buffer.from([15]), Buffer.alloc(16))] : []),
    rar5Block(1, 0, flags),
    ...(options.blocks ?? []),
    ...members.map(rar5File),
    options.hasEnd === false ? Buffer.alloc(0) : rar5Block(5, 0, 0),
  ])
}

/** A member that RAR itself has packed, under another name: nothing but RAR may make one. */
export const packedRar4Member = (name: string): RarMember & { readonly unpacked: Buffer } => {
  const archive = rarFixture('rar4-compressed')
  const dataOffset = 75
  return {
    name,
    bytes: archive.subarray(dataOffset, dataOffset + 48),
    method: 3,
    size: 40,
    checksum: archive.readUInt32LE(20 + 16),
    unpacked: Buffer.from('hello the world!\nSample file to archive\n'),
  }
}
