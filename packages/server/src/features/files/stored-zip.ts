import { crc32 } from 'node:zlib'

export interface SizedItem {
  readonly name: string
  readonly size: number
}

/** It goes into a ZIP as it is. */
export interface ZipItem extends SizedItem {
  readonly modifiedAt: Date
  open(): AsyncIterable<Buffer>
}

const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 }
const signatures64 = { end: 0x06064b50, locator: 0x07064b50 }
const full32 = 0xffffffff
const full16 = 0xffff
/** Names are UTF-8; size and checksum follow what they are about. */
const flags = 0x808
const zip64Version = 45

/** It computes the size of the ZIP before any of its items is read. */
export const storedZipSize = (items: readonly SizedItem[]): number => {
  let offset = 0
  let directory = 0
  for (const { name, size } of items) {
    const nameBytes = Buffer.byteLength(name)
    const isLong = size >= full32
    const longFields = (isLong ? 2 : 0) + (offset >= full32 ? 1 : 0)
    directory += 46 + nameBytes + (longFields === 0 ? 0 : 4 + 8 * longFields)
    offset += 30 + nameBytes + (isLong ? 20 : 0) + size + descriptorSize(size)
  }
  const needs64 = items.length >= full16 || offset >= full32 || directory >= full32
  return offset + directory + (needs64 ? 76 : 0) + 22
}

interface Written {
  readonly item: ZipItem
  readonly offset: number
  readonly crc32: number
}

/** The checksums of items by their place, as far as they are known. */
export type Checksums = Map<number, number>

interface Part {
  readonly from: number
  readonly to: number
  /** Computed checksums are stored there, so that nothing is read twice for another part. */
  readonly sums: Checksums
}

/**
 * Nothing is compressed and nothing is held: bytes are passed on as they are read. For a part of the ZIP no item
 * outside of it is read, except for its checksum, which the directory at the end needs. It fails when an item is not as
 * long as stated.
 */
export async function* storedZip(
  items: readonly ZipItem[],
  part: Part = { from: 0, to: Infinity, sums: new Map() },
): AsyncGenerator<Buffer> {
  const { from, to, sums } = part
  const offsets: number[] = []
  let offset = 0
  for (const [place, item] of items.entries()) {
    offsets.push(offset)
    const head = localHeader(item)
    yield* within(head, offset, part)
    offset += head.length
    if (offset < to && offset + item.size > from) yield* itemWithin(item, offset, { ...part, place })
    offset += item.size
    const length = descriptorSize(item.size)
    if (offset < to && offset + length > from)
      yield* within(descriptorOf(item.size, await sumOf(item, place, sums)), offset, part)
    offset += length
  }
  if (to <= offset) return
  const written: Written[] = []
  for (const [place, item] of items.entries())
    written.push({ item, offset: offsets[place] ?? 0, crc32: await sumOf(item, place, sums) })
  const directory = written.map(centralHeader)
  const directorySize = directory.reduce((total, { length }) => total + length, 0)
  const end = [...directory, ending(written.length, directorySize, offset)]
  for (const record of end) {
    yield* within(record, offset, part)
    offset += record.length
  }
}

/** It returns the share of these bytes, which begin at `offset`, that belongs to the part. */
function* within(bytes: Buffer, offset: number, { from, to }: Pick<Part, 'from' | 'to'>): Generator<Buffer> {
  const begin = Math.max(0, from - offset)
  const end = Math.min(bytes.length, to - offset)
  if (begin < end) yield bytes.subarray(begin, end)
}

async function* itemWithin(
  item: ZipItem,
  offset: number,
  { place, sums, ...part }: Part & { readonly place: number },
): AsyncGenerator<Buffer> {
  let sum = 0
  let length = 0
  for await (const chunk of item.open()) {
    sum = crc32(chunk, sum)
    yield* within(chunk, offset + length, part)
    length += chunk.length
    if (offset + length >= part.to && length < item.size) return
  }
  requireLength(item, length)
  sums.set(place, sum)
}

const sumOf = async (item: ZipItem, place: number, sums: Checksums): Promise<number> => {
  const known = sums.get(place)
  if (known !== undefined) return known
  let sum = 0
  let length = 0
  for await (const chunk of item.open()) {
    sum = crc32(chunk, sum)
    length += chunk.length
  }
  requireLength(item, length)
  sums.set(place, sum)
  return sum
}

const requireLength = ({ size }: ZipItem, length: number): void => {
  if (length !== size) throw new Error('A file is not as long as it was')
}

const localHeader = ({ name, size, modifiedAt }: ZipItem): Buffer => {
  const nameBytes = Buffer.from(name)
  const isLong = size >= full32
  const extra = isLong ? extraField([0, 0]) : Buffer.alloc(0)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(signatures.local, 0)
  head.writeUInt16LE(isLong ? zip64Version : 20, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt32LE(dosTime(modifiedAt), 10)
  head.writeUInt32LE(isLong ? full32 : 0, 18)
  head.writeUInt32LE(isLong ? full32 : 0, 22)
  head.writeUInt16LE(nameBytes.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, nameBytes, extra])
}

const descriptorSize = (size: number): number => (size >= full32 ? 24 : 16)

const descriptorOf = (size: number, sum: number): Buffer => {
  const isLong = size >= full32
  const descriptor = Buffer.alloc(descriptorSize(size))
  descriptor.writeUInt32LE(signatures.descriptor, 0)
  descriptor.writeUInt32LE(sum, 4)
  if (isLong) {
    descriptor.writeBigUInt64LE(BigInt(size), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(size, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

const centralHeader = ({ item: { name, size, modifiedAt }, offset, crc32: sum }: Written): Buffer => {
  const nameBytes = Buffer.from(name)
  const long = [...(size >= full32 ? [size, size] : []), ...(offset >= full32 ? [offset] : [])]
  const extra = long.length === 0 ? Buffer.alloc(0) : extraField(long)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(signatures.central, 0)
  head.writeUInt16LE(zip64Version, 4)
  head.writeUInt16LE(long.length > 0 ? zip64Version : 20, 6)
  head.writeUInt16LE(flags, 8)
  head.writeUInt32LE(dosTime(modifiedAt), 12)
  head.writeUInt32LE(sum, 16)
  head.writeUInt32LE(Math.min(size, full32), 20)
  head.writeUInt32LE(Math.min(size, full32), 24)
  head.writeUInt16LE(nameBytes.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(Math.min(offset, full32), 42)
  return Buffer.concat([head, nameBytes, extra])
}

const extraField = (values: readonly number[]): Buffer => {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * values.length, 2)
  values.forEach((value, index) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * index))
  return field
}

const ending = (count: number, directorySize: number, offset: number): Buffer => {
  const needs64 = count >= full16 || offset >= full32 || directorySize >= full32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(signatures.end, 0)
  end.writeUInt16LE(Math.min(count, full16), 8)
  end.writeUInt16LE(Math.min(count, full16), 10)
  end.writeUInt32LE(Math.min(directorySize, full32), 12)
  end.writeUInt32LE(Math.min(offset, full32), 16)
  return needs64 ? Buffer.concat([ending64(count, directorySize, offset), end]) : end
}

const ending64 = (count: number, directorySize: number, offset: number): Buffer => {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(signatures64.end, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(zip64Version, 12)
  end.writeUInt16LE(zip64Version, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(directorySize), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(signatures64.locator, 56)
  end.writeBigUInt64LE(BigInt(offset + directorySize), 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** A DOS time counts steps of two seconds since 1980, in no time zone. */
const dosTime = (time: Date): number => {
  const year = Math.min(127, Math.max(0, time.getUTCFullYear() - 1980))
  const date = (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return ((date << 16) | clock) >>> 0
}
