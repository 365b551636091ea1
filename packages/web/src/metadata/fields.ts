import { bookTypes, readingDirections, seriesStatuses } from '@carrel/api'

/** It says how a field is edited. */
export type FieldShape =
  | { readonly kind: 'line'; readonly maxLength: number }
  | { readonly kind: 'prose'; readonly maxLength: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly decimals?: true }
  | { readonly kind: 'truth' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'words'; readonly suggest?: 'genres' | 'tags' }
  | { readonly kind: 'rows'; readonly columns: readonly Column[] }
  | { readonly kind: 'json' }

export interface Column {
  readonly name: string
  readonly kind: 'line' | 'url' | 'number' | 'truth'
  /** A row without it is none. */
  readonly isRequired?: true
  readonly suggest?: 'people' | 'roles'
  readonly max?: number
}

const line = (maxLength: number): FieldShape => ({ kind: 'line', maxLength })
const whole = (min: number, max: number): FieldShape => ({ kind: 'number', min, max })
const decimal = (min: number, max: number): FieldShape => ({ kind: 'number', min, max, decimals: true })
const truth: FieldShape = { kind: 'truth' }
const words: FieldShape = { kind: 'words' }
const rows = (...columns: readonly Column[]): FieldShape => ({ kind: 'rows', columns })

/** Every field that can be edited, by its name in the contract; editing.unit.test.ts holds them against it. */
export const shapes = {
  title: line(500),
  titleSort: line(500),
  subtitle: line(500),
  originalTitle: line(500),
  alternateTitles: rows(
    { name: 'label', kind: 'line', isRequired: true },
    { name: 'title', kind: 'line', isRequired: true },
  ),
  summary: { kind: 'prose', maxLength: 20_000 },
  status: { kind: 'choice', choices: seriesStatuses },
  bookType: { kind: 'choice', choices: bookTypes },
  readingDirection: { kind: 'choice', choices: readingDirections },
  language: line(35),
  languageIso: line(35),
  publisher: line(300),
  imprint: line(300),
  ageRating: whole(0, 100),
  year: whole(1, 9999),
  month: whole(1, 12),
  day: whole(1, 31),
  originalYear: whole(1, 9999),
  number: line(32),
  numberSort: decimal(0, 1_000_000),
  volume: whole(0, 100_000),
  chapter: decimal(0, 1_000_000),
  part: line(100),
  count: whole(0, 100_000),
  isSpecial: truth,
  seriesPosition: decimal(0, 1_000_000),
  seriesTotal: whole(0, 100_000),
  totalVolumeCount: whole(0, 100_000),
  totalChapterCount: decimal(0, 1_000_000),
  storyArc: line(500),
  edition: line(200),
  formatDetail: line(200),
  blackAndWhite: truth,
  manga: truth,
  communityRating: decimal(1, 100),
  isbns: words,
  genres: { kind: 'words', suggest: 'genres' },
  tags: { kind: 'words', suggest: 'tags' },
  characters: words,
  subjects: words,
  authors: rows(
    { name: 'name', kind: 'line', isRequired: true, suggest: 'people' },
    { name: 'role', kind: 'line', suggest: 'roles' },
    { name: 'sortName', kind: 'line' },
  ),
  translator: line(200),
  awards: rows(
    { name: 'name', kind: 'line', isRequired: true },
    { name: 'category', kind: 'line' },
    { name: 'year', kind: 'number', max: 9999 },
    { name: 'won', kind: 'truth' },
  ),
  externalLinks: rows(
    { name: 'source', kind: 'line', isRequired: true },
    { name: 'url', kind: 'url', isRequired: true },
  ),
  externalIds: rows(
    { name: 'source', kind: 'line', isRequired: true },
    { name: 'id', kind: 'line', isRequired: true },
    { name: 'url', kind: 'url' },
  ),
  externalRatings: rows(
    { name: 'source', kind: 'line', isRequired: true },
    { name: 'rating', kind: 'number', isRequired: true, max: 100 },
    { name: 'votes', kind: 'number', max: 2_000_000_000 },
  ),
  customMetadata: { kind: 'json' },
} as const satisfies Readonly<Record<string, FieldShape>>

export type FieldName = keyof typeof shapes

export const shapeOf = (field: FieldName): FieldShape => shapes[field]
export const isField = (name: string): name is FieldName => Object.hasOwn(shapes, name)

export type GroupName = 'basics' | 'numbering' | 'publication' | 'sorting' | 'people' | 'elsewhere' | 'custom'

/** The order is that of the page. */
export const groups: Readonly<Record<GroupName, readonly FieldName[]>> = {
  basics: ['title', 'titleSort', 'subtitle', 'summary', 'status', 'bookType', 'readingDirection'],
  numbering: [
    'number',
    'numberSort',
    'volume',
    'chapter',
    'part',
    'count',
    'isSpecial',
    'seriesPosition',
    'seriesTotal',
    'storyArc',
    'totalVolumeCount',
    'totalChapterCount',
  ],
  people: ['authors', 'translator'],
  sorting: ['genres', 'tags', 'characters', 'subjects'],
  publication: [
    'publisher',
    'imprint',
    'year',
    'month',
    'day',
    'language',
    'languageIso',
    'ageRating',
    'edition',
    'formatDetail',
    'blackAndWhite',
    'manga',
    'originalTitle',
    'originalYear',
    'isbns',
    'awards',
  ],
  elsewhere: ['alternateTitles', 'externalLinks', 'externalIds', 'externalRatings', 'communityRating'],
  custom: ['customMetadata'],
}
export const groupNames = Object.keys(groups) as readonly GroupName[]

/** Short ones stand beside each other. */
export const isShort = (field: FieldName): boolean => {
  const { kind } = shapeOf(field)
  return kind === 'number' || kind === 'truth' || kind === 'choice' || shortLines.has(field)
}
const shortLines: ReadonlySet<FieldName> = new Set([
  'number',
  'part',
  'language',
  'languageIso',
  'edition',
  'formatDetail',
  'publisher',
  'imprint',
])
