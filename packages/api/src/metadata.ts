import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { ReadingDirection } from './libraries.ts'
import { Count32, Float, Int32, Nullable, OneOf, record } from './schema.ts'

export const bookTypes = [
  'comic',
  'manga',
  'novel',
  'novella',
  'anthology',
  'artbook',
  'oneshot',
  'omnibus',
  'graphic_novel',
  'magazine',
] as const
export const seriesStatuses = ['ongoing', 'ended', 'hiatus', 'abandoned', 'unknown'] as const

const Text = Nullable(Type.String())
const Whole = Nullable(Int32)
const Decimal = Nullable(Type.Number())
const Truth = Nullable(Type.Boolean())
const Words = Type.Array(Type.String())

const AuthorDto = record(
  {
    name: Type.String(),
    role: Type.Optional(Text),
    sortName: Type.Optional(Nullable(Type.String({ description: 'Surname first, for example.' }))),
  },
  { title: 'Author' },
)

const AlternateTitleDto = record({ label: Type.String(), title: Type.String() }, { title: 'AlternateTitle' })

export const ExternalLinkDto = record(
  { source: Type.String(), url: Type.String(), externalId: Type.Optional(Text) },
  { title: 'ExternalLink' },
)
export type ExternalLinkDto = Static<typeof ExternalLinkDto>

export const ExternalIdDto = record(
  { source: Type.String(), id: Type.String(), url: Type.Optional(Text) },
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

const AwardDto = record(
  { name: Type.String(), category: Type.Optional(Text), year: Type.Optional(Whole), won: Type.Optional(Truth) },
  { title: 'Award' },
)

export const CustomMetadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Anything you like to keep, as a JSON object.',
})

/** The name a lock has beside its field. */
export const lockOf = (field: string): string =>
  field === 'authors' || field === 'awards' ? `${field}JsonLock` : `${field}Lock`
export type LockOf<Field> = Field extends 'authors' | 'awards' ? `${Field}JsonLock` : `${Field & string}Lock`
type Locks<Fields> = { [Field in Fields & string as LockOf<Field>]: ReturnType<typeof Type.Boolean> }

const locksOf = <const Fields extends string>(fields: readonly Fields[]): Locks<Fields> =>
  Object.fromEntries(fields.map((field) => [lockOf(field), Type.Boolean()])) as Locks<Fields>

const fieldsOf = <Properties extends TProperties>(properties: Properties) =>
  Object.keys(properties) as (keyof Properties & string)[]

const seriesFields = {
  title: Text,
  titleSort: Text,
  summary: Text,
  publisher: Text,
  imprint: Text,
  status: Nullable(OneOf(seriesStatuses)),
  readingDirection: Nullable(ReadingDirection),
  language: Nullable(Type.String({ description: 'BCP 47' })),
  ageRating: Whole,
  year: Whole,
  totalVolumeCount: Whole,
  totalChapterCount: Nullable(Float),
  genres: Words,
  tags: Words,
  authors: Type.Array(AuthorDto),
}
export const seriesLockable = [...fieldsOf(seriesFields), 'cover', 'customMetadata'] as const

/** Every field with its lock beside it, flat. */
export const SeriesMetadata = record(
  {
    ...seriesFields,
    ...locksOf(seriesLockable),
    alternateTitles: Type.Array(AlternateTitleDto),
    externalLinks: Type.Array(ExternalLinkDto),
    externalRatings: Type.Array(ExternalRatingDto),
  },
  { title: 'SeriesMetadata' },
)
export type SeriesMetadata = Static<typeof SeriesMetadata>

const bookFields = {
  title: Text,
  titleSort: Text,
  subtitle: Text,
  summary: Text,
  number: Nullable(Type.String({ description: 'As written: `7`, `12.5`, `1A`.' })),
  numberSort: Nullable(
    Type.Number({ description: 'What it is put in order by, where that is not its number: a special at 0.5 or 1000.' }),
  ),
  volume: Whole,
  chapter: Decimal,
  part: Text,
  isSpecial: Truth,
  count: Whole,
  publisher: Text,
  imprint: Text,
  languageIso: Text,
  ageRating: Whole,
  year: Whole,
  month: Whole,
  day: Whole,
  genres: Words,
  tags: Words,
  authors: Type.Array(AuthorDto),
  isbns: Words,
  characters: Words,
  storyArc: Text,
  edition: Text,
  formatDetail: Text,
  blackAndWhite: Truth,
  manga: Truth,
  readingDirection: Nullable(ReadingDirection),
  communityRating: Nullable(Type.Number({ minimum: 1, maximum: 100 })),
  bookType: Nullable(OneOf(bookTypes)),
  originalTitle: Text,
  originalYear: Whole,
  seriesPosition: Nullable(Type.Number({ description: 'Its place in the work it belongs to.' })),
  seriesTotal: Whole,
  translator: Text,
  subjects: Words,
  awards: Type.Array(AwardDto),
}
export const bookLockable = [...fieldsOf(bookFields), 'cover', 'customMetadata'] as const

export const BookMetadata = record(
  { ...bookFields, ...locksOf(bookLockable), externalLinks: Type.Array(ExternalLinkDto) },
  { title: 'BookMetadata' },
)
export type BookMetadata = Static<typeof BookMetadata>

/** These can be edited besides what is shown: custom metadata, and the ids at other services. */
const kept = { customMetadata: Nullable(CustomMetadata), externalIds: Type.Array(ExternalIdDto) }
const editable = <Properties extends TProperties>({ properties }: { properties: Properties }, title: string) =>
  record({ ...properties, ...kept }, { title })
/** The same fields under another name. */
export const withTitle = <S extends TSchema>(schema: S, title: string) => Type.Unsafe<Static<S>>({ ...schema, title })

export const EditableSeriesMetadata = editable(SeriesMetadata, 'EditableSeriesMetadata')
export type EditableSeriesMetadata = Static<typeof EditableSeriesMetadata>
export const EditableBookMetadata = editable(BookMetadata, 'EditableBookMetadata')
export type EditableBookMetadata = Static<typeof EditableBookMetadata>

const unlocked = <Field extends string>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [lockOf(field), false])) as Record<LockOf<Field>, boolean>

export const exampleSeriesMetadata: SeriesMetadata = {
  ...unlocked(seriesLockable),
  title: 'Yotsuba&!',
  titleSort: null,
  summary: null,
  publisher: 'ASCII Media Works',
  imprint: null,
  status: 'ongoing',
  readingDirection: 'rtl',
  language: 'ja',
  ageRating: 6,
  year: 2003,
  totalVolumeCount: null,
  totalChapterCount: null,
  genres: ['Comedy'],
  tags: [],
  authors: [{ name: 'Kiyohiko Azuma', role: 'author', sortName: 'Azuma, Kiyohiko' }],
  publisherLock: true,
  alternateTitles: [{ label: 'Japanese', title: 'よつばと!' }],
  externalLinks: [{ source: 'anilist.co', url: 'https://anilist.co/manga/30104' }],
  externalRatings: [],
}

export const exampleBookMetadata: BookMetadata = {
  ...unlocked(bookLockable),
  title: 'Yotsuba&! 1',
  titleSort: null,
  subtitle: null,
  summary: null,
  number: '1',
  numberSort: null,
  volume: 1,
  chapter: null,
  part: null,
  isSpecial: null,
  count: null,
  publisher: null,
  imprint: null,
  languageIso: 'ja',
  ageRating: null,
  year: 2003,
  month: 8,
  day: 27,
  genres: [],
  tags: [],
  authors: [],
  isbns: [],
  characters: [],
  storyArc: null,
  edition: null,
  formatDetail: null,
  blackAndWhite: null,
  manga: true,
  readingDirection: null,
  communityRating: null,
  bookType: 'manga',
  originalTitle: null,
  originalYear: null,
  seriesPosition: null,
  seriesTotal: null,
  translator: null,
  subjects: [],
  awards: [],
  externalLinks: [],
}
