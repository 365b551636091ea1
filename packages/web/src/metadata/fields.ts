import {
  type bookEditable,
  type FieldShape as AnyShape,
  fieldsOfBooks,
  fieldsOfSeries,
  type MetadataFields,
  type sections,
  type seriesEditable,
} from '@carrel/api'

/** It says how a field is edited. A cover is edited elsewhere. */
export type FieldShape = Exclude<AnyShape, { readonly kind: 'picture' }>
export type FieldName = (typeof seriesEditable)[number] | (typeof bookEditable)[number]
type SectionName = (typeof sections)[number]

const fields = { ...fieldsOfBooks, ...fieldsOfSeries }

export const shapeOf = (field: FieldName): FieldShape => fields[field]
export const isField = (name: string): name is FieldName => Object.hasOwn(fields, name) && name !== 'cover'

/** Short ones stand beside each other. */
export const isShort = (field: FieldName): boolean => 'isShort' in fields[field]

const namesIn = (kind: 'series' | 'book', matches: (field: MetadataFields[string]) => boolean): readonly FieldName[] =>
  Object.entries<MetadataFields[string]>(kind === 'series' ? fieldsOfSeries : fieldsOfBooks).flatMap(([name, field]) =>
    isField(name) && matches(field) ? [name] : [],
  )

/** The fields under one heading of the form. */
export const fieldsIn = (kind: 'series' | 'book', section: SectionName): readonly FieldName[] =>
  namesIn(kind, (field) => field.section === section)

/** What stands on the page of a series or a book as it is. */
export const detailsOf = (kind: 'series' | 'book'): readonly FieldName[] =>
  namesIn(kind, ({ detail }) => detail === true)

/** Lists of which single entries can be added and taken away. */
export const isAdditive = (kind: 'series' | 'book', field: FieldName): boolean =>
  namesIn(kind, ({ bulk }) => bulk === true).includes(field)
