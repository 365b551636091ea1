import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testUnpackCache, type TestUnpackCache } from '../../test/books/unpack-cache.ts'
import type { MemberReceiver } from './archive/seven-zip.ts'
import { BookFault } from './book-format.ts'
import { checksumsOf, unpackedBook, unpackOne } from './unpacked-members.ts'

let cache: TestUnpackCache
beforeEach(() => {
  cache = testUnpackCache()
})
afterEach(() => cache.remove())

interface TextMember {
  readonly size: number
  readonly crc32: undefined
  readonly text: string
}
const member = (text: string): TextMember => ({ size: text.length, crc32: undefined, text })
const [one, two, three] = [member('one'), member('two'), member('three')]
const members = [one, two, three]

const write = (receiver: MemberReceiver, text: string): MemberReceiver => {
  // Unpackers deliver a member in pieces like this.
  for (const character of text) receiver.write(Buffer.from(character))
  return receiver
}

const unpackAll = async (members: readonly TextMember[], receive: () => MemberReceiver): Promise<void> => {
  for (const [index, { text }] of members.entries()) write(receive(), text).end(index)
}

const bookOf = (unpack: typeof unpackAll) => unpackedBook({ cache, key: () => 'book', members, unpack })

const faultOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'none',
    (error: unknown) => (error instanceof BookFault ? error.code : error),
  )

test('members become files by number, and what is asked of them is read', async () => {
  const book = bookOf(unpackAll)
  expect((await Promise.all(members.map((member) => book.read(member, 3)))).map(String)).toEqual(['one', 'two', 'thr'])
  expect([...cache.files()].map(([name, bytes]) => [name, bytes.toString()])).toEqual(
    expect.arrayContaining([
      ['00001', 'one'],
      ['00002', 'two'],
      ['00003', 'three'],
    ]),
  )
})

test('when unpacking fails in the middle nothing stays behind, and it is not tried again', async () => {
  const book = bookOf(async (_, receive) => {
    write(receive(), 'one').end(0)
    write(receive(), 'tw')
    throw new BookFault('limit', 'too much')
  })
  expect(await faultOf(book.read(one, 3))).toBe('limit')
  expect(cache.files().size).toBe(0)
  expect(await faultOf(book.read(two, 3))).toBe('limit')
  expect(cache.fills).toHaveLength(1)
})

test('a full disk is no fault of the book, and is tried again', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  let isFull = true
  const book = bookOf(async (members, receive) => {
    if (isFull) throw full
    await unpackAll(members, receive)
  })
  const read = (): Promise<Buffer> => book.read(one, 3)
  expect(await faultOf(read())).toBe(full)
  isFull = false
  expect((await read()).toString()).toBe('one')
})

test('a member that did not come out is damaged; one that is gone from the cache is only gone', async () => {
  const book = bookOf(async (members, receive) => {
    write(receive(), members[0]?.text ?? '').end(0)
    write(receive(), 'rubbish').end(undefined)
    write(receive(), members[2]?.text ?? '').end(2)
  })
  const reads = (member: TextMember): Promise<unknown> => faultOf(book.read(member, 3))
  expect([await reads(one), await reads(two), await reads(three)]).toEqual(['none', 'damaged', 'none'])
  expect([...cache.files().values()].map(String)).not.toContain('rubbish')
  cache.loseFiles()
  expect(await reads(one)).toBe('unreadable')
})

test('one member, and checksums, come without a disk', async () => {
  expect((await unpackOne({ unpack: unpackAll }, two)).toString()).toBe('two')
  const sums = await checksumsOf({ unpack: unpackAll }, members)
  expect([...sums]).toEqual(members.map((member) => [member, crc32(Buffer.from(member.text))]))
  expect(cache.files().size).toBe(0)
})
