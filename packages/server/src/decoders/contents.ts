import type {
  OutlineEntry,
  Position,
  Resource,
  ResourceLink,
  SpineItem,
  StoredMedia,
  TextPart,
} from '../formats/book-format.ts'
import { findFolded, foldText } from './folded-text.ts'
import { withCachedBook } from './open-book.ts'
import type { BookLocation } from './page.ts'

export interface BookContents {
  /** Null for a book of pages. */
  readonly flow: {
    readonly spine: readonly SpineItem[]
    readonly resources: readonly ResourceLink[]
    readonly readingDirection: 'ltr' | 'rtl' | null
    readonly isFixedLayout: boolean
    readonly hasSpreads: boolean
    readonly spokenClass: string | null
  } | null
  readonly outline: readonly OutlineEntry[]
}

export const contents = (where: BookLocation): Promise<BookContents> =>
  withCachedBook(where, where.cacheDir, async ({ reflowable, outline }) => ({
    flow: reflowable
      ? {
          spine: await reflowable.spine(),
          resources: (await reflowable.resources?.()) ?? [],
          readingDirection: reflowable.readingDirection,
          isFixedLayout: reflowable.isFixedLayout,
          hasSpreads: reflowable.hasSpreads ?? true,
          spokenClass: reflowable.spokenClass ?? null,
        }
      : null,
    outline: outline ? await outline() : [],
  }))

/** Null for a book of pages. */
export const positions = (where: BookLocation): Promise<{ readonly positions: readonly Position[] | null }> =>
  withCachedBook(where, where.cacheDir, async ({ reflowable }) => ({
    positions: reflowable ? await reflowable.positions() : null,
  }))

/** Null when the book has no such file. Of sound and film, if it can be, only where it stands in the file. */
export const resource = ({
  name,
  ...where
}: BookLocation & { readonly name: string }): Promise<{ readonly resource: Resource | StoredMedia | null }> =>
  withCachedBook(where, where.cacheDir, async ({ reflowable }) => ({
    resource: (await reflowable?.locateMedia?.(name)) ?? (await reflowable?.readResource(name)) ?? null,
  }))

export interface TextHit {
  readonly href: string | null
  readonly page: number | null
  readonly title: string | null
  /** The progression is counted within the part, 0 to 1. */
  readonly progression: number
  readonly before: string
  readonly match: string
  readonly after: string
}

const aroundLength = 60

export const searchText = (
  { query, hitsMax, ...where }: BookLocation & { readonly query: string; readonly hitsMax: number },
  emit: (sign: { readonly partsRead: number }) => void,
): Promise<{ readonly hits: readonly TextHit[]; readonly isTruncated: boolean }> =>
  withCachedBook(where, where.cacheDir, async (book) => {
    const folded = foldText(query).text.trim()
    const hits: TextHit[] = []
    let partsRead = 0
    if (folded === '' || !book.text) return { hits, isTruncated: false }
    for await (const part of book.text()) {
      partsRead += 1
      if (partsRead % 20 === 0) emit({ partsRead })
      for (const hit of hitsIn(part, folded)) {
        if (hits.length === hitsMax) return { hits, isTruncated: true }
        hits.push(hit)
      }
    }
    return { hits, isTruncated: false }
  })

/** Words are not cut, unless one is as long as all that is shown. */
const textBefore = (text: string, end: number): string => {
  const shown = text.slice(Math.max(0, end - aroundLength), end)
  if (shown.length < aroundLength || /\s/.test(text.charAt(end - aroundLength - 1))) return shown.toWellFormed()
  return shown.replace(/^\S{1,40}(?=\s)/, '').toWellFormed()
}

const textAfter = (text: string, start: number): string => {
  const end = start + aroundLength
  const shown = text.slice(start, end)
  if (end >= text.length || /\s/.test(text.charAt(end))) return shown.toWellFormed()
  const lastGap = shown.search(/\s\S*$/)
  return (shown.length - lastGap <= 40 && lastGap >= 0 ? shown.slice(0, lastGap) : shown).toWellFormed()
}

function* hitsIn({ text, href, page, title }: TextPart, folded: string): Generator<TextHit> {
  for (const { from, to } of findFolded(text, folded)) {
    yield {
      href: href ?? null,
      page: page ?? null,
      title,
      progression: text.length === 0 ? 0 : from / text.length,
      before: textBefore(text, from),
      match: text.slice(from, to),
      after: textAfter(text, to),
    }
  }
}
