import { SourceFault } from '../../records.ts'

/** The limit holds for one archive, category or collection with all that is in it. */
const entryBytesMax = 4 * 1024 * 1024
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

/** Where in the JSON the reading is. */
interface ParserState {
  readonly names: ReadonlySet<string>
  readonly value: ReturnType<typeof gather>
  depth: number
  inText: boolean
  isEscaped: boolean
  /** What comes next in the outermost object is the name of something. */
  isName: boolean
  name: string
  isList: boolean
  isOver: boolean
}

/**
 * It splits JSON into the entries of the lists of the outermost object, a chunk at a time, without parsing the rest: each entry is parsed alone,
 * so that a backup of any length takes the memory of its longest one. Bytes that mean something to JSON are never a part of another
 * character in UTF-8.
 */
export const splitEntries = (names: ReadonlySet<string>) => {
  const state: ParserState = {
    names,
    value: gather(),
    depth: 0,
    inText: false,
    isEscaped: false,
    isName: false,
    name: '',
    isList: false,
    isOver: false,
  }
  return {
    take: function* (chunk: Buffer): Generator<Entry> {
      for (let at = 0; at < chunk.length; at += 1) {
        if (state.inText) readText(state, chunk, at)
        else if (!isSpace(chunk[at] ?? 0)) yield* readByte(state, chunk, at)
      }
      state.value.keep(chunk, chunk.length)
    },
    end: (): void => {
      if (!state.isOver) throw damaged()
    },
  }
}

const readText = (state: ParserState, chunk: Buffer, at: number): void => {
  const byte = chunk[at]
  if (state.isEscaped) state.isEscaped = false
  else if (byte === codes.backslash) state.isEscaped = true
  else if (byte === codes.quote) {
    state.inText = false
    if (state.depth !== 1 || !state.value.isOn()) return
    state.value.keep(chunk, at + 1)
    state.name = String(state.value.finish())
  }
}

const readByte = (state: ParserState, chunk: Buffer, at: number): readonly Entry[] => {
  const byte = chunk[at] ?? 0
  if (byte === codes.brace || byte === codes.bracket) open(state, byte, at)
  else if (closing.has(byte)) return close(state, chunk, at)
  else if (state.depth === 0) throw wrongKind()
  else if (byte === codes.comma) {
    if (state.depth === 1) state.isName = true
    return finishEntry(state, chunk, at)
  } else if (byte === codes.colon) {
    if (state.depth === 1) state.isName = false
  } else {
    beginValue(state, at)
    state.inText = byte === codes.quote
  }
  return []
}

const beginValue = ({ value, depth, isName, isList, names, name }: ParserState, at: number): void => {
  if (value.isOn()) return
  if ((depth === 1 && isName) || (depth === 2 && isList && names.has(name))) value.begin(at)
}

const open = (state: ParserState, byte: number, at: number): void => {
  if (state.isOver || (state.depth === 0 && byte !== codes.brace)) throw wrongKind()
  if (state.depth === 0) state.isName = true
  else if (state.depth === 1) state.isList = byte === codes.bracket
  else beginValue(state, at)
  state.depth += 1
  if (state.depth > depthMax) throw damaged()
}

const close = (state: ParserState, chunk: Buffer, at: number): readonly Entry[] => {
  const entries = finishEntry(state, chunk, at)
  state.depth -= 1
  if (state.depth < 0) throw damaged()
  state.isOver = state.depth === 0
  return entries
}

const finishEntry = ({ depth, value, name }: ParserState, chunk: Buffer, end: number): readonly Entry[] => {
  if (depth !== 2 || !value.isOn()) return []
  value.keep(chunk, end)
  return [{ list: name, value: value.finish() }]
}
