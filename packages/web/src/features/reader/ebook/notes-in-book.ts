const epubType = (element: Element): string =>
  `${element.getAttribute('epub:type') ?? element.getAttributeNS('http://www.idpf.org/2007/ops', 'type') ?? ''} ${element.getAttribute('role') ?? ''}`

/** A number, a star or a dagger, raised or in brackets: what a note is called in the text. */
const noteMark = /^[([]?(?:\d{1,4}|[*†‡§¶]{1,3}|[a-z])[)\].]?$/i

/** The link leads to a note rather than away from the text: because it says so, or by how it looks. */
export const isNoteLink = (link: Element): boolean => {
  const type = epubType(link)
  if (/\b(?:doc-)?noteref\b/.test(type)) return true
  if (/\b(?:doc-)?backlink\b/.test(type)) return false
  const isRaised = link.closest('sup, sub') !== null || link.querySelector('sup, sub') !== null
  return isRaised && noteMark.test((link.textContent ?? '').trim())
}

const paragraphsMax = 60
const blocks = 'p, li, dd, blockquote, div, h1, h2, h3, h4, h5, h6, tr, pre'

/** The text of a note, paragraph by paragraph; undefined when there is none at that location, or when it is a whole chapter. */
export const noteIn = (doc: Document, fragment: string | undefined): readonly string[] | undefined => {
  const target = fragment === undefined ? null : doc.getElementById(fragment)
  const note = target && blockOf(target)
  if (!note) return undefined
  const inner = [...note.querySelectorAll(blocks)].filter((block) => block.querySelector(blocks) === null)
  const parts = inner.length > 0 ? inner : [note]
  const paragraphs = parts.map((part) => textOf(part)).filter((text) => text !== '')
  return paragraphs.length === 0 || paragraphs.length > paragraphsMax ? undefined : paragraphs
}

/** An anchor often stands at the beginning of its note, and not around it. */
const blockOf = (target: Element): Element | undefined => {
  const isInline = /^(?:a|span|sup|sub|b|i|em|strong|small)$/.test(target.localName)
  const block = isInline ? target.closest('p, li, dd, aside, td, div') : target
  return block && block.localName !== 'body' && block.localName !== 'section' ? block : undefined
}

/** The link back to the text is left out: here a button does that. */
const textOf = (part: Element): string => {
  const copy = part.cloneNode(true) as Element
  for (const link of copy.querySelectorAll('a')) {
    if (/^[↩↑^←⏎\s]*$/u.test(link.textContent ?? '') || /backlink/.test(epubType(link))) link.remove()
  }
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}
