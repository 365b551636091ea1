import { type Static, Type } from 'typebox'
import { Count32, Int32, Nullable, record } from '../schema.ts'
import type { RowsName } from './field.ts'

/** No character that moves a cursor or that a database cannot keep. */
export const plain = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$' })
export const word = plain(200)
const text = Nullable(Type.String())
const line = (maxLength: number) => Nullable(plain(maxLength))
const url = Type.String({ minLength: 1, maxLength: 2000, pattern: '^https?://[^\\s\\x00-\\x1f\\x7f-\\x9f]+$' })

export const ExternalLinkDto = record(
  { source: Type.String(), url: Type.String(), externalId: Type.Optional(text) },
  { title: 'ExternalLink' },
)
export type ExternalLinkDto = Static<typeof ExternalLinkDto>

export const ExternalIdDto = record(
  { source: Type.String(), id: Type.String(), url: Type.Optional(text) },
  { title: 'ExternalId' },
)
export type ExternalIdDto = Static<typeof ExternalIdDto>

export const ExternalRatingDto = record(
  {
    source: Type.String(),
    rating: Type.Number({ minimum: 0, maximum: 100 }),
    votes: Type.Optional(Nullable(Count32)),
  },
  { title: 'ExternalRating' },
)

/** A row of each kind, as replies show it. */
export const shownRows = {
  authors: record(
    {
      name: Type.String(),
      role: Type.Optional(text),
      sortName: Type.Optional(Nullable(Type.String({ description: 'Surname first, for example.' }))),
    },
    { title: 'Author' },
  ),
  alternateTitles: record({ label: Type.String(), title: Type.String() }, { title: 'AlternateTitle' }),
  externalLinks: ExternalLinkDto,
  externalIds: ExternalIdDto,
  externalRatings: ExternalRatingDto,
  awards: record(
    {
      name: Type.String(),
      category: Type.Optional(text),
      year: Type.Optional(Nullable(Int32)),
      won: Type.Optional(Nullable(Type.Boolean())),
    },
    { title: 'Award' },
  ),
} as const satisfies Readonly<Record<RowsName, object>>
export type ShownRows = { [Name in RowsName]: Static<(typeof shownRows)[Name]> }

/** The same, as clients send it. */
export const inputRows = {
  authors: record(
    { name: word, role: Type.Optional(line(50)), sortName: Type.Optional(line(200)) },
    { title: 'NewAuthor' },
  ),
  alternateTitles: record({ label: word, title: plain(500) }),
  externalLinks: record({ source: word, url, externalId: Type.Optional(line(200)) }, { title: 'NewExternalLink' }),
  externalIds: record(
    {
      source: word,
      id: Nullable({
        ...word,
        description: 'Null: this service does not know it, whatever others say.',
      }),
      url: Type.Optional(Nullable(url)),
    },
    { title: 'NewExternalId' },
  ),
  externalRatings: record(
    {
      source: word,
      rating: Type.Number({ minimum: 0, maximum: 100 }),
      votes: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_000_000_000 }))),
    },
    { title: 'NewExternalRating' },
  ),
  awards: record(
    {
      name: word,
      category: Type.Optional(line(200)),
      year: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 9999 }))),
      won: Type.Optional(Nullable(Type.Boolean())),
    },
    { title: 'NewAward' },
  ),
} as const satisfies Readonly<Record<RowsName, object>>
export type InputRows = { [Name in RowsName]: Static<(typeof inputRows)[Name]> }

/** The same, where single rows are added and removed. */
export const bulkRows = {
  authors: record({
    name: word,
    role: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 50 }))),
    sortName: Type.Optional(Nullable(word)),
  }),
}
type BulkRows = { [Name in keyof typeof bulkRows]: Static<(typeof bulkRows)[Name]> }
export type BulkItem<Field> = Field extends { readonly rows: infer Name extends keyof BulkRows }
  ? BulkRows[Name]
  : string
