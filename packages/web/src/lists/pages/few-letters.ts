import type { Letters } from '@carrel/api'

type Letter = Letters['letters'][number]

/** The list of letters has room for this many, and nobody wants to go through more by keyboard. */
const lettersMax = 64

/** Scripts with two cases have few letters. The others may have thousands, so some of them stand for all. */
const isOfFew = ({ letter }: Letter): boolean => letter === '#' || letter !== letter.toLowerCase()

export const fewLetters = (letters: readonly Letter[], max = lettersMax): readonly Letter[] => {
  if (letters.length <= max) return letters
  const others = letters.filter((each) => !isOfFew(each))
  const room = Math.max(1, max - (letters.length - others.length))
  const step = others.reduce((sum, { count }) => sum + count, 0) / room
  const chosen: Letter[] = []
  let before = 0
  let next = 0
  for (const each of letters) {
    if (isOfFew(each)) chosen.push(each)
    else {
      if (before >= next) {
        chosen.push(each)
        next += step
      }
      before += each.count
    }
  }
  return chosen
}
