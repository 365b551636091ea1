import { BookFault } from '../book-format.ts'

const cutOff = (): BookFault => new BookFault('damaged', 'A table of the book is cut off')

export const u8 = (bytes: Buffer, position: number): number => {
  const byte = bytes[position]
  if (byte === undefined) throw cutOff()
  return byte
}

export const u16 = (bytes: Buffer, position: number): number => {
  if (position < 0 || position + 2 > bytes.length) throw cutOff()
  return bytes.readUInt16BE(position)
}

export const u32 = (bytes: Buffer, position: number): number => {
  if (position < 0 || position + 4 > bytes.length) throw cutOff()
  return bytes.readUInt32BE(position)
}

/** It returns all the bytes that should be there, or throws. */
export const slice = (bytes: Buffer, start: number, length: number): Buffer => {
  if (start < 0 || length < 0 || start + length > bytes.length) throw cutOff()
  return bytes.subarray(start, start + length)
}

export const startsWith = (bytes: Buffer, text: string, index = 0): boolean =>
  bytes.toString('latin1', index, index + text.length) === text

/** A number of up to four bytes of seven bits each; the last one has its highest bit set. */
export const readNumber = (bytes: Buffer, position: number): { readonly value: number; readonly next: number } => {
  let value = 0
  for (let index = 0; index < 4; index += 1) {
    const byte = u8(bytes, position + index)
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) return { value, next: position + index + 1 }
  }
  return { value, next: position + 4 }
}
