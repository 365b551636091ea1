import { isUtf8 } from 'node:buffer'
import { decodeText } from '../text-decoding.ts'
import { filterStyleSheet } from './css.ts'
import { readMarkup } from './markup.ts'
import type { Resolve } from './references.ts'
import { safeMarkup } from './safe-markup.ts'

export const sanitisedTypes = ['application/xhtml+xml', 'text/html', 'image/svg+xml', 'text/css'] as const
export type SanitisedType = (typeof sanitisedTypes)[number]

/**
 * The first of the walls around what is written in books (pins W5): what comes out of here runs nothing, calls nobody
 * and loads nothing but what `resolve` lets it. It is not the file with things taken out of it but a new one, written
 * from what was understood and is allowed; whatever came in, it is UTF-8, and well-formed unless it is a style sheet.
 * HTML comes out as XHTML. Done twice it is the same as once.
 */
export const sanitise = (bytes: Buffer, mediaType: SanitisedType, { resolve }: { resolve: Resolve }): Buffer => {
  const text = decodeChapter(bytes)
  if (mediaType === 'text/css') return Buffer.from(filterStyleSheet(text, resolve).replaceAll(notInXml, ''))
  const root = mediaType === 'image/svg+xml' ? 'svg' : 'html'
  const written = readMarkup(text, () => safeMarkup({ root, resolve, hasReferences: true }))
  if (!written.drawsTooMuch()) return Buffer.from(written.document())
  return Buffer.from(readMarkup(text, () => safeMarkup({ root, resolve, hasReferences: false })).document())
}

/** Characters that XML may not hold are of no use in a style sheet either. */
// eslint-disable-next-line no-control-regex
const notInXml = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

const statedEncoding = /(?:<meta\s[^>]{0,200}?charset\s*=\s*["']?|@charset\s*["'])([\w-]{1,40})/i

/** The encoding is the one XML states, else the one HTML and CSS state. */
export const decodeChapter = (bytes: Buffer): string => {
  const start = bytes.toString('latin1', 0, 1024)
  const [, label] = isUtf8(bytes) || start.includes('\0') ? [] : (statedEncoding.exec(start) ?? [])
  return (label === undefined ? undefined : decodeAs(label, bytes)) ?? decodeText(bytes)
}

const decodeAs = (label: string, bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
