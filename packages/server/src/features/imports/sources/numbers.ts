/**
 * The number of a book as it is shown. Others keep it as 32 bits, in which 7.1 is 7.09999990463…: the shortest text that means the same there
 * is what somebody wrote.
 */
export const numberText = (value: unknown): string | null => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const short = Number(value.toPrecision(7))
  return String(Math.fround(value) === value && Math.fround(short) === value ? short : value)
}
