import { BookFault } from '../book-format.ts'

const cutOff = (): BookFault => new BookFault('damaged', 'A table of the book is cut off')

export const u8 = (bytes: Buffer, at: number): number => {
  const byte = bytes[at]
  if (byte === undefined) throw cutOff()
  return byte
}

export const u16 = (bytes: Buffer, at: number): number => {
  if (at < 0 || at + 2 > bytes.length) throw cutOff()
  return bytes.readUInt16BE(at)
}

export const u32 = (bytes: Buffer, at: number): number => {
  if (at < 0 || at + 4 > bytes.length) throw cutOff()
  return bytes.readUInt32BE(at)
}

/** It returns all the bytes that should be there, or throws. */
export const slice = (bytes: Buffer, start: number, length: number): Buffer => {
  if (start < 0 || length < 0 || start + length > bytes.length) throw cutOff()
  return bytes.subarray(start, start + length)
}

export const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** A number of up to four bytes of seven bits each; the last one has its highest bit set. */
export const readNumber = (bytes: Buffer, at: number): { readonly value: number; readonly next: number } => {
  let value = 0
  for (let index = 0; index < 4; index += 1) {
    const byte = u8(bytes, at + index)
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) return { value, next: at + index + 1 }
  }
  return { value, next: at + 4 }
}
