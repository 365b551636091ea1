import type { Letters } from '@carrel/api'

type Letter = Letters['letters'][number]

/** As many as there is room for, and as one wants to go through by keyboard. */
const lettersMax = 64

/** Of scripts with two cases there are few letters. Of the others, of which there may be thousands, some stand for all. */
const isOfFew = ({ letter }: Letter): boolean => letter === '#' || letter !== letter.toLowerCase()

export const fewLetters = (letters: readonly Letter[], max = lettersMax): readonly Letter[] => {
  if (letters.length <= max) return letters
  const others = letters.filter((each) => !isOfFew(each))
  const room = Math.max(1, max - (letters.length - others.length))
  const step = others.reduce((sum, { count }) => sum + count, 0) / room
  const kept: Letter[] = []
  let before = 0
  let next = 0
  for (const each of letters) {
    if (isOfFew(each)) kept.push(each)
    else {
      if (before >= next) {
        kept.push(each)
        next += step
      }
      before += each.count
    }
  }
  return kept
}
