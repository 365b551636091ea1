import { type Author, type BookFields, type MetadataLayer, type SeriesFields, BookFault } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { child, childrenNamed, parseXml, type XmlElement } from '../xml.ts'
import { authorsOfSeries } from './authors-of-series.ts'
import {
  cleanDateText,
  cleanInteger,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanName,
  cleanNumber,
  cleanSummary,
  type CleanDate,
} from './clean-text.ts'
import { identifiersOf } from './identifiers.ts'
import { withoutMissing } from './layer.ts'
import { namesIn } from './people.ts'

/**
 * It reads the package document of an EPUB, of version 2 or 3, or the `metadata.opf` that calibre keeps beside a book.
 * Subjects become tags, not genres: calibre and most publishers use them so. It throws a `BookFault`.
 */
export const opfLayer = (document: XmlElement | Buffer, source: 'file:opf' | 'sidecar:opf'): MetadataLayer => {
  const root = Buffer.isBuffer(document) ? parseXml(document) : document
  const opf = openOpf(root)
  const series = seriesOf(opf)
  const identifiers = identifiersOf(
    opf.all('identifier').map((each) => ({
      text: each.text,
      scheme: each.attributes.scheme ?? opf.refined(each, 'identifier-type'),
    })),
  )
  const authors = authorsOf(opf)
  const shared = {
    publisher: cleanName(opf.first('publisher')),
    language: opf
      .all('language')
      .reduce<string | undefined>((language, { text }) => language ?? cleanLanguage(text), undefined),
    readingDirection: directionOf(root, opf),
  }
  return {
    source,
    book: withoutMissing<BookFields>({
      ...shared,
      ...titlesOf(opf),
      ...publishedOn(opf),
      ...positionIn(series?.position),
      summary: summaryOf(opf),
      authors,
      tags: cleanList(opf.all('subject').flatMap(({ text }) => text.split(';', 2 * textLimits.listLength))),
      communityRating: ratingOf(opf),
      ...identifiers.book,
    }),
    series: withoutMissing<SeriesFields>({
      ...shared,
      title: series?.title,
      titleSort: series?.titleSort,
      ...identifiers.series,
      authors: authorsOfSeries(authors),
    }),
  }
}

/**
 * The `href` of the cover as the manifest writes it, relative to the package document: of the picture where one is
 * named, else of the page that the guide calls the cover.
 */
export const coverHref = (root: XmlElement): string | undefined => {
  const items = childrenNamed(child(root, 'manifest') ?? root, 'item')
  const isPicture = ({ attributes }: XmlElement): boolean => /^image\//i.test(attributes['media-type'] ?? '')
  const named = openOpf(root).meta('cover')
  const cover =
    items.find(({ attributes }) => tokens(attributes.properties).includes('cover-image')) ??
    items.find((item) => isPicture(item) && named !== undefined && namesItem(named, item)) ??
    items.find((item) => isPicture(item) && /^cover(?:[-_]?ima?ge?)?$/i.test(item.attributes.id ?? ''))
  const guide = child(root, 'guide')
  const reference =
    guide && childrenNamed(guide, 'reference').find(({ attributes }) => /^cover$/i.test(attributes.type ?? ''))
  return (cover ?? reference)?.attributes.href
}

/** The reference is an id, as it should be, or an address, as in some files. */
const namesItem = (named: string, { attributes }: XmlElement): boolean =>
  attributes.id === named || attributes.href === named

const tokens = (list: string | undefined): readonly string[] => (list ?? '').split(/\s+/)

interface Opf {
  all(name: string): readonly XmlElement[]
  /** The text of the first that has any. */
  first(name: string): string | undefined
  /** Each `<meta property>` of EPUB 3 that speaks of the whole book. */
  properties(property: string): readonly XmlElement[]
  /** `<meta name content>` of EPUB 2, `<meta property>` of EPUB 3. */
  meta(key: string): string | undefined
  /** It returns what a `<meta refines>` adds to an element. */
  refined(element: XmlElement, property: string): string | undefined
}

const openOpf = (root: XmlElement): Opf => {
  const metadata = root.name === 'metadata' ? root : child(root, 'metadata')
  if (metadata === undefined && root.name !== 'package')
    throw new BookFault('damaged', 'The XML is no package document')
  // The first of these documents kept their entries one step further in.
  const entries = (metadata?.children ?? []).flatMap((each) =>
    /^(?:dc|x)-metadata$/.test(each.name) ? each.children : [each],
  )
  const metas = entries.filter(({ name }) => name.toLowerCase() === 'meta')
  const refinements = new Map<string, string>()
  const values = new Map<string, string>()
  for (const { attributes, text } of metas) {
    const key = attributes.property ?? attributes.name ?? ''
    const value = (attributes.content ?? text).trim()
    const into = attributes.refines === undefined ? values : refinements
    const name = attributes.refines === undefined ? key : `${attributes.refines.replace(/^#/, '')} ${key}`
    if (value !== '' && !into.has(name)) into.set(name, value)
  }
  const all = (name: string): readonly XmlElement[] =>
    entries.filter((each) => each.name.toLowerCase() === name && each.text.trim() !== '')
  return {
    all,
    first: (name) => all(name)[0]?.text,
    properties: (property) => metas.filter(({ attributes }) => attributes.property === property && !attributes.refines),
    meta: (key) => values.get(key),
    refined: ({ attributes }, property) =>
      attributes.id === undefined ? undefined : refinements.get(`${attributes.id} ${property}`),
  }
}

const titlesOf = (opf: Opf) => {
  const titles = opf.all('title').map((element) => ({ element, type: opf.refined(element, 'title-type') }))
  const ofType = (type: string | undefined) => titles.find((each) => each.type === type)?.element
  const main = ofType('main') ?? ofType(undefined) ?? titles[0]?.element
  return {
    title: cleanLine(main?.text),
    titleSort: cleanLine(main && (opf.refined(main, 'file-as') ?? main.attributes['file-as'])) ?? calibreTitleSort(opf),
    subtitle: cleanLine(ofType('subtitle')?.text),
    edition: cleanLine(ofType('edition')?.text),
  }
}

const calibreTitleSort = (opf: Opf): string | undefined => cleanLine(opf.meta('calibre:title_sort'))

/** When it came out; not when its file was made, changed or converted. */
const publishedOn = (opf: Opf): CleanDate => {
  const dates = opf.all('date').map(({ text, attributes }) => ({ text, event: attributes.event?.toLowerCase() }))
  const candidates = [
    ...dates.filter(({ event }) => event === 'publication'),
    ...dates.filter(({ event }) => event === undefined),
    { text: opf.meta('dcterms:issued') },
    ...dates.filter(({ event }) => event === 'original-publication'),
  ]
  return candidates.map(({ text }) => cleanDateText(text)).find(({ year }) => year !== undefined) ?? {}
}

/** In a description written as XML the paragraphs may be elements. */
const summaryOf = (opf: Opf): string | undefined => {
  const [description] = opf.all('description')
  if (description === undefined) return undefined
  const { children, text } = description
  return cleanSummary(children.length > 1 ? children.map((each) => each.text).join('\n\n') : text)
}

/** These are MARC relators; a person who has only made the file has none of them. */
const relators: ReadonlyMap<string, Author['role']> = new Map([
  ['aut', 'author'],
  ['author', 'author'],
  ['aus', 'writer'],
  ['edt', 'editor'],
  ['com', 'editor'],
  ['editor', 'editor'],
  ['trl', 'translator'],
  ['translator', 'translator'],
  ['ill', 'illustrator'],
  ['art', 'illustrator'],
  ['illustrator', 'illustrator'],
  ['clr', 'colorist'],
  ['cov', 'cover_artist'],
])

const makersOfFiles = /^(?:bkp|bkd|mrk|mdc|bkm)$/

const authorsOf = (opf: Opf): Author[] => {
  const makers = [...opf.all('creator'), ...opf.all('contributor')]
    .slice(0, textLimits.listLength)
    .flatMap((element) => {
      const role = (opf.refined(element, 'role') ?? element.attributes.role)?.trim().toLowerCase()
      if (role !== undefined && makersOfFiles.test(role)) return []
      const sortName = opf.refined(element, 'file-as') ?? element.attributes['file-as']
      return { names: cleanList(namesOf(element.text, sortName)), sortName, role: roleOf(element.name, role) }
    })
  const authors = makers.flatMap(({ names, sortName, role }) => {
    const sorted = sortNamesOf(names, sortName, makers)
    return names.map((name, index): Author => ({ name, sortName: cleanName(sorted[index]) ?? null, role }))
  })
  return firstOfEach(authors).slice(0, textLimits.listLength)
}

interface Maker {
  readonly names: readonly string[]
  readonly sortName: string | undefined
}

/** Several where the sort name turns each of them around (`Simm, Dan & Ray, Ann`); `Ñandú & Söhne` is one. */
const namesOf = (text: string, sortName: string | undefined): string[] => {
  const [names, sorted] = [between(text), between(sortName ?? '')]
  const areSeveral = names.length === sorted.length && sorted.every((each) => each.includes(','))
  return areSeveral ? names.flatMap(namesIn) : namesIn(text)
}

const between = (text: string): string[] => text.split(/\s+&\s+/, textLimits.listLength)

interface Maker {
  readonly names: readonly string[]
  readonly sortName: string | undefined
}

/** calibre writes the sort names of all authors into each element, with `&` between. */
const sortNamesOf = (names: readonly string[], sortName: string | undefined, makers: readonly Maker[]): string[] => {
  if (sortName === undefined) return []
  const ofAll = between(sortName)
  const alike = makers.filter((maker) => maker.sortName === sortName)
  const index = alike.findIndex((maker) => maker.names === names)
  if (alike.length > 1) return ofAll.length === alike.length ? ofAll.slice(index, index + 1) : []
  return [namesIn(sortName), ofAll].find((own) => own.length === names.length) ?? []
}

const roleOf = (elementName: string, role: string | undefined): Author['role'] => {
  if (role !== undefined && role !== '') return relators.get(role) ?? 'contributor'
  return elementName.toLowerCase() === 'creator' ? 'author' : 'contributor'
}

const firstOfEach = (authors: readonly Author[]): Author[] =>
  [
    ...new Map(authors.toReversed().map((author) => [`${author.role} ${author.name.toLowerCase()}`, author])).values(),
  ].toReversed()

interface OpfSeries {
  readonly title: string | undefined
  readonly titleSort: string | undefined
  readonly position: string | undefined
}

/** The collection that is a series; without one what calibre says; else whatever collection it belongs to. */
const seriesOf = (opf: Opf): OpfSeries | undefined => {
  const collections = opf.properties('belongs-to-collection').map((element) => ({
    type: opf.refined(element, 'collection-type')?.toLowerCase(),
    title: cleanLine(element.text),
    titleSort: cleanLine(opf.refined(element, 'file-as')),
    position: opf.refined(element, 'group-position'),
  }))
  return collections.find(({ type }) => type === 'series') ?? calibreSeries(opf) ?? collections[0]
}

const calibreSeries = (opf: Opf): OpfSeries | undefined => {
  const title = cleanLine(opf.meta('calibre:series'))
  return title === undefined ? undefined : { title, titleSort: undefined, position: opf.meta('calibre:series_index') }
}

/** calibre counts with fractions: `3.0` is 3. */
const positionIn = (position: string | undefined): Pick<BookFields, 'number' | 'volume'> => {
  const number = cleanLine(position, 32)?.replace(/^(\d+)\.0+$/, '$1')
  return withoutMissing({ number, volume: cleanInteger(number, { min: 0, max: 9999 }) })
}

/** calibre rates to ten. */
const ratingOf = (opf: Opf): number | undefined => {
  const rating = cleanNumber(opf.meta('calibre:rating'), { min: 0, max: 10 })
  return rating === undefined || rating === 0 ? undefined : Math.max(1, Math.round(rating * 10))
}

const directionOf = (root: XmlElement, opf: Opf): BookFields['readingDirection'] => {
  const stated = child(root, 'spine')?.attributes['page-progression-direction']?.toLowerCase()
  if (stated === 'rtl' || stated === 'ltr') return stated
  return /-rl$/i.test(opf.meta('primary-writing-mode') ?? '') ? 'rtl' : undefined
}
