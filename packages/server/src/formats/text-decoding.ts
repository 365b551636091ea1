import { isUtf8 } from 'node:buffer'

/**
 * The text of an XML or JSON file, whatever encoding it is in. What is valid UTF-8 is UTF-8: too many programs declare another
 * encoding and write UTF-8, or the other way round. Then the declared one counts, then Windows-1252, which fits any bytes.
 */
export const decodeText = (bytes: Buffer): string => {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  if (isUtf8(bytes)) return withoutMark(bytes.toString('utf8'))
  return decodeDeclared(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
}

/** UTF-16 by its mark, or without one by the zero beside the first `<` of XML. */
const wideEncoding = (bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return undefined
}

const declaration = /^\s*<\?xml[^>]{1,100}?encoding\s{0,10}=\s{0,10}["']([\w.-]{1,40})["']/

const decodeDeclared = (bytes: Buffer): string | undefined => {
  const [, label] = declaration.exec(bytes.toString('latin1', 0, 256)) ?? []
  // A file that declares UTF-16 but has no zero in its first two bytes is not that.
  if (label === undefined || /^utf-?16/i.test(label)) return undefined
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    // No encoding anybody knows, or not this one.
    return undefined
  }
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)
