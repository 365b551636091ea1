import { addressUseOf, isStyling, isVoid, spellingOf, spellingOfAttribute } from './allowed-markup.ts'
import { filterDeclarations, filterStyleSheet, filterValue } from './css.ts'
import type { MarkupElement, MarkupSink, MarkupSpace } from './markup-sink.ts'
import { allowedAddress, leadsToTheWeb, type Resolve } from './references.ts'
import { countSvgReferences, type SvgReferences } from './svg-references.ts'

export interface MarkupRules {
  readonly root: 'html' | 'svg'
  readonly resolve: Resolve
  /** It says whether a drawing may draw parts of itself. */
  readonly hasReferences: boolean
}

export interface SafeMarkup extends MarkupSink {
  document(): string
  /** The markup must then be written again without references. */
  drawsTooMuch(): boolean
}

/** It writes a new document from the elements it receives and that are allowed. */
export const safeMarkup = (rules: MarkupRules): SafeMarkup => {
  const writer: Writer = {
    rules,
    frames: [],
    lostDepth: 0,
    head: '',
    body: '',
    rootAttributes: '',
    bodyAttributes: '',
    hasRoot: false,
    references: countSvgReferences(),
  }
  return {
    open: (element) => {
      const frame = writer.lostDepth > 0 ? undefined : enter(writer, element)
      if (frame) writer.frames.push(frame)
      else writer.lostDepth += 1
    },
    text: (text) => {
      if (writer.lostDepth === 0) writeText(writer, text)
    },
    close: () => {
      if (writer.lostDepth > 0) writer.lostDepth -= 1
      else leave(writer, writer.frames.pop())
    },
    document: () => documentOf(writer),
    drawsTooMuch: () => rules.hasReferences && writer.references.areTooMany(),
  }
}

interface Writer {
  readonly rules: MarkupRules
  readonly frames: Frame[]
  /** It counts how deep we are in an element that is dropped with its content. */
  lostDepth: number
  head: string
  body: string
  rootAttributes: string
  bodyAttributes: string
  /** An SVG has one root; a second one is lost. */
  hasRoot: boolean
  readonly references: SvgReferences
}

type DocumentPart = 'head' | 'body'

/** An element that is open in what is read. */
interface Frame {
  /** It is empty for an element whose tags are left out. */
  readonly ending: string
  /** It says which language may stand in it; nothing may stand before the root of an SVG. */
  readonly space: MarkupSpace
  readonly part: DocumentPart
  readonly holds: 'markup' | 'text' | 'nothing'
  /** A style sheet is filtered as a whole when it ends. */
  sheet?: { text: string; readonly start: string }
  /** The nearest id of a drawing. */
  readonly id?: string | undefined
}

const outermost = ({ rules }: Writer): Frame =>
  rules.root === 'html'
    ? { ending: '', space: 'html', part: 'body', holds: 'markup' }
    : { ending: '', space: 'other', part: 'body', holds: 'nothing' }

const current = (writer: Writer): Frame => writer.frames.at(-1) ?? outermost(writer)

/** Undefined when the element is lost. */
const enter = (writer: Writer, element: MarkupElement): Frame | undefined => {
  const around = current(writer)
  if (element.space === 'html' && around.space === 'html') {
    const structure = enterStructure(writer, element, around)
    if (structure !== 'none') return structure
  }
  if (element.name === 'style' && element.space !== 'math' && around.space === element.space)
    return enterStyle(writer, element, around)
  if (around.part === 'head') return undefined
  const spelling = spellingOf(element)
  if (spelling === 'lost' || isForbiddenReference(writer, element)) return undefined
  if (spelling === undefined || !mayStandIn(writer, element, around)) return { ...around, ending: '' }
  return enterAllowed(writer, element, { around, spelling })
}

/** The parts every chapter has are written by ourselves; of them only what they say is taken. */
const enterStructure = (writer: Writer, element: MarkupElement, around: Frame): Frame | undefined | 'none' => {
  switch (element.name) {
    case 'html':
      writer.rootAttributes ||= attributesOf(writer, element)
      return { ...around, ending: '' }
    case 'head':
      return { ...around, ending: '', part: 'head', holds: 'nothing' }
    case 'body':
      writer.bodyAttributes ||= attributesOf(writer, element)
      return { ...around, ending: '', part: 'body', holds: 'markup' }
    case 'title':
      if (around.part !== 'head') return undefined
      writer.head += '<title>'
      return { ...around, ending: '</title>', holds: 'text' }
    case 'link':
      writer.head += styleLink(writer, element)
      return { ...around, ending: '' }
    case 'meta':
      if (around.part === 'head') writer.head += viewport(element)
      return { ...around, ending: '' }
    default:
      return 'none'
  }
}

const styleLink = (writer: Writer, element: MarkupElement): string => {
  const kinds = (attributeOf(element, 'rel') ?? '').toLowerCase().trim().split(/\s+/)
  const isSheet = kinds.length === 1 && kinds[0] === 'stylesheet' && isCss(element)
  const attributes = isSheet ? attributesOf(writer, element) : ''
  return attributes.includes(' href="') ? `<link rel="stylesheet"${attributes}/>` : ''
}

/** It reads the size of the pages of a fixed layout: numbers and their names. */
const viewport = (element: MarkupElement): string => {
  const content = attributeOf(element, 'content') ?? ''
  const isViewport = attributeOf(element, 'name')?.trim().toLowerCase() === 'viewport'
  return isViewport && /^[\w\s=,;.-]+$/.test(content)
    ? `<meta name="viewport" content="${escapeAttribute(content)}"/>`
    : ''
}

const isCss = (element: MarkupElement): boolean =>
  /^\s*(?:text\/css\s*(?:;.*)?)?$/i.test(attributeOf(element, 'type') ?? '')

const attributeOf = (element: MarkupElement, name: string): string | undefined =>
  element.attributes.find(([attribute]) => attribute === name)?.[1]

const enterStyle = (writer: Writer, element: MarkupElement, around: Frame): Frame | undefined => {
  if (!isCss(element) || around.holds === 'text') return undefined
  const media = attributeOf(element, 'media')
  const start = media === undefined ? '<style>' : `<style media="${escapeAttribute(media)}">`
  // A sheet counts wherever it stands, and of HTML it may stand in the head alone.
  const part = around.space === 'html' ? 'head' : around.part
  return { ...around, ending: '</style>', part, holds: 'text', sheet: { text: '', start } }
}

const drawing = new Set(['use', 'pattern', 'mask', 'marker'])

const isForbiddenReference = ({ rules }: Writer, { space, name }: MarkupElement): boolean =>
  space === 'svg' && !rules.hasReferences && drawing.has(name)

/** HTML holds drawings and formulas; those hold nothing but their own. */
const mayStandIn = (writer: Writer, element: MarkupElement, around: Frame): boolean => {
  const isRoot = element.space === element.name
  if (around.space === 'other') return isRoot && element.space === 'svg' && !writer.hasRoot
  if (around.holds !== 'markup') return false
  return element.space === around.space || (isRoot && around.space === 'html')
}

/** The namespace of `epub:type`. */
const epub = ' xmlns:epub="http://www.idpf.org/2007/ops"'

const namespaces = {
  html: '',
  other: '',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
}

const enterAllowed = (
  writer: Writer,
  element: MarkupElement,
  { around, spelling }: { around: Frame; spelling: string },
): Frame => {
  const namespace =
    around.space === element.space ? '' : ` xmlns="${namespaces[element.space]}"${around.space === 'other' ? epub : ''}`
  const start = `<${spelling}${namespace}${attributesOf(writer, element)}`
  writer.hasRoot = true
  if (isVoid(element.space, element.name)) {
    write(writer, around.part, `${start}/>`)
    return { ...around, ending: '' }
  }
  write(writer, around.part, `${start}>`)
  const isTextOnly = element.space === 'svg' && (element.name === 'title' || element.name === 'desc')
  return {
    ending: `</${spelling}>`,
    space: element.space,
    part: around.part,
    holds: isTextOnly ? 'text' : 'markup',
    id: element.space === 'svg' ? countReferences(writer, element, around.id) : undefined,
  }
}

const countReferences = (writer: Writer, element: MarkupElement, around: string | undefined): string | undefined => {
  const id = attributeOf(element, 'id')
  if (id !== undefined && id !== '') writer.references.holds(around, id)
  const inside = id || around
  for (const [name, value] of element.attributes) {
    if (name === 'href' && value.trim().startsWith('#')) writer.references.refers(inside, value.trim().slice(1))
    else if (value.includes('(')) {
      for (const [, target = ''] of value.matchAll(/\(\s{0,9}["']?\s{0,9}#([^"')\s]+)/g))
        writer.references.refers(inside, target)
    }
  }
  return inside
}

const attributesOf = (writer: Writer, element: MarkupElement): string => {
  const written = new Map<string, string>()
  for (const [name, value] of element.attributes) {
    const spelling = spellingFor(element, name)
    const safe = spelling === undefined ? undefined : safeValue(writer, element, [name, value])
    if (spelling !== undefined && safe !== undefined && !written.has(spelling)) written.set(spelling, safe)
  }
  if (element.name === 'a' && leadsToTheWeb(written.get('href') ?? '')) {
    written.set('rel', 'noopener noreferrer')
    written.set('target', '_blank')
  }
  return [...written].map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('')
}

const spellingFor = (element: MarkupElement, name: string): string | undefined => {
  if (addressUseOf(element, name) !== undefined) return name
  // Old books mark the target of a link with this attribute.
  if (name === 'name' && element.space === 'html' && element.name === 'a') return 'id'
  return spellingOfAttribute(element.space, name)
}

/** Words, numbers and colours, which need no filter. */
const plainStyling = /^[\w\s#.,%+-]*$/

const safeValue = (
  { rules: { resolve } }: Writer,
  element: MarkupElement,
  [name, value]: readonly [string, string],
): string | undefined => {
  const use = addressUseOf(element, name)
  if (use !== undefined) return allowedAddress(use, value, resolve)
  if (name === 'style') return filterDeclarations(value, resolve) || undefined
  return isStyling(element.space, name) && !plainStyling.test(value) ? filterValue(value, resolve) : value
}

const writeText = (writer: Writer, text: string): void => {
  const { holds, part, sheet } = current(writer)
  if (sheet) sheet.text += text
  else if (holds !== 'nothing') write(writer, part, escapeText(text))
}

const leave = (writer: Writer, frame: Frame | undefined): void => {
  if (!frame) return
  // Text without tags of its own in a sheet adds to the sheet and does not end it.
  if (!frame.sheet || frame.ending === '') return write(writer, frame.part, frame.ending)
  const sheet = filterStyleSheet(frame.sheet.text, writer.rules.resolve)
  if (sheet !== '') write(writer, frame.part, frame.sheet.start + escapeText(sheet) + frame.ending)
}

const write = (writer: Writer, part: DocumentPart, markup: string): void => {
  writer[part] += markup
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'

const documentOf = ({ rules, head, body, rootAttributes, bodyAttributes }: Writer): string => {
  if (rules.root === 'svg')
    return `${declaration}${body === '' ? `<svg xmlns="${namespaces.svg}"${epub}></svg>` : body}\n`
  const root = `<html xmlns="http://www.w3.org/1999/xhtml"${epub}${rootAttributes}>`
  return `${declaration}<!DOCTYPE html>\n${root}<head>${head}</head><body${bodyAttributes}>${withoutSpaceAround(body)}</body></html>\n`
}

/** Space between the parts of the document is not part of its body. */
const withoutSpaceAround = (body: string): string => {
  let [start, end] = [0, body.length]
  while (start < end && isSpace(body.charCodeAt(start))) start += 1
  while (end > start && isSpace(body.charCodeAt(end - 1))) end -= 1
  return body.slice(start, end)
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09

/** XML may not hold these, half a surrogate pair among them. */
// eslint-disable-next-line no-control-regex
const forbidden = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeText = (text: string): string => writable(text).replaceAll(/[&<>\r]/g, reference)

const escapeAttribute = (value: string): string => writable(value).replaceAll(/[&<>"\t\n\r]/g, reference)

const writable = (text: string): string => text.toWellFormed().replaceAll(forbidden, '')

const reference = (character: string): string => entities[character] ?? `&#${character.charCodeAt(0)};`
