import { placeXml, type PlacedElement } from '../xml-places.ts'
import { newOpfEntries } from './opf-entries.ts'
import { openPackage, type OpenPackage } from './opf-package.ts'
import type { ShownBook } from './shown-book.ts'

/**
 * A package document (EPUB 2 or 3) that says what is shown of the book. All else in it stays as it is written: what a
 * reading system goes by (manifest, spine, identifiers), what other programs have added, and titles of other kinds.
 * Undefined when it is built in a way that leaves no place for that.
 */
export const writeOpf = (text: string, shown: ShownBook): string | undefined => {
  const root = placeXml(text, 3)
  const book = root && openPackage(text, root)
  if (!book) return undefined
  const gone = goneWith(book, shown)
  const entries = newOpfEntries(book, shown)
  const { innerStart } = book.metadata
  let written = `${text.slice(0, innerStart)}\n${entries.map((entry) => `    ${entry}`).join('\n')}`
  let position = innerStart
  for (const { start, end } of gone) {
    written += text.slice(position, startOfLine(text, start, position))
    position = end
  }
  return inUtf8(written + text.slice(position))
}

/** White space before an element goes with it. */
const startOfLine = (text: string, start: number, from: number): number => {
  const before = text.slice(from, start)
  return from + before.trimEnd().length
}

const inUtf8 = (text: string): string =>
  text.replace(/^(<\?xml[^>]{0,100}?encoding\s{0,10}=\s{0,10}["'])[\w.-]{1,40}(["'])/, '$1utf-8$2')

const goneWith = (book: OpenPackage, shown: ShownBook): readonly PlacedElement[] => {
  const { children } = book.metadata
  const replaced = new Set(children.filter((element) => isReplaced(element, book, shown)))
  const ids = new Set([...replaced].flatMap(({ attributes }) => attributes['id'] ?? []))
  const refines = ({ attributes }: PlacedElement): boolean => ids.has((attributes['refines'] ?? '').replace(/^#/, ''))
  return children.filter((element) => replaced.has(element) || refines(element))
}

const isReplaced = (element: PlacedElement, book: OpenPackage, shown: ShownBook): boolean => {
  if (element.attributes['id'] !== undefined && element.attributes['id'] === book.uniqueIdentifier) return false
  switch (element.localName.toLowerCase()) {
    case 'title':
      return isReplacedTitle(book.refined(element, 'title-type'), shown)
    case 'creator':
    case 'contributor':
      return !makersOfFiles.test(book.roleOf(element) ?? '')
    case 'publisher':
    case 'description':
    case 'subject':
      return true
    case 'language':
      return shown.language !== null
    case 'date':
      return shown.year !== null && /^(?:publication)?$/i.test(book.ofOpf(element, 'event') ?? '')
    case 'meta':
      return isReplacedMeta(element, book, shown)
    default:
      return false
  }
}

const isReplacedTitle = (type: string | undefined, { title, subtitle }: ShownBook): boolean => {
  if (type === undefined || type === 'main') return title !== null
  return type === 'subtitle' && subtitle !== null
}

/** They are not people who made the book. */
const makersOfFiles = /^(?:bkp|bkd|mrk|mdc|bkm)$/

const isReplacedMeta = (element: PlacedElement, book: OpenPackage, shown: ShownBook): boolean => {
  const { name, property, refines } = element.attributes
  if (name === 'calibre:title_sort') return shown.title !== null
  if (name === 'calibre:rating' || name === 'calibre:series' || name === 'calibre:series_index') return true
  if (property !== 'belongs-to-collection' || refines !== undefined) return false
  return /^(?:series)?$/i.test(book.refined(element, 'collection-type') ?? '')
}
