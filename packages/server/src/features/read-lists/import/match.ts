import type { ListedEntry } from '../../../formats/read-list.ts'
import { yearInName } from '../../../platform/text/name-keys.ts'

/** It is a book that has the number of an entry, in a series with its name. */
export interface Candidate {
  readonly bookId: string
  readonly seriesId: string
  readonly seriesName: string
  /** When the series began. */
  readonly year: number | null
  readonly volume: number | null
  /** When the book came out. */
  readonly released: number | null
  readonly isPresent: boolean
}

export type Match<Book extends Candidate = Candidate> =
  | { readonly kind: 'one'; readonly book: Book }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly books: readonly Book[] }

/** The one that fits best; several when nothing tells them apart. */
export const chooseBook = <Book extends Candidate>(entry: ListedEntry, candidates: readonly Book[]): Match<Book> => {
  const hints = hintsOf(entry)
  const fitting = candidates
    .filter((each) => !contradicts(hints, each))
    .map((book) => ({ book, fit: fitOf(hints, book) }))
  const best = Math.max(...fitting.map(({ fit }) => fit))
  const [book, ...others] = fitting.filter(({ fit }) => fit === best).map((each) => each.book)
  if (!book) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', book } : { kind: 'several', books: [book, ...others] }
}

interface Hints {
  /** The volume of a comic is the year its series began in, or its place among those of that name. */
  readonly began: number | null
  readonly volume: number | null
  readonly released: number | null
}

/** A volume below this is a number, from this on a year. */
const firstYear = 1800

const hintsOf = ({ series, volume, year }: ListedEntry): Hints => {
  const number = wholeNumber(volume)
  return {
    began: number !== null && number >= firstYear ? number : yearInName(series),
    volume: number !== null && number < firstYear ? number : null,
    released: wholeNumber(year),
  }
}

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null

const contradicts = ({ began, volume, released }: Hints, book: Candidate): boolean => {
  const claimedVolume = book.volume !== null && book.volume < firstYear ? book.volume : null
  if (differs(volume, claimedVolume)) return true
  if (released !== null && book.released !== null && Math.abs(released - book.released) > 1) return true
  // A series began before any of its books came out, and not before its stated year.
  if (released !== null && book.year !== null && book.year > released + 1) return true
  return began !== null && book.year !== null && book.year < began - 1
}

const differs = (one: number | null, other: number | null): boolean => one !== null && other !== null && one !== other

const fitOf = ({ began, volume, released }: Hints, book: Candidate): number =>
  (isSame(began, book.year) || isSame(began, book.volume) ? 8 : 0) +
  (isSame(volume, book.volume) ? 8 : 0) +
  (isSame(released, book.released) ? 4 : 0) +
  (book.isPresent ? 1 : 0)

const isSame = (one: number | null, other: number | null): boolean => one !== null && one === other

/** The number of an entry as a number, where it is one; else its text without case. */
export const numberOf = (text: string | null): { readonly value: number | null; readonly text: string | null } => {
  if (text === null) return { value: null, text: null }
  const plain = text.replace(/^#\s*/, '').toLowerCase()
  return /^-?\d{1,9}(?:\.\d{1,4})?$/.test(plain) ? { value: Number(plain), text: null } : { value: null, text: plain }
}
