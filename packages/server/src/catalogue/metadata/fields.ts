import {
  type BookMetadata,
  type ExternalLinkDto,
  fieldsOfBooks,
  fieldsOfSeries,
  type MetadataFields,
  type SeriesMetadata,
} from '@carrel/api'
import type { BookFields, ExternalId, SeriesFields } from '../../formats/book-format.ts'

export type Entity = 'series' | 'book'

/** People may say more than files do: roles of their own, links with a name, and what they keep for themselves. */
interface FieldsOfPeople {
  readonly authors?: readonly Person[]
  readonly links?: readonly (string | ExternalLinkDto)[]
  readonly customMetadata?: Readonly<Record<string, unknown>>
}

export interface Person {
  readonly name: string
  readonly role?: string | null
  readonly sortName?: string | null
}

export type SeriesShown = Omit<SeriesFields, keyof FieldsOfPeople> &
  FieldsOfPeople & { readonly externalRatings?: SeriesMetadata['externalRatings'] }

export type BookShown = Omit<BookFields, keyof FieldsOfPeople> &
  FieldsOfPeople & { readonly awards?: BookMetadata['awards'] }

/** The id of one service, or that it has none. */
export type ServiceId = Omit<ExternalId, 'id' | 'url'> & { readonly id: string | null; readonly url?: string | null }

const fieldsOf: Readonly<Record<Entity, MetadataFields>> = { series: fieldsOfSeries, book: fieldsOfBooks }
const renamed = (entity: Entity): readonly (readonly [field: string, layer: string])[] =>
  Object.entries(fieldsOf[entity]).flatMap(([name, { layer }]) => (layer === undefined ? [] : [[name, layer] as const]))
const layerNames = new Map([...renamed('series'), ...renamed('book')])
const contractNames: Readonly<Record<Entity, ReadonlyMap<string, string>>> = {
  series: new Map(renamed('series').map(([name, layer]) => [layer, name])),
  book: new Map(renamed('book').map(([name, layer]) => [layer, name])),
}

/** What a field of the contract is called in the layers, and the other way round. */
export const inLayers = (field: string): string => layerNames.get(field) ?? field
export const inContract = (entity: Entity, field: string): string => contractNames[entity].get(field) ?? field
