import { crc32 } from 'node:zlib'
import { nameFromBytes } from '../../platform/files/file-names.ts'

/**
 * A member's name as its bytes stand in the archive, one character a byte: two of them are the same name when these
 * are, whatever they mean.
 */
export type RawName = string

/** The directory says this about the meaning of a name's bytes. */
export interface NameHints {
  readonly isUtf8: boolean
  /** The extra fields of the member. */
  readonly extra: Buffer
}

/** ASCII with `/` between folders, as nearly all names are. */
export const isPlain = (raw: RawName): boolean => !unusual.test(raw)

const unusual = /[\u0080-\u00ff\\]/

/** The name when the archive says how to read it, or when it can be nothing but UTF-8. */
export const statedName = (raw: RawName, hints: NameHints): string | undefined => {
  const bytes = Buffer.from(raw, 'latin1')
  const unicodePath = findUnicodePath(bytes, hints.extra)
  if (unicodePath !== undefined) return unicodePath
  // Names that claim to be UTF-8 and are not keep their bytes recognisable, as names of files do.
  if (hints.isUtf8) return nameFromBytes(bytes)
  return decode(utf8, bytes)
}

/**
 * Old archives do not say. Shift-JIS and the code page of DOS are what they are made of; all names of an archive come
 * from one machine, so they are judged together.
 */
export const legacyDecoder = (raws: readonly RawName[]): ((raw: RawName) => string) => {
  if (!raws.every(isShiftJis) || !looksJapanese(raws)) return fromCodePage437
  return (raw) => decode(shiftJis, Buffer.from(raw, 'latin1')) ?? fromCodePage437(raw)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const shiftJis = new TextDecoder('shift_jis', { fatal: true })

const decode = (decoder: Pick<typeof utf8, 'decode'>, bytes: Buffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isShiftJis = (raw: RawName): boolean => decode(shiftJis, Buffer.from(raw, 'latin1')) !== undefined

/** A character of two bytes, a run of them, or half-width kana. */
const doubleBytes = /(?:[\u0081-\u009f\u00e0-\u00fc][\u0040-\u00fc])+|[\u00a1-\u00df]/g

/**
 * An accent among Latin letters can be read as half a Japanese character, but it stands alone and what follows it is a
 * letter; Japanese characters stand together or have a second byte no letter has.
 */
const looksJapanese = (raws: readonly RawName[]): boolean => {
  let balance = 0
  for (const raw of raws) {
    for (const [run] of raw.matchAll(doubleBytes)) {
      const isJapanese = run.length > 2 || (run.length === 2 && run.charCodeAt(1) >= 0x80)
      balance += isJapanese ? run.length / 2 : -1
    }
  }
  return balance > 0
}

const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const fromCodePage437 = (raw: RawName): string =>
  raw.replace(/[\u0080-\u00ff]/g, (byte) => codePage437.charAt(byte.charCodeAt(0) - 0x80))

const unicodePathField = 0x7075

/** Info-ZIP's field: version 1, the CRC32 of the name it stands for, the name in UTF-8. */
const findUnicodePath = (name: Buffer, extra: Buffer): string | undefined => {
  const field = extraField(extra, unicodePathField)
  if (field === undefined || field.length < 6 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(name)) {
    return undefined
  }
  return decode(utf8, field.subarray(5))
}

export const extraField = (extra: Buffer, id: number): Buffer | undefined => {
  const field = extraFieldAt(extra, id)
  return field && extra.subarray(field.from, field.from + field.length)
}

/** Where its data stand. */
export const extraFieldAt = (
  extra: Buffer,
  id: number,
): { readonly from: number; readonly length: number } | undefined => {
  let position = 0
  while (position + 4 <= extra.length) {
    const length = extra.readUInt16LE(position + 2)
    const from = position + 4
    if (from + length > extra.length) return undefined
    if (extra.readUInt16LE(position) === id) return { from, length }
    position = from + length
  }
  return undefined
}
