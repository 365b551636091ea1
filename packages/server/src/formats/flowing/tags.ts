import { decodeEntities } from '../html-entities.ts'
import { bookLimits } from '../limits.ts'

/** A tag as it stands in a text. */
export interface Tag {
  /** The name is in lower case, without a prefix. */
  readonly name: string
  readonly isEnd: boolean
  /** It ends itself, as `<br/>` does. */
  readonly isEmpty: boolean
  readonly start: number
  readonly end: number
  /** It holds only the beginning of a very long tag. */
  readonly source: string
}

/**
 * The tags of a text one after another, whether it is well formed or not, each character looked at once or twice. What
 * stands in comments, instructions and CDATA is no tag. An attribute that holds `>` ends its tag early: nothing is made
 * safe by this, it only finds the way around in a book.
 */
export function* tagsOf(text: string): Generator<Tag> {
  for (let position = text.indexOf('<'); position !== -1; position = text.indexOf('<', position)) {
    const end = endOf(text, position)
    if (end === -1) return
    const tag = isName.test(text.slice(position + 1, position + 3)) ? tagAt(text, position, end) : undefined
    if (tag !== undefined) yield tag
    position = end
  }
}

const isName = /^\/?[a-z]/i

const endOf = (text: string, position: number): number => {
  const [ending] = endings.find(([, start]) => text.startsWith(start, position)) ?? ['>']
  const endingAt = text.indexOf(ending, position + 1)
  return endingAt === -1 ? -1 : endingAt + ending.length
}

const endings: readonly (readonly [ending: string, start: string])[] = [
  ['-->', '<!--'],
  [']]>', '<![CDATA['],
  ['?>', '<?'],
]

/** No attribute further on is looked for. */
const sourceMax = 8192

const tagPattern = /^<(\/?)(?:[\w.-]{1,64}:)?([\w.-]{1,64})/

const tagAt = (text: string, start: number, end: number): Tag | undefined => {
  const [, slash, name] = tagPattern.exec(text.slice(start, Math.min(end, start + 140))) ?? []
  if (name === undefined) return undefined
  return {
    name: name.toLowerCase(),
    isEnd: slash === '/',
    isEmpty: text.charCodeAt(end - 2) === 0x2f,
    start,
    end,
    source: text.slice(start, Math.min(end, start + sourceMax)),
  }
}

const patterns = new Map<string, RegExp>()

/** The value of an attribute, by its name without a prefix. */
export const attributeOf = ({ source }: Tag, name: string): string | undefined => {
  if (source.length < name.length + 4) return undefined
  const pattern = patterns.get(name) ?? attributePattern(name)
  const [, double, single, bare] = pattern.exec(source) ?? []
  const written = double ?? single ?? bare
  return written === undefined ? undefined : decodeEntities(written)
}

const attributePattern = (name: string): RegExp => {
  const pattern = new RegExp(
    String.raw`[\s"'](?:[\w-]{1,32}:)?${name}\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))`,
    'i',
  )
  patterns.set(name, pattern)
  return pattern
}

/** The words between the tags. */
export const wordsOf = (text: string): string => {
  let words = ''
  let position = 0
  for (const { start, end } of tagsOf(text)) {
    words += `${text.slice(position, start)} `
    position = end
  }
  return decodeEntities(words + text.slice(position))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Only the beginning of longer parts is looked through. */
const inspectedMax = 64 * 1024

/** It returns whether there is anything to see in a part of a book: words outside of its head, or a picture. */
const showsSomething = (text: string, from: number, to: number): boolean => {
  if (to - from > inspectedMax) return true
  const part = text.slice(from, to)
  let position = 0
  let isInHead = false
  for (const { name, isEnd, start, end } of tagsOf(part)) {
    if (!isInHead && part.slice(position, start).trim() !== '') return true
    if (name === 'img' || name === 'image') return true
    if (name === 'head') isInHead = !isEnd
    position = end
  }
  return !isInHead && part.slice(position).trim() !== ''
}

/** It says where a text is cut: where the part before ends, and where the part behind begins. */
export interface Cut {
  readonly end: number
  readonly next: number
}

export interface TextRange {
  readonly start: number
  readonly end: number
}

/** The parts of a text between its cuts. What shows nothing belongs to what follows; what is behind the last cut is left out. */
export const partsBetween = (text: string, start: number, cuts: Iterable<Cut>): TextRange[] => {
  const parts: TextRange[] = []
  let from = start
  let checkedTo = start
  let shows = false
  for (const { end, next } of cuts) {
    shows ||= showsSomething(text, checkedTo, end)
    checkedTo = next
    if (!shows) continue
    parts.push({ start: from, end })
    from = next
    shows = false
    // The code that opens the book reports that it has too many.
    if (parts.length > bookLimits.pages) break
  }
  return parts
}
