import { crc32 } from 'node:zlib'
import {
  centralHeader,
  descriptorOf,
  endOfDirectory,
  full32,
  isLongDirectory,
  localHeader,
  type ZipMember,
} from '../../formats/archive/zip-records.ts'

export interface SizedItem {
  readonly name: string
  readonly size: number
}

/** It goes into a ZIP as it is. */
export interface ZipItem extends SizedItem {
  readonly modifiedAt: Date
  open(): AsyncIterable<Buffer>
}

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
  const isLong = isLongDirectory({ count: items.length, offset, size: directory })
  return offset + directory + (isLong ? 76 : 0) + 22
}

/** The checksums of items by their index, as far as they are known. */
export type Checksums = Map<number, number>

interface Part {
  readonly from: number
  readonly to: number
  /** Computed checksums are stored there, so that nothing is read twice for another part. */
  readonly sums: Checksums
}

interface Listed {
  readonly offset: number
  /** It says what the directory must know; of an item outside of the part it is read for that. */
  readonly measure: () => ReturnType<typeof sized>
}

/**
 * Nothing is compressed and nothing is held: bytes are passed on as they are read. For a part of the ZIP no item
 * outside of it is read, except for its checksum, which the directory at the end needs. It fails when an item is not as
 * long as stated. Items may be made on the way: none is held once it is sent.
 */
export async function* storedZip(
  items: Iterable<ZipItem> | AsyncIterable<ZipItem>,
  part: Part = { from: 0, to: Infinity, sums: new Map() },
): AsyncGenerator<Buffer> {
  const { from, to, sums } = part
  const listed: Listed[] = []
  let offset = 0
  for await (const item of items) {
    const index = listed.length
    const begin = offset
    const head = localHeader(memberOf(item))
    yield* within(head, offset, part)
    offset += head.length
    if (offset < to && offset + item.size > from) yield* itemWithin(item, offset, { ...part, index })
    offset += item.size
    const length = descriptorSize(item.size)
    if (offset < to && offset + length > from) yield* within(descriptorOf(await sized(item, index, sums)), offset, part)
    offset += length
    listed.push({ offset: begin, measure: await measureLater(item, index, sums) })
  }
  if (to <= offset) return
  const directory: Buffer[] = []
  for (const each of listed) directory.push(centralHeader({ ...(await each.measure()), offset: each.offset }))
  const size = directory.reduce((total, { length }) => total + length, 0)
  const end = [...directory, endOfDirectory({ count: listed.length, offset, size })]
  for (const record of end) {
    yield* within(record, offset, part)
    offset += record.length
  }
}

const measureLater = async (item: ZipItem, index: number, sums: Checksums): Promise<Listed['measure']> => {
  if (!sums.has(index)) return () => sized(item, index, sums)
  const measured = await sized(item, index, sums)
  return () => Promise.resolve(measured)
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
  { index, sums, ...part }: Part & { readonly index: number },
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
  sums.set(index, sum)
}

const sized = async (item: ZipItem, index: number, sums: Checksums) => ({
  ...memberOf(item),
  size: item.size,
  packedSize: item.size,
  crc32: await sumOf(item, index, sums),
})

const sumOf = async (item: ZipItem, index: number, sums: Checksums): Promise<number> => {
  const cached = sums.get(index)
  if (cached !== undefined) return cached
  let sum = 0
  let length = 0
  for await (const chunk of item.open()) {
    sum = crc32(chunk, sum)
    length += chunk.length
  }
  requireLength(item, length)
  sums.set(index, sum)
  return sum
}

const requireLength = ({ size }: ZipItem, length: number): void => {
  if (length !== size) throw new Error('A file is not as long as it was')
}

const memberOf = ({ name, size, modifiedAt }: ZipItem): ZipMember => ({
  name,
  method: 'stored',
  modifiedAt,
  isLong: size >= full32,
})

const descriptorSize = (size: number): number => (size >= full32 ? 24 : 16)
