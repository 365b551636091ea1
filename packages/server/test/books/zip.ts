import { crc32, deflateRawSync } from 'node:zlib'

/** A member as it should stand in the archive, lies included. */
export interface ZipMember {
  /** Bytes for names that are not UTF-8. */
  readonly name: string | Buffer
  readonly bytes?: Buffer
  readonly method?: 'stored' | 'deflated' | number
  /** Its numbers are long ones. */
  readonly isZip64?: boolean
  /** Its size and checksum come after it. */
  readonly hasDescriptor?: boolean
  readonly flags?: number
  readonly extra?: Buffer
  readonly localExtra?: Buffer
  readonly localName?: Buffer
  /** It is a Unix mode: the type of the member and its permissions. */
  readonly mode?: number
  /** The directory states these instead of the truth. */
  readonly says?: Partial<Numbers>
}

interface Numbers {
  readonly crc32: number
  readonly storedSize: number
  readonly size: number
  readonly headerOffset: number
}

export interface ZipOptions {
  readonly comment?: Buffer
  readonly prefix?: Buffer
  /** The positions in the directory include the prefix. */
  readonly countsPrefix?: boolean
  readonly isZip64?: boolean
  readonly after?: Buffer
  /** The directory names the last member first. */
  readonly isBackwards?: boolean
  readonly says?: { readonly entryCount?: number; readonly directorySize?: number; readonly directoryOffset?: number }
}

const utf8Flag = 0x800
const descriptorFlag = 8
const full = 0xffffffff

export const zip = (members: readonly ZipMember[], options: ZipOptions = {}): Buffer => {
  const { prefix = Buffer.alloc(0), countsPrefix = true, says = {} } = options
  const parts: Buffer[] = []
  const headers: Buffer[] = []
  let offset = countsPrefix ? prefix.length : 0
  for (const member of members) {
    const { local, central } = packMember(member, offset)
    parts.push(local)
    headers.push(central)
    offset += local.length
  }
  const directory = Buffer.concat(options.isBackwards === true ? headers.toReversed() : headers)
  const end = {
    entryCount: says.entryCount ?? members.length,
    directorySize: says.directorySize ?? directory.length,
    directoryOffset: says.directoryOffset ?? offset,
    position: offset + directory.length,
  }
  return Buffer.concat([prefix, ...parts, directory, endRecords(end, options), options.after ?? Buffer.alloc(0)])
}

const packMember = (member: ZipMember, offset: number): { local: Buffer; central: Buffer } => {
  const { name, bytes = Buffer.alloc(0), method = 'deflated', isZip64 = false, hasDescriptor = false } = member
  const packed = method === 'deflated' ? deflateRawSync(bytes, { level: 6 }) : bytes
  const numbers = { crc32: crc32(bytes), storedSize: packed.length, size: bytes.length, headerOffset: offset }
  const rawName = Buffer.from(name)
  const flags =
    (member.flags ?? (typeof name === 'string' && rawName.length !== name.length ? utf8Flag : 0)) |
    (hasDescriptor ? descriptorFlag : 0)
  const code = typeof method === 'number' ? method : { stored: 0, deflated: 8 }[method]
  const common = { code, flags, isZip64 }
  const local = localHeader(hasDescriptor ? { ...numbers, crc32: 0, storedSize: 0, size: 0 } : numbers, {
    ...common,
    name: member.localName ?? rawName,
    extra: member.localExtra ?? Buffer.alloc(0),
  })
  return {
    local: Buffer.concat([local, packed, hasDescriptor ? descriptor(numbers, isZip64) : Buffer.alloc(0)]),
    central: centralHeader(
      { ...numbers, ...member.says },
      {
        ...common,
        name: rawName,
        extra: member.extra ?? Buffer.alloc(0),
        mode: member.mode,
      },
    ),
  }
}

interface HeaderParts {
  readonly code: number
  readonly flags: number
  readonly isZip64: boolean
  readonly name: Buffer
  readonly extra: Buffer
  readonly mode?: number | undefined
}

const localHeader = (numbers: Numbers, { code, flags, isZip64, name, extra }: HeaderParts): Buffer => {
  const long = isZip64 ? longField([numbers.size, numbers.storedSize]) : Buffer.alloc(0)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(isZip64 ? 45 : 20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(code, 8)
  header.writeUInt32LE(numbers.crc32, 14)
  header.writeUInt32LE(isZip64 ? full : numbers.storedSize, 18)
  header.writeUInt32LE(isZip64 ? full : numbers.size, 22)
  header.writeUInt16LE(name.length, 26)
  header.writeUInt16LE(long.length + extra.length, 28)
  return Buffer.concat([header, name, long, extra])
}

const centralHeader = (numbers: Numbers, { code, flags, isZip64, name, extra, mode }: HeaderParts): Buffer => {
  const { crc32: sum, size, storedSize, headerOffset } = numbers
  const long = isZip64 ? longField([size, storedSize, headerOffset]) : Buffer.alloc(0)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE((mode === undefined ? 0 : 0x0300) | 20, 4)
  header.writeUInt16LE(isZip64 ? 45 : 20, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(code, 10)
  header.writeUInt32LE(sum, 16)
  header.writeUInt32LE(isZip64 ? full : storedSize, 20)
  header.writeUInt32LE(isZip64 ? full : size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(long.length + extra.length, 30)
  header.writeUInt32LE(mode === undefined ? 0 : (mode << 16) >>> 0, 38)
  header.writeUInt32LE(isZip64 ? full : headerOffset, 42)
  return Buffer.concat([header, name, long, extra])
}

const longField = (values: readonly number[]): Buffer => {
  const field = Buffer.alloc(4 + values.length * 8)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return field
}

/** An extra field as it stands in a header. */
const extraField = (id: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** Info-ZIP's way to say a name in UTF-8 beside one that is not. */
export const unicodePathField = (rawName: Buffer, name: string): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt8(1, 0)
  head.writeUInt32LE(crc32(rawName), 1)
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]))
}

const descriptor = ({ crc32: sum, storedSize, size }: Numbers, isZip64: boolean): Buffer => {
  const bytes = Buffer.alloc(isZip64 ? 24 : 16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(sum, 4)
  if (isZip64) {
    bytes.writeBigUInt64LE(BigInt(storedSize), 8)
    bytes.writeBigUInt64LE(BigInt(size), 16)
  } else {
    bytes.writeUInt32LE(storedSize, 8)
    bytes.writeUInt32LE(size, 12)
  }
  return bytes
}

interface End {
  readonly entryCount: number
  readonly directorySize: number
  readonly directoryOffset: number
  readonly position: number
}

const endRecords = (end: End, { comment = Buffer.alloc(0), isZip64 = false }: ZipOptions): Buffer => {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(isZip64 ? 0xffff : end.entryCount, 8)
  record.writeUInt16LE(isZip64 ? 0xffff : end.entryCount, 10)
  record.writeUInt32LE(isZip64 ? full : end.directorySize, 12)
  record.writeUInt32LE(isZip64 ? full : end.directoryOffset, 16)
  record.writeUInt16LE(comment.length, 20)
  return Buffer.concat([isZip64 ? longEnd(end) : Buffer.alloc(0), record, comment])
}

const longEnd = ({ entryCount, directorySize, directoryOffset, position }: End): Buffer => {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(entryCount), 24)
  record.writeBigUInt64LE(BigInt(entryCount), 32)
  record.writeBigUInt64LE(BigInt(directorySize), 40)
  record.writeBigUInt64LE(BigInt(directoryOffset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(position), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** A file in memory, as the readers of archives take it; it counts what is read. */
export const memoryFile = (bytes: Buffer) => {
  const counted = { reads: 0, bytes: 0 }
  return {
    size: bytes.length,
    counted,
    read: (position: number, length: number): Buffer => {
      const part = bytes.subarray(Math.max(0, position), Math.max(0, position + length))
      counted.reads += 1
      counted.bytes += part.length
      return part
    },
  }
}
