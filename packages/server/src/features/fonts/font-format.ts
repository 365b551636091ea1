import type { FontDto } from '@carrel/api'

const woff2HeaderBytes = 48
const tableBytes = 16
const sfntHeaderBytes = 12

/** It detects the format of a font; undefined when the font is not complete. */
export const fontFormatOf = (bytes: Buffer): FontDto['format'] | undefined => {
  if (bytes.length < sfntHeaderBytes) return undefined
  const kind = bytes.toString('latin1', 0, 4)
  if (kind === 'wOF2') return isWholeWoff2(bytes) ? 'woff2' : undefined
  if (kind === 'OTTO') return hasTables(bytes, ['CFF ', 'CFF2']) ? 'otf' : undefined
  if (kind === '\u0000\u0001\u0000\u0000' || kind === 'true') return hasTables(bytes, ['glyf']) ? 'ttf' : undefined
  return undefined
}

/** It says how long it is, how much there is of it unpacked, and of how many tables. */
const isWholeWoff2 = (bytes: Buffer): boolean =>
  bytes.length >= woff2HeaderBytes && bytes.readUInt32BE(8) === bytes.length && bytes.readUInt16BE(12) > 0

/** Every table lies within the file, and there are those without which nothing can be shown. */
const hasTables = (bytes: Buffer, outlines: readonly string[]): boolean => {
  const count = bytes.readUInt16BE(4)
  if (bytes.length < sfntHeaderBytes + count * tableBytes) return false
  const names = new Set<string>()
  for (let index = 0; index < count; index += 1) {
    const position = sfntHeaderBytes + index * tableBytes
    if (bytes.readUInt32BE(position + 8) + bytes.readUInt32BE(position + 12) > bytes.length) return false
    names.add(bytes.toString('latin1', position, position + 4))
  }
  return ['cmap', 'head', 'hhea', 'maxp'].every((name) => names.has(name)) && outlines.some((name) => names.has(name))
}
