import { SourceFault } from '../../records.ts'

/** The limit holds for one archive, category or collection with all that is in it. */
export const entryBytesMax = 4 * 1024 * 1024
/** Nothing in a backup nests deeper than a list in an entry. */
const depthMax = 32

export interface Entry {
  /** The name of the list in which it stands. */
  readonly list: string
  readonly value: unknown
}

const damaged = (): SourceFault =>
  new SourceFault('damaged', 'This backup is damaged, or only a part of it was copied. Make it again.')
const wrongKind = (): SourceFault => new SourceFault('wrong_kind', 'This is no backup of LANraragi.')

const codes = { quote: 0x22, comma: 0x2c, colon: 0x3a, bracket: 0x5b, backslash: 0x5c, brace: 0x7b } as const
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Bytes of one value, gathered over several chunks. */
const gather = () => {
  let parts: Buffer[] = []
  let bytes = 0
  let from = -1
  return {
    isOn: (): boolean => from >= 0,
    begin: (at: number): void => {
      from = at
    },
    keep: (chunk: Buffer, end: number): void => {
      if (from < 0) return
      bytes += end - from
      if (bytes > entryBytesMax) throw new SourceFault('too_large', 'This backup holds an entry of more than 4 MiB.')
      parts.push(Buffer.from(chunk.subarray(from, end)))
      from = 0
    },
    finish: (): unknown => {
      const text = Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      from = -1
      try {
        return JSON.parse(text)
      } catch {
        throw damaged()
      }
    },
  }
}

/**
 * It splits JSON into the entries of the lists of the outermost object, a chunk at a time, without parsing the rest: each entry is parsed alone,
 * so that a backup of any length takes the memory of its longest one. Bytes that mean something to JSON are never a part of another
 * character in UTF-8.
 */
export const splitEntries = (wanted: ReadonlySet<string>) => {
  const value = gather()
  let depth = 0
  let inText = false
  let isEscaped = false
  let isName = false
  let name = ''
  let isList = false
  let isOver = false

  const readText = (chunk: Buffer, at: number, byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (byte === codes.backslash) isEscaped = true
    else if (byte === codes.quote) {
      inText = false
      if (depth !== 1 || !value.isOn()) return
      value.keep(chunk, at + 1)
      name = String(value.finish())
    }
  }

  const beginValue = (at: number): void => {
    if (value.isOn()) return
    if ((depth === 1 && isName) || (depth === 2 && isList && wanted.has(name))) value.begin(at)
  }

  const open = (byte: number, at: number): void => {
    if (isOver || (depth === 0 && byte !== codes.brace)) throw wrongKind()
    if (depth === 0) isName = true
    else if (depth === 1) isList = byte === codes.bracket
    else beginValue(at)
    depth += 1
    if (depth > depthMax) throw damaged()
  }

  const finishEntry = (chunk: Buffer, end: number): readonly Entry[] => {
    if (depth !== 2 || !value.isOn()) return []
    value.keep(chunk, end)
    return [{ list: name, value: value.finish() }]
  }

  const close = (chunk: Buffer, at: number): readonly Entry[] => {
    const found = finishEntry(chunk, at)
    depth -= 1
    if (depth < 0) throw damaged()
    isOver = depth === 0
    return found
  }

  const readByte = (chunk: Buffer, at: number, byte: number): readonly Entry[] => {
    if (byte === codes.brace || byte === codes.bracket) open(byte, at)
    else if (closing.has(byte)) return close(chunk, at)
    else if (depth === 0) throw wrongKind()
    else if (byte === codes.comma) {
      if (depth === 1) isName = true
      return finishEntry(chunk, at)
    } else if (byte === codes.colon) {
      if (depth === 1) isName = false
    } else {
      beginValue(at)
      inText = byte === codes.quote
    }
    return []
  }

  return {
    take: function* (chunk: Buffer): Generator<Entry> {
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? 0
        if (inText) readText(chunk, at, byte)
        else if (!isSpace(byte)) yield* readByte(chunk, at, byte)
      }
      value.keep(chunk, chunk.length)
    },
    end: (): void => {
      if (!isOver) throw damaged()
    },
  }
}
