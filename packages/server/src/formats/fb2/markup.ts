import { attributeOf, type Tag, tagsOf } from '../flowing/tags.ts'

/** A chapter needs these from the rest of the book. */
export interface ChapterContext {
  readonly isNotes: boolean
  /** It returns the id of the section that begins at this position of the text. */
  sectionId(start: number): string | undefined
  /** It returns where a reference within the book leads. */
  addressOf(id: string): string | undefined
  pictureName(id: string): string | undefined
}

export const styleSheetName = 'fictionbook.css'

/** It gives such books their usual look; a reader may use its own styles instead. */
export const styleSheet = `h1,h2,h3,h4,h5,h6{text-align:center}
.subtitle{text-align:center;font-weight:bold}
.epigraph{margin-left:30%;font-style:italic}
.text-author,.date{text-align:right;font-style:italic}
.poem{margin:1em 0 1em 15%}
.stanza{margin:0 0 1em}
.v{margin:0;text-indent:0}
.image{text-align:center}
img{max-width:100%}
td,th{padding:.2em .5em}
`

const simple = new Map<string, readonly [start: string, end: string]>([
  ['p', ['<p>', '</p>']],
  ['emphasis', ['<em>', '</em>']],
  ['strong', ['<strong>', '</strong>']],
  ['strikethrough', ['<s>', '</s>']],
  ['sub', ['<sub>', '</sub>']],
  ['sup', ['<sup>', '</sup>']],
  ['code', ['<code>', '</code>']],
  ['style', ['<span>', '</span>']],
  ...['subtitle', 'text-author', 'date', 'v'].map((name): [string, [string, string]] => [
    name,
    [`<p class="${name}">`, '</p>'],
  ]),
  ...['poem', 'stanza', 'annotation'].map((name): [string, [string, string]] => [
    name,
    [`<div class="${name}">`, '</div>'],
  ]),
  ...['epigraph', 'cite'].map((name): [string, [string, string]] => [
    name,
    [`<blockquote class="${name}">`, '</blockquote>'],
  ]),
  ['table', ['<table>', '</table>']],
  ['tr', ['<tr>', '</tr>']],
])

interface Open {
  readonly name: string
  readonly ending: string
}

interface Writer {
  readonly around: ChapterContext
  readonly open: Open[]
  written: string
  /** A title has begun, and whether it has a line already. */
  title: 'none' | 'empty' | 'begun'
}

/** Deeper ones lose their tags. */
const depthMax = 200

/** A part of the text as a page of XHTML; what is not closed in it is closed, what was opened before it is not. */
export const chapterMarkup = (
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  around: ChapterContext,
): string => {
  const part = text.slice(start, end)
  const writer: Writer = { around, open: [], written: '', title: 'none' }
  let position = 0
  for (const tag of tagsOf(part)) {
    writer.written += part.slice(position, tag.start)
    position = tag.end
    if (tag.isEnd) close(writer, tag.name)
    else writeTag(writer, tag, start)
  }
  writer.written += part.slice(position)
  while (writer.open.length > 0) closeLast(writer)
  return `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title></title><link rel="stylesheet" type="text/css" href="${styleSheetName}"/></head><body>${writer.written}</body></html>`
}

const writeTag = (writer: Writer, tag: Tag, offset: number): void => {
  switch (tag.name) {
    case 'empty-line':
      writer.written += '<br/>'
      return
    case 'image':
      writeImage(writer, tag)
      return
    default:
  }
  if (writer.open.length >= depthMax) return
  const element = elementOf(writer, tag, offset)
  if (element === undefined) return
  writer.written += element.start
  writer.open.push({ name: tag.name, ending: element.ending })
  if (tag.isEmpty) closeLast(writer)
}

interface Element {
  readonly start: string
  readonly ending: string
}

const elementOf = (writer: Writer, tag: Tag, offset: number): Element | undefined => {
  switch (tag.name) {
    case 'section':
      return sectionOf(writer, tag, offset)
    case 'title':
      writer.title = 'empty'
      return headingOf(writer, tag)
    case 'a':
      return linkOf(writer, tag)
    case 'th':
    case 'td':
      return { start: `<${tag.name}${cellAttributes(tag)}>`, ending: `</${tag.name}>` }
    case 'p':
      return writer.title === 'none' ? plainElement(tag) : lineOfTitle(writer)
    default:
      return plainElement(tag)
  }
}

const plainElement = (tag: Tag): Element | undefined => {
  const [start, ending] = simple.get(tag.name) ?? []
  if (start === undefined || ending === undefined) return undefined
  return { start: start.replace(/>$/, `${idAttribute(attributeOf(tag, 'id'))}>`), ending }
}

const sectionOf = ({ around }: Writer, tag: Tag, offset: number): Element => {
  const id = idAttribute(around.sectionId(offset + tag.start))
  return around.isNotes
    ? { start: `<aside epub:type="footnote"${id}>`, ending: '</aside>' }
    : { start: `<section${id}>`, ending: '</section>' }
}

const headingOf = ({ around, open }: Writer, tag: Tag): Element => {
  const depth = open.filter(({ name }) => name === 'section').length
  const name = around.isNotes ? 'p' : `h${Math.min(6, depth + 1)}`
  return { start: `<${name} class="title"${idAttribute(attributeOf(tag, 'id'))}>`, ending: `</${name}>` }
}

/** A heading has lines where a title has paragraphs. */
const lineOfTitle = (writer: Writer): Element => {
  const start = writer.title === 'begun' ? '<br/>' : ''
  writer.title = 'begun'
  return { start, ending: '' }
}

const linkOf = ({ around }: Writer, tag: Tag): Element => {
  const target = attributeOf(tag, 'href')?.trim() ?? ''
  const address = target.startsWith('#') ? around.addressOf(target.slice(1)) : target
  const href = address === undefined || address === '' ? '' : ` href="${escaped(address)}"`
  const type = attributeOf(tag, 'type') === 'note' ? ' epub:type="noteref"' : ''
  return { start: `<a${href}${type}${idAttribute(attributeOf(tag, 'id'))}>`, ending: '</a>' }
}

const cellAttributes = (tag: Tag): string =>
  ['colspan', 'rowspan', 'align', 'valign']
    .map((name) => [name, attributeOf(tag, name)] as const)
    .map(([name, value]) => (value !== undefined && /^\w{1,16}$/.test(value) ? ` ${name}="${value}"` : ''))
    .join('')

const inLine = /^(?:p|v|a|th|td|title|subtitle|emphasis|strong|style|text-author)$/

const writeImage = (writer: Writer, tag: Tag): void => {
  const name = writer.around.pictureName((attributeOf(tag, 'href') ?? '').trim().replace(/^#/, ''))
  if (name === undefined) return
  const words = escaped(attributeOf(tag, 'alt') ?? attributeOf(tag, 'title') ?? '')
  const picture = `<img src="${name}" alt="${words}"${idAttribute(attributeOf(tag, 'id'))}/>`
  const isInLine = inLine.test(writer.open.at(-1)?.name ?? '')
  writer.written += isInLine ? picture : `<div class="image">${picture}</div>`
}

/** An element that is not open cannot be closed; elements opened within it end with it. */
const close = (writer: Writer, name: string): void => {
  const index = writer.open.findLastIndex((open) => open.name === name)
  if (index === -1) return
  while (writer.open.length > index) closeLast(writer)
}

const closeLast = (writer: Writer): void => {
  const closed = writer.open.pop()
  if (closed?.name === 'title') writer.title = 'none'
  writer.written += closed?.ending ?? ''
}

const idAttribute = (id: string | undefined): string => (id === undefined ? '' : ` id="${escaped(id)}"`)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
