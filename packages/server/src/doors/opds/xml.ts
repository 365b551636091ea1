/**
 * XML 1.0 does not allow these in a document, however they are written: control characters, half characters and two
 * more.
 */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Such text needs no escaping: most text is of this kind. */
const isPlain = /^[\x20\x21\x23-\x25\x28-\x3b\x3d\x3f-\x7e]*$/

/** A text as every document of ours may hold it. */
export const cleanText = (text: string): string =>
  isPlain.test(text) ? text.trim() : text.replaceAll(forbidden, '').trim()

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A reader of XML would make other white space of these.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escapeText = (text: string): string =>
  isPlain.test(text) ? text.trim() : cleanText(text).replaceAll(/[&<>\r]/g, (sign) => signs[sign] ?? '')
const escapeAttribute = (text: string): string =>
  isPlain.test(text) ? text : text.replaceAll(forbidden, '').replaceAll(/[&<>"'\r\n\t]/g, (sign) => signs[sign] ?? '')

type Attributes = Readonly<Record<string, string | number | undefined>>

/** The text is XML already. */
export interface Xml {
  readonly xml: string
}

/** One element; names are ours, all else may be anybody's. A text without anything in it is no element at all. */
export const element = (name: string, attributes: Attributes, content?: string | readonly Xml[]): Xml => {
  let written = ''
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) written += ` ${key}="${escapeAttribute(String(value))}"`
  if (content === undefined) return { xml: `<${name}${written}/>` }
  const inside = typeof content === 'string' ? escapeText(content) : content.map(({ xml }) => xml).join('')
  return { xml: inside === '' ? '' : `<${name}${written}>${inside}</${name}>` }
}

export const textElement = (name: string, text: string): Xml => element(name, {}, text)

export const xmlDocument = ({ xml }: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`
