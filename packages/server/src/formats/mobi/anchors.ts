/** A place that links lead to: a byte of a text. */
export interface Anchor {
  readonly position: number
  readonly id: string
}

/** The search does not look further back than this for the start of a tag. */
const tagBytesMax = 4096
const [open, close] = [0x3c, 0x3e]

/** The text with an element that bears the id at each place, or before the tag in whose middle it is. */
export const withAnchors = (text: Buffer, anchors: readonly Anchor[], earliest = 0): Buffer => {
  if (anchors.length === 0) return text
  const parts: Buffer[] = []
  let written = 0
  for (const { position, id } of anchors.toSorted((one, other) => one.position - other.position)) {
    const start = Math.max(earliest, written, outsideTag(text, Math.min(position, text.length)))
    parts.push(text.subarray(written, start), Buffer.from(`<a id="${id}"></a>`))
    written = start
  }
  return Buffer.concat([...parts, text.subarray(written)])
}

const outsideTag = (text: Buffer, offset: number): number => {
  let position = offset
  // The position must not be in the middle of a character of UTF-8.
  for (let step = 0; step < 3 && ((text[position] ?? 0) & 0xc0) === 0x80; step += 1) position -= 1
  if (text[position] === open) return position
  const before = text.subarray(Math.max(0, position - tagBytesMax), position)
  const lastOpen = before.lastIndexOf(open)
  return lastOpen > before.lastIndexOf(close) ? position - before.length + lastOpen : position
}
