/** It says what a field holds, and how much of it. */
export type FieldShape =
  | { readonly kind: 'line'; readonly maxLength: number }
  | { readonly kind: 'prose'; readonly maxLength: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly decimals?: boolean }
  | { readonly kind: 'truth' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'words'; readonly maxItems: number; readonly suggest?: 'genres' | 'tags' }
  | {
      readonly kind: 'rows'
      readonly rows: RowsName
      readonly maxItems: number
      readonly columns: readonly RowColumn[]
    }
  | { readonly kind: 'json' }
  | { readonly kind: 'picture' }

/** Rows of several columns; `schemas.ts` has a schema for each. */
export type RowsName = 'authors' | 'alternateTitles' | 'externalLinks' | 'externalIds' | 'externalRatings' | 'awards'

export interface RowColumn {
  readonly name: string
  readonly kind: 'line' | 'url' | 'number' | 'truth'
  /** A row without it is none. */
  readonly isRequired?: true
  readonly suggest?: 'people' | 'roles'
  readonly max?: number
}

/** The groups by which a job says what plugins may fill in, with what they are called. */
export const matchGroups = {
  identifiers: 'Identifiers',
  descriptive: 'Descriptive',
  status: 'Status',
  counts: 'Counts',
  ratings: 'Ratings',
  cover: 'Cover',
  tags: 'Tags',
  genres: 'Genres',
  age_rating: 'Age rating',
  classification: 'Classification',
  publisher: 'Publisher',
  external_refs: 'External links',
} as const
export type FieldGroup = keyof typeof matchGroups

/** The parts of the form, in their order. */
export const sections = ['basics', 'numbering', 'people', 'sorting', 'publication', 'elsewhere', 'custom'] as const

/** It says where a field takes part. What is absent does not hold. */
interface Aspects {
  /** What the layers call it, where that is not its name. */
  readonly layer?: string
  /** It can be locked unless this says otherwise. */
  readonly lock?: false
  /** Whoever edits sees it, and nobody else. */
  readonly shown?: false
  /** What the schema of a reply says besides. */
  readonly reply?: Readonly<Record<string, string | number>>
  /** It has a column of its own name; text that conditions ask about has a second one, `…_text`. */
  readonly column?: true
  /** Conditions ask about it, by its own name or by this one. */
  readonly condition?: true | string
  /** The values of the condition are counted. */
  readonly facet?: true
  /** By these names lists are sorted by its column. */
  readonly order?: readonly string[]
  /** Single entries of it are added and removed, of many at once. */
  readonly bulk?: true
  /** Plugins may fill it in, and this is the group it is in. */
  readonly match?: FieldGroup
  /** What a plugin must be granted, where that is not the name of the field. */
  readonly permission?: string
  /** The heading of its column in exports. */
  readonly export?: string
  /** The key of that column, where it is not the name of the field. */
  readonly exportKey?: string
  /** Where it stands in the form. */
  readonly section?: (typeof sections)[number]
  /** It stands beside others there. */
  readonly isShort?: true
  /** It stands on the page of what it is a field of, as it is. */
  readonly detail?: true
}

export type MetadataField = FieldShape & Aspects
export type MetadataFields = Readonly<Record<string, MetadataField>>

/** What says nothing is then an empty list, and else null. */
export const isList = (field: MetadataField | undefined): boolean => field?.kind === 'words' || field?.kind === 'rows'

export const line = <const A extends Aspects>(maxLength: number, aspects: A) =>
  ({ kind: 'line', maxLength, ...aspects }) as const
export const prose = <const A extends Aspects>(maxLength: number, aspects: A) =>
  ({ kind: 'prose', maxLength, ...aspects }) as const
export const wholeNumber = <const A extends Aspects>(min: number, max: number, aspects: A) =>
  ({ kind: 'number', min, max, isShort: true, ...aspects }) as const
export const decimal = <const A extends Aspects>(min: number, max: number, aspects: A) =>
  ({ kind: 'number', min, max, decimals: true, isShort: true, ...aspects }) as const
export const truth = <const A extends Aspects>(aspects: A) => ({ kind: 'truth', isShort: true, ...aspects }) as const
export const choice = <const Choices extends readonly string[], const A extends Aspects>(
  choices: Choices,
  aspects: A,
) => ({ kind: 'choice', choices, isShort: true, ...aspects }) as const
export const words = <const A extends Aspects & { readonly suggest?: 'genres' | 'tags' }>(
  maxItems: number,
  aspects: A,
) => ({ kind: 'words', maxItems, ...aspects }) as const

const name = { name: 'name', kind: 'line', isRequired: true } as const
const source = { name: 'source', kind: 'line', isRequired: true } as const
const columnsOf = {
  authors: [
    { ...name, suggest: 'people' },
    { name: 'role', kind: 'line', suggest: 'roles' },
    { name: 'sortName', kind: 'line' },
  ],
  alternateTitles: [
    { name: 'label', kind: 'line', isRequired: true },
    { name: 'title', kind: 'line', isRequired: true },
  ],
  externalLinks: [source, { name: 'url', kind: 'url', isRequired: true }],
  externalIds: [source, { name: 'id', kind: 'line', isRequired: true }, { name: 'url', kind: 'url' }],
  externalRatings: [
    source,
    { name: 'rating', kind: 'number', isRequired: true, max: 100 },
    { name: 'votes', kind: 'number', max: 2_000_000_000 },
  ],
  awards: [
    name,
    { name: 'category', kind: 'line' },
    { name: 'year', kind: 'number', max: 9999 },
    { name: 'won', kind: 'truth' },
  ],
} as const satisfies Readonly<Record<RowsName, readonly RowColumn[]>>

export const rows = <const Name extends RowsName, const A extends Aspects>(of: Name, maxItems: number, aspects: A) =>
  ({ kind: 'rows', rows: of, maxItems, columns: columnsOf[of], ...aspects }) as const
