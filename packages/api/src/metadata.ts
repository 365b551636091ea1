import { type Static, type TSchema, Type } from 'typebox'
import { fieldsOfBooks } from './fields/books.ts'
import { isList, type MetadataFields } from './fields/field.ts'
import { lockableNames, lockOf, shownNames } from './fields/lists.ts'
import { editedProperties, shownProperties } from './fields/schemas.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { record } from './schema.ts'

export const seriesLockable = lockableNames(fieldsOfSeries)
export const bookLockable = lockableNames(fieldsOfBooks)

/** Every field with its lock beside it, flat. */
export const SeriesMetadata = record(shownProperties(fieldsOfSeries), { title: 'SeriesMetadata' })
export type SeriesMetadata = Static<typeof SeriesMetadata>
export const BookMetadata = record(shownProperties(fieldsOfBooks), { title: 'BookMetadata' })
export type BookMetadata = Static<typeof BookMetadata>

/** The same fields under another name. */
export const withTitle = <S extends TSchema>(schema: S, title: string) => Type.Unsafe<Static<S>>({ ...schema, title })

/** These can be edited besides what is shown: custom metadata, and the ids at other services. */
export const EditableSeriesMetadata = record(
  { ...shownProperties(fieldsOfSeries), ...editedProperties(fieldsOfSeries) },
  { title: 'EditableSeriesMetadata' },
)
export type EditableSeriesMetadata = Static<typeof EditableSeriesMetadata>
export const EditableBookMetadata = record(
  { ...shownProperties(fieldsOfBooks), ...editedProperties(fieldsOfBooks) },
  { title: 'EditableBookMetadata' },
)
export type EditableBookMetadata = Static<typeof EditableBookMetadata>

/** Every field says nothing, and no lock is set. */
const emptyMetadata = (fields: MetadataFields): object => {
  const locks = lockableNames(fields).map((name) => [lockOf(name), false] as const)
  const values = shownNames(fields).map((name) => [name, isList(fields[name]) ? [] : null] as const)
  return Object.fromEntries<unknown>([...locks, ...values])
}

export const exampleSeriesMetadata: SeriesMetadata = {
  ...(emptyMetadata(fieldsOfSeries) as SeriesMetadata),
  title: 'Yotsuba&!',
  publisher: 'ASCII Media Works',
  status: 'ongoing',
  readingDirection: 'rtl',
  language: 'ja',
  ageRating: 6,
  year: 2003,
  genres: ['Comedy'],
  authors: [{ name: 'Kiyohiko Azuma', role: 'author', sortName: 'Azuma, Kiyohiko' }],
  publisherLock: true,
  alternateTitles: [{ label: 'Japanese', title: 'よつばと!' }],
  externalLinks: [{ source: 'anilist.co', url: 'https://anilist.co/manga/30104' }],
}

export const exampleBookMetadata: BookMetadata = {
  ...(emptyMetadata(fieldsOfBooks) as BookMetadata),
  title: 'Yotsuba&! 1',
  number: '1',
  volume: 1,
  languageIso: 'ja',
  year: 2003,
  month: 8,
  day: 27,
  manga: true,
  bookType: 'manga',
}
