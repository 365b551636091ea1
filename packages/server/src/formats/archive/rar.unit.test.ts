import { expect, test } from 'vitest'
import { bytesAsFile, mutants } from '../../../test/books/byte-source.ts'
import { rarFixture } from '../../../test/books/fixtures/fixtures.ts'
import { faultOf } from '../../../test/books/outcome.ts'
import {
  packedRar4Member,
  rar4Archive,
  rar4Block,
  rar5Archive,
  rar5Block,
  type RarMember,
  type RarOptions,
} from '../../../test/books/rar.ts'
import { bookLimits } from '../limits.ts'
import { findRar, neededToUnpack, partOfRar, readRar, type RarArchive } from './rar.ts'

const generations = [
  { generation: 4, archiveOf: rar4Archive, emptyBlock: rar4Block(0x77, 0) },
  { generation: 5, archiveOf: rar5Archive, emptyBlock: rar5Block(3, 0) },
] as const

const read = (bytes: Buffer): RarArchive => {
  const file = bytesAsFile(bytes)
  const position = findRar(file, bytes.subarray(0, 4096))
  if (position === undefined) throw new Error('not found')
  return readRar(file, position)
}

const members: readonly RarMember[] = [
  { name: 'Band 1', kind: 'folder' },
  { name: 'Band 1/001.jpg', bytes: Buffer.from('the first page') },
  { name: 'Band 1/002 第二.jpg', bytes: Buffer.from('the second page') },
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
]

for (const { generation, archiveOf, emptyBlock } of generations) {
  test(`LIB-3: RAR ${generation}: names, sizes, checksums and the places of stored members`, () => {
    const bytes = archiveOf(members)
    const archive = read(bytes)

    expect(archive.generation).toBe(generation)
    expect(archive.warnings).toEqual([])
    expect(archive.entries.map(({ name, isFolder }) => [name, isFolder])).toEqual(
      members.map(({ name, kind }) => [name, kind === 'folder']),
    )
    for (const [index, entry] of archive.entries.entries()) {
      const stored = members[index]?.bytes ?? Buffer.alloc(0)
      expect(entry).toMatchObject({ size: stored.length, isStored: true, isEncrypted: false, isLink: false })
      expect(bytes.subarray(entry.dataOffset, entry.dataOffset + entry.packedSize)).toEqual(stored)
    }
  })

  test(`RAR ${generation}: an archive behind a program is found in its first mebibyte and nowhere else`, () => {
    const program = (length: number): Buffer => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(length, 'Rar!')])
    const bytes = archiveOf(members, { prefix: program(300_000) })
    const { entries } = read(bytes)

    expect(bytes.subarray(entries[1]?.dataOffset).subarray(0, 14).toString()).toBe('the first page')
    const tooDeep = archiveOf(members, { prefix: program(1024 * 1024) })
    expect(findRar(bytesAsFile(tooDeep), tooDeep.subarray(0, 4096))).toBeUndefined()
    const noProgram = archiveOf(members, { prefix: Buffer.alloc(10, 'x') })
    expect(findRar(bytesAsFile(noProgram), noProgram.subarray(0, 4096))).toBeUndefined()
  })

  test(`RAR ${generation}: only headers are read, each once`, () => {
    const large = { name: 'large.bin', bytes: Buffer.alloc(3_000_000) }
    const bytes = archiveOf([large, ...members, large])
    const file = bytesAsFile(bytes)
    readRar(file, 0)

    expect(file.figures.bytes).toBeLessThan(2000)
  })

  test(`RAR ${generation}: a password, several volumes and unknown links are told for what they are`, () => {
    const faults = (options: RarOptions, more: readonly RarMember[] = []): string =>
      faultOf(() => read(archiveOf([...members, ...more], options)))

    expect(faults({ hasEncryptedHeaders: true })).toBe('encrypted')
    expect(faults({ isVolume: true })).toBe('unsupported')
    expect(faults({}, [{ name: 'rest', bytes: Buffer.from('x'), isSplit: true }])).toBe('unsupported')
    const odd = read(
      archiveOf([
        { name: 'secret.jpg', bytes: Buffer.from('x'), isEncrypted: true },
        { name: 'link.jpg', kind: 'link' },
        { name: 'device.jpg', kind: 'device' },
        { name: 'solid.jpg', bytes: Buffer.from('x'), isSolid: true, method: 3 },
      ]),
    )
    expect(odd.entries.map(({ isEncrypted, isLink, isSolid }) => ({ isEncrypted, isLink, isSolid }))).toEqual([
      { isEncrypted: true, isLink: false, isSolid: false },
      { isEncrypted: false, isLink: true, isSolid: false },
      { isEncrypted: false, isLink: true, isSolid: false },
      { isEncrypted: false, isLink: false, isSolid: true },
    ])
    expect(odd.isSolid).toBe(true)
    // RAR 5 disguises the checksum of what has a password.
    expect(odd.entries[0]?.crc32).toBe(generation === 5 ? undefined : odd.entries[3]?.crc32)
  })

  test(`RAR ${generation}: to unpack one of a solid archive, all before it is needed; else only that one`, () => {
    const packed = ['a', 'b', 'c', 'd'].map((name) => ({ name, bytes: Buffer.from(name), method: 3 }))
    const links: readonly RarMember[] = [
      { name: 'folder', kind: 'folder' },
      { name: 'link', kind: 'link' },
    ]
    const needed = (options: RarOptions): readonly string[] => {
      const archive = read(archiveOf([...links, ...packed], options))
      const third = archive.entries.filter(({ name }) => name === 'c')
      return neededToUnpack(archive, third).map(({ name }) => name)
    }

    expect(needed({})).toEqual(['c'])
    expect(needed({ isSolid: true })).toEqual(['a', 'b', 'c'])
  })

  test(`RAR ${generation}: an archive cut anywhere has the members before the cut, as they were (T-09)`, () => {
    const archive = archiveOf(members)
    const all = read(archive).entries
    // Nothing between two members says that more should come.
    const edges = new Set(
      all.flatMap(({ headerOffset, dataOffset, packedSize }) => [headerOffset, dataOffset + packedSize]),
    )
    for (let length = 8; length < archive.length; length += 1) {
      const cut = archive.subarray(0, length)
      const expected = all.filter(({ dataOffset, packedSize }) => dataOffset + packedSize <= length)
      const fault = faultOf(() => read(cut))
      const opened = fault === 'none' ? read(cut) : undefined
      expect(opened?.entries ?? []).toEqual(expected)
      expect(opened ? opened.warnings.map(({ code }) => code) : [fault]).toEqual(edges.has(length) ? [] : ['damaged'])
    }
  })

  test(`RAR ${generation}: a header that is not as its checksum says ends the list`, () => {
    const bytes = archiveOf(members)
    const position = bytes.indexOf('002')
    bytes[position] = 0x39
    const archive = read(bytes)

    expect(archive.entries.map(({ name }) => name)).toEqual(['Band 1', 'Band 1/001.jpg'])
    expect(archive.warnings).toMatchObject([{ code: 'damaged' }])
  })

  test(`RAR ${generation}: sizes that lie end the list, and nothing beyond is believed (T-09)`, () => {
    for (const packedSize of [1_000_000, 2 ** 32 + 5, 2 ** 50]) {
      const bytes = archiveOf([...members, { name: 'liar.jpg', bytes: Buffer.from('x'), packedSize }])
      const archive = read(bytes)
      expect(archive.entries).toHaveLength(members.length)
      expect(archive.warnings).toMatchObject([{ code: 'damaged' }])
    }
  })

  test(`RAR ${generation}: floods of entries, blocks and names are refused (T-08)`, () => {
    const blocks = (count: number): Buffer[] => [Buffer.concat(Array.from({ length: count }, () => emptyBlock))]
    const many = Array.from({ length: bookLimits.entries + 1 }, (_, index) => ({ name: `${index}` }))

    expect(faultOf(() => read(archiveOf(many)))).toBe('limit')
    expect(read(archiveOf(many.slice(1))).entries).toHaveLength(bookLimits.entries)
    expect(faultOf(() => read(archiveOf(members, { blocks: blocks(4 * bookLimits.entries) })))).toBe('limit')
    const long = (length: number): string => faultOf(() => read(archiveOf([{ name: 'x'.repeat(length) }])))
    expect(long(bookLimits.nameBytes)).toBe('none')
    expect(long(bookLimits.nameBytes + 1)).toBe('limit')
  })

  test(`RAR ${generation}: an archive with some of its members is one 7-Zip would open`, () => {
    const bytes = archiveOf(members)
    const archive = read(bytes)
    const part = partOfRar(bytesAsFile(bytes), archive, archive.entries.slice(1, 2))
    const copied = part.read(0, part.size)
    const again = read(copied)

    expect(again.entries.map(({ name }) => name)).toEqual(['Band 1/001.jpg'])
    expect(again.warnings).toEqual([])
    // The result is the same in pieces of any size.
    for (const size of [1, 7, 33]) {
      const pieces: Buffer[] = []
      for (let index = 0; index < part.size; index += size) pieces.push(part.read(index, size))
      expect(Buffer.concat(pieces)).toEqual(copied)
    }
  })

  test(`RAR ${generation}: whatever bytes are changed, the list ends, and says what stands there (T-10)`, () => {
    const bytes = archiveOf([...members, { name: 'solid.jpg', bytes: Buffer.alloc(50, 'x'), isSolid: true, method: 3 }])
    for (const mutant of mutants(bytes, 3000, generation)) {
      const file = bytesAsFile(mutant)
      const fault = faultOf(() => {
        const position = findRar(file, mutant.subarray(0, 4096))
        if (position === undefined) return
        for (const entry of readRar(file, position).entries) {
          expect(entry.dataOffset + entry.packedSize).toBeLessThanOrEqual(mutant.length)
        }
      })
      expect(['none', 'damaged', 'encrypted', 'unsupported', 'limit']).toContain(fault)
      expect(file.figures.reads).toBeLessThan(40)
    }
  })
}

test('RAR 5: an endless number, a header without an end and records that lead back are not followed (T-10)', () => {
  const endless = Buffer.alloc(12, 0xff)
  for (const blocks of [
    [rar5Block(2, 0, endless)],
    [rar5Block(0)],
    [rar5Block(2, 0x01, 2 ** 40, 0)],
    [rar5Block(2, 0x02, 2 ** 62, 0, 5)],
    [Buffer.concat([Buffer.alloc(4), endless])],
    [Buffer.alloc(64)],
  ]) {
    expect(['none', 'damaged']).toContain(faultOf(() => read(rar5Archive(members, { blocks }))))
  }
  // A record of no size: the next begins where it does.
  const loop = rar5Block(2, 0x03, 3, 0, 0, 1, 0, 0, 1, 1, Buffer.from('x'), Buffer.from([0, 0, 0]))
  expect(read(rar5Archive([], { blocks: [loop] })).entries).toMatchObject([{ name: 'x' }])
})

test('RAR 4: a block of no size is not the next one (T-10)', () => {
  const stuck = Buffer.from([0, 0, 0x77, 0, 0, 0, 0])
  const archive = read(rar4Archive([{ name: 'a', bytes: Buffer.from('x') }], { blocks: [] }))
  expect(archive.entries).toHaveLength(1)
  expect(faultOf(() => read(rar4Archive(members, { blocks: [stuck] })))).toBe('damaged')
})

test('RAR 5: the size of the dictionary is read, and sizes that nobody knows are refused', () => {
  const packed = (dictionary: number): number | undefined =>
    read(rar5Archive([{ name: 'a', bytes: Buffer.from('x'), method: 1, dictionary }])).entries[0]?.dictionaryBytes

  expect([packed(0), packed(11), packed(15)]).toEqual([128 * 1024, 256 * 1024 ** 2, 4 * 1024 ** 3])
  const unknown = rar5Block(2, 0x02, 0, 0x08, 0, 0, 0, 1, 1, Buffer.from('x'))
  expect(faultOf(() => read(rar5Archive([], { blocks: [unknown] })))).toBe('unsupported')
})

test('RAR 5: a member without a CRC32 is listed without one', () => {
  const { entries } = read(rar5Archive([{ name: 'a', bytes: Buffer.from('x'), hasChecksum: false }]))
  expect(entries).toMatchObject([{ name: 'a', crc32: undefined, isStored: true }])
})

test('archives made by RAR itself are read: folders, packed members, names in its own encoding, a password', () => {
  const namesIn = (bytes: Buffer): unknown =>
    read(bytes).entries.map(({ name, isFolder, size }) => (isFolder ? name : [name, size]))

  expect(namesIn(rarFixture('rar4-folders'))).toEqual([
    ['example/foo/bar.txt', 6],
    ['example/hoge.txt', 8],
    'example/empty',
    'example/foo',
    'example',
  ])
  expect(namesIn(rarFixture('rar4-japanese-names'))).toEqual([
    ['ディレクトリ/テキストファイル.txt', 41],
    'ディレクトリ',
  ])
  expect(faultOf(() => read(rarFixture('rar4-encrypted')))).toBe('encrypted')
  const [packed] = read(rarFixture('rar4-compressed')).entries
  const { unpacked, ...member } = packedRar4Member('a')
  expect(packed).toMatchObject({ isStored: false, size: unpacked.length, crc32: member.checksum })
})
