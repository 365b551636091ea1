import * as fc from 'fast-check'
import { fromBuffer } from 'yauzl'
import { expect, test } from 'vitest'
import { storedZip, storedZipSize, type ZipItem } from './stored-zip.ts'

const gather = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const item = (name: string, bytes: Buffer): ZipItem => ({
  name,
  size: bytes.length,
  modifiedAt: new Date('2026-11-21T10:00:00Z'),
  open: async function* () {
    yield bytes
  },
})

const entriesOf = (bytes: Buffer): Promise<{ name: string; size: number; crc32: number }[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, (error, archive) => {
      if (error) return reject(error)
      const members: { name: string; size: number; crc32: number }[] = []
      archive.on('entry', ({ fileName, uncompressedSize, crc32 }) =>
        members.push({ name: fileName, size: uncompressedSize, crc32 }),
      )
      archive.on('end', () => resolve(members))
      archive.on('error', reject)
      return undefined
    })
  })

test('a ZIP is as long as was said before, and others find in it what was put in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 20 }), async (contents) => {
      const items = contents.map((bytes, index) => item(`ü/${index} 本.cbz`, Buffer.from(bytes)))
      const bytes = await gather(storedZip(items))
      expect(bytes.length).toBe(storedZipSize(items))
      expect((await entriesOf(bytes)).map(({ name, size }) => ({ name, size }))).toEqual(
        items.map(({ name, size }) => ({ name, size })),
      )
    }),
  )
})

test('more items than the old form counts are counted in the long one', async () => {
  const items = Array.from({ length: 70_000 }, (_, index) => item(String(index), Buffer.alloc(0)))
  const bytes = await gather(storedZip(items))
  expect(bytes.length).toBe(storedZipSize(items))
  expect(await entriesOf(bytes)).toHaveLength(70_000)
})

/** Four gigabytes of nothing, of which only the headers are kept. */
const hugeItem = (name: string, size: number): ZipItem => ({
  ...item(name, Buffer.alloc(0)),
  size,
  open: async function* () {
    const chunk = Buffer.alloc(64 * 1024 * 1024)
    for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length))
  },
})

test('items beyond four gigabytes, and what comes after them, have long numbers', async () => {
  const items = [hugeItem('a', 0xffffffff + 10), item('b', Buffer.from('after'))]
  let length = 0
  let last = Buffer.alloc(0)
  for await (const chunk of storedZip(items)) {
    length += chunk.length
    if (chunk.length < 1000) last = Buffer.concat([last, chunk])
  }
  expect(length).toBe(storedZipSize(items))
  const position = last.indexOf(Buffer.from('504b0102', 'hex'))
  expect(last.readUInt32LE(position + 24)).toBe(0xffffffff)
  expect(last.readBigUInt64LE(position + 46 + 1 + 4)).toBe(BigInt(0xffffffff + 10))
})

test('an item that is not as long as it said ends the ZIP', async () => {
  const short = { ...item('a', Buffer.from('12345')), size: 6 }
  await expect(gather(storedZip([short]))).rejects.toThrow('not as long')
})
