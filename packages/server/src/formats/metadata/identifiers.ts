import type { ExternalId } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { cleanIsbn, cleanName } from './clean-text.ts'
import { recognisedLinks, type RecognisedLinks } from './external-ids.ts'

export interface WrittenIdentifier {
  readonly text: string
  readonly scheme?: string | undefined
}

export interface Identifiers {
  readonly book: RecognisedLinks & { readonly isbns: readonly string[] }
  readonly series: RecognisedLinks
}

/** It reads identifiers: ISBNs, ids of shops and sites, addresses. An identifier of this file alone says nothing. */
export const identifiersOf = (identifiers: readonly WrittenIdentifier[]): Identifiers => {
  const written = identifiers.slice(0, textLimits.listLength).map(withScheme)
  const isbns = written.flatMap(({ scheme, text }) => (mayBeIsbn(scheme) ? (cleanIsbn(text) ?? []) : []))
  const { book, series } = recognisedLinks(written.map(({ text }) => text))
  const stated = written.flatMap(({ scheme, text }) => statedId(scheme, text))
  return {
    book: { ...book, isbns: [...new Set(isbns)], externalIds: firstOfEach([...stated, ...book.externalIds]) },
    series,
  }
}

/** `isbn:978…`, `urn:uuid:…`: the scheme may stand in the text. */
const withScheme = ({ text, scheme }: WrittenIdentifier): { text: string; scheme: string | undefined } => {
  const line = cleanName(text) ?? ''
  const [, prefix, rest] = /^(?:urn:)?([a-z][\w-]{1,31}):(?!\/\/)(.+)$/i.exec(line) ?? []
  return { text: (rest ?? line).trim(), scheme: (prefix ?? cleanName(scheme))?.toLowerCase() }
}

/** 02 and 15 are ISBNs in the code list of ONIX. */
const mayBeIsbn = (scheme: string | undefined): boolean =>
  scheme === undefined || /^(?:e?isbn(?:-?1[03])?|ean|gtin|02|15|uri|urn)$/.test(scheme)

const sourceNames: ReadonlyMap<string, string> = new Map([
  ['asin', 'amazon'],
  ['mobi-asin', 'amazon'],
  ['ol', 'openlibrary'],
  ['mal', 'myanimelist'],
])

const namesNothing = /^(?:uri|urn|url|https?|uuid|guid|oid|id|pub-id|bookid|unknown|sha1|md5|\d+)$/
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const statedId = (scheme: string | undefined, text: string): ExternalId[] => {
  if (scheme === undefined || text === '' || mayBeIsbn(scheme) || namesNothing.test(scheme)) return []
  // Calibre gives each copy a new one; sites that name their works like this are kept.
  if (scheme.startsWith('calibre') && uuid.test(text)) return []
  if (!/^[a-z][\w-]{1,31}$/.test(scheme) || !/^[\w.:/+-]+$/.test(text) || /^https?:/i.test(text)) return []
  const source = sourceNames.get(scheme) ?? (/^amazon[_-][a-z]{2,3}$/.test(scheme) ? 'amazon' : scheme)
  return [{ source, id: text }]
}

const firstOfEach = (ids: readonly ExternalId[]): ExternalId[] => {
  const byKey = new Map<string, ExternalId>()
  for (const each of ids) {
    const key = `${each.source} ${each.id}`
    byKey.set(key, { ...each, ...byKey.get(key) })
  }
  return [...byKey.values()]
}
