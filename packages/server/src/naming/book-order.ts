import { fold, sortKey } from '../platform/sort-key.ts'
import { readDigits, readNumeral } from './numerals.ts'

/** What decides where in its series a book stands. */
export interface Placed {
  readonly volume: number | null
  readonly chapter: number | null
  /** As written: `012.5`, `1A`, `½`. */
  readonly number: string | null
  readonly season?: number | null | undefined
  readonly part?: string | null | undefined
  readonly isSpecial: boolean
  /** Decides among books that are placed alike. */
  readonly name: string
}

/** The one number a book has in its series: its chapter or issue, or else its volume. */
export const numberOf = ({ volume, chapter, number }: Pick<Placed, 'volume' | 'chapter' | 'number'>): number | null =>
  placeOf(chapter, number) ?? volume

/**
 * The order of the books of one series, to be compared byte by byte: season by season, volumes before loose chapters
 * (`v01 < v01 c001 < v02 < c011`), what has no number behind what has one, and specials behind everything.
 */
export const bookSortKey = (book: Placed): string => {
  const place = placeOf(book.chapter, book.number)
  const isNumbered = place !== null || book.volume !== null || book.part != null || book.season != null
  return [
    book.isSpecial ? '2' : isNumbered ? '0' : '1',
    fixedWidth(book.season ?? 1),
    book.volume === null ? behindNumbers : fixedWidth(book.volume),
    place === null ? beforeNumbers : fixedWidth(place),
    suffixOf(book.number).slice(0, suffixWidth).padEnd(suffixWidth, ' '),
    fixedWidth(partOrder(book.part ?? null)),
    sortKey(book.name),
  ].join('')
}

const placeOf = (chapter: number | null, number: string | null): number | null =>
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
