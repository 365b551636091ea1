import { childrenNamed, child, type XmlElement } from '../xml.ts'
import { cleanIsbn, splitList } from './clean-text.ts'
import type { ShownAuthor, ShownBook } from './shown-book.ts'
import { xmlText } from './written-xml.ts'

/**
 * A `ComicInfo.xml` (2.1; what 2.0 knows stands where readers of 2.0 look for it) of what is shown of a book. What cannot
 * be shown here, such as what is on which page, is kept from the one that was in the file.
 */
export const writeComicInfo = (shown: ShownBook, old?: XmlElement): Buffer => {
  const oldFields = untouchedFields(old)
  const values: Readonly<Record<string, string | undefined>> = { ...oldFields.texts, ...textsOf(shown, oldFields) }
  const lines = order.flatMap((name) => {
    if (name === 'Pages') return oldFields.pages
    const value = values[name]
    return value === undefined || value === '' ? [] : [`  <${name}>${xmlText(value)}</${name}>`]
  })
  return Buffer.from([declaration, opening, ...lines, '</ComicInfo>', ''].join('\n'))
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>'
const opening =
  '<ComicInfo xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">'

/** The schema asks for this order. */
const order =
  `Title Series Number Count Volume AlternateSeries AlternateNumber AlternateCount Summary Notes Year Month Day
  Writer Penciller Inker Colorist Letterer CoverArtist Editor Translator Publisher Imprint Genre Tags Web PageCount
  LanguageISO Format BlackAndWhite Manga Characters Teams Locations ScanInformation StoryArc StoryArcNumber SeriesGroup
  AgeRating Pages CommunityRating MainCharacterOrTeam Review GTIN`.split(/\s+/)

const textsOf = (shown: ShownBook, { volumeAsYear, otherGtin }: OldFields): Record<string, string | undefined> => ({
  Title: shown.title ?? undefined,
  Series: shown.seriesTitle,
  ...numberingOf(shown, volumeAsYear),
  Summary: shown.summary ?? undefined,
  Year: written(shown.year),
  Month: written(shown.month),
  Day: written(shown.day),
  ...peopleOf(shown.authors),
  Publisher: shown.publisher ?? undefined,
  Imprint: shown.imprint ?? undefined,
  Genre: listOf(shown.genres),
  Tags: listOf(shown.tags),
  Web: shown.links.filter((link) => !/\s/.test(link)).join(' '),
  PageCount: shown.pageCount > 0 ? String(shown.pageCount) : undefined,
  LanguageISO: shown.language ?? undefined,
  Format: shown.format ?? undefined,
  BlackAndWhite: yesOrNo(shown.isBlackAndWhite),
  Manga: shown.isRightToLeft ? 'YesAndRightToLeft' : yesOrNo(shown.isManga),
  Characters: listOf(shown.characters),
  ...storyOf(shown),
  SeriesGroup: listOf(shown.seriesGroups),
  AgeRating: shown.ageRating === null ? undefined : ageRatingOf(shown.ageRating),
  CommunityRating: shown.rating === null ? undefined : String(Math.round(shown.rating) / 20),
  GTIN: shown.isbns[0] ?? otherGtin,
})

const written = (value: number | null): string | undefined => (value === null ? undefined : String(value))

/** Readers take `Number` beside a volume for a chapter: the number of the volume itself is not said twice. */
const numberingOf = ({ number, volume, chapter, count }: ShownBook, volumeAsYear: string | undefined) => {
  const isVolume = volume !== null && chapter === null && (number === null || Number(number) === volume)
  return {
    Number: isVolume ? undefined : (number ?? written(chapter)),
    Count: count !== null && Number.isInteger(count) ? String(count) : undefined,
    Volume: written(volume) ?? volumeAsYear,
  }
}

const elementsOfRoles: Readonly<Record<string, string>> = {
  author: 'Writer',
  co_author: 'Writer',
  writer: 'Writer',
  penciller: 'Penciller',
  illustrator: 'Penciller',
  artist: 'Penciller',
  inker: 'Inker',
  colorist: 'Colorist',
  letterer: 'Letterer',
  cover_artist: 'CoverArtist',
  editor: 'Editor',
  translator: 'Translator',
}

const peopleOf = (authors: readonly ShownAuthor[]): Record<string, string | undefined> =>
  Object.fromEntries(
    [...new Set(Object.values(elementsOfRoles))].map((element) => [
      element,
      listOf(authors.filter(({ role }) => elementOf(role) === element).map(({ name }) => name)),
    ]),
  )

const elementOf = (role: string | null): string | undefined => {
  const name = (role ?? 'author').toLowerCase()
  return Object.hasOwn(elementsOfRoles, name) ? elementsOfRoles[name] : undefined
}

/** Lists have commas between their entries: one that has a comma itself would be read as two. */
const listOf = (entries: readonly string[]): string | undefined =>
  entries
    .map((entry) => (splitList(entry).length > 1 ? entry.replaceAll(/\s*[,;，、；]\s*/g, ' ').trim() : entry))
    .join(', ') || undefined

const storyOf = ({ storyArc, storyArcs }: ShownBook) => {
  const names = (storyArc ?? '').split(',').map((name) => name.trim())
  const isNumbered =
    storyArcs.length === names.length &&
    storyArcs.every(({ name, number }, at) => name === names[at] && number !== null)
  return {
    StoryArc: storyArc ?? undefined,
    StoryArcNumber: isNumbered ? storyArcs.map(({ number }) => number).join(',') : undefined,
  }
}

const yesOrNo = (value: boolean | null): string | undefined => {
  if (value === null) return undefined
  return value ? 'Yes' : 'No'
}

/** An age between two of them takes the higher one: nobody is to read earlier for what was written here. */
const ageRatings: readonly (readonly [age: number, rating: string])[] = [
  [0, 'Everyone'],
  [3, 'Early Childhood'],
  [6, 'Kids to Adults'],
  [8, 'PG'],
  [10, 'Everyone 10+'],
  [13, 'Teen'],
  [15, 'MA15+'],
  [17, 'Mature 17+'],
]

const ageRatingOf = (age: number): string => ageRatings.find(([upTo]) => age <= upTo)?.[1] ?? 'Adults Only 18+'

interface OldFields {
  readonly texts: Readonly<Record<string, string | undefined>>
  readonly pages: readonly string[]
  /** Comics count their runs by the year in which one began: no volume of ours. */
  readonly volumeAsYear: string | undefined
  /** A number of another kind than those that books have. */
  readonly otherGtin: string | undefined
}

/** Nothing of these is shown here, so that nobody can have changed them. */
const untouchedTexts =
  'AlternateSeries AlternateNumber Notes Teams Locations ScanInformation MainCharacterOrTeam Review'

const untouchedFields = (old: XmlElement | undefined): OldFields => {
  const texts = new Map<string, string>()
  for (const { name, text, children } of old?.children ?? [])
    if (children.length === 0 && text.trim() !== '' && !texts.has(name)) texts.set(name, text.trim())
  const volume = texts.get('Volume') ?? ''
  const gtin = texts.get('GTIN') ?? ''
  const count = texts.get('AlternateCount') ?? ''
  return {
    texts: {
      ...Object.fromEntries(untouchedTexts.split(' ').map((name) => [name, texts.get(name)])),
      AlternateCount: /^\d{1,9}$/.test(count) ? count : undefined,
    },
    pages: pagesOf(old),
    volumeAsYear: /^(?:19|2\d)\d\d$/.test(volume) ? volume : undefined,
    otherGtin: cleanIsbn(gtin) === undefined && gtin !== '' ? gtin : undefined,
  }
}

const pageTypes = new Set(
  'FrontCover InnerCover Roundup Story Advertisement Editorial Letters Preview BackCover Other Deleted'.split(' '),
)
const isWhole = (text: string): boolean => /^-?\d{1,9}$/.test(text)
const isListOfTypes = (text: string): boolean => text.split(/\s+/).every((type) => pageTypes.has(type))
const pageAttributes: readonly (readonly [name: string, isSound: (text: string) => boolean])[] = [
  ['Image', isWhole],
  ['Type', isListOfTypes],
  ['DoublePage', (text) => /^(?:true|false|0|1)$/.test(text)],
  ['ImageSize', (text) => /^-?\d{1,15}$/.test(text)],
  ['Key', () => true],
  ['Bookmark', () => true],
  ['ImageWidth', isWhole],
  ['ImageHeight', isWhole],
]

const pagesOf = (old: XmlElement | undefined): string[] => {
  const list = old && child(old, 'Pages')
  const pages = list ? childrenNamed(list, 'Page') : []
  const lines = pages.flatMap(({ attributes }) => {
    if (!isWhole(attributes.Image ?? '')) return []
    const sound = pageAttributes.flatMap(([name, isSound]) => {
      const value = attributes[name]?.trim()
      return value === undefined || !isSound(value) ? [] : [` ${name}="${xmlText(value)}"`]
    })
    return [`    <Page${sound.join('')} />`]
  })
  return lines.length === 0 ? [] : ['  <Pages>', ...lines, '  </Pages>']
}
