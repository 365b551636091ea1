import { expect, test } from 'vitest'
import { bytesAsFile, mutants } from '../../../test/books/byte-source.ts'
import { faultOf } from '../../../test/books/outcome.ts'
import { sevenZipArchive } from '../../../test/books/seven-zip.ts'
import { paxRecord, tarArchive, tarHeader } from '../../../test/books/tar.ts'
import { bookLimits } from '../limits.ts'
import { isTar, readTar } from './tar.ts'

const long = `${'folder/'.repeat(20)}001 第一.jpg`
const members = [
  { name: 'Band 1', type: '5' },
  { name: 'Band 1/001.jpg', bytes: Buffer.alloc(700, 'a') },
  { name: long, bytes: Buffer.from('long'), longName: 'pax' },
  { name: long, bytes: Buffer.from('long too'), longName: 'gnu' },
  { name: `${'folder/'.repeat(20)}2.jpg`, bytes: Buffer.from('prefix'), longName: 'prefix' },
  { name: 'binary.jpg', bytes: Buffer.alloc(512, 'b'), hasBinarySize: true },
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
] as const

test('LIB-3: TAR: names of every form, sizes and places', () => {
  const bytes = tarArchive(members)
  const { entries, warnings } = readTar(bytesAsFile(bytes))

  expect(isTar(bytes)).toBe(true)
  expect(warnings).toEqual([])
  expect(entries.map(({ name, isFolder }) => [name, isFolder])).toEqual(
    members.map(({ name }) => [name, name === 'Band 1']),
  )
  for (const [index, { dataOffset, size }] of entries.entries()) {
    const member = members[index]
    const content = member && 'bytes' in member ? member.bytes : Buffer.alloc(0)
    expect(bytes.subarray(dataOffset, dataOffset + size)).toEqual(content)
  }
})

test('TAR: what 7-Zip writes is read', async () => {
  const files = [
    { name: 'a/001.jpg', bytes: Buffer.from('one') },
    { name: `${'b'.repeat(150)}.jpg`, bytes: Buffer.from('two') },
    { name: '漫画.jpg', bytes: Buffer.from('three') },
  ]
  const bytes = await sevenZipArchive(files, { type: 'tar', links: [{ name: 'link', target: '/etc/passwd' }] })
  const { entries } = readTar(bytesAsFile(bytes))
  const regularFiles = entries.filter(({ isFolder, isLink }) => !isFolder && !isLink)

  expect(entries.filter(({ isLink }) => isLink).map(({ name }) => name)).toEqual(['link'])
  expect(
    regularFiles.map(({ name, dataOffset, size }) => [name, bytes.toString('utf8', dataOffset, dataOffset + size)]),
  ).toEqual(expect.arrayContaining(files.map(({ name, bytes }) => [name, bytes.toString()])))
})

test('TAR: links, devices, pipes and files with holes are no files (T-02)', () => {
  const odd = ['1', '2', '3', '4', '6', 'S', 'Z'].map((type) => ({ name: `odd ${type}`, type }))
  const holes = paxRecord('GNU.sparse.major', '1')
  const bytes = Buffer.concat([
    tarHeader({ name: 'x', type: 'x', bytes: holes }),
    Buffer.concat([holes, Buffer.alloc(512 - holes.length)]),
    tarArchive([
      { name: 'holes.jpg', bytes: Buffer.from('x') },
      ...odd,
      { name: 'plain.jpg', bytes: Buffer.from('x') },
    ]),
  ])

  expect(readTar(bytesAsFile(bytes)).entries.map(({ isLink }) => isLink)).toEqual([...odd.map(() => true), true, false])
})

test('TAR: what is cut has the members before the cut (T-09)', () => {
  const full = tarArchive(members, { hasEnd: false })
  const all = readTar(bytesAsFile(full)).entries
  for (let length = 513; length < full.length; length += 97) {
    const cut = bytesAsFile(full.subarray(0, length))
    const expected = all.filter(({ dataOffset, size }) => dataOffset + size <= length)
    const archive = readTar(cut)
    expect(archive.entries).toEqual(expected)
  }
  expect(faultOf(() => readTar(bytesAsFile(full.subarray(0, 400))))).toBe('damaged')
})

test('TAR: floods and lies are refused (T-08, T-09)', () => {
  const many = Buffer.concat(Array.from({ length: bookLimits.entries + 1 }, () => tarHeader({ name: 'x' })))
  const lying = tarArchive([{ name: 'a' }, { name: 'liar.jpg', size: 8 ** 11 - 1 }])
  const longRecord = tarArchive([{ name: 'x', type: 'x', bytes: Buffer.alloc(1024 * 1024 + 1, ' ') }])
  const tooLong = tarArchive([{ name: 'x'.repeat(1025), longName: 'gnu' }])

  expect(faultOf(() => readTar(bytesAsFile(many)))).toBe('limit')
  expect(faultOf(() => readTar(bytesAsFile(many.subarray(512))))).toBe('none')
  expect(readTar(bytesAsFile(lying))).toMatchObject({ entries: [{ name: 'a' }], warnings: [{ code: 'damaged' }] })
  expect(faultOf(() => readTar(bytesAsFile(longRecord)))).toBe('limit')
  expect(faultOf(() => readTar(bytesAsFile(tooLong)))).toBe('limit')
})

test('TAR: whatever bytes are changed, the list ends, and says what stands there (T-10)', () => {
  const bytes = tarArchive(members)
  for (const mutant of mutants(bytes, 3000, 5)) {
    const fault = faultOf(() => {
      for (const { dataOffset, size } of readTar(bytesAsFile(mutant)).entries) {
        expect(dataOffset + size).toBeLessThanOrEqual(mutant.length)
      }
    })
    expect(['none', 'damaged', 'limit']).toContain(fault)
  }
})

test('TAR: text and zeros are no archive', () => {
  expect(isTar(Buffer.alloc(4096))).toBe(false)
  expect(isTar(Buffer.alloc(4096, 'text '))).toBe(false)
  expect(isTar(Buffer.from('short'))).toBe(false)
})
