import { fromRange, parse, toRange } from 'foliate-js/epubcfi.js'
import type { EbookLocation } from '../../../../reader/ebook/ebook-locator.ts'
import { findQuote, type Quote } from '../../../../reader/ebook/text-search.ts'

const textsOf = (doc: Document): Text[] => {
  const walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
  return texts
}

const rangeOfQuote = (doc: Document, quote: Quote, near: number): Range | undefined => {
  const texts = textsOf(doc)
  const span = findQuote(
    texts.map(({ data }) => data),
    quote,
    near,
  )
  const [first, last] = [texts[span?.start.text ?? -1], texts[span?.end.text ?? -1]]
  if (!span || !first || !last) return undefined
  const range = doc.createRange()
  range.setStart(first, span.start.offset)
  range.setEnd(last, span.end.offset)
  return range
}

const quoteMax = 80
const aroundMax = 48

/** The text that begins here, by which the location is found again when nothing else holds. */
export const quoteAt = (start: Range): Quote | undefined => {
  const doc = start.startContainer.ownerDocument
  if (!doc?.body) return undefined
  const behind = doc.createRange()
  behind.setStart(start.startContainer, start.startOffset)
  behind.setEndAfter(doc.body.lastChild ?? doc.body)
  const match = tidy(behind.toString()).slice(0, quoteMax)
  if (match.trim() === '') return undefined
  return { match, before: textBefore(start), after: '' }
}

/** The quote includes the text around the marked range. */
export const quoteOf = (range: Range): Quote => {
  const doc = range.startContainer.ownerDocument
  const behind = doc?.createRange()
  behind?.setStart(range.endContainer, range.endOffset)
  if (doc?.body) behind?.setEndAfter(doc.body.lastChild ?? doc.body)
  const after = tidy(behind?.toString() ?? '').slice(0, aroundMax)
  return { match: tidy(range.toString()).slice(0, 5000), before: textBefore(range), after }
}

const textBefore = (range: Range): string => {
  const doc = range.startContainer.ownerDocument
  if (!doc?.body) return ''
  const ahead = doc.createRange()
  ahead.setStart(doc.body, 0)
  ahead.setEnd(range.startContainer, range.startOffset)
  return tidy(ahead.toString()).slice(-aroundMax)
}

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ')

export const cfiOf = (range: Range): string | undefined => {
  try {
    return /^epubcfi\((.*)\)$/.exec(fromRange(range))?.[1]
  } catch {
    return undefined
  }
}

const rangeOfCfi = (doc: Document, cfi: string): Range | undefined => {
  try {
    return toRange(doc, parse(`epubcfi(${cfi})`))
  } catch {
    // It was made for another text.
    return undefined
  }
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, '')

/** It checks that the quoted text is still at the location. Without a quote nothing speaks against the location. */
const fits = (range: Range, quote: Quote | undefined): boolean => {
  if (quote === undefined) return true
  const here = squeezed(quoteAt(range)?.match ?? '')
  const quoted = squeezed(quote.match)
  const length = Math.min(here.length, quoted.length)
  return length > 0 && here.slice(0, length) === quoted.slice(0, length)
}

/** The most exact of what is known of a location that still holds for this text. */
export const anchorOf = (doc: Document, { cfi, quote, fraction }: EbookLocation): Range | number => {
  const exact = cfi === undefined ? undefined : rangeOfCfi(doc, cfi)
  if (exact && fits(exact, quote)) return exact.collapsed ? pastSpace(exact) : exact
  return (quote && rangeOfQuote(doc, quote, fraction)) ?? fraction
}

export const startOf = (range: Range): Range => {
  const start = range.cloneRange()
  start.collapse(true)
  return pastSpace(start)
}

/** The space before a page that begins within a paragraph hangs, without any width, at the end of the page before. */
const pastSpace = (range: Range): Range => {
  const { startContainer, startOffset } = range
  if (startContainer.nodeType !== Node.TEXT_NODE) return range
  const text = (startContainer as Text).data.slice(startOffset)
  const spaces = text.length - text.trimStart().length
  if (spaces === 0 || spaces === text.length) return range
  range.setStart(startContainer, startOffset + spaces)
  range.collapse(true)
  return range
}
