import { existsSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesAsFile, mutants } from '../../../test/books/byte-source.ts'
import { rarFixture } from '../../../test/books/fixtures/fixtures.ts'
import { faultOfAsync as faultOf } from '../../../test/books/outcome.ts'
import { packedRar4Member, rar4Archive, rar5Archive } from '../../../test/books/rar.ts'
import { sevenZipArchive } from '../../../test/books/seven-zip.ts'
import { bookLimits } from '../limits.ts'
import { partOfRar, readRar } from './rar.ts'
import { isSevenZip, largestDictionary, listSevenZip, unpack, type Unpacking } from './seven-zip.ts'

const files = [
  { name: 'Band 1/001.jpg', bytes: Buffer.alloc(70_000, 'one ') },
  { name: 'Band 1/002 第二.jpg', bytes: Buffer.alloc(30_000, 'two ') },
  { name: 'notes*.txt', bytes: Buffer.from('three') },
]

/** It unpacks members, by the number of the expected member. */
const unpacked = async (unpacking: Unpacking): Promise<Map<number | undefined, Buffer>> => {
  const contents = new Map<number | undefined, Buffer>()
  await unpack(unpacking, () => {
    const chunks: Buffer[] = []
    return {
      write: (chunk) => chunks.push(Buffer.from(chunk)),
      end: (index) => contents.set(index, Buffer.concat(chunks)),
    }
  })
  return contents
}

const everything = async (bytes: Buffer): Promise<Unpacking> => {
  const source = bytesAsFile(bytes)
  const expected = await listSevenZip(source)
  return { source, type: '7z', expected, totalBytes: expected.reduce((total, { size }) => total + size, 0) }
}

for (const isSolid of [false, true]) {
  test(`LIB-3: 7z${isSolid ? ', solid' : ''}: members are listed with names, sizes and checksums, and unpack in order`, async () => {
    const bytes = await sevenZipArchive(files, { isSolid })
    const unpacking = await everything(bytes)
    const listed = await listSevenZip(bytesAsFile(bytes))
    const regular = listed.filter(({ isFolder }) => !isFolder)

    expect(isSevenZip(bytes)).toBe(true)
    expect(regular.map(({ name, size, crc32 }) => ({ name, size, crc32 }))).toEqual(
      files.map(({ name, bytes }) => ({ name, size: bytes.length, crc32: crc32(bytes) })),
    )
    expect(new Set(regular.map(({ block }) => block)).size).toBe(isSolid ? 1 : files.length)
    const contents = await unpacked({ ...unpacking, expected: regular })
    expect([...contents]).toEqual(files.map(({ bytes }, index) => [index, bytes]))
  })
}

test('7z: one member comes by its name, and only that name', async () => {
  const star = { name: '*', bytes: Buffer.from('a star') }
  const source = bytesAsFile(await sevenZipArchive([...files, star, { name: '@x', bytes: Buffer.from('at') }]))
  for (const [name, expected] of [
    ['*', star.bytes],
    ['@x', Buffer.from('at')],
    ['Band 1/002 第二.jpg', files[1]?.bytes ?? Buffer.alloc(0)],
  ] as const) {
    const member = { size: expected.length, crc32: crc32(expected) }
    const contents = await unpacked({ source, type: '7z', expected: [member], totalBytes: expected.length, name })
    expect([...contents.values()]).toEqual([expected])
  }
})

test('7z: passwords are told from damage', async () => {
  const hidden = await sevenZipArchive(files, { password: 'secret', hasEncryptedHeaders: true })
  const locked = await sevenZipArchive(files, { password: 'secret' })
  const members = await listSevenZip(bytesAsFile(locked))

  expect(await faultOf(() => listSevenZip(bytesAsFile(hidden)))).toBe('encrypted')
  expect(members.filter(({ isFolder }) => !isFolder).every(({ isEncrypted }) => isEncrypted)).toBe(true)
  expect(await faultOf(async () => unpacked(await everything(locked)))).toBe('encrypted')
})

test('7z: the size of a dictionary is known before anything is unpacked, and memory has an end (T-10)', async () => {
  const modest = await listSevenZip(bytesAsFile(await sevenZipArchive(files.slice(0, 1), { method: 'LZMA2:d24' })))
  expect(modest.find(({ isFolder }) => !isFolder)?.dictionaryBytes).toBeLessThanOrEqual(2 ** 24)
  const greedy = await sevenZipArchive([{ name: 'a', bytes: Buffer.alloc(100_000, 'x') }], { method: 'PPMd:mem20' })
  // The memory of PPMd is four bytes in the list, which stands uncompressed in an archive of one file.
  const position = greedy.lastIndexOf(Buffer.from([0x03, 0x04, 0x01, 0x05]))
  expect(position).toBeGreaterThan(0)
  expect((await listSevenZip(bytesAsFile(greedy)))[0]?.dictionaryBytes).toBe(2 ** 20)
  const changed = Buffer.from(greedy)
  changed.writeUInt32LE(1024 ** 3, position + 5)
  refreshChecksums(changed)
  expect((await listSevenZip(bytesAsFile(changed)))[0]?.dictionaryBytes).toBeGreaterThan(largestDictionary)
  expect(await faultOf(async () => unpacked(await everything(changed)))).toBe('limit')
})

/** It renews the checksums of the list, and of the header that says where the list is. */
const refreshChecksums = (bytes: Buffer): void => {
  const from = 32 + Number(bytes.readBigUInt64LE(12))
  bytes.writeUInt32LE(crc32(bytes.subarray(from, from + Number(bytes.readBigUInt64LE(20)))), 28)
  bytes.writeUInt32LE(crc32(bytes.subarray(12, 32)), 8)
}

test('7z: names that lead elsewhere and links leave no trace on any disk (T-02)', async () => {
  const bytes = await sevenZipArchive([{ name: 'up-up-pwned', bytes: Buffer.from('x') }], {
    method: 'Copy',
    links: [{ name: 'link', target: '/etc/passwd' }],
  })
  const members = await listSevenZip(bytesAsFile(bytes))
  expect(members.filter(({ isLink }) => isLink).map(({ name }) => name)).toEqual(['link'])
  const hostile = rar5Archive(
    ['../../pwned', '/pwned', 'C:\\pwned', 'a/../../pwned', '..', 'pwned. '].map((name) => ({
      name,
      bytes: Buffer.from(name),
    })),
  )
  const source = bytesAsFile(hostile)
  const archive = readRar(source, 0)
  const contents = await unpacked({
    source: partOfRar(source, archive, archive.entries),
    type: 'rar5',
    expected: archive.entries,
    totalBytes: 1000,
  })
  expect(contents.get(0)?.toString()).toBe('../../pwned')
  const traces = ['pwned', '../../pwned', '../pwned', '/pwned', '/unpacked', '/archive', 'C:\\pwned', 'C:', 'a', 'link']
  expect(traces.filter((path) => existsSync(path))).toEqual([])
})

test('RAR: packed members unpack, from an archive of a few of them too', async () => {
  const { unpacked: text, ...member } = packedRar4Member('002.txt')
  const bytes = rar4Archive([{ name: '001.txt', bytes: Buffer.from('stored') }, member])
  const source = bytesAsFile(bytes)
  const archive = readRar(source, 0)
  const packed = archive.entries.slice(1)
  const part = partOfRar(source, archive, packed)

  expect([...(await unpacked({ source: part, type: 'rar', expected: packed, totalBytes: 40 })).values()]).toEqual([
    text,
  ])
  const fixture = bytesAsFile(rarFixture('rar4-compressed'))
  const { entries } = readRar(fixture, 0)
  const contents = await unpacked({ source: fixture, type: 'rar', expected: entries, totalBytes: 40 })
  expect([...contents.values()]).toEqual([text])
})

test('what unpacks to more than was said is stopped, and what is not as its checksum says is not kept (T-05, T-09)', async () => {
  const unpacking = await everything(await sevenZipArchive(files, { isSolid: true }))
  expect(await faultOf(() => unpacked({ ...unpacking, totalBytes: 80_000 }))).toBe('damaged')
  const other = unpacking.expected.map((member) => ({ ...member, crc32: (member.crc32 ?? 0) ^ 1 }))
  expect(await faultOf(() => unpacked({ ...unpacking, expected: other }))).toBe('damaged')
})

test('7z: a list too large or too long is refused before it is read (T-08)', async () => {
  const bytes = await sevenZipArchive(files)
  const large = Buffer.concat([bytes, Buffer.alloc(bookLimits.directoryBytes + 1)])
  large.writeBigUInt64LE(BigInt(bookLimits.directoryBytes + 1), 20)
  const beyond = Buffer.from(bytes)
  beyond.writeBigUInt64LE(2n ** 63n, 12)

  expect(await faultOf(() => listSevenZip(bytesAsFile(large)))).toBe('limit')
  expect(await faultOf(() => listSevenZip(bytesAsFile(beyond)))).toBe('damaged')
  expect(await faultOf(() => listSevenZip(bytesAsFile(bytes.subarray(0, 20))))).toBe('damaged')
  const long = await sevenZipArchive([{ name: 'x'.repeat(1025), bytes: Buffer.from('x') }])
  expect(await faultOf(() => listSevenZip(bytesAsFile(long)))).toBe('limit')
})

test('7z: whatever bytes are changed, it ends, and what comes out is right (T-10)', async () => {
  const bytes = await sevenZipArchive(files, { isSolid: true })
  const right = new Set(files.map(({ bytes }) => crc32(bytes)))
  for (const mutant of mutants(bytes, 300, 7)) {
    const fault = await faultOf(async () => {
      const unpacking = await everything(mutant)
      const contents = await unpacked({
        ...unpacking,
        expected: unpacking.expected.filter(({ crc32 }) => right.has(crc32 ?? 0)),
      })
      contents.delete(undefined)
      for (const content of contents.values()) expect(right).toContain(crc32(content))
    })
    expect(['none', 'damaged', 'encrypted', 'unsupported', 'limit']).toContain(fault)
  }
})
