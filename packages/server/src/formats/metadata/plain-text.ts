import { decodeEntities } from '../html-entities.ts'

/**
 * The words of a summary that may be HTML, its paragraphs kept. What is no element of HTML stays: a summary may well
 * speak of `<Sword>` or `a < b`.
 */
export const plainText = (text: string): string => {
  if (isMarkup(text)) return withoutMarkup(text)
  const decoded = decodeEntities(text)
  // Some programs escape their HTML twice.
  return isMarkup(decoded) ? withoutMarkup(decoded) : decoded
}

const inline = 'a|abbr|acronym|b|big|cite|code|del|em|font|i|img|ins|kbd|mark|o:p|q|s|script|small|span|strike|strong'
const blocks =
  'address|article|aside|blockquote|body|center|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|head|header|hr|html|ol|p|pre|section|table|tbody|thead|title|tr|ul'
const lines = 'br|li'
const others =
  'button|embed|form|iframe|input|link|math|meta|object|style|sub|sup|svg|td|th|tt|u|video|audio|base|textarea'

// A tag that holds `<` is none, so that no text is looked at twice.
const tag = new RegExp(`</?(?:${inline}|${blocks}|${lines}|${others})(?:[\\s/][^<>]{0,4000})?>`, 'gi')
const block = new RegExp(`^</?(?:${blocks})\\b`, 'i')
const isMarkup = (text: string): boolean => text.search(tag) !== -1

const withoutMarkup = (text: string): string => {
  const shown = [
    { start: /<!--/g, end: /-->/g },
    { start: /<script\b[^<>]{0,4000}>/gi, end: /<\/script\s{0,10}>/gi },
    { start: /<style\b[^<>]{0,4000}>/gi, end: /<\/style\s{0,10}>/gi },
  ].reduce((remaining, { start, end }) => withoutBetween(remaining, start, end), text)
  const tags = shown.match(tag) ?? []
  const hasLines = tags.some((each) => block.test(each) || /^<br/i.test(each))
  const flowing = hasLines ? shown.replace(/\s+/g, ' ') : shown
  return decodeEntities(flowing.replace(tag, whatTagBecomes))
}

const whatTagBecomes = (written: string): string => {
  if (block.test(written)) return '\n\n'
  if (/^<br\b/i.test(written)) return '\n'
  if (/^<li\b/i.test(written)) return '\n- '
  return /^<\/?t[dh]\b/i.test(written) ? ' ' : ''
}

const withoutBetween = (text: string, start: RegExp, end: RegExp): string => {
  let remaining = ''
  let position = 0
  for (;;) {
    start.lastIndex = position
    const first = start.exec(text)
    end.lastIndex = start.lastIndex
    if (first === null || end.exec(text) === null) return remaining + text.slice(position)
    remaining += text.slice(position, first.index)
    position = end.lastIndex
  }
}
