import type { Letters } from '@carrel/api'

/** Folded letters are never upper case: what looks like one says how long a number is. */
const isLetter = /^(?!\p{Lu})\p{L}/u

/** Names are grouped by their first letter in sort order; digits and everything that is no letter form one group. */
export const lettersFrom = (
  counts: readonly { readonly first: string; readonly count: number }[],
  pageSize: number,
): Letters => {
  const letters = new Map<string, Letters['letters'][number]>()
  let before = 0
  for (const { first, count } of counts) {
    const letter = isLetter.test(first) ? first.toUpperCase() : '#'
    const entry = letters.get(letter)
    if (entry) entry.count += count
    else letters.set(letter, { letter, count, page: Math.floor(before / pageSize) + 1 })
    before += count
  }
  return { letters: [...letters.values()] }
}
