import { BookFault } from '../book-format.ts'

/** Two bytes become ten at most. */
const growthMax = 5

const damaged = (): BookFault => new BookFault('damaged', 'The text of the book is damaged')

/** The compression of most books for Palms and Kindles, of one record. */
export const unpackPalmDoc = (packed: Buffer): Buffer => {
  const text = Buffer.allocUnsafe(packed.length * growthMax + 8)
  let length = 0
  let position = 0
  while (position < packed.length) {
    const byte = packed[position] ?? 0
    position += 1
    if (byte >= 1 && byte <= 8) {
      if (position + byte > packed.length) throw damaged()
      packed.copy(text, length, position, position + byte)
      position += byte
      length += byte
    } else if (byte < 0x80) {
      text[length] = byte
      length += 1
    } else if (byte >= 0xc0) {
      text[length] = 0x20
      text[length + 1] = byte ^ 0x80
      length += 2
    } else {
      const low = packed[position]
      if (low === undefined) throw damaged()
      position += 1
      const distance = (((byte << 8) | low) >> 3) & 0x7ff
      const count = (low & 7) + 3
      if (distance === 0 || distance > length) throw damaged()
      // The copied range may overlap with what is being written: the copy goes byte by byte.
      for (let step = 0; step < count; step += 1) text[length + step] = text[length + step - distance] ?? 0
      length += count
    }
  }
  return text.subarray(0, length)
}
