import { constants, inflateSync } from 'node:zlib'
import { BookFault } from '../book-format.ts'
import { slice, startsWith, u32 } from './bytes.ts'

const fontBytesMax = 32 * 1024 * 1024
/** Only the beginning is obfuscated. */
const obfuscatedBytes = 1040
const isPacked = 1
const isObfuscated = 2

export const isFontRecord = (record: Buffer): boolean => startsWith(record, 'FONT')

/**
 * A font as it was before it was packed and obfuscated, which is no protection of the book. It throws a `BookFault`.
 */
export const readFontRecord = (record: Buffer): Buffer => unpack(record, {})

/** The first bytes of a font, of those of its record. */
export const fontRecordHead = (head: Buffer): Buffer => unpack(head, { finishFlush: constants.Z_SYNC_FLUSH })

const unpack = (record: Buffer, how: { readonly finishFlush?: number }): Buffer => {
  const [flags, start, keyLength, keyStart] = [u32(record, 8), u32(record, 12), u32(record, 16), u32(record, 20)]
  const stored = slice(record, start, record.length - start)
  const key = (flags & isObfuscated) === 0 ? Buffer.alloc(0) : slice(record, keyStart, keyLength)
  const clear = key.length === 0 ? stored : withKey(stored, key)
  if ((flags & isPacked) === 0) return clear
  try {
    return inflateSync(clear, { ...how, maxOutputLength: fontBytesMax })
  } catch (error) {
    throw new BookFault('damaged', 'A font of the book is damaged', { cause: error })
  }
}

const withKey = (stored: Buffer, key: Buffer): Buffer => {
  const clear = Buffer.from(stored)
  const end = Math.min(clear.length, obfuscatedBytes)
  for (let index = 0; index < end; index += 1) clear[index] = (clear[index] ?? 0) ^ (key[index % key.length] ?? 0)
  return clear
}
