import type { PileOfBooks } from '@carrel/api'

/** `13–24`; undefined where books are missing in between, or have no numbers: then it would say too much. */
export const pileRange = ({
  firstNumber,
  lastNumber,
  count,
}: Pick<PileOfBooks, 'firstNumber' | 'lastNumber' | 'count'>): string | undefined => {
  if (firstNumber === null || lastNumber === null || lastNumber - firstNumber !== count - 1) return undefined
  return `${firstNumber}–${lastNumber}`
}
