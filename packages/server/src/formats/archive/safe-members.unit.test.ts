import { expect, test } from 'vitest'
import { bookLimits } from '../limits.ts'
import { refuseBomb, safeMembers } from './safe-members.ts'

test('what states to unpack to more than a book may have, or far more than it is, is refused (T-05)', () => {
  const { bookBytes, ratio, ratioFromBytes } = bookLimits
  expect(() => refuseBomb(bookBytes, bookBytes)).not.toThrow()
  expect(() => refuseBomb(bookBytes, bookBytes + 1)).toThrow('would unpack')
  expect(() => refuseBomb(1, ratioFromBytes)).not.toThrow()
  expect(() => refuseBomb(1, ratioFromBytes + 1)).toThrow('would unpack')
  expect(() => refuseBomb(ratioFromBytes, ratioFromBytes * ratio)).toThrow('would unpack')
  expect(() => refuseBomb(bookBytes / ratio, bookBytes)).not.toThrow()
  expect(() => refuseBomb(bookBytes / ratio - 1, bookBytes)).toThrow('would unpack')
})

test('names that lead elsewhere, links and twins are left out, and what only looks like them stays (T-02)', () => {
  const names = ['a/b..c.jpg', '...jpg', 'a/..b/c.jpg', 'Ab:c.jpg', 'twin.jpg', 'x'.repeat(1024)]
  const left = ['../a', '/a', 'C:\\a', 'a/../../b', '..', 'a/.. /b', 'a/...', 'nul\0', 'twin.jpg']
  const members = [...names, ...left].map((name) => ({ name, isLink: false }))
  const { entries, warnings } = safeMembers([...members, { name: 'link', isLink: true }])

  expect(entries.map(({ name }) => name)).toEqual(names)
  expect(warnings.map(({ code }) => code)).toEqual(['damaged', 'damaged', 'damaged'])
})
