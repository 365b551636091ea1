import { expect, test } from 'vitest'
import { type GapCard, withGaps } from './gap-cards.ts'

const gap = (at: number, number: string): GapCard => ({ key: number, at, number, label: `${number} is missing` })
const shownOf = (gaps: readonly GapCard[], count: number): string[] => {
  const { gapAt, indexAt } = withGaps(gaps)
  return Array.from(
    { length: count + gaps.length },
    (_, index) => gapAt(index)?.number ?? String.fromCharCode(97 + indexAt(index)),
  )
}

test('V1 gaps stand where their numbers would be, among what is there', () => {
  expect(shownOf([], 3)).toEqual(['a', 'b', 'c'])
  expect(shownOf([gap(2, '3')], 4)).toEqual(['a', 'b', '3', 'c', 'd'])
  expect(shownOf([gap(0, '1'), gap(2, '4–6'), gap(3, '8')], 3)).toEqual(['1', 'a', 'b', '4–6', 'c', '8'])
  expect(shownOf([gap(1, '2'), gap(1, '2.5')], 2)).toEqual(['a', '2', '2.5', 'b'])
})

test('V1 what is there is found again behind the gaps before it', () => {
  const { placeOf, indexAt } = withGaps([gap(0, '1'), gap(2, '4–6'), gap(3, '8')])
  const positions = [0, 1, 2].map(placeOf)
  expect(positions).toEqual([1, 2, 4])
  expect(positions.map(indexAt)).toEqual([0, 1, 2])
})
