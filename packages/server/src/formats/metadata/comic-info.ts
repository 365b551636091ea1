import {
  type Author,
  type BookFields,
  type ExternalId,
  type MetadataLayer,
  type SeriesFields,
  BookFault,
} from '../book-format.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { bookLimits, textLimits } from '../limits.ts'
import { child, childrenNamed, parseXml, type XmlElement } from '../xml.ts'
import { cleanAgeRating } from './age-rating.ts'
import { authorsOfSeries } from './authors-of-series.ts'
import {
  cleanDate,
  cleanInteger,
  cleanIsbn,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanName,
  cleanNumber,
  cleanSummary,
  splitList,
} from './clean-text.ts'
import { recognisedLinks } from './external-ids.ts'
import { withoutMissing } from './layer.ts'

/** It reads a `ComicInfo.xml` (ComicInfo 2.1, and what taggers add to it). It throws a `BookFault`. */
export const comicInfoLayer = (
  bytes: Buffer,
  source: 'file:comicinfo' | 'sidecar:comicinfo' = 'file:comicinfo',
): MetadataLayer => {
  const root = parseXml(bytes)
  if (root.name.toLowerCase() !== 'comicinfo') throw new BookFault('damaged', 'The XML is no ComicInfo')
  const field = fieldsOf(root)
  const numbering = numberingOf(field)
  const links = recognisedLinks((field('Web') ?? '').split(/\s+|[,;](?=https?:)/))
  const shared = sharedFields(field)
  const authors = authorsOf(field)
  return {
    source,
    book: withoutMissing<BookFields>({
      ...shared,
      ...bookNumbering(numbering),
      ...bookDetails(field, root),
      ...cleanDate({ year: field('Year'), month: field('Month'), day: field('Day') }),
      authors,
      externalIds: [...links.book.externalIds, ...idsInNotes(field('Notes'), links.book.externalIds)],
      links: links.book.links,
    }),
    series: withoutMissing<SeriesFields>({
      ...shared,
      ...seriesFields(field, numbering),
      ...links.series,
      authors: authorsOfSeries(authors),
    }),
  }
}

/** The text of a field; an empty one is not there. */
type FieldReader = (field: string) => string | undefined

const fieldsOf = (root: XmlElement): FieldReader => {
  const fields = new Map<string, string>()
  for (const { name, children, text } of root.children) {
    if (children.length === 0 && !fields.has(name.toLowerCase()) && text.trim() !== '') {
      fields.set(name.toLowerCase(), text)
    }
  }
  return (field) => fields.get(field.toLowerCase())
}

interface Numbering {
  readonly number: string | undefined
  readonly volume: number | undefined
  readonly chapter: number | undefined
  readonly count: number | undefined
  /** The year the run began, where `Volume` holds one. */
  readonly year: number | undefined
}

const firstYear = 1900

/**
 * `Volume` is the number of a volume, or as comics count, the year in which the run began. Only beside the number of a
 * volume is `Number` a chapter; else it numbers the books, whatever they are.
 */
const numberingOf = (field: FieldReader): Numbering => {
  const stated = cleanInteger(field('Volume'), { min: 0, max: 9999 })
  const isYear = stated !== undefined && stated >= firstYear
  const volume = isYear ? undefined : stated
  return {
    number: cleanLine(field('Number'), 32),
    volume,
    chapter: volume === undefined ? undefined : cleanNumber(field('Number'), { min: 0, max: 100_000 }),
    count: cleanInteger(field('Count'), { min: 1, max: 100_000 }),
    year: isYear ? cleanDate({ year: String(stated) }).year : undefined,
  }
}

const bookNumbering = ({ number, volume, chapter, count }: Numbering) => ({ number, volume, chapter, count })

/** A book states these of itself and of its series. */
const sharedFields = (field: FieldReader) => ({
  publisher: cleanName(field('Publisher')),
  imprint: cleanName(field('Imprint')),
  language: cleanLanguage(field('LanguageISO')),
  ageRating: cleanAgeRating(field('AgeRating')),
  genres: cleanList(splitList(field('Genre'))),
  readingDirection: /^\s*YesAndRightToLeft\s*$/i.test(field('Manga') ?? '') ? ('rtl' as const) : undefined,
})

const bookDetails = (field: FieldReader, root: XmlElement) => {
  const rating = cleanNumber(field('CommunityRating'), { min: 0, max: 5 })
  const isbn = cleanIsbn(field('GTIN') ?? field('ISBN'))
  const format = cleanName(field('Format'))
  return {
    title: cleanLine(field('Title')),
    titleSort: cleanLine(field('TitleSort')),
    summary: cleanSummary(field('Summary')),
    isSpecial: format !== undefined && specialFormat.test(format) ? true : undefined,
    formatDetail: format,
    tags: cleanList(splitList(field('Tags'))),
    characters: cleanList(splitList(field('Characters'))),
    storyArc: cleanLine(field('StoryArc')),
    storyArcs: storyArcsOf(field),
    seriesGroups: cleanList(splitList(field('SeriesGroup'))),
    isbns: isbn === undefined ? [] : [isbn],
    blackAndWhite: yesOrNo(field('BlackAndWhite')),
    manga: yesOrNo(field('Manga')),
    // Nothing to five stars; no star at all means that nobody has rated it.
    communityRating: rating === undefined || rating === 0 ? undefined : Math.max(1, Math.round(rating * 20)),
    coverPage: coverPageOf(root),
  }
}

/**
 * `Count` is how many there are of what `Number` counts: chapters when it is one of a volume, else the books of the
 * series, which `totalVolumeCount` stands for.
 */
const seriesFields = (field: FieldReader, { chapter, count, year }: Numbering) => ({
  title: cleanLine(field('Series')),
  titleSort: cleanLine(field('SeriesSort')),
  year,
  totalVolumeCount: chapter === undefined ? count : undefined,
  totalChapterCount: chapter === undefined ? undefined : count,
  alternateTitles: alternateTitlesOf(field),
})

/**
 * An alternate series with a number of its own is a story that crosses several series, and no other name of this one.
 */
const alternateTitlesOf = (field: FieldReader): { label: string; title: string }[] => {
  const localized = cleanLine(field('LocalizedSeries'))
  const alternate = field('AlternateNumber') === undefined ? cleanLine(field('AlternateSeries')) : undefined
  return [
    ...(localized === undefined ? [] : [{ label: 'localized', title: localized }]),
    ...(alternate === undefined || alternate === localized ? [] : [{ label: 'alternate', title: alternate }]),
  ]
}

const roles: readonly (readonly [field: string, role: Author['role']])[] = [
  ['Writer', 'writer'],
  ['Penciller', 'penciller'],
  ['Inker', 'inker'],
  ['Colorist', 'colorist'],
  ['Letterer', 'letterer'],
  ['CoverArtist', 'cover_artist'],
  ['Editor', 'editor'],
  ['Translator', 'translator'],
]

/** Lists with commas between, as the schema has it; `&` and `and` are part of a name (decision 040). */
const authorsOf = (field: FieldReader): Author[] =>
  roles
    .flatMap(([element, role]) => cleanList(splitList(field(element))).map((name) => ({ name, role, sortName: null })))
    .slice(0, textLimits.listLength)

/** Two lists side by side: the first number is that of the first arc. */
const storyArcsOf = (field: FieldReader): { name: string; number: string | null }[] => {
  const [names = [], numbers = []] = ['StoryArc', 'StoryArcNumber'].map((element) =>
    field(element)?.split(',', 10 * textLimits.listLength),
  )
  const arcs = new Map<string, { name: string; number: string | null }>()
  for (const [index, spelled] of names.entries()) {
    const name = cleanName(spelled)
    if (name === undefined || arcs.has(nameKey(name)) || arcs.size >= textLimits.listLength) continue
    arcs.set(nameKey(name), { name, number: cleanLine(numbers[index], 32) ?? null })
  }
  return [...arcs.values()]
}

/** A book of its own beside the numbered ones; a collected edition is not one. */
const specialFormat =
  /^(?:specials?|.*\bspecial|annual|.*\bannual|one[- ]?shot|fcbd|preview|prologue|epilogue|extra|omake|side story|director'?s cut|box[- ]?set|reference|anthology|king[- ]size)$/i

const yesOrNo = (text: string | undefined): boolean | undefined => {
  if (/^\s*(?:yes|yesandrighttoleft|true)\s*$/i.test(text ?? '')) return true
  return /^\s*(?:no|false)\s*$/i.test(text ?? '') ? false : undefined
}

const coverPageOf = (root: XmlElement): number | undefined => {
  const pages = child(root, 'Pages')
  if (pages === undefined) return undefined
  const index = childrenNamed(pages, 'Page').findIndex(({ attributes }) => /\bFrontCover\b/.test(attributes.Type ?? ''))
  if (index === -1) return undefined
  const image = childrenNamed(pages, 'Page')[index]?.attributes.Image
  const counted = image === undefined ? index : cleanInteger(image, { min: 0, max: bookLimits.pages - 1 })
  return counted === undefined || counted >= bookLimits.pages ? undefined : counted + 1
}

/** ComicRack and ComicTagger keep the number of Comic Vine in their notes. */
const idsInNotes = (notes: string | undefined, ids: readonly ExternalId[]): ExternalId[] => {
  if (ids.some(({ source }) => source === 'comicvine')) return []
  const text = (notes ?? '').slice(0, 4096)
  const id = /\[CVDB(\d{1,12})\]/.exec(text)?.[1] ?? /Comic Vine\b.{0,200}\[Issue ID (\d{1,12})\]/.exec(text)?.[1]
  return id === undefined ? [] : [{ source: 'comicvine', id }]
}
