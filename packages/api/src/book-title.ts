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
export type BookTitleContext = 'series' | 'mixed' | 'card' | 'seriesFeed' | 'feed' | 'page' | 'download'

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
  context: BookTitleContext,
  book: NamedBook,
  words: NumberWords = englishNumberWords,
): BookTitle => {
  const parts = partsIn(context, book, words)
  const authors = book.oneShot === true ? (book.authors ?? []) : []
  const text = context === 'download' ? fileNameOf(parts) : joinParts(parts, separators[context])
  return { ...parts, authors, text }
}

/**
 * The names of the files of several books, in this order, without their extensions. Their numbers are as long as the longest,
 * so that they stand in this order wherever names are sorted; where that is not enough their positions stand before them.
 */
export const fileNamesIn = (books: readonly NamedBook[]): readonly string[] => {
  const all = books.map((book) => partsIn('download', book, englishNumberWords))
  const digits = Math.max(0, ...all.map(({ number }) => /\d+/.exec(number ?? '')?.[0].length ?? 0))
  const names = all.map(({ number, ...parts }) =>
    fileNameOf({ ...parts, number: number?.replace(/\d+/, (integer) => integer.padStart(digits, '0')) ?? null }),
  )
  const isInOrder = names.every((name, at) => at === 0 || (names[at - 1] ?? '').toLowerCase() < name.toLowerCase())
  return isInOrder ? names : withPositions(names)
}

export const withPositions = (names: readonly string[]): readonly string[] => {
  const digits = String(names.length).length
  return names.map((name, at) => `${String(at + 1).padStart(digits, '0')} - ${name}`)
}

/** `7` and not `7.0`; `7.5` stays. */
export const numberInTitle = (number: number): string => String(Math.round(number * 1000) / 1000)

type Parts = Pick<BookTitle, 'series' | 'number' | 'title'>

const partsIn = (context: BookTitleContext, book: NamedBook, words: NumberWords): Parts => {
  const fullTitle = book.title.trim() || book.seriesName.trim() || '?'
  if (book.oneShot === true) return { series: null, number: null, title: fullTitle }
  const { title, saysSeries } = titleOfItsOwn(book)
  const isAmongItsOwn = context === 'series' || context === 'seriesFeed'
  const series = isAmongItsOwn || saysSeries ? null : book.seriesName.trim() || null
  const number = bookNumberOf(book)
  if (number === null) return { series, number: null, title: title ?? (series === null ? fullTitle : null) }
  if (title !== null) return { series, number, title }
  const worded = inWords(book, number, words)
  // `Series 7` is understood; the word for a chapter is needed where there are volumes too.
  const isWorded = series === null || context === 'card' || worded !== words.volume(number)
  return { series, number: isWorded ? worded : number, title: null }
}

/** A one-shot has none. */
export const bookNumberOf = ({ number, chapter, volume, oneShot }: NamedBook): string | null => {
  const shown = number ?? chapter ?? volume ?? null
  return shown === null || oneShot === true ? null : numberInTitle(shown)
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

const separators: Readonly<Record<BookTitleContext, string>> = {
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

/** Most file systems take 255 bytes, and an extension comes behind it. */
const [nameBytesMax, seriesBytesMax] = [200, 120]

/** Some file systems refuse these signs and names, and dots and spaces at the ends of a name. */
const fileNameOf = ({ series, number, title }: Parts): string => {
  const [ofSeries, ofTitle] = [series, title].map((part) => (part === null ? null : withAllowedSigns(part)))
  const shortSeries = ofSeries == null || number === null ? ofSeries : cut(ofSeries, seriesBytesMax)
  const parts = { series: shortSeries ?? null, number, title: ofTitle ?? null }
  const name = cut(joinParts(parts, separators.download), nameBytesMax)
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '')
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name || 'book'
}

const withAllowedSigns = (text: string): string =>
  text
    .replace(/\s*[:/\\|]\s*/g, ' - ')
    .replace(/["*<>?\p{Cc}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

const cut = (text: string, bytesMax: number): string => {
  let bytes = 0
  const fitting = [...text].filter((sign) => (bytes += bytesOf(sign)) <= bytesMax)
  return fitting.join('').trimEnd()
}

/** In UTF-8. */
const bytesOf = (sign: string): number => {
  const code = sign.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
