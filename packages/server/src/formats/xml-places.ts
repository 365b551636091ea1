import { SaxesParser } from 'saxes'

/** An element and where it stands in its text. */
export interface PlacedElement {
  /** With its prefix. */
  readonly name: string
  readonly localName: string
  /** With their prefixes. */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly PlacedElement[]
  readonly text: string
  readonly start: number
  readonly end: number
  /** Both are where the element ends when it has no content. */
  readonly innerStart: number
  readonly innerEnd: number
}

type Growing = { -readonly [Key in keyof PlacedElement]: PlacedElement[Key] } & { readonly children: Growing[] }

/** The elements of a document that `parseXml` has accepted, as deep as asked: 1 is the root alone. */
export const placeXml = (text: string, depth: number): PlacedElement | undefined => {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const open: Growing[] = []
  let root: Growing | undefined
  let level = 0
  parser.on('opentag', ({ name, attributes }) => {
    level += 1
    if (level > depth) return
    const end = parser.position
    // In well-formed XML no `<` stands within a tag.
    const element = { ...growing(name), attributes, start: text.lastIndexOf('<', end - 1), innerStart: end }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const write = (written: string): void => {
    const element = open.at(-1)
    if (element) element.text += written
  }
  parser.on('text', write)
  parser.on('cdata', write)
  parser.on('closetag', ({ isSelfClosing }) => {
    level -= 1
    if (level >= depth) return
    const element = open.pop()
    if (!element) return
    element.end = parser.position
    element.innerEnd = isSelfClosing ? element.end : text.lastIndexOf('<', element.end - 1)
  })
  parser.write(text).close()
  return root
}

const growing = (name: string): Growing => ({
  name,
  localName: name.slice(name.indexOf(':') + 1),
  attributes: {},
  children: [],
  text: '',
  start: 0,
  end: 0,
  innerStart: 0,
  innerEnd: 0,
})
