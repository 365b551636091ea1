import { SaxesParser } from 'saxes'
import { BookFault } from './book-format.ts'
import { htmlEntities } from './html-entities.ts'
import { bookLimits } from './limits.ts'
import { decodeText } from './text-decoding.ts'

/** Names are local names: what a prefix stands for, and whether it is declared, is not asked. */
export interface XmlElement {
  readonly name: string
  /** `xml:lang` is `lang`; an attribute without a prefix wins over its namesakes. */
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly XmlElement[]
  /** It is all text inside, of its descendants too. */
  readonly text: string
}

export interface XmlLimits {
  readonly bytes: number
  readonly depth: number
  /** Elements; as many references to characters, and twice as many attributes. */
  readonly nodes: number
}

const defaultLimits: XmlLimits = {
  bytes: bookLimits.xmlBytes,
  depth: bookLimits.xmlDepth,
  nodes: bookLimits.xmlNodes,
}

/**
 * The root element of a file somebody else has made. No entity but those of HTML is known, nothing outside the file is
 * read, and what declares entities is refused. Small sins are forgiven: stray `&`, control characters, space before the
 * declaration. It throws a `BookFault`, `damaged` or `limit`.
 */
export const parseXml = (bytes: Buffer, limits: Partial<XmlLimits> = {}): XmlElement => {
  const all = { ...defaultLimits, ...limits }
  if (bytes.length > all.bytes) throw new BookFault('limit', `The XML has more than ${all.bytes} bytes`)
  return parseText(mend(decodeText(bytes), all.nodes), all)
}

/** The text that `parseXml` reads of these bytes: well formed where they nearly are. It throws a `BookFault`. */
export const xmlTextOf = (bytes: Buffer): string => mend(decodeText(bytes), defaultLimits.nodes)

export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((each) => each.name === name)

export const childrenNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((each) => each.name === name)

/** The elements come in the order of the file, however deep. */
export const descendantsNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.flatMap((each) => [...(each.name === name ? [each] : []), ...descendantsNamed(each, name)])

/** The text of the first child of that name; undefined when there is none or it is empty. */
export const textOf = (element: XmlElement, name: string): string | undefined =>
  child(element, name)?.text.trim() || undefined

interface Growing {
  readonly name: string
  attributes: Readonly<Record<string, string | undefined>>
  readonly children: Growing[]
  text: string
}

/** The limit holds for one element. */
const attributesMax = 256

const parseText = (text: string, limits: XmlLimits): XmlElement => {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const document: Growing = growing('')
  const open = [document]
  const current = (): Growing => open.at(-1) ?? document
  let nodes = 0
  let attributes = 0
  let attributesOfOne = 0

  parser.on('doctype', refuseUnlessHarmless)
  parser.on('opentagstart', ({ name }) => {
    nodes += 1
    attributesOfOne = 0
    if (nodes > limits.nodes) throw new BookFault('limit', `The XML has more than ${limits.nodes} elements`)
    if (open.length > limits.depth) throw new BookFault('limit', `The XML is nested deeper than ${limits.depth}`)
    const element = growing(localName(name))
    current().children.push(element)
    open.push(element)
  })
  parser.on('attribute', () => {
    attributes += 1
    attributesOfOne += 1
    if (attributesOfOne > attributesMax || attributes > 2 * limits.nodes) {
      throw new BookFault('limit', 'The XML has too many attributes')
    }
  })
  parser.on('opentag', (tag) => {
    current().attributes = withLocalNames(tag.attributes)
  })
  const write = (written: string): void => {
    current().text += written
  }
  parser.on('text', write)
  parser.on('cdata', write)
  parser.on('closetag', () => {
    const closed = open.pop()
    current().text += closed?.text ?? ''
  })
  return parsed(() => {
    parser.write(text.slice(0, prologMax))
    const [root] = document.children
    if (root === undefined) throw new BookFault('damaged', 'The XML has no element where one should begin')
    parser.write(text.slice(prologMax)).close()
    return root
  })
}

/**
 * The root element must begin within this many characters, or nothing more is read: document types cost much to read.
 */
const prologMax = 64 * 1024

const growing = (name: string): Growing => ({ name, attributes: {}, children: [], text: '' })

const parsed = (parse: () => XmlElement): XmlElement => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof BookFault) throw error
    const reason = error instanceof Error ? error.message.slice(0, 120) : ''
    throw new BookFault('damaged', `The XML is not well formed: ${reason}`, { cause: error })
  }
}

/** Only these well-known document types are accepted; they are not read anyway. */
const harmlessDoctype =
  /^\s*(?:html|package|ncx|dtbook|svg)\s*(?:PUBLIC\s*(?:"[^"]{0,200}"|'[^']{0,200}')\s*(?:"[^"]{0,400}"|'[^']{0,400}')?|SYSTEM\s*["']about:legacy-compat["'])?\s*$/i

const refuseUnlessHarmless = (doctype: string): void => {
  if (doctype.length > 1000 || !harmlessDoctype.test(doctype)) {
    throw new BookFault('damaged', 'The XML declares a document type of its own, which is not read')
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const withLocalNames = (attributes: Record<string, string>): Readonly<Record<string, string | undefined>> => {
  const names = Object.keys(attributes)
  if (!names.some((name) => name.includes(':'))) return attributes
  const local: Record<string, string | undefined> = Object.create(null)
  for (const name of names) {
    if (!name.startsWith('xmlns:')) local[localName(name)] = attributes[localName(name)] ?? attributes[name]
  }
  return local
}

/** XML may not hold these; sequences that colour a terminal are removed as a whole. */
// oxlint-disable-next-line no-control-regex -- These are what must not be in it.
const forbidden = /\x1B\[[\d;]{0,32}[A-Za-z]|[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g
const reference = /&(?:#(\d{1,8});|#[xX]([0-9a-fA-F]{1,7});|(\w{2,32});)?/g

const namesOfXml = /^(?:amp|lt|gt|quot|apos)$/

/** It makes well formed what programs that know nothing of XML have written between the tags. */
const mend = (text: string, referencesMax: number): string => {
  const plain = text.replace(forbidden, '').trimStart()
  if (!plain.includes('&')) return plain
  if (countOf('&', plain, referencesMax) > referencesMax) {
    throw new BookFault('limit', `The XML has more than ${referencesMax} references`)
  }
  return outsideCdata(plain, (part) => part.replace(reference, mendedReference))
}

const mendedReference = (written: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return namesOfXml.test(name) ? written : (htmlEntities.get(name) ?? `&amp;${name};`)
  if (decimal !== undefined) return isCharacter(Number(decimal)) ? written : ''
  if (hexadecimal !== undefined) return isCharacter(Number.parseInt(hexadecimal, 16)) ? written : ''
  return `&amp;${written.slice(1)}`
}

const countOf = (sought: string, text: string, enough: number): number => {
  let count = 0
  for (
    let position = text.indexOf(sought);
    position !== -1 && count <= enough;
    position = text.indexOf(sought, position + 1)
  )
    count += 1
  return count
}

const isCharacter = (codePoint: number): boolean =>
  codePoint === 9 ||
  codePoint === 10 ||
  codePoint === 13 ||
  (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
  (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
  (codePoint >= 0x10000 && codePoint <= 0x10ffff)

const outsideCdata = (text: string, change: (part: string) => string): string => {
  let changed = ''
  let position = 0
  while (position < text.length) {
    const start = indexOrEnd(text, '<![CDATA[', position)
    const end = indexOrEnd(text, ']]>', start)
    changed += change(text.slice(position, start)) + text.slice(start, end)
    position = end
  }
  return changed
}

const indexOrEnd = (text: string, sought: string, from: number): number => {
  const index = text.indexOf(sought, from)
  return index === -1 ? text.length : index
}
