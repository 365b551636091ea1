import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBuffer, type Entry, type ZipFile as OracleFile } from 'yauzl'
import { faultOf } from '../../../test/books/outcome.ts'
import { memoryFile, unicodePathField, zip, type ZipMember } from '../../../test/books/zip.ts'
import { bookLimits } from '../limits.ts'
import { dataOffset, readZipDirectory, readZipEntry, zipEntryStart } from './zip.ts'

const bytesMax = 64 * 1024 * 1024
const text = (content: string): Buffer => Buffer.from(content)
const namesOf = (bytes: Buffer): string[] => readZipDirectory(memoryFile(bytes)).entries.map(({ name }) => name)

const allOf = (bytes: Buffer): [string, Buffer][] => {
  const file = memoryFile(bytes)
  const { entries } = readZipDirectory(file)
  return entries.map((entry) => [entry.name, readZipEntry(file, entry, { bytesMax })])
}

const readAll = (bytes: Buffer) => () => allOf(bytes)

const oracle = async (bytes: Buffer): Promise<[string, Buffer][]> => {
  const open = promisify<Buffer, { lazyEntries: boolean }, OracleFile>(fromBuffer)
  const file = await open(bytes, { lazyEntries: true })
  const members: [string, Buffer][] = []
  const openStream = promisify<Entry, Readable>(file.openReadStream.bind(file))
  const take = async (entry: Entry): Promise<void> => {
    members.push([entry.fileName, await buffer(await openStream(entry))])
    file.readEntry()
  }
  file.on('entry', (entry: Entry) => void take(entry))
  file.readEntry()
  await once(file, 'end')
  return members
}

const member = fc.record({
  name: fc.string({ unit: fc.constantFrom(...'abcXYZ019 -é漫/'), minLength: 1, maxLength: 30 }),
  bytes: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  method: fc.constantFrom('stored' as const, 'deflated' as const),
  isZip64: fc.boolean(),
  hasDescriptor: fc.boolean(),
})
const options = fc.record({
  comment: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  isZip64: fc.boolean(),
  prefix: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
})

test('what another reader finds in a ZIP is what is found here: names, order and bytes', async () => {
  const members = fc
    .uniqueArray(member, { maxLength: 12, selector: ({ name }) => name })
    .map((list) =>
      list
        .filter(({ name }) => !name.startsWith('/') && !name.includes('//'))
        .map((each): ZipMember => (each.name.endsWith('/') ? { name: each.name } : each)),
    )

  await fc.assert(
    fc.asyncProperty(members, options, async (list, how) => {
      const bytes = zip(list, how)
      expect(allOf(bytes)).toEqual(await oracle(bytes))
    }),
    { numRuns: 300 },
  )
})

test('what is put before a ZIP does not hide it, whether its places count it or not', () => {
  const members = [
    { name: 'a.txt', bytes: text('one') },
    { name: 'b.txt', bytes: text('two') },
  ]

  for (const isZip64 of [false, true]) {
    for (const countsPrefix of [false, true]) {
      const bytes = zip(members, { prefix: Buffer.alloc(70_000, 'MZ'), countsPrefix, isZip64 })
      expect(allOf(bytes).map(([, content]) => content.toString())).toEqual(['one', 'two'])
    }
  }
})

test('a comment of the greatest length, and bytes after the end, do not hide a ZIP', () => {
  const members = [{ name: 'a.txt', bytes: text('one') }]

  expect(namesOf(zip(members, { comment: Buffer.alloc(0xffff, 'x') }))).toEqual(['a.txt'])
  expect(namesOf(zip(members, { after: Buffer.alloc(500) }))).toEqual(['a.txt'])
  // The end of another ZIP inside the comment is not the end of this one.
  const inner = zip([{ name: 'inner.txt' }])
  const withComment = zip([{ name: 'inner.txt' }])
  withComment.writeUInt16LE(1, withComment.length - 2)
  for (const comment of [inner.subarray(0, -1), Buffer.concat([inner, text('more')]), withComment]) {
    expect(namesOf(zip(members, { comment }))).toEqual(['a.txt'])
  }
})

test('a directory in another order than the members is read in its own', () => {
  const members = ['a', 'b', 'c'].map((name) => ({ name, bytes: text(name.repeat(100)) }))

  expect(allOf(zip(members, { isBackwards: true })).map(([name, content]) => [name, content.length])).toEqual([
    ['c', 100],
    ['b', 100],
    ['a', 100],
  ])
})

test('a ZIP of 160 members is listed by one read of its end, and a member is read by one', () => {
  const members = Array.from({ length: 160 }, (_, index) => ({
    name: `page ${index}.jpg`,
    bytes: Buffer.alloc(20_000, index),
    method: 'stored' as const,
  }))
  const file = memoryFile(zip(members))

  const { entries } = readZipDirectory(file)
  expect(entries).toHaveLength(160)
  expect(file.counted).toEqual({ reads: 1, bytes: 32 * 1024 })

  const last = entries.at(-1)
  expect(last && readZipEntry(file, last, { bytesMax })).toEqual(Buffer.alloc(20_000, 159))
  expect(file.counted.reads).toBe(2)
})

test('the beginning of a member is unpacked without the rest, and its place is where its bytes are', () => {
  const content = Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * index) >> 3))
  for (const method of ['stored', 'deflated'] as const) {
    const bytes = zip([{ name: 'before' }, { name: 'a', bytes: content, method, localExtra: Buffer.alloc(200) }])
    const file = memoryFile(bytes)
    const entry = readZipDirectory(file).entries[1]
    if (entry === undefined) throw new Error('no entry')
    const before = file.counted.bytes

    expect(zipEntryStart(file, entry, 1000).head).toEqual(content.subarray(0, 1000))
    expect(file.counted.bytes - before).toBeLessThan(3000)
    expect(dataOffset(file, entry)).toBe(30 + 6 + 2 + 30 + 1 + 200)
    expect(readZipEntry(file, entry, { bytesMax })).toEqual(content)
  }
})

test('T-18: names are read as they were meant, whoever wrote them', () => {
  const latin1 = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')
  const cover = latin1('\u0091\u00e601\u008a\u00aa/\u0095\u005c\u008e\u0086.jpg')
  const cases: [ZipMember, string][] = [
    [{ name: '漫画/é.jpg' }, '漫画/é.jpg'],
    [{ name: text('漫画/é.jpg'), flags: 0 }, '漫画/é.jpg'],
    // Shift-JIS, with a character whose second byte is a backslash.
    [{ name: cover }, '第01巻/表紙.jpg'],
    [{ name: latin1('\u0083\u0058\u0083\u0067\u0083\u008a\u0081\u005b\u0083\u0067 1.jpg') }, 'ストリート 1.jpg'],
    // The code page of DOS.
    [{ name: latin1('Caf\u0082s M\u0081nchen.jpg') }, 'Cafés München.jpg'],
    [{ name: latin1('\u0099l.jpg') }, 'Öl.jpg'],
    [{ name: latin1('na\u008bve.jpg') }, 'naïve.jpg'],
    [{ name: cover, extra: unicodePathField(cover, '表紙.jpg') }, '表紙.jpg'],
    // The field belongs to another name: somebody who did not know the field has renamed the member.
    [{ name: 'plain é', flags: 0, extra: unicodePathField(cover, '表紙.jpg') }, 'plain é'],
    // It says UTF-8 and is not.
    [{ name: latin1('a\u00ff\u00fe.jpg'), flags: 0x800 }, 'a\uFFFDFF\uFFFDFE.jpg'],
    [{ name: 'folder\\page.jpg' }, 'folder/page.jpg'],
    [{ name: 'new\nline -\u202e.jpg' }, 'new\nline -\u202e.jpg'],
  ]

  for (const [member, name] of cases) {
    const bytes = zip([{ ...member, bytes: text('x') }])
    expect(allOf(bytes)).toEqual([[name, text('x')]])
  }
})

test('T-02: members whose names lead elsewhere, links and twins are no members, and that is said', () => {
  const hostile = [
    '../../x',
    '/etc/passwd',
    'C:\\x',
    'c:x',
    'a/../../b',
    '..',
    'a/..',
    '..\\x',
    '\\\\host\\x',
    'a/.. /b',
    'a\0b',
    '../'.repeat(300),
  ]
  const links = [0o120777, 0o020666, 0o010666, 0o140777].map((mode, index) => ({ name: `link ${index}`, mode }))
  const bytes = zip([
    { name: 'good.jpg', bytes: text('first'), mode: 0o100644 },
    ...hostile.map((name) => ({ name, bytes: text('bad') })),
    ...links,
    { name: 'good.jpg', bytes: text('second') },
    { name: '..jpg', bytes: text('dots') },
    { name: 'a..b/c', bytes: text('dots') },
    { name: 'folder/', mode: 0o040755 },
  ])

  expect(allOf(bytes).map(([name, content]) => [name, content.toString()])).toEqual([
    ['good.jpg', 'first'],
    ['..jpg', 'dots'],
    ['a..b/c', 'dots'],
    ['folder/', ''],
  ])
  expect(readZipDirectory(memoryFile(bytes)).warnings.map(({ message }) => message.split(' ')[0])).toEqual([
    String(links.length),
    String(hostile.length),
    '1',
  ])
})

test('T-02: of members of one name the first is taken, wherever they stand', () => {
  for (const names of [
    ['a', 'a'],
    ['b', 'a', 'b'],
    ['a', 'b', 'b', 'a'],
  ]) {
    const bytes = zip(names.map((name, index) => ({ name, bytes: text(String(index)) })))
    expect(allOf(bytes).map(([name]) => name)).toEqual([...new Set(names)])
    expect(allOf(bytes)[0]?.[1]).toEqual(text('0'))
    expect(readZipDirectory(memoryFile(bytes)).warnings).toHaveLength(1)
  }
})

test('T-05: what would unpack to far more than it is, or than a book may be, is refused', () => {
  const lie = (size: number) => zip([{ name: 'a', bytes: text('x'.repeat(100_000)), says: { size } }])
  expect(faultOf(() => readZipDirectory(memoryFile(lie(64 * 1024 * 1024 + 1))))).toBe('limit')
  expect(faultOf(() => readZipDirectory(memoryFile(lie(64 * 1024 * 1024))))).toBe('none')

  const large = { name: 'a', bytes: Buffer.alloc(1000), method: 'stored' as const }
  expect(
    faultOf(() =>
      readZipDirectory(memoryFile(zip([{ ...large, isZip64: true, says: { size: bookLimits.bookBytes + 1 } }]))),
    ),
  ).toBe('limit')

  // Packed well, but not impossibly.
  const book = (size: number) =>
    zip([{ name: 'a', bytes: Buffer.alloc(45_000_000), method: 'stored', isZip64: true, says: { size } }])
  expect(faultOf(() => readZipDirectory(memoryFile(book(bookLimits.bookBytes + 1))))).toBe('limit')
  expect(faultOf(() => readZipDirectory(memoryFile(book(bookLimits.bookBytes))))).toBe('none')

  const file = memoryFile(zip([{ name: 'zeros', bytes: Buffer.alloc(1_000_000) }]))
  const [entry] = readZipDirectory(file).entries
  if (entry === undefined) throw new Error('no entry')
  expect(faultOf(() => readZipEntry(file, entry, { bytesMax: 1_000_000 }))).toBe('none')
  expect(faultOf(() => readZipEntry(file, entry, { bytesMax: 999_999 }))).toBe('limit')
  // The beginning of it is still a beginning.
  expect(zipEntryStart(file, entry, 4096).head).toEqual(Buffer.alloc(4096))
})

test('T-06: members that share bytes are refused before any is unpacked', () => {
  const kernel = { name: 'kernel', bytes: Buffer.alloc(100_000) }
  const all = (count: number) =>
    zip(
      Array.from({ length: count }, (_, index) => ({
        ...(index === 0 ? kernel : { bytes: text('') }),
        name: `${index}`,
        says: { headerOffset: 0, storedSize: 100 },
      })),
    )
  const inside = zip([
    { name: 'outer', method: 'stored', bytes: zip([{ name: 'inner', bytes: text('inner') }]) },
    { name: 'inner', bytes: text('inner'), says: { headerOffset: 30 + 5 } },
  ])
  const tooLarge = zip([{ name: 'a', bytes: text('x'), method: 'stored', says: { storedSize: 1_000_000 } }])
  const twoDirectories = zip([{ name: 'a', bytes: text('x') }], { says: { entryCount: 2 } })
  const backwards = zip([
    { name: 'a', bytes: text('x') },
    { name: 'b', bytes: text('y'), says: { headerOffset: 5 } },
  ])
  const zip64Lie = zip([{ name: 'a', bytes: text('x'), isZip64: true, says: { headerOffset: 2 ** 50 } }])
  const numberLie = zip([{ name: 'a', bytes: text('x'), isZip64: true, says: { storedSize: 2 ** 60 } }])

  for (const bytes of [all(2), all(5000), inside, tooLarge, twoDirectories, backwards, zip64Lie, numberLie]) {
    expect(faultOf(() => readZipDirectory(memoryFile(bytes)))).toBe('damaged')
  }
  // A long local header that reaches over the next member.
  const reaching = zip([
    { name: 'a', bytes: text('x'), localExtra: Buffer.alloc(10) },
    { name: 'b', bytes: text('y') },
  ])
  reaching.writeUInt16LE(60, 28)
  const [long] = readZipDirectory(memoryFile(reaching)).entries
  expect(faultOf(() => long && dataOffset(memoryFile(reaching), long))).toBe('damaged')
})

test('T-07: an archive inside an archive is a member and is not opened', () => {
  const nested = zip([{ name: 'inner.zip', bytes: zip([{ name: 'page.jpg', bytes: text('x') }]) }])

  expect(namesOf(nested)).toEqual(['inner.zip'])
})

test('T-08: as many members, as long names and as large a directory as the limits say, and not one more', () => {
  const empty = (count: number) =>
    zip(Array.from({ length: count }, (_, index) => ({ name: `${index}`, method: 'stored' as const })))
  const named = (length: number) => zip([{ name: 'n'.repeat(length) }])
  // Each header is 46 bytes and 3 of name besides.
  const filled = (rest: number) =>
    zip([
      ...Array.from({ length: 256 }, (_, index) => ({
        name: String(index).padStart(3, '0'),
        extra: Buffer.alloc(65_000),
      })),
      ...Array.from({ length: 2 }, (_, index) => ({
        name: `r${index}r`,
        extra: Buffer.alloc(index === 0 ? 60_000 : rest),
      })),
    ])
  const rest = bookLimits.directoryBytes - 256 * 65_049 - 60_049 - 49

  expect(faultOf(() => readZipDirectory(memoryFile(empty(bookLimits.entries))))).toBe('none')
  expect(faultOf(() => readZipDirectory(memoryFile(empty(bookLimits.entries + 1))))).toBe('limit')
  expect(faultOf(() => readZipDirectory(memoryFile(named(bookLimits.nameBytes))))).toBe('none')
  expect(faultOf(() => readZipDirectory(memoryFile(named(bookLimits.nameBytes + 1))))).toBe('limit')
  expect(faultOf(() => readZipDirectory(memoryFile(filled(rest))))).toBe('none')
  expect(faultOf(() => readZipDirectory(memoryFile(filled(rest + 1))))).toBe('limit')
  expect(faultOf(() => readZipDirectory(memoryFile(zip([], { isZip64: true, says: { entryCount: 1_000_000 } }))))).toBe(
    'limit',
  )
})

test('T-09: a member that is not what the directory says is damaged, and its neighbours are read', () => {
  const content = Buffer.alloc(5000, 'content')
  const lies: ZipMember[] = [
    { name: 'm', bytes: content, says: { size: 4999 } },
    { name: 'm', bytes: content, says: { size: 5001 } },
    { name: 'm', bytes: content, says: { size: 0 } },
    { name: 'm', bytes: content, says: { crc32: 7 } },
    { name: 'm', bytes: content, method: 'stored', says: { crc32: 7 } },
    { name: 'm', bytes: content, method: 'stored', says: { size: 4999 } },
    { name: 'm', bytes: content, method: 'stored', says: { storedSize: 4999 } },
    { name: 'm', bytes: content, localName: text('n') },
    { name: 'm', bytes: content, localName: text('mm') },
    { name: 'm', bytes: content, says: { storedSize: 5 } },
    { name: 'm', bytes: content, says: { storedSize: 0 } },
    { name: 'm', bytes: content, says: { size: 60_000_000 } },
  ]

  for (const lie of lies) {
    const file = memoryFile(zip([lie, { name: 'good', bytes: content }]))
    const { entries } = readZipDirectory(file)
    const [bad, good] = entries
    if (bad === undefined || good === undefined) throw new Error('no entries')
    expect([lie, faultOf(() => readZipEntry(file, bad, { bytesMax }))]).toEqual([lie, 'damaged'])
    expect(readZipEntry(file, good, { bytesMax })).toEqual(content)
  }
  expect(faultOf(readAll(zip([{ name: 'm', bytes: content, flags: 1 }])))).toBe('encrypted')
  expect(faultOf(readAll(zip([{ name: 'm', bytes: content, method: 12 }])))).toBe('unsupported')
})

test('T-09: a ZIP that is cut off anywhere is damaged', () => {
  const bytes = zip(
    Array.from({ length: 40 }, (_, index) => ({
      name: `${index}.jpg`,
      bytes: Buffer.alloc(6000, index),
      method: 'stored' as const,
    })),
  )

  for (let length = 0; length < bytes.length; length += 4096) {
    expect(faultOf(readAll(bytes.subarray(0, length)))).toBe('damaged')
  }
  for (let missing = 1; missing < 3000; missing += 1) {
    expect(faultOf(readAll(bytes.subarray(0, bytes.length - missing)))).toBe('damaged')
  }
})

test('whatever bytes are changed, a ZIP is read as it was or refused', () => {
  const members = Array.from({ length: 5 }, (_, index) => ({
    name: `page é ${index}.jpg`,
    bytes: Buffer.alloc(300, `content ${index}`),
    method: index % 2 === 0 ? ('stored' as const) : ('deflated' as const),
    isZip64: index === 3,
    hasDescriptor: index === 4,
  }))
  const bytes = zip(members, { isZip64: true })
  const contents = new Set(members.map((each) => each.bytes.toString()))
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }))

  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const changed = Buffer.from(bytes)
      for (const [index, value] of changes) changed[index] = value
      const file = memoryFile(changed)
      let read: Buffer[] = []
      faultOf(() => {
        for (const entry of readZipDirectory(file).entries) {
          faultOf(() => zipEntryStart(file, entry, 100))
          faultOf(() => (read = [...read, readZipEntry(file, entry, { bytesMax })]))
        }
      })
      for (const content of read) expect(content.length === 0 || contents.has(content.toString())).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('a disk that fails makes a fault, not a crash', () => {
  const failing = {
    size: 1000,
    read: (): Buffer => {
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    },
  }

  expect(faultOf(() => readZipDirectory(failing))).toBe('unreadable')
})
