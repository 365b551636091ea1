import { assert, asyncProperty, array, integer } from 'fast-check'
import { expect, test } from 'vitest'
import { type Cursor, readNear } from './cursors.ts'

/** A list whose row at each place is called by it, read from as near as it may be. */
const listOf = () => {
  const steps: number[] = []
  const read = async (near: Cursor | undefined) => near
  const find = async (offset: number, near: Cursor | undefined): Promise<Cursor> => {
    steps.push(Math.abs(offset - (near?.offset ?? 0)))
    return { offset, rank: 0, values: { id: String(offset) } }
  }
  return { steps, paths: { find, read } }
}
const isSame = async () => true
const total = 1_000_000
const limit = 50

test('a page of a long list has an cursor near it that is not within it, and what was on the way is known from then on', async () => {
  await assert(
    asyncProperty(array(integer({ min: 0, max: total - limit }), { minLength: 1, maxLength: 8 }), async (offsets) => {
      const cursors: Cursor[] = []
      for (const offset of offsets) {
        const { steps, paths } = listOf()
        const near = await readNear({ cursors, isSame }, { offset, limit, total }, paths)
        const from = near?.offset ?? (offset > total / 2 ? total : 0)
        expect(Math.abs(from - offset)).toBeLessThan(9000)
        expect(from > offset && from < offset + limit).toBe(false)
        expect(steps.length).toBeLessThanOrEqual(64)
        const again = listOf()
        await readNear({ cursors, isSame }, { offset, limit, total }, again.paths)
        expect(again.steps).toEqual([])
      }
      expect(new Set(cursors.map(({ offset }) => offset)).size).toBe(cursors.length)
    }),
    { numRuns: 50 },
  )
})

test('a list that has become another one meanwhile is read without an cursor', async () => {
  const { paths } = listOf()
  const stretch = { offset: total / 2, limit, total }

  expect(await readNear({ cursors: [], isSame }, stretch, paths)).toMatchObject({ offset: expect.any(Number) })
  expect(await readNear({ cursors: [], isSame: async () => false }, stretch, paths)).toBeUndefined()
})

test('where a row is not found any more the list is read from its end', async () => {
  const read = async (near: Cursor | undefined) => near
  const find = async () => undefined

  expect(await readNear({ cursors: [], isSame }, { offset: total / 2, limit, total }, { find, read })).toBeUndefined()
})
