import { expect, test } from 'vitest'
import { cachedAnswers, sharedAnswers, type Viewer } from './visibility.ts'

const rule = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }
const viewer: Viewer = { userId: 'role-1', rule, deletedLibraries: [], seesPaths: false }

const asking = (
  changeMark: () => string | Promise<string>,
  mayKeep?: (answer: number) => boolean,
  cached = cachedAnswers,
) => {
  const answers = cached<number>({ changeMark }, 10, mayKeep)
  let calls = 0
  const ask = async (who: Viewer = viewer, key = 'all', meanwhile?: () => void) =>
    answers(who, key, async () => {
      calls += 1
      meanwhile?.()
      return calls
    })
  return ask
}

test.each([
  ['a text', (mark: number) => String(mark)],
  ['a promise', (mark: number) => Promise.resolve(String(mark))],
])('what was answered holds until the mark is another one (%s)', async (_, markOf) => {
  let mark = 1
  const ask = asking(() => markOf(mark))

  expect([await ask(), await ask(), await ask()]).toEqual([1, 1, 1])
  mark = 2
  expect([await ask(), await ask()]).toEqual([2, 2])
})

test('it holds for the same words, and for the same viewer with the same rights', async () => {
  const ask = asking(() => '1')

  expect(await ask()).toBe(1)
  expect(await ask(viewer, 'others')).toBe(2)
  expect(await ask({ ...viewer, userId: 'role-2' })).toBe(3)
  expect(await ask({ ...viewer, rule: { ...rule, ageCeiling: 12 } })).toBe(4)
  expect(await ask({ ...viewer, deletedLibraries: ['gone'] })).toBe(5)
  expect(await ask({ ...viewer, seesPaths: true })).toBe(6)
  expect(await ask({ ...viewer, hidesReading: true })).toBe(7)
  expect(await ask(viewer, 'others')).toBe(2)
})

test('what is committed while it is worked out makes it old', async () => {
  let mark = 1
  const ask = asking(() => String(mark))
  const commit = () => {
    mark += 1
  }

  expect(await ask(viewer, 'all', commit)).toBe(1)
  expect(await ask()).toBe(2)
})

test('what may not be kept is not', async () => {
  const ask = asking(
    () => '1',
    (answer) => answer > 1,
  )

  expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 2])
})

test('what shows nothing of any reader holds for all with the same rights, until what concerns everybody changes', async () => {
  let mark = 'all-1 own-1'
  const ask = asking(() => mark, undefined, sharedAnswers)

  expect(await ask()).toBe(1)
  mark = 'all-1 own-2'
  expect(await ask({ ...viewer, userId: 'role-2', rule: { ...rule } })).toBe(1)
  expect(await ask({ ...viewer, rule: { ...rule, ageCeiling: 12 } })).toBe(2)
  expect(await ask({ ...viewer, deletedLibraries: ['gone'] })).toBe(3)
  expect(await ask({ ...viewer, seesPaths: true })).toBe(4)
  mark = 'all-2 own-2'
  expect(await ask()).toBe(5)
})
