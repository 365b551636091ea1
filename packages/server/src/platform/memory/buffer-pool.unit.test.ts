import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { bufferPool, type Lent } from './buffer-pool.ts'

const megabyte = 1024 * 1024

test('what is lent is as long as asked for, and nobody else has it until it is given back', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('lend' as const), length: fc.integer({ min: 0, max: 20 * megabyte }) }),
    fc.record({ kind: fc.constant('give back' as const), index: fc.nat(30), twice: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const pool = bufferPool(8 * megabyte)
      const lent: Lent[] = []
      const wrong: unknown[] = []
      const lend = (length: number): void => {
        const one = pool.lend(length)
        const isTaken = lent.some(({ bytes }) => bytes.buffer === one.bytes.buffer)
        if (one.bytes.length !== length || isTaken) wrong.push({ length, isTaken })
        // Small ones share what Node has for such.
        if (length > megabyte / 8) lent.push(one)
      }
      for (const each of steps) {
        if (each.kind === 'lend') lend(each.length)
        const [one] = each.kind === 'lend' ? [] : lent.splice(each.index, 1)
        one?.giveBack()
        if (each.kind !== 'lend' && each.twice) one?.giveBack()
      }
      expect(wrong).toEqual([])
    }),
    { numRuns: 50 },
  )
})

test('memory that was given back is used again for what fits into it', () => {
  const pool = bufferPool()
  const first = pool.lend(megabyte)
  const { buffer } = first.bytes
  first.giveBack()
  expect(pool.lend(megabyte - 5).bytes.buffer).toBe(buffer)
  expect(pool.lend(megabyte - 5).bytes.buffer).not.toBe(buffer)
})

test('W15 no more is kept than agreed, and nothing for long', () => {
  vi.useFakeTimers()
  try {
    const pool = bufferPool(2 * megabyte)
    const lend = () => Array.from({ length: 3 }, () => pool.lend(megabyte))
    const first = lend()
    const had = new Set(first.map(({ bytes }) => bytes.buffer))
    const hadBefore = (lent: Lent[]) => lent.filter(({ bytes }) => had.has(bytes.buffer)).length
    for (const each of first) each.giveBack()
    const again = lend()
    expect(hadBefore(again)).toBe(2)
    for (const each of again) each.giveBack()
    vi.advanceTimersByTime(60_000)
    expect(hadBefore(lend())).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
