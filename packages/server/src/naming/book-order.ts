import { fold, sortKey } from '../platform/text/sort-key.ts'
import { readDigits, readNumeral } from './numerals.ts'

/** These decide where in its series a book stands. */
export interface BookNumbers {
  readonly volume: number | null
  readonly chapter: number | null
  /** The number is as written: `012.5`, `1A`, `½`. */
  readonly number: string | null
  readonly season?: number | null | undefined
  readonly part?: string | null | undefined
  readonly isSpecial: boolean
  /** It decides among books that are placed alike. */
  readonly name: string
}

/** The one number a book has in its series: its chapter or issue, or else its volume. */
export const numberOf = ({
  volume,
  chapter,
  number,
}: Pick<BookNumbers, 'volume' | 'chapter' | 'number'>): number | null => issueOf(chapter, number) ?? volume

/**
 * The order of the books of one series, to be compared byte by byte: season by season, volumes before loose chapters
 * (`v01 < v01 c001 < v02 < c011`), what has no number behind what has one, and specials behind everything.
 */
export const bookSortKey = (book: BookNumbers): string => {
  const issue = issueOf(book.chapter, book.number)
  const isNumbered = issue !== null || book.volume !== null || book.part != null || book.season != null
  return [
    book.isSpecial ? '2' : isNumbered ? '0' : '1',
    fixedWidth(book.season ?? 1),
    book.volume === null ? behindNumbers : fixedWidth(book.volume),
    issue === null ? beforeNumbers : fixedWidth(issue),
    suffixOf(book.number).slice(0, suffixWidth).padEnd(suffixWidth, ' '),
    fixedWidth(partOrder(book.part ?? null)),
    sortKey(book.name),
  ].join('')
}

/** A book of the series that has its number from its file or its metadata. */
export interface Numbered {
  readonly volume: number | null
  readonly chapter: number | null
  readonly number: string | null
}

/** A book is placed by these instead of what it says of itself. */
export type Slot = Pick<BookNumbers, 'volume' | 'chapter' | 'number' | 'isSpecial'>

/**
 * It finds the slot of a book whose number in order somebody has set: behind the last of the others that has no higher
 * one, numbered as that one is, so that it stays there when more are added. It comes before all of them when there is
 * none.
 */
export const slotOf = (numberSort: number, others: readonly Numbered[]): Slot => {
  const numbered = others.flatMap((each) => {
    const value = numberOf(each)
    return value === null ? [] : [{ ...each, value }]
  })
  const before = numbered.filter(({ value }) => value <= numberSort)
  const last = before.reduce<(typeof before)[number] | undefined>(
    (highest, each) => (highest && highest.value > each.value ? highest : each),
    undefined,
  )
  const slot = { volume: null, chapter: null, number: null, isSpecial: false }
  if (!last) return { ...slot, volume: numbered.length === 0 ? null : volumeMin, chapter: numberSort }
  const isVolume = issueOf(last.chapter, last.number) === null
  if (isVolume) return { ...slot, volume: numberSort }
  // Chapters within volumes go on in the volume; behind the last of them all it is in none.
  return { ...slot, volume: before.length === numbered.length ? null : last.volume, chapter: numberSort }
}

/** It sorts before every volume there is. */
const volumeMin = -99_999

const issueOf = (chapter: number | null, number: string | null): number | null =>
  chapter ?? (number === null ? null : readDigits(number))

const width = 11
const suffixWidth = 8
const behindNumbers = '~'.repeat(width)
const beforeNumbers = '-'.repeat(width)

/** Thousandths, moved so that none is negative: there are issues before the first. */
const fixedWidth = (value: number): string =>
  Math.round((Math.min(Math.max(value, -99_999), 9_999_999) + 100_000) * 1000)
    .toString()
    .padStart(width, '0')

/** `1A` behind `1`, `1.MU` between `1` and `2`. */
const suffixOf = (number: string | null): string =>
  fold((number ?? '').replace(/^-?\d*(?:[.,]\d+)?[½¼¾⅓⅔]?(?:⁄\d+)?/, '')).replace(/[^\u0020-\u007e]/g, '')

const halves: Readonly<Record<string, number>> = { 上: 1, 前: 1, 中: 2, 下: 3, 後: 3 }

const partOrder = (part: string | null): number => {
  if (part === null) return 0
  const letter = /^[a-z]$/i.test(part) ? part.toLowerCase().charCodeAt(0) - 0x60 : 0
  return halves[part] ?? (letter > 0 ? letter : (readNumeral(part) ?? 0))
}
