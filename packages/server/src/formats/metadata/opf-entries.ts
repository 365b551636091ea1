import type { OpenPackage } from './opf-package.ts'
import type { ShownAuthor, ShownBook } from './shown-book.ts'
import { xmlText } from './written-xml.ts'

/** What is shown of a book, as lines of the metadata of its package document. */
export const newOpfEntries = (book: OpenPackage, shown: ShownBook): string[] => [
  ...titlesOf(book, shown),
  ...shown.authors.flatMap((author, index) => authorOf(book, author, index + 1)),
  ...textsOf(book, shown),
  ...newIsbns(book, shown),
  ...seriesOf(book, shown),
  ...(shown.rating === null ? [] : [namedMeta(book, 'calibre:rating', String(Math.round(shown.rating) / 10))]),
]

const dc = (
  { dcTag }: OpenPackage,
  name: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string => {
  const tag = dcTag(name, attributes)
  return `${tag.open}${xmlText(text)}${tag.close}`
}

/** Readers of EPUB 2 and calibre know these; EPUB 3 allows them. */
const namedMeta = ({ metaTag }: OpenPackage, name: string, content: string): string => metaTag({ name, content }).empty

const refinement = (
  { metaTag }: OpenPackage,
  { refines, property, scheme }: { readonly refines: string; readonly property: string; readonly scheme?: string },
  text: string,
): string => {
  const tag = metaTag({ refines: `#${refines}`, property, scheme })
  return `${tag.open}${xmlText(text)}${tag.close}`
}

const titlesOf = (book: OpenPackage, { title, titleSort, subtitle }: ShownBook): string[] => {
  const { isVersion3, idPrefix } = book
  const [titleId, subtitleId] = [`${idPrefix}title`, `${idPrefix}subtitle`]
  const main =
    title === null
      ? []
      : isVersion3
        ? [
            dc(book, 'title', title, { id: titleId }),
            refinement(book, { refines: titleId, property: 'title-type' }, 'main'),
            ...(titleSort === null ? [] : [refinement(book, { refines: titleId, property: 'file-as' }, titleSort)]),
          ]
        : [dc(book, 'title', title), ...(titleSort === null ? [] : [namedMeta(book, 'calibre:title_sort', titleSort)])]
  if (subtitle === null || !isVersion3) return main
  return [
    ...main,
    dc(book, 'title', subtitle, { id: subtitleId }),
    refinement(book, { refines: subtitleId, property: 'title-type' }, 'subtitle'),
  ]
}

/** MARC relators. */
const relators: Readonly<Record<string, string>> = {
  author: 'aut',
  co_author: 'aut',
  writer: 'aus',
  editor: 'edt',
  translator: 'trl',
  illustrator: 'ill',
  artist: 'art',
  penciller: 'art',
  inker: 'art',
  colorist: 'clr',
  cover_artist: 'cov',
}
const creators = new Set(['aut', 'aus', 'ill', 'art'])

const authorOf = (book: OpenPackage, { name, role, sortName }: ShownAuthor, number: number): string[] => {
  const lowerRole = (role ?? 'author').toLowerCase()
  const relator = (Object.hasOwn(relators, lowerRole) ? relators[lowerRole] : undefined) ?? 'ctb'
  const element = creators.has(relator) ? 'creator' : 'contributor'
  if (!book.isVersion3) return [dc(book, element, name, { 'opf:role': relator, 'opf:file-as': sortName ?? undefined })]
  const id = `${book.idPrefix}person${number}`
  return [
    dc(book, element, name, { id }),
    refinement(book, { refines: id, property: 'role', scheme: 'marc:relators' }, relator),
    ...(sortName === null ? [] : [refinement(book, { refines: id, property: 'file-as' }, sortName)]),
  ]
}

const textsOf = (book: OpenPackage, shown: ShownBook): string[] => {
  const { publisher, language, summary, genres, tags } = shown
  const date = dateOf(shown)
  const subjects = new Map([...genres, ...tags].map((name) => [name.toLowerCase(), name]))
  return [
    ...(language === null ? [] : [dc(book, 'language', language)]),
    ...(publisher === null ? [] : [dc(book, 'publisher', publisher)]),
    ...(date === undefined ? [] : [dc(book, 'date', date, book.isVersion3 ? {} : { 'opf:event': 'publication' })]),
    ...(summary === null ? [] : [dc(book, 'description', summary)]),
    ...[...subjects.values()].map((name) => dc(book, 'subject', name)),
  ]
}

const dateOf = ({ year, month, day }: ShownBook): string | undefined => {
  if (year === null) return undefined
  const two = (number: number): string => String(number).padStart(2, '0')
  return [
    String(year).padStart(4, '0'),
    ...(month === null ? [] : [two(month), ...(day === null ? [] : [two(day)])]),
  ].join('-')
}

/** Identifiers that are there stay: one of them stands for the book, and others are of shops. */
const newIsbns = (book: OpenPackage, { isbns }: ShownBook): string[] => {
  const there = book.metadata.children
    .filter(({ localName }) => localName.toLowerCase() === 'identifier')
    .map(({ text }) => text.replaceAll(/[^\dX]/gi, ''))
  return isbns
    .filter((isbn) => !there.some((digits) => digits.endsWith(isbn)))
    .map((isbn) =>
      book.isVersion3
        ? dc(book, 'identifier', `urn:isbn:${isbn}`)
        : dc(book, 'identifier', isbn, { 'opf:scheme': 'ISBN' }),
    )
}

const seriesOf = (book: OpenPackage, shown: ShownBook): string[] => {
  if (!shown.isOneOfSeries) return []
  const { seriesTitle, seriesTitleSort } = shown
  const position = shown.number ?? shown.volume?.toString()
  const index = position !== undefined && /^\d+(?:\.\d+)?$/.test(position) ? position : undefined
  const id = `${book.idPrefix}series`
  const { metaTag } = book
  const collection = metaTag({ property: 'belongs-to-collection', id })
  return [
    ...(book.isVersion3
      ? [
          `${collection.open}${xmlText(seriesTitle)}${collection.close}`,
          refinement(book, { refines: id, property: 'collection-type' }, 'series'),
          ...(seriesTitleSort === null
            ? []
            : [refinement(book, { refines: id, property: 'file-as' }, seriesTitleSort)]),
          ...(index === undefined ? [] : [refinement(book, { refines: id, property: 'group-position' }, index)]),
        ]
      : []),
    namedMeta(book, 'calibre:series', seriesTitle),
    ...(index === undefined ? [] : [namedMeta(book, 'calibre:series_index', index)]),
  ]
}
