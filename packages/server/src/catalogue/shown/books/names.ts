import type { Grouping } from '@carrel/api'
import { bookTitle } from '../../../naming/book-name.ts'
import { bookSortKey, numberOf, type Slot } from '../../../naming/book-order.ts'
import { groupByPath } from '../../../naming/grouping/grouping.ts'
import { readBook } from '../../../naming/grouping/series-by-name.ts'
import type { GroupingHints, GroupedSeries } from '../../../naming/grouping/grouping-policy.ts'
import { plainText, sortKey } from '../../../platform/text/sort-key.ts'
import type { BookShown } from '../../metadata/metadata.ts'
import type { DecidedNames } from './layers.ts'

/** Below a root, with a slash at the end of the folder. */
export interface FilePath {
  readonly folder: string
  readonly name: string
}

export interface FileInRoot extends FilePath {
  readonly rootId: string
}

/** How a library has its books named, numbered and put into series. */
export interface NamingRules {
  readonly id: string
  readonly grouping: Grouping
  readonly numbering: 'file_order' | 'metadata' | 'filename' | 'smart'
  readonly titleFrom: 'filename' | 'metadata' | 'smart'
  /** What the folders are called that are its roots, and those that were, by their ids. */
  readonly rootNames: ReadonlyMap<string, string>
}

/** The series that a file belongs to: the same for the same file at every scan. */
export const groupFile = (
  { grouping, rootNames }: Pick<NamingRules, 'grouping' | 'rootNames'>,
  { rootId, folder, name }: FileInRoot,
  hints?: GroupingHints,
): GroupedSeries => groupByPath(grouping, { rootName: rootNames.get(rootId) ?? '', path: folder + name }, hints)

export interface BookNames {
  readonly title: string
  readonly sort_key: string
  readonly position_key: string
  readonly file_sort_key: string
  readonly title_text: string
  readonly path_text: string
  readonly number: number | null
  readonly number_sort: number | null
  readonly number_text: string | null
  readonly volume: number | null
  readonly chapter: number | null
  readonly is_special: 0 | 1
}

interface NamingHints {
  /** What its path says besides its name. */
  readonly series?: Pick<GroupedSeries, 'volumeHint' | 'namedAfter' | 'claims'>
  /** Where the number that somebody has said puts it among the others. */
  readonly slot?: Slot | undefined
}

/** Said by a file of itself, and no title all the same. */
const generic = /^(?:#|no\.?|vol(?:ume)?\.?|ch(?:apter)?\.?|issue|book|part)?\s*#?\d+(?:\.\d+)?$/i

/** What a book is called and where it stands in its series, from its name and, as the library wishes, its metadata. */
export const bookNamesOf = (
  { numbering, titleFrom }: Pick<NamingRules, 'numbering' | 'titleFrom'>,
  path: FilePath,
  { decided, ...fields }: Partial<BookShown> & { readonly decided?: DecidedNames },
  { series: { volumeHint, namedAfter, claims: byPath = {} } = {}, slot }: NamingHints = {},
): BookNames => {
  const parsed = readBook(path.name, namedAfter ?? path.folder.split('/').at(-2))
  const ofFile = {
    volume: byPath.volume ?? parsed.volume ?? volumeHint ?? null,
    chapter: byPath.chapter ?? parsed.chapter,
    number: byPath.number ?? parsed.number,
    isSpecial: byPath.isSpecial ?? parsed.isSpecial,
  }
  const ofMetadata = {
    volume: fields.volume ?? null,
    chapter: fields.chapter ?? null,
    number: fields.number ?? null,
    isSpecial: fields.isSpecial ?? false,
  }
  const { title: ownTitle, ...ownNumbers } = decided ?? {}
  const numbers = { ...numbersOf(numbering, ofFile, ofMetadata), ...decidedNumbers(ownNumbers) }
  const title = ownTitle ?? titleOf(titleFrom, fields.title, () => byPath.title ?? bookTitle(path.name, parsed))
  return {
    title,
    sort_key: sortKey(fields.titleSort ?? title),
    position_key:
      numbering === 'file_order'
        ? sortKey(path.folder + path.name)
        : bookSortKey({ ...numbers, ...slot, name: path.name }),
    file_sort_key: sortKey(path.name),
    title_text: plainText(title),
    path_text: plainText(path.folder + path.name),
    number: numberOf(numbers),
    number_sort: fields.numberSort ?? numberOf(numbers),
    number_text: numbers.number,
    volume: wholeOrNull(numbers.volume),
    chapter: numbers.chapter,
    is_special: numbers.isSpecial ? 1 : 0,
  }
}

const decidedNumbers = ({ volume, chapter, number, isSpecial }: DecidedNames): Partial<Numbers> => ({
  ...(volume !== undefined && { volume }),
  ...(chapter !== undefined && { chapter }),
  ...(number !== undefined && { number }),
  ...(isSpecial !== undefined && { isSpecial: isSpecial ?? false }),
})

interface Numbers {
  readonly volume: number | null
  readonly chapter: number | null
  readonly number: string | null
  readonly isSpecial: boolean
}

const numbersOf = (numbering: NamingRules['numbering'], ofFile: Numbers, ofMetadata: Numbers): Numbers => {
  if (numbering === 'metadata') return ofMetadata
  if (numbering === 'filename' || numbering === 'file_order') return ofFile
  return {
    volume: ofMetadata.volume ?? ofFile.volume,
    chapter: ofMetadata.chapter ?? ofFile.chapter,
    number: ofMetadata.number ?? ofFile.number,
    isSpecial: ofMetadata.isSpecial || ofFile.isSpecial,
  }
}

const titleOf = (titleFrom: NamingRules['titleFrom'], own: string | undefined, fromFile: () => string): string => {
  if (own === undefined || titleFrom === 'filename') return fromFile()
  return titleFrom === 'smart' && generic.test(own.trim()) ? fromFile() : own
}

const wholeOrNull = (number: number | null): number | null =>
  number === null || !Number.isSafeInteger(Math.trunc(number)) ? null : Math.trunc(number)
