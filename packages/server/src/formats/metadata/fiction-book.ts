import type { Author, BookFields, MetadataLayer, SeriesFields } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import { child, childrenNamed, descendantsNamed, textOf, type XmlElement } from '../xml.ts'
import { authorsOfSeries } from './authors-of-series.ts'
import {
  cleanDateText,
  cleanInteger,
  cleanIsbn,
  cleanLanguage,
  cleanLine,
  cleanList,
  cleanName,
  cleanSummary,
  splitList,
  type CleanDate,
} from './clean-text.ts'
import { genreName } from './fiction-book-genres.ts'
import { withoutMissing } from './layer.ts'

/** A genre is required, and programs write this one when nobody has chosen any. */
const defaultGenre = 'antique'

const nothing: XmlElement = { name: '', attributes: {}, children: [], text: '' }

/** It reads the description of a FictionBook; without one the layer is empty. */
export const fictionBookLayer = (description: XmlElement | undefined): MetadataLayer => {
  const about = (description && child(description, 'title-info')) ?? nothing
  // What a translation was made from has a description of its own.
  const original = (description && child(description, 'src-title-info')) ?? nothing
  const edition = (description && child(description, 'publish-info')) ?? nothing
  const authors = authorsOf(about)
  const sequence = sequenceOf(about) ?? sequenceOf(edition)
  const genres = cleanList(
    childrenNamed(about, 'genre')
      .filter(({ text }) => text.trim() !== defaultGenre)
      .map(({ text }) => genreName(text)),
  )
  const shared = {
    publisher: cleanName(textOf(edition, 'publisher')),
    language: cleanLanguage(textOf(about, 'lang')),
    genres,
  }
  return {
    source: 'file:fb2',
    book: withoutMissing<BookFields>({
      ...shared,
      ...publishedOn(about, edition),
      ...positionIn(sequence?.attributes.number),
      title: cleanLine(textOf(about, 'book-title')) ?? cleanLine(textOf(edition, 'book-name')),
      summary: summaryOf(about),
      authors,
      tags: cleanList(splitList(textOf(about, 'keywords'))),
      isbns: isbnsOf(edition),
    }),
    series: withoutMissing<SeriesFields>({
      ...shared,
      title: cleanLine(sequence?.attributes.name),
      originalTitle: cleanLine(sequenceOf(original)?.attributes.name),
      authors: authorsOfSeries(authors),
    }),
  }
}

/** The id of the picture on the cover. */
export const fictionBookCover = (description: XmlElement): string | undefined => {
  const about = child(description, 'title-info')
  const page = about && child(about, 'coverpage')
  const [image] = page ? descendantsNamed(page, 'image') : []
  return image?.attributes.href?.trim().replace(/^#/, '')
}

const authorsOf = (about: XmlElement): Author[] =>
  [...peopleOf(about, 'author', 'author'), ...peopleOf(about, 'translator', 'translator')].slice(
    0,
    textLimits.listLength,
  )

const peopleOf = (about: XmlElement, name: string, role: Author['role']): Author[] => {
  const people = new Map<string, Author>()
  for (const person of childrenNamed(about, name).slice(0, textLimits.listLength)) {
    const [first, middle, last] = ['first-name', 'middle-name', 'last-name'].map((part) =>
      cleanName(textOf(person, part)),
    )
    const given = [first, middle].filter((part) => part !== undefined).join(' ')
    const fullName = cleanName([given, last ?? ''].join(' ')) ?? cleanName(textOf(person, 'nickname'))
    if (fullName === undefined || people.has(fullName.toLowerCase())) continue
    const sortName = last !== undefined && given !== '' ? (cleanName(`${last}, ${given}`) ?? null) : null
    people.set(fullName.toLowerCase(), { name: fullName, role, sortName })
  }
  return [...people.values()]
}

/** The first that has a name: of several, the others are collections of the publisher. */
const sequenceOf = (about: XmlElement): XmlElement | undefined =>
  childrenNamed(about, 'sequence').find(({ attributes }) => cleanLine(attributes.name) !== undefined)

const positionIn = (written: string | undefined): Pick<BookFields, 'number' | 'volume'> => {
  const number = cleanLine(written, 32)?.replace(/^(\d+)\.0+$/, '$1')
  return number === '0' || number === undefined
    ? {}
    : withoutMissing({ number, volume: cleanInteger(number, { min: 0, max: 9999 }) })
}

/** When it came out here, else when it was written. */
const publishedOn = (about: XmlElement, edition: XmlElement): CleanDate => {
  const date = child(about, 'date')
  return (
    [textOf(edition, 'year'), date?.attributes.value, date?.text]
      .map((text) => cleanDateText(text))
      .find(({ year }) => year !== undefined) ?? {}
  )
}

const summaryOf = (about: XmlElement): string | undefined => {
  const annotation = child(about, 'annotation')
  if (annotation === undefined) return undefined
  const { children, text } = annotation
  const words = children.length > 0 ? children.map((each) => each.text.trim()).join('\n\n') : text
  return cleanSummary(words)
}

const isbnsOf = (edition: XmlElement): readonly string[] => {
  const written = childrenNamed(edition, 'isbn').flatMap(({ text }) => text.split(/[,;]/, textLimits.listLength))
  return [...new Set(written.flatMap((text) => cleanIsbn(text) ?? []))]
}
