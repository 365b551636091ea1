import type { BookMetadata, ExternalLinkDto, SeriesMetadata } from '@carrel/api'
import type { BookFields, ExternalId, SeriesFields } from '../../formats/book-format.ts'

export type Entity = 'series' | 'book'

/** People may say more than files do: roles of their own, links with a name, and what they keep for themselves. */
interface SaidByPeople {
  readonly authors?: readonly Person[]
  readonly links?: readonly (string | ExternalLinkDto)[]
  readonly customMetadata?: Readonly<Record<string, unknown>>
}

export interface Person {
  readonly name: string
  readonly role?: string | null
  readonly sortName?: string | null
}

export type SeriesShown = Omit<SeriesFields, keyof SaidByPeople> &
  SaidByPeople & { readonly externalRatings?: SeriesMetadata['externalRatings'] }

type SaidOfBooksByPeople = Pick<
  BookMetadata,
  | 'numberSort'
  | 'originalTitle'
  | 'originalYear'
  | 'seriesPosition'
  | 'seriesTotal'
  | 'translator'
  | 'subjects'
  | 'awards'
>
export type BookShown = Omit<BookFields, keyof SaidByPeople> &
  SaidByPeople &
  Partial<SaidOfBooksByPeople> & { readonly bookType?: NonNullable<BookMetadata['bookType']> }

/** The id of one service, or that it has none. */
export type SaidId = Omit<ExternalId, 'id' | 'url'> & { readonly id: string | null; readonly url?: string | null }

const layerNames: Readonly<Record<string, string>> = { languageIso: 'language', externalLinks: 'links' }
const contractNames: Readonly<Record<Entity, Readonly<Record<string, string>>>> = {
  series: { links: 'externalLinks' },
  book: { links: 'externalLinks', language: 'languageIso' },
}

/** What a field of the contract is called in the layers, and the other way round. */
export const inLayers = (field: string): string => layerNames[field] ?? field
export const inContract = (entity: Entity, field: string): string => contractNames[entity][field] ?? field
