import { bookEditable, sections, seriesEditable } from '@carrel/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterSaving, conflictsOf, type Draft, insist, type Metadata, patchOf, same, typed, wrongIn } from './draft.ts'
import { fieldsIn } from '../../metadata/fields.ts'

const values = {
  title: fc.option(
    fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    { nil: null },
  ),
  year: fc.option(fc.integer({ min: 1, max: 9999 }), { nil: null }),
  genres: fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 3 }),
  authors: fc.array(fc.record({ name: fc.constantFrom('Ada', 'Ben'), role: fc.constantFrom('writer', 'inker') }), {
    maxLength: 3,
  }),
  publisherLock: fc.boolean(),
}
const metadata: fc.Arbitrary<Metadata> = fc.record(values)
const anyTyping = fc.array(
  fc
    .constantFrom(...Object.keys(values))
    .chain((name) => values[name as keyof typeof values].map((value) => [name, value] as const)),
  { maxLength: 8 },
)
const afterTyping = (now: Metadata, typing: readonly (readonly [string, unknown])[]): Draft =>
  typing.reduce((draft, entry) => typed(draft, now, entry), {} as Draft)
const shown = (now: Metadata, draft: Draft, name: string): unknown => {
  const change = draft[name]
  return change ? change.value : now[name]
}

test('the fields of the form are those of the contract, each in one place', () => {
  for (const [kind, contract] of [['series', seriesEditable] as const, ['book', bookEditable] as const]) {
    const placed = sections.flatMap((section) => fieldsIn(kind, section))
    expect(placed.toSorted()).toEqual([...contract].toSorted())
  }
})

test('the patch turns what is there into what is shown, and says nothing else', () => {
  fc.assert(
    fc.property(metadata, anyTyping, (now, typing) => {
      const draft = afterTyping(now, typing)
      const patch = patchOf(draft, now)
      const last = Object.fromEntries(typing)
      for (const name of Object.keys(values)) {
        const expected = name in last ? last[name] : now[name]
        expect(same(shown(now, draft, name), expected)).toBe(true)
        expect(same({ ...now, ...patch }[name], expected)).toBe(true)
        expect(name in patch).toBe(!same(expected, now[name]))
      }
    }),
  )
})

test('what somebody else changes is a conflict exactly where it is typed here too and differs; insisting settles it', () => {
  fc.assert(
    fc.property(metadata, metadata, anyTyping, (before, now, typing) => {
      const draft = afterTyping(before, typing)
      const conflicts = conflictsOf(draft, now)
      for (const name of Object.keys(values)) {
        const change = draft[name]
        const isConflict = change !== undefined && !same(now[name], before[name]) && !same(now[name], change.value)
        expect(conflicts.includes(name)).toBe(isConflict)
      }
      const settled = conflicts.reduce((rest, name) => insist(rest, now, name), draft)
      expect(conflictsOf(settled, now)).toEqual([])
      expect(patchOf(settled, now)).toEqual(patchOf(draft, now))
    }),
  )
})

test('what is typed while it is being saved stays', () => {
  const now = { title: 'One', year: 2000 }
  const sent = afterTyping(now, [
    ['title', 'Two'],
    ['year', 2001],
  ])
  const meanwhile = typed(sent, now, ['title', 'Three'])
  const after = afterSaving(meanwhile, sent)
  expect(Object.keys(after)).toEqual(['title'])
  expect(conflictsOf(after, { ...now, ...patchOf(sent, now) })).toEqual([])
})

test('half a row is kept while it is typed and not sent; what is no JSON object is neither lost nor sent', () => {
  const now = { authors: [], customMetadata: null }
  const half = typed({}, now, ['authors', [{ role: 'writer' }]])
  expect(half['authors']?.value).toEqual([{ role: 'writer' }])
  expect(patchOf(half, now)).toEqual({})
  const row = typed(half, now, ['authors', [{ role: 'writer', name: 'Ada', sortName: '' }]])
  expect(patchOf(row, now)).toEqual({ authors: [{ role: 'writer', name: 'Ada' }] })
  const broken = typed({}, now, ['customMetadata', '{"a": '])
  expect(wrongIn(broken)).toEqual(['customMetadata'])
  expect(wrongIn(typed(broken, now, ['customMetadata', '{"a": 1}']))).toEqual([])
  expect(patchOf(typed(broken, now, ['customMetadata', '{"a": 1}']), now)).toEqual({ customMetadata: { a: 1 } })
})
