/** No letters that look like others: it may be read aloud. */
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const groups = 4

/** Sixteen letters, about 80 bits: `k4mw-9xuc-…`. */
export const madeUpPassword = (): string =>
  Array.from({ length: groups }, () => Array.from({ length: 4 }, letter).join('')).join('-')

/** There are 32, so that each is as likely as the others. */
const letter = (): string => {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return letters.charAt(byte % letters.length)
}
