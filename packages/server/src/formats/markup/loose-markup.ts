import { decodeEntities } from '../html-entities.ts'
import { markupDepthMax, type MarkupAttribute, type MarkupSink, type MarkupSpace } from './markup-sink.ts'

/**
 * It reads what is not well-formed roughly as a browser would: whatever is no tag is text, and every end that is
 * missing is put in its place. It need not read exactly what a browser reads, for a browser never sees it.
 */
export const readLooseMarkup = (written: string, sink: MarkupSink): void => {
  const text = written.replaceAll(/\r\n?/g, '\n')
  const reader: LooseReader = { text, sink, position: 0, open: [] }
  while (reader.position < text.length) {
    tagStart.lastIndex = reader.position
    const tag = tagStart.exec(text)?.index ?? text.length
    if (tag > reader.position) sink.text(decodeEntities(text.slice(reader.position, tag)))
    reader.position = tag
    if (tag < text.length) readAngle(reader)
  }
  closeTo(reader, 0)
}

/** Any other `<` is text. */
const tagStart = /<(?:\/?[a-zA-Z]|[!?])/g

/** The rewritten document has a root and a body around it, which it may not have had before. */
const depthMax = markupDepthMax - 2

interface LooseReader {
  readonly text: string
  readonly sink: MarkupSink
  position: number
  /** It holds the open elements, from the root. */
  readonly open: { readonly name: string; readonly space: MarkupSpace }[]
}

const indexOrEnd = (text: string, sought: string, from: number): number => {
  const index = text.indexOf(sought, from)
  return index === -1 ? text.length : index
}

const readAngle = (reader: LooseReader): void => {
  const { text, sink, position } = reader
  if (text.startsWith('<!--', position)) reader.position = indexOrEnd(text, '-->', position + 4) + 3
  else if (text.startsWith('<![CDATA[', position)) {
    const end = indexOrEnd(text, ']]>', position)
    sink.text(text.slice(position + 9, end))
    reader.position = end + 3
  } else if (/^<[!?]/.test(text.slice(position, position + 2))) {
    const end = indexOrEnd(text, '>', position)
    // A document type may declare things of its own, between brackets.
    const hasBrackets = text.startsWith('<!', position) && text.slice(position, end).includes('[')
    reader.position = hasBrackets ? indexOrEnd(text, ']>', position) + 2 : end + 1
  } else if (!readEndTag(reader)) {
    readStartTag(reader)
  }
}

const tagName = /<(\/?)([a-zA-Z][^\s/>]*)/y

const nameAt = ({ text, position }: LooseReader): { isEnd: boolean; written: string } | undefined => {
  tagName.lastIndex = position
  const [, slash, written] = tagName.exec(text) ?? []
  return written === undefined ? undefined : { isEnd: slash === '/', written: written.toLowerCase() }
}

const localName = (written: string): string => written.slice(written.indexOf(':') + 1)

const readEndTag = (reader: LooseReader): boolean => {
  const tag = nameAt(reader)
  if (!tag?.isEnd) return false
  reader.position = indexOrEnd(reader.text, '>', reader.position) + 1
  const name = localName(tag.written)
  const index = reader.open.findLastIndex((open) => open.name === name)
  if (index !== -1) closeTo(reader, index)
  return true
}

const closeTo = ({ open, sink }: LooseReader, depth: number): void => {
  while (open.length > depth) {
    open.pop()
    sink.close()
  }
}

const readStartTag = (reader: LooseReader): void => {
  const tag = nameAt(reader)
  if (tag === undefined) return
  const name = localName(tag.written)
  reader.position += 1 + tag.written.length
  const { attributes, isClosed } = readAttributes(reader)
  closeWhatEnds(reader, name)
  const isTooDeep = reader.open.length >= depthMax
  const space = spaceOf(tag.written, name, reader.open.at(-1)?.space ?? 'html')
  const isRaw = rawText.has(name) && space === 'html' && !isClosed
  if (!isTooDeep) {
    reader.sink.open({ space, name, attributes })
    reader.open.push({ name, space })
  }
  if (isRaw) readRawText(reader, name, !isTooDeep)
  if (!isTooDeep && (isClosed || isRaw || (space === 'html' && voidElements.has(name)))) {
    closeTo(reader, reader.open.length - 1)
  }
}

const spaceOf = (written: string, name: string, parent: MarkupSpace): MarkupSpace => {
  if (name === 'svg' || written.startsWith('svg:')) return 'svg'
  return name === 'math' ? 'math' : parent
}

const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)?))?/y
const tagEnd = /[\s/=]*>?/y

const readAttributes = (reader: LooseReader): { attributes: MarkupAttribute[]; isClosed: boolean } => {
  const attributes: MarkupAttribute[] = []
  for (;;) {
    attribute.lastIndex = reader.position
    const [matched, written, double, single, bare] = attribute.exec(reader.text) ?? []
    if (matched === undefined || written === undefined) break
    reader.position += matched.length
    const name = written.toLowerCase()
    const value = decodeEntities(double ?? single ?? bare ?? '')
    attributes.push([name.startsWith('xlink:') ? name.slice(6) : name, value])
  }
  tagEnd.lastIndex = reader.position
  const [end = ''] = tagEnd.exec(reader.text) ?? []
  reader.position += Math.max(1, end.length)
  return { attributes, isClosed: end.includes('/') }
}

/** Inside these elements nothing is a tag but their own end. */
const rawText = new Set('script style title textarea iframe noembed noframes xmp'.split(' '))

const readRawText = (reader: LooseReader, name: string, isTold: boolean): void => {
  const ending = new RegExp(`</${name}[\\s/>]`, 'gi')
  ending.lastIndex = reader.position
  const end = ending.exec(reader.text)?.index ?? reader.text.length
  const written = reader.text.slice(reader.position, end)
  const isText = name === 'title' || name === 'textarea'
  if (isTold) reader.sink.text(isText ? decodeEntities(written) : written.replace(/<!\[CDATA\[|\]\]>/g, ''))
  reader.position = end === reader.text.length ? end : indexOrEnd(reader.text, '>', end) + 1
}

const voidElements = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)

const headElements = new Set('head title base link meta style script noscript template'.split(' '))

/** A new element ends these when nobody has ended them. */
const ends = new Map<string, readonly string[]>([
  ['li', ['p', 'li']],
  ['dt', ['p', 'dt', 'dd']],
  ['dd', ['p', 'dt', 'dd']],
  ['td', ['p', 'td', 'th']],
  ['th', ['p', 'td', 'th']],
  ['tr', ['p', 'td', 'th', 'tr']],
  ['tbody', ['p', 'td', 'th', 'tr', 'thead', 'tbody']],
  ['tfoot', ['p', 'td', 'th', 'tr', 'thead', 'tbody']],
  ...`address article aside blockquote center div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header
    hgroup hr main nav ol p pre section table ul`
    .split(/\s+/)
    .map((block): [string, string[]] => [block, ['p']]),
])

const closeWhatEnds = (reader: LooseReader, name: string): void => {
  const head = headElements.has(name) ? -1 : reader.open.findIndex((open) => open.name === 'head')
  if (head !== -1) closeTo(reader, head)
  const ended = ends.get(name)
  while (ended?.includes(reader.open.at(-1)?.name ?? '')) closeTo(reader, reader.open.length - 1)
}
