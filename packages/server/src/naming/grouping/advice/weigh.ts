import type { GroupingWarning } from '@carrel/api'
import { fold } from '../../../platform/text/sort-key.ts'
import { isNumberedTitle, readDivider } from '../dividers.ts'
import type { GroupedSeries } from '../grouping-policy.ts'
import { isPerson } from './candidates.ts'
import type { Evidence } from './evidence.ts'

/** What a way to group would make of books. */
export interface Weighed {
  readonly series: number
  readonly oneShots: number
  /** How many books would not be where they seem to belong. */
  readonly cost: number
  readonly warnings: GroupingWarning[]
}

/** The books that a way to group puts together. */
export interface Group {
  readonly series: GroupedSeries
  readonly books: Evidence[]
  /** In which part of the series each lies, by its folders: numbers may begin anew there. */
  readonly parts: string[]
  /** It begins before what was looked at, and is not counted there. */
  readonly isCut: boolean
}

interface Doubt {
  readonly books: number
  readonly warning: GroupingWarning
}

const warningsMax = 20

export const weigh = (groups: readonly Group[]): Weighed => {
  const doubts = [
    ...groups.flatMap(doubtsOf),
    ...dividedSeries(groups),
    ...numberedFolders(groups),
    ...namelessBooks(groups),
  ]
  const alone = groups.filter(({ books }) => new Set(books.map(({ stem }) => stem)).size === 1)
  const numbered = alone.filter(({ books: [book] }) => book?.number !== undefined)
  const single: readonly Doubt[] =
    numbered.length < 5 || numbered.length * 2 < groups.length
      ? []
      : [
          {
            books: 0,
            warning: {
              code: 'single_books',
              series: null,
              count: numbered.length,
              text: `${numbered.length} of ${groups.length} series would hold one book, and it has a number.`,
            },
          },
        ]
  const wholeGroups = alone.filter(({ isCut }) => !isCut)
  return {
    series: groups.filter(({ isCut }) => !isCut).length - wholeGroups.length,
    oneShots: wholeGroups.length,
    cost: doubts.reduce((sum, { books }) => sum + books, 0),
    warnings: [...doubts, ...single]
      .toSorted((one, other) => other.books - one.books)
      .slice(0, warningsMax)
      .map(({ warning }) => warning),
  }
}

const doubtsOf = (group: Group): readonly Doubt[] => {
  const { series, books } = group
  const doubt = (code: GroupingWarning['code'], books: number, text: string, count = books): readonly Doubt[] =>
    books === 0 ? [] : [{ books, warning: { code, series: series.title, count, text: `“${series.title}” ${text}` } }]
  if (books.length === 1) return []
  const labels = Map.groupBy(books, ({ label }) => label)
  labels.delete('')
  const top = [...labels].reduce((most, each) => (each[1].length > most[1].length ? each : most), ['', []] as const)[0]
  const { strangers, sequences } = countSequences(group, labels, top)
  const loose = countLoose(group, top)
  return [
    ...doubt('several_sequences', strangers, `would hold ${sequences} number sequences.`, sequences),
    ...doubt(
      isPerson(series.title) ? 'one_author' : 'unlike_books',
      loose,
      isPerson(series.title)
        ? `is the name of a person, and would hold ${loose === 1 ? 'a single book' : `${loose} single books`}.`
        : `would hold ${loose === 1 ? 'a book whose name is not like the others' : `${loose} books whose names are not alike`}.`,
    ),
    ...doubt('no_series', namesNoSeries(group), 'names no series.'),
  ]
}

/** Names that begin alike are of one series: `Batman` and `Batman Annual`. */
const isLike = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)

/** Books of another name, whose numbers begin anew, and those that have the number of another one. */
const countSequences = (
  { books, parts }: Group,
  labels: ReadonlyMap<string, readonly Evidence[]>,
  top: string,
): { readonly strangers: number; readonly sequences: number } => {
  const numbersOf = new Map<number, Set<string>>()
  const taken = new Map<string, { readonly folder: string; readonly stem: string; count: number }>()
  let collided = 0
  for (const [index, { label, number, volume, stem, folders }] of books.entries()) {
    if (number === undefined || parts[index] === 'special') continue
    numbersOf.set(number, (numbersOf.get(number) ?? new Set()).add(label))
    const key = `${label}/${parts[index]}/${volume ?? ''}/${number}`
    const first = taken.get(key)
    const folder = folders.join('/')
    if (!first) taken.set(key, { folder, stem, count: 1 })
    // Two of a number in one folder are two prints; in two folders they are two series.
    else if (first.stem !== stem && first.folder !== folder) {
      collided += 1
      first.count += 1
    }
  }
  const others = [...labels].filter(
    ([label, ofLabel]) =>
      !isLike(label, top) &&
      ofLabel.some(({ number }) => number !== undefined && (numbersOf.get(number)?.size ?? 0) > 1),
  )
  const strangers = others.reduce((sum, [, ofLabel]) => sum + ofLabel.length, 0)
  const repeated = Math.max(1, ...[...taken.values()].map(({ count }) => count))
  return { strangers: strangers + collided, sequences: repeated + others.length }
}

/** Titles without numbers belong to a series only when nothing speaks against it. */
const countLoose = ({ series, books }: Group, top: string): number => {
  const name = fold(series.title)
  const loose = books.filter(({ title }) => title !== undefined && !isLike(title, name) && !isLike(title, top))
  const titles = new Set(loose.map(({ title }) => title))
  if (titles.size < 2 && loose.length === books.length) return 0
  const makers = new Set(loose.flatMap(({ maker }) => maker ?? []))
  const isHeap =
    isPerson(series.title) ||
    makers.size > 1 ||
    (top !== '' && !isLike(top, name) && loose.length * 4 >= books.length) ||
    isShelf(series.title)
  return isHeap ? loose.length : 0
}

/** Where people put what they have not put in order. */
const isShelf = (title: string): boolean =>
  /^(?:\d{4}(?:[-. ]\d{1,2}){0,2}|new|neu|nuevo|nouveau|misc|downloads?|incoming|unsorted|temp|tmp|inbox|todo|various|comics?|mangas?|e?books?|novels?|romane?|bd|doujin(?:shi)?s?|webtoons?|magazines?)$/i.test(
    title,
  )

/** A title that only says which part of something it is. */
const namesNoSeries = ({ series, books }: Group): number => {
  const { title, path, isNameless } = series
  if (isNameless) return books.length
  if (path === null && !books.every(({ label, number }) => label === '' && number !== undefined)) return 0
  const divider = readDivider(title, '')
  return divider !== undefined || (/^\d{1,3}$/.test(title) && books[0]?.label !== title) ? books.length : 0
}

/** Books that say their number and nothing else are series of one book. */
const namelessBooks = (groups: readonly Group[]): readonly Doubt[] => {
  const count = groups.filter((group) => group.books.length === 1 && namesNoSeries(group) > 0).length
  if (count === 0) return []
  const text = count === 1 ? '1 book says its number and no series.' : `${count} books say their number and no series.`
  return [{ books: count, warning: { code: 'no_series', series: null, count, text } }]
}

/** The same name in several series whose numbers go on from one to the other. */
const dividedSeries = (groups: readonly Group[]): readonly Doubt[] => {
  const partsOf = new Map<string, Map<Group, Evidence[]>>()
  for (const group of groups) {
    if (group.series.isOneShot) continue
    for (const book of group.books) {
      if (book.label === '' || book.number === undefined) continue
      const parts = partsOf.get(book.label) ?? new Map<Group, Evidence[]>()
      partsOf.set(book.label, parts)
      const part = parts.get(group)
      if (part) part.push(book)
      else parts.set(group, [book])
    }
  }
  return [...partsOf.values()].flatMap((parts) => (parts.size === 1 ? [] : dividedInto([...parts])))
}

const dividedInto = (parts: readonly (readonly [Group, readonly Evidence[]])[]): readonly Doubt[] => {
  const [first, ...others] = parts.toSorted(([, one], [, other]) => other.length - one.length)
  if (!first) return []
  const [{ series }, largest] = first
  const numbers = new Set(largest.map(({ number }) => number))
  const apart = others.filter(([, books]) => !books.some(({ number }) => numbers.has(number)))
  const count = apart.reduce((sum, [, books]) => sum + books.length, 0)
  if (count === 0) return []
  const text = `“${series.title}” and ${apart.length} more series would share one sequence of numbers.`
  return [{ books: count, warning: { code: 'divided_series', series: series.title, count: apart.length + 1, text } }]
}

/** `Foundation/01 - Foundation`, `Foundation/02 - Second Foundation`: each would be by itself. */
const numberedFolders = (groups: readonly Group[]): readonly Doubt[] => {
  const numbered = groups.filter(({ series: { path } }) => path?.includes('/') && isNumberedTitle(lastOf(path)))
  const byParent = Map.groupBy(numbered, ({ series: { path } }) => (path ?? '').split('/').slice(0, -1).join('/'))
  return [...byParent]
    .filter(([, parts]) => parts.length > 1 && (parts.every(({ books }) => books.length === 1) || goOn(parts)))
    .map(([parent, parts]) => {
      const series = lastOf(parent)
      const text = `“${series}” would be ${parts.length} series, whose folders are numbered.`
      const books = parts.reduce((sum, part) => sum + part.books.length, 0)
      return { books, warning: { code: 'divided_series', series, count: parts.length, text } }
    })
}

/** Each book has a number that no other has, and names of series say nothing else. */
const goOn = (parts: readonly Group[]): boolean => {
  const books = parts.flatMap((part) => part.books)
  const numbers = new Set(books.map(({ number }) => number))
  return numbers.size === books.length && !numbers.has(undefined) && new Set(books.map(({ label }) => label)).size === 1
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
