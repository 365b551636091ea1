/** What stands in a ZIP beside the bytes of its members. Names are UTF-8; size and checksum follow what they are about. */
export interface ZipMember {
  readonly name: string
  readonly method: 'stored' | 'deflated'
  /** Absent: the first day of 1980. */
  readonly modifiedAt?: Date
  /** With numbers of 64 bits; also where its size is not known yet. */
  readonly isLong: boolean
  /** Its size and checksum stand before it, since they are known; else a descriptor follows it. */
  readonly measured?: Measured
}

interface Measured {
  readonly size: number
  readonly packedSize: number
  readonly crc32: number
}

export interface WrittenMember extends ZipMember {
  readonly size: number
  readonly packedSize: number
  readonly crc32: number
  /** Its local header begins here. */
  readonly offset: number
}

const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 }
const signatures64 = { end: 0x06064b50, locator: 0x07064b50 }
/** This and more does not fit into a field of 32 bits. */
export const full32 = 0xffffffff
const full16 = 0xffff
const [utf8Flag, descriptorFlag] = [0x800, 8]
const methods = { stored: 0, deflated: 8 }
const [version, version64] = [20, 45]

const flagsOf = ({ measured }: ZipMember): number => utf8Flag | (measured ? 0 : descriptorFlag)

export const localHeader = (member: ZipMember): Buffer => {
  const { name, method, modifiedAt, isLong, measured } = member
  const { size, packedSize, crc32 } = measured ?? { size: 0, packedSize: 0, crc32: 0 }
  const extra = extraField(isLong ? [size, packedSize] : [])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(signatures.local, 0)
  head.writeUInt16LE(isLong ? version64 : version, 4)
  head.writeUInt16LE(flagsOf(member), 6)
  head.writeUInt16LE(methods[method], 8)
  head.writeUInt32LE(dosTime(modifiedAt), 10)
  head.writeUInt32LE(crc32, 14)
  head.writeUInt32LE(isLong ? full32 : packedSize, 18)
  head.writeUInt32LE(isLong ? full32 : size, 22)
  head.writeUInt16LE(Buffer.byteLength(name), 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, Buffer.from(name), extra])
}

export const descriptorOf = ({
  size,
  packedSize,
  crc32,
  isLong,
}: Pick<WrittenMember, 'size' | 'packedSize' | 'crc32' | 'isLong'>): Buffer => {
  const descriptor = Buffer.alloc(isLong ? 24 : 16)
  descriptor.writeUInt32LE(signatures.descriptor, 0)
  descriptor.writeUInt32LE(crc32, 4)
  if (isLong) {
    descriptor.writeBigUInt64LE(BigInt(packedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(packedSize, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

export const centralHeader = (member: WrittenMember): Buffer => {
  const { name, method, modifiedAt, isLong, size, packedSize, crc32, offset } = member
  const isFar = offset >= full32
  const extra = extraField([...(isLong ? [size, packedSize] : []), ...(isFar ? [offset] : [])])
  const head = Buffer.alloc(46)
  head.writeUInt32LE(signatures.central, 0)
  head.writeUInt16LE(version64, 4)
  head.writeUInt16LE(extra.length > 0 ? version64 : version, 6)
  head.writeUInt16LE(flagsOf(member), 8)
  head.writeUInt16LE(methods[method], 10)
  head.writeUInt32LE(dosTime(modifiedAt), 12)
  head.writeUInt32LE(crc32, 16)
  head.writeUInt32LE(isLong ? full32 : packedSize, 20)
  head.writeUInt32LE(isLong ? full32 : size, 24)
  head.writeUInt16LE(Buffer.byteLength(name), 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(isFar ? full32 : offset, 42)
  return Buffer.concat([head, Buffer.from(name), extra])
}

interface Directory {
  readonly count: number
  /** It begins here. */
  readonly offset: number
  readonly size: number
  /** A comment of that length follows. */
  readonly commentLength?: number
}

export const isLongDirectory = ({ count, offset, size }: Directory): boolean =>
  count >= full16 || offset >= full32 || size >= full32

export const endOfDirectory = (directory: Directory): Buffer => {
  const { count, offset, size, commentLength = 0 } = directory
  const end = Buffer.alloc(22)
  end.writeUInt32LE(signatures.end, 0)
  end.writeUInt16LE(Math.min(count, full16), 8)
  end.writeUInt16LE(Math.min(count, full16), 10)
  end.writeUInt32LE(Math.min(size, full32), 12)
  end.writeUInt32LE(Math.min(offset, full32), 16)
  end.writeUInt16LE(commentLength, 20)
  return isLongDirectory(directory) ? Buffer.concat([longEnd(directory), end]) : end
}

const longEnd = ({ count, offset, size }: Directory): Buffer => {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(signatures64.end, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(version64, 12)
  end.writeUInt16LE(version64, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(signatures64.locator, 56)
  end.writeBigUInt64LE(BigInt(offset + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}

const extraField = (values: readonly number[]): Buffer => {
  if (values.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return field
}

/** A DOS time counts steps of two seconds since 1980, in no time zone. */
const dosTime = (time = new Date(Date.UTC(1980, 0))): number => {
  const year = Math.min(127, Math.max(0, time.getUTCFullYear() - 1980))
  const date = (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
