import type { BookFields } from '../../formats/book-format.ts'
import { bookTitle, parseBookName } from '../../naming/book-name.ts'
import { bookSortKey, numberOf } from '../../naming/book-order.ts'
import { groupingPolicies } from '../../naming/grouping/grouping.ts'
import type { SeriesPlace } from '../../naming/grouping/grouping-policy.ts'
import { plainText, sortKey } from '../../platform/sort-key.ts'
import type { ScannedLibrary } from './library.ts'

/** Where a file belongs and what it is called, as far as its path says. */
export interface Place {
  readonly folder: string
  readonly name: string
  readonly isFolder: boolean
}

/** Of which series a file is. The same for the same file at every scan. */
export const seriesPlaceOf = (
  { policy }: Pick<ScannedLibrary, 'policy'>,
  { folder, name }: Place,
  metadataSeries?: string,
): SeriesPlace => {
  const grouping = groupingPolicies.get(policy)
  if (!grouping) throw new Error(`There is no grouping policy "${policy}"`)
  return grouping.seriesOf(folder + name, { metadataSeries })
}

export interface BookNames {
  readonly title: string
  readonly sort_key: string
  readonly position_key: string
  readonly file_sort_key: string
  readonly title_text: string
  readonly path_text: string
  readonly number: number | null
  readonly number_text: string | null
  readonly volume: number | null
  readonly chapter: number | null
  readonly is_special: 0 | 1
}

/** Said by a file of itself, and no title all the same. */
const generic = /^(?:#|no\.?|vol(?:ume)?\.?|ch(?:apter)?\.?|issue|book|part)?\s*#?\d+(?:\.\d+)?$/i

/** What a book is called and where it stands in its series, from its name and, as the library wishes, its metadata. */
export const bookNamesOf = (
  { numbering, titleFrom }: Pick<ScannedLibrary, 'numbering' | 'titleFrom'>,
  place: Place,
  fields: BookFields,
  volumeHint?: number,
): BookNames => {
  const context = { folder: place.folder.split('/').at(-2) }
  const parsed = parseBookName(place.name, context)
  const ofFile = {
    volume: parsed.volume ?? volumeHint ?? null,
    chapter: parsed.chapter,
    number: parsed.number,
    isSpecial: parsed.isSpecial,
  }
  const ofMetadata = {
    volume: fields.volume ?? null,
    chapter: fields.chapter ?? null,
    number: fields.number ?? null,
    isSpecial: fields.isSpecial ?? false,
  }
  const said = numbersOf(numbering, ofFile, ofMetadata)
  const title = titleOf(titleFrom, fields.title, () => bookTitle(place.name, parsed))
  return {
    title,
    sort_key: sortKey(fields.titleSort ?? title),
    position_key:
      numbering === 'file_order' ? sortKey(place.folder + place.name) : bookSortKey({ ...said, name: place.name }),
    file_sort_key: sortKey(place.name),
    title_text: plainText(title),
    path_text: plainText(place.folder + place.name),
    number: numberOf(said),
    number_text: said.number,
    volume: wholeOrNull(said.volume),
    chapter: said.chapter,
    is_special: said.isSpecial ? 1 : 0,
  }
}

interface Numbers {
  readonly volume: number | null
  readonly chapter: number | null
  readonly number: string | null
  readonly isSpecial: boolean
}

const numbersOf = (numbering: ScannedLibrary['numbering'], ofFile: Numbers, ofMetadata: Numbers): Numbers => {
  if (numbering === 'metadata') return ofMetadata
  if (numbering === 'filename' || numbering === 'file_order') return ofFile
  return {
    volume: ofMetadata.volume ?? ofFile.volume,
    chapter: ofMetadata.chapter ?? ofFile.chapter,
    number: ofMetadata.number ?? ofFile.number,
    isSpecial: ofMetadata.isSpecial || ofFile.isSpecial,
  }
}

const titleOf = (titleFrom: ScannedLibrary['titleFrom'], own: string | undefined, fromFile: () => string): string => {
  if (own === undefined || titleFrom === 'filename') return fromFile()
  return titleFrom === 'smart' && generic.test(own.trim()) ? fromFile() : own
}

const wholeOrNull = (number: number | null): number | null =>
  number === null || !Number.isSafeInteger(Math.trunc(number)) ? null : Math.trunc(number)
