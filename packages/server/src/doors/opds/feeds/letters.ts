import type { Letters } from '@carrel/api'

/** A part of the list by name. */
interface Stretch {
  readonly offset: number
  readonly limit: number
}

/** It stands for names that begin with digits or signs; some of these come before all letters and some after them. */
const noLetter = '#'

/** It says where in the list by name a letter is. `page` is its position, counted from 1. */
export const stretchesOf = (letters: Letters['letters'], letter: string): Stretch[] => {
  const runs = letters
    .filter((each) => each.letter !== noLetter)
    .map((each) => ({ letter: each.letter, offset: each.page - 1, limit: each.count }))
    .sort((one, other) => one.offset - other.offset)
  if (letter !== noLetter) return runs.filter((run) => run.letter === letter)
  const total = letters.reduce((sum, { count }) => sum + count, 0)
  const ends = [0, ...runs.map(({ offset, limit }) => offset + limit)]
  const beginnings = [...runs.map(({ offset }) => offset), total]
  return ends
    .map((offset, index) => ({ offset, limit: (beginnings[index] ?? total) - offset }))
    .filter(({ limit }) => limit > 0)
}

/** It cuts one page out of these stretches, put one behind the other. */
export const within = (stretches: readonly Stretch[], { offset, limit }: Stretch): Stretch[] => {
  let before = 0
  return stretches.flatMap((stretch) => {
    const from = Math.max(0, offset - before)
    const to = Math.min(stretch.limit, offset + limit - before)
    before += stretch.limit
    return from < to ? [{ offset: stretch.offset + from, limit: to - from }] : []
  })
}
