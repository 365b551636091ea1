/** No emoji, and no letter with its marks, is meant to be longer. */
const graphemeMax = 64

let segmenter: Intl.Segmenter | undefined

/**
 * The text, or as much of its beginning as has room: what is seen as one letter or one picture stays whole or goes. Of what
 * is longer than that, no character is cut in half.
 */
export const cutText = (text: string, lengthMax: number): string => {
  if (text.length <= lengthMax) return text
  segmenter ??= new Intl.Segmenter()
  const segments = segmenter.segment(text.slice(0, lengthMax + graphemeMax))
  const end = segments.containing(lengthMax)?.index ?? lengthMax
  return text.slice(0, lengthMax - end < graphemeMax ? end : lengthMax).replace(/[\uD800-\uDBFF]$/, '')
}
