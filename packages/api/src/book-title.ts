import { type NumberedTitle, titleOfItsOwn } from './own-title.ts'

/** The name of a book is made of these, as `Book` has them. */
export interface NamedBook extends NumberedTitle {
  readonly oneShot?: boolean
  readonly authors?: readonly string[]
}

/**
 * It says where a name is shown. `series`: among the books of its own series. `mixed`: among those of several, on one
 * line. `card`: the same on two. `seriesFeed` and `feed`: these two in a feed. `page`: the title of a page. `download`:
 * the name of a file, without its extension.
 */
export type BookTitlePlace = 'series' | 'mixed' | 'card' | 'seriesFeed' | 'feed' | 'page' | 'download'

/** A book without a title of its own is named with these, in the language of the user. */
export interface NumberWords {
  readonly volume: (number: string) => string
  readonly chapter: (number: string) => string
}

export const englishNumberWords: NumberWords = {
  volume: (number) => `Volume ${number}`,
  chapter: (number) => `Chapter ${number}`,
}

/** The parts are for those who shorten a name to fit: the series and the title may be cut, the number never. */
export interface BookTitle {
  /** Null where everybody knows it, and where the title says it. */
  readonly series: string | null
  /** `7`; `Volume 7` where nothing else stands beside it. */
  readonly number: string | null
  readonly title: string | null
  /** A one-shot has no series that says what it is: its authors stand below. */
  readonly authors: readonly string[]
  /** It is the whole name on one line. */
  readonly text: string
}

/** It names a book in a place (pins C24): the same in every list, feed, reader and file. */
export const bookTitleIn = (
  place: BookTitlePlace,
  book: NamedBook,
  words: NumberWords = englishNumberWords,
): BookTitle => {
  const parts = partsIn(place, book, words)
  const authors = book.oneShot === true ? (book.authors ?? []) : []
  const text = joinParts(parts, separators[place])
  return { ...parts, authors, text: place === 'download' ? fileNameOf(text) : text }
}

/** `7` and not `7.0`; `7.5` stays. */
export const numberInTitle = (number: number): string => String(Math.round(number * 1000) / 1000)

type Parts = Pick<BookTitle, 'series' | 'number' | 'title'>

const partsIn = (place: BookTitlePlace, book: NamedBook, words: NumberWords): Parts => {
  const whole = book.title.trim() || book.seriesName.trim() || '?'
  if (book.oneShot === true) return { series: null, number: null, title: whole }
  const { title, saysSeries } = titleOfItsOwn(book)
  const isAmongItsOwn = place === 'series' || place === 'seriesFeed'
  const series = isAmongItsOwn || saysSeries ? null : book.seriesName.trim() || null
  const number = numberOf(book)
  if (number === null) return { series, number: null, title: title ?? (series === null ? whole : null) }
  if (title !== null) return { series, number, title }
  const worded = inWords(book, number, words)
  // `Series 7` is understood; that it is a chapter has to be said where there are volumes too.
  const isWorded = series === null || place === 'card' || worded !== words.volume(number)
  return { series, number: isWorded ? worded : number, title: null }
}

const numberOf = ({ number, chapter, volume }: NamedBook): string | null => {
  const shown = number ?? chapter ?? volume ?? null
  return shown === null ? null : numberInTitle(shown)
}

/** From this year on a volume number is the year a run of issues began, as tags of comics have it. */
const firstYear = 1900

const inWords = ({ number, volume, chapter }: NamedBook, shown: string, words: NumberWords): string => {
  // Whole volumes are tagged as the chapter of their own number, too.
  const isVolume = volume != null && (number == null || number === volume)
  if (isVolume) return words.volume(shown)
  const isIssue = volume != null && volume >= firstYear
  return chapter == null || isIssue ? shown : words.chapter(shown)
}

const separators: Readonly<Record<BookTitlePlace, string>> = {
  series: ' · ',
  mixed: ' · ',
  card: ' · ',
  page: ' · ',
  seriesFeed: ': ',
  feed: ': ',
  download: ' - ',
}

const joinParts = ({ series, number, title }: Parts, separator: string): string => {
  const first = [series, number].filter((part) => part !== null).join(' ')
  return [first, title ?? ''].filter((part) => part !== '').join(separator)
}

const fileNameMax = 120

/** Some file systems refuse these signs, and dots and spaces at the ends of a name. */
const fileNameOf = (text: string): string => {
  const allowed = text
    .replace(/\s*[:/\\|]\s*/g, ' - ')
    .replace(/["*<>?\p{Cc}]/gu, '')
    .replace(/\s+/g, ' ')
  const short = [...allowed].slice(0, fileNameMax).join('')
  return (
    short
      .replace(/^[\s.]+/, '')
      .trimEnd()
      .replace(/\.+$/, '')
      .trimEnd() || 'book'
  )
}
