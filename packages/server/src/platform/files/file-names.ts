/**
 * A name of a file is bytes, and not always UTF-8. Kept as text it must come back as the same bytes: each byte that is
 * not part of valid UTF-8 (and of a real U+FFFD) stands as U+FFFD followed by two hexadecimal digits.
 */
const mark = '\uFFFD'
const escaped = /\uFFFD([0-9A-F]{2})/g

/** The text a name is kept and shown as. */
export const nameFromBytes = (bytes: Uint8Array): string => {
  const name = Buffer.from(bytes).toString('utf8')
  return name.includes(mark) ? escapeInvalid(Buffer.from(bytes)) : name
}

/** It is the path for `fs`: a text where text is enough. */
export const pathForSystem = (path: string): string | Buffer => {
  if (!path.includes(mark)) return path
  const parts: Buffer[] = []
  let from = 0
  for (const match of path.matchAll(escaped)) {
    parts.push(Buffer.from(path.slice(from, match.index)), Buffer.from(match[1] ?? '', 'hex'))
    from = match.index + match[0].length
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(from))])
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const escapeInvalid = (bytes: Buffer): string => {
  let text = ''
  let position = 0
  while (position < bytes.length) {
    const length = sequenceLength(bytes, position)
    const sequence = bytes.subarray(position, position + length)
    const decoded = decodeStrictly(sequence)
    if (decoded !== undefined && decoded !== mark) {
      text += decoded
      position += length
    } else {
      text += mark + (bytes[position] ?? 0).toString(16).toUpperCase().padStart(2, '0')
      position += 1
    }
  }
  return text
}

const sequenceLength = (bytes: Buffer, position: number): number => {
  const first = bytes[position] ?? 0
  if (first < 0x80) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

const decodeStrictly = (sequence: Buffer): string | undefined => {
  try {
    return strict.decode(sequence)
  } catch {
    return undefined
  }
}

/** Where a file lies: in a folder of a root, which ends with a slash but for the root itself. */
export const pathBelow = (rootPath: string | null, folder: string | null, name: string | null): string =>
  `${(rootPath ?? '').replace(/\/$/, '')}/${folder ?? ''}${name ?? ''}`
