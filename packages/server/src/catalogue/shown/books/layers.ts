import type { GroupingHints } from '../../../naming/grouping/grouping-policy.ts'
import { type BookShown, type Layer, type SeriesShown, shownFields } from '../../metadata/metadata.ts'

/** A source of a book says something of the book, and of the series it belongs to. */
export interface StoredLayer {
  readonly book?: BookShown
  readonly series?: SeriesShown
}

export const bookPart = ({ source, fields }: Layer<StoredLayer>): Layer<BookShown> => ({
  source,
  fields: fields.book ?? {},
})

export const seriesPart = ({ source, fields }: Layer<StoredLayer>): Layer<SeriesShown> => ({
  source,
  fields: fields.series ?? {},
})

/** What a book says of the series it is in, for policies that ask. */
export const groupingHints = (layers: readonly Layer<StoredLayer>[]): GroupingHints => {
  const { title, year } = shownFields(layers.map(seriesPart))
  return { metadataSeries: title, metadataYear: year }
}

/** What people say of how a book is called, be it nothing: it goes before the name of the file. */
export type DecidedNames = {
  readonly [Field in 'title' | 'number' | 'volume' | 'chapter' | 'isSpecial']?: BookShown[Field] | null
}

export const decidedNames = (layers: readonly Layer<StoredLayer>[]): DecidedNames => {
  const fieldsFrom = (name: string) => layers.find(({ source }) => source === name)?.fields.book
  const decided: DecidedNames = { ...fieldsFrom('lock'), ...fieldsFrom('user') }
  const { title, number, volume, chapter, isSpecial } = decided
  const named = { title, number, volume, chapter, isSpecial }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
