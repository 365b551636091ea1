import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, inOrder, nothingRead, type LogEntry, step } from './fold.ts'

const start = Date.parse('2026-11-21T10:00:00.000Z')
const pageCount = 200

let made = 0
/** Something said so many minutes after the beginning. */
const entryAt = (minutes: number, page: number, more: Partial<LogEntry> = {}): LogEntry => {
  const at = new Date(start + minutes * 60_000).toISOString()
  made += 1
  return {
    id: `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    kind: 'progress',
    at,
    startedAt: at,
    deviceId: 'tablet',
    page,
    percentage: page / pageCount,
    pageCount,
    finishes: page >= pageCount,
    outright: false,
    ...more,
  }
}
const phone = { deviceId: 'phone' }
const reset = (minutes: number): LogEntry => entryAt(minutes, 0, { kind: 'reset', page: null, percentage: null })

const pageOf = (...entries: LogEntry[]): number | null | undefined => fold(entries).standing?.page
const heldIn = (entries: readonly LogEntry[]): number[] => {
  const held = new Set<string>()
  let state = nothingRead
  for (const entry of inOrder(entries)) {
    const stepped = step(state, entry)
    state = stepped.state
    if (stepped.isHeld) held.add(entry.id)
    for (const id of stepped.released) held.delete(id)
  }
  return entries.flatMap(({ id }, index) => (held.has(id) ? [index] : []))
}
const completionsOf = (entries: readonly LogEntry[]): number => {
  let state = nothingRead
  let count = 0
  for (const entry of inOrder(entries)) {
    const stepped = step(state, entry)
    state = stepped.state
    if (stepped.completion) count += 1
  }
  return count
}

test('the last word in the time of the clients holds, also when it says an earlier page', () => {
  expect(pageOf(entryAt(0, 10), entryAt(1, 40), entryAt(2, 30))).toBe(30)
  expect(pageOf(entryAt(2, 30), entryAt(1, 40))).toBe(30)
})

test('C12 page 1 of another device is held back while the reader is far into the book', () => {
  const entries = [entryAt(0, 100), entryAt(5, 1, phone)]

  expect(pageOf(...entries)).toBe(100)
  expect(heldIn(entries)).toEqual([1])
  expect(pageOf(...entries, entryAt(6, 101))).toBe(101)
})

test('C12 two per cent is as good as page 1, and a little more is not', () => {
  expect(pageOf(entryAt(0, 100), entryAt(5, 4, phone))).toBe(100)
  expect(pageOf(entryAt(0, 100), entryAt(5, 5, phone))).toBe(5)
})

test('C12 nothing is held back from the same device, by a reset, or while little was read', () => {
  expect(pageOf(entryAt(0, 100), entryAt(5, 1))).toBe(1)
  expect(pageOf(entryAt(0, 100), reset(4), entryAt(5, 1, phone))).toBe(1)
  expect(pageOf(entryAt(0, 19), entryAt(5, 1, phone))).toBe(1)
  expect(pageOf(entryAt(0, 20), entryAt(5, 1, phone))).toBe(20)
  const ofTen = { pageCount: 10, percentage: 0.4 }
  expect(pageOf(entryAt(0, 4, ofTen), entryAt(5, 1, { ...phone, pageCount: 10, percentage: 0.1 }))).toBe(1)
})

test('C12 two further forward positions of the device within an hour release what was held back', () => {
  const entries = [entryAt(0, 100), entryAt(5, 1, phone), entryAt(6, 2, phone)]
  expect(pageOf(...entries)).toBe(100)
  expect(pageOf(...entries, entryAt(7, 2, phone))).toBe(100)
  const released = [...entries, entryAt(8, 3, phone)]
  expect(pageOf(...released)).toBe(3)
  expect(heldIn(released)).toEqual([])
})

test('C12 positions that come more than an hour later release nothing', () => {
  expect(pageOf(entryAt(0, 100), entryAt(5, 1, phone), entryAt(6, 2, phone), entryAt(65, 3, phone))).toBe(3)
  expect(pageOf(entryAt(0, 100), entryAt(5, 1, phone), entryAt(64, 2, phone), entryAt(65.1, 3, phone))).toBe(100)
})

test('C12 another device goes on in between, and the release still counts', () => {
  const entries = [entryAt(0, 100), entryAt(5, 1, phone), entryAt(6, 101), entryAt(7, 2, phone), entryAt(8, 3, phone)]
  expect(pageOf(...entries)).toBe(3)
})

test('C12 completed stays until a reset, and only a position past two per cent begins a reading again', () => {
  const done = [entryAt(0, 100), entryAt(10, 200)]
  const completedAt = done[1]?.at
  expect(fold(done)).toMatchObject({ completedAt, isRereading: false })
  expect(fold([...done, entryAt(20, 3)])).toMatchObject({ completedAt, isRereading: false, standing: { page: 200 } })
  expect(fold([...done, entryAt(20, 30)])).toMatchObject({ completedAt, isRereading: true, standing: { page: 30 } })
  expect(fold([...done, entryAt(20, 30), entryAt(30, 200)])).toMatchObject({ completedAt, isRereading: false })
  expect(fold([...done, reset(20)])).toEqual(nothingRead)
  expect(fold([...done, reset(20), entryAt(30, 3)])).toMatchObject({ completedAt: null, standing: { page: 3 } })
})

test('a completion counts once for each reading, however often the last page is turned', () => {
  const once = [entryAt(0, 100), entryAt(10, 200), entryAt(11, 199), entryAt(12, 200), entryAt(13, 200)]
  expect(completionsOf(once)).toBe(1)
  expect(completionsOf([...once, entryAt(20, 30), entryAt(30, 200)])).toBe(2)
  expect(completionsOf([...once, reset(20), entryAt(30, 200)])).toBe(2)
})

test('what was chosen outright holds, and takes a completion back', () => {
  const entries = [entryAt(0, 100), entryAt(10, 200), entryAt(20, 1, { ...phone, outright: true })]
  expect(fold(entries)).toMatchObject({ completedAt: null, standing: { page: 1, deviceId: 'phone' } })
})

test('a session that does not say where it ended moves nothing', () => {
  expect(pageOf(entryAt(0, 50), entryAt(5, 0, { page: null, percentage: null }))).toBe(50)
})

const someEntries = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 300 }),
      page: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: pageCount })),
      deviceId: fc.constantFrom('tablet', 'phone', 'reader'),
      kind: fc.constantFrom('progress', 'progress', 'progress', 'progress', 'completed', 'reset'),
    }),
    { maxLength: 40 },
  )
  .map((all) =>
    all.map(({ minutes, page, kind, ...rest }) =>
      entryAt(minutes, page, { ...rest, kind, ...(kind === 'completed' && { finishes: true }) }),
    ),
  )

test('C12 READ-1 the fold knows the set of entries and not the order they came in', () => {
  fc.assert(
    fc.property(
      someEntries.chain((entries) =>
        fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
      ),
      ([entries, shuffled]) => {
        expect(fold(shuffled)).toEqual(fold(entries))
        expect(JSON.stringify(fold(shuffled))).toBe(JSON.stringify(fold(entries)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a state that went through JSON goes on the same', () => {
  fc.assert(
    fc.property(someEntries, (entries) => {
      const stored = inOrder(entries).reduce(
        (state, entry) => JSON.stringify(step(JSON.parse(state) as typeof nothingRead, entry).state),
        JSON.stringify(nothingRead),
      )
      expect(stored).toBe(JSON.stringify(fold(entries)))
    }),
  )
})
