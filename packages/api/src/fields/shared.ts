import { line, type MetadataFields, prose, rows, words } from './field.ts'

/** What is the same of series and of books. */
export const shared = {
  title: line(500, { section: 'basics', match: 'descriptive', condition: true, export: 'Title in its metadata' }),
  titleSort: line(500, { section: 'basics', column: true, condition: true, export: 'Sorted as' }),
  summary: prose(20_000, { section: 'basics', match: 'descriptive', column: true, condition: true, export: 'Summary' }),
  imprint: line(300, { section: 'publication', isShort: true, export: 'Imprint' }),
  genres: words(200, {
    suggest: 'genres',
    section: 'sorting',
    match: 'genres',
    condition: 'genre',
    facet: true,
    export: 'Genres',
    bulk: true,
  }),
  tags: words(500, {
    suggest: 'tags',
    section: 'sorting',
    match: 'tags',
    condition: 'tag',
    facet: true,
    export: 'Tags',
    bulk: true,
  }),
  authors: rows('authors', 500, {
    section: 'people',
    match: 'descriptive',
    condition: 'author',
    facet: true,
    export: 'Authors',
    bulk: true,
  }),
  cover: { kind: 'picture', match: 'cover', permission: 'covers' },
  customMetadata: { kind: 'json', shown: false, section: 'custom' },
  externalLinks: rows('externalLinks', 100, {
    layer: 'links',
    lock: false,
    section: 'elsewhere',
    match: 'external_refs',
    permission: 'links',
    export: 'Links',
  }),
  externalIds: rows('externalIds', 50, {
    lock: false,
    shown: false,
    section: 'elsewhere',
    match: 'identifiers',
    export: 'Ids elsewhere',
  }),
} as const satisfies MetadataFields
