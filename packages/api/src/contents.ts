import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, record, Timestamp } from './schema.ts'

const tag = 'Contents'
const errors = ['not_found', 'damaged_file', 'library_unavailable'] as const

const tocFields = { title: Type.String(), href: Type.Optional(Type.String()) }
/** The nesting ends here: nobody reads a table of contents that is deeper. */
const TocLeaf = record(tocFields, { title: 'ContentsLeaf' })
const nested = (children: ReturnType<typeof record> | typeof TocLeaf, depth: number) =>
  record({ ...tocFields, children: Type.Optional(Type.Array(children)) }, { title: `ContentsEntry${depth}` })
const Toc = nested(nested(nested(TocLeaf, 3), 2), 1)
export interface TocEntry {
  readonly title: string
  readonly href?: string
  readonly children?: readonly TocEntry[]
}

const Link = record(
  {
    href: Type.String(),
    type: Type.String(),
    title: Type.Optional(Type.String()),
    width: Type.Optional(Type.Integer({ minimum: 1 })),
    height: Type.Optional(Type.Integer({ minimum: 1 })),
    rel: Type.Optional(Type.String()),
    alternate: Type.Optional(
      Type.Array(record({ href: Type.String(), type: Type.String() }, { title: 'ManifestAlternate' }), {
        description: '`application/guided-navigation+json`: which part of it is heard when in a sound of the book.',
      }),
    ),
    properties: Type.Optional(
      record(
        {
          page: Type.Optional(
            Type.String({ description: 'Where it lies when two pages are open: `left`, `right` or `center`.' }),
          ),
          layout: Type.Optional(Type.String({ description: 'Where it is not that of the book.' })),
        },
        { title: 'ManifestLinkProperties' },
      ),
    ),
  },
  { title: 'ManifestLink' },
)

/** Readium has these names for what people do for a book. */
export const contributorRoles = [
  'author',
  'translator',
  'editor',
  'artist',
  'illustrator',
  'letterer',
  'penciler',
  'colorist',
  'inker',
  'narrator',
  'contributor',
] as const
export type ContributorRole = (typeof contributorRoles)[number]

const People = Type.Optional(
  Type.Array(record({ name: Type.String(), sortAs: Type.Optional(Type.String()) }, { title: 'ManifestContributor' })),
)
const peopleByRole = Object.fromEntries(contributorRoles.map((role) => [role, People])) as Record<
  ContributorRole,
  typeof People
>

export const Manifest = record(
  {
    '@context': Type.String(),
    metadata: record(
      {
        '@type': Type.String(),
        identifier: Type.String(),
        conformsTo: Type.String(),
        title: Type.String(),
        ...peopleByRole,
        publisher: Type.Optional(Type.String()),
        language: Type.Optional(Type.String({ description: 'BCP 47.' })),
        published: Type.Optional(Type.String({ description: '`2003-08-27`; unknown parts are 01.' })),
        modified: Type.Optional(Timestamp),
        description: Type.Optional(Type.String()),
        belongsTo: Type.Optional(
          record(
            {
              series: record(
                { name: Type.String(), position: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) },
                { title: 'ManifestSeries' },
              ),
            },
            { title: 'ManifestBelongsTo' },
          ),
        ),
        numberOfPages: Type.Integer({ minimum: 0 }),
        readingProgression: Type.String({ description: '`ltr`, `rtl` or `ttb`.' }),
        layout: Type.String({ description: '`reflowable` or `fixed`.' }),
        mediaOverlay: Type.Optional(
          record(
            { activeClass: Type.String({ description: 'What styles of the book call the part that is heard.' }) },
            { title: 'ManifestMediaOverlay' },
          ),
        ),
        presentation: Type.Optional(
          record(
            { spread: Type.String({ description: '`none`: its pages never lie side by side; else `auto`.' }) },
            { title: 'ManifestPresentation' },
          ),
        ),
      },
      { title: 'ManifestMetadata' },
    ),
    links: Type.Array(Link),
    readingOrder: Type.Array(Link),
    resources: Type.Array(Link, { description: 'What chapters are shown with.' }),
    toc: Type.Unsafe<readonly TocEntry[]>(Type.Array(Toc)),
  },
  { title: 'Manifest' },
)
export type Manifest = Static<typeof Manifest>

const self = '/api/v1/books/019aa3b2-6c7e-7000-8000-000000000040/manifest'
const chapter = { href: 'resources/OEBPS/ch1.xhtml', type: 'application/xhtml+xml', title: 'Down the Rabbit-Hole' }

export const readManifest = endpoint('GET /api/v1/books/{id}/manifest', {
  summary: 'What a reader needs to know of a book (Readium Web Publication Manifest)',
  description: 'Addresses are relative to the manifest. The outline of the book is `toc`.',
  tag,
  access: 'books:read',
  // It leads to them.
  needs: ['pages:read'],
  params: byId,
  reply: Manifest,
  errors,
  example: {
    reply: {
      '@context': 'https://readium.org/webpub-manifest/context.jsonld',
      metadata: {
        '@type': 'http://schema.org/Book',
        identifier: 'urn:uuid:019aa3b2-6c7e-7000-8000-000000000040',
        conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
        title: "Alice's Adventures in Wonderland",
        numberOfPages: 130,
        readingProgression: 'ltr',
        layout: 'reflowable',
      },
      links: [{ rel: 'self', href: self, type: 'application/webpub+json' }],
      readingOrder: [chapter],
      resources: [{ href: 'resources/OEBPS/style.css', type: 'text/css' }],
      toc: [{ title: chapter.title, href: chapter.href }],
    },
  },
})

export const Locator = record(
  {
    href: Type.String(),
    type: Type.String(),
    title: Type.Optional(Type.String()),
    locations: record({
      position: Type.Optional(Type.Integer({ minimum: 1 })),
      progression: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      totalProgression: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    }),
  },
  { title: 'Locator' },
)
export type Locator = Static<typeof Locator>

const exampleLocator: Locator = {
  href: 'resources/OEBPS/ch1.xhtml',
  type: 'application/xhtml+xml',
  locations: { position: 1, progression: 0, totalProgression: 0 },
}

export const readPositions = endpoint('GET /api/v1/books/{id}/positions', {
  summary: 'All positions of a book: pages, or parts of 1,024 characters of text',
  tag,
  access: 'books:read',
  params: byId,
  reply: record({ total: Type.Integer({ minimum: 0 }), positions: Type.Array(Locator) }, { title: 'Positions' }),
  errors,
  example: { reply: { total: 1, positions: [exampleLocator] } },
})

export const chaptersMax = 2000
export const Chapters = record(
  {
    total: { ...Count, description: 'How long the book is: in pages, or in parts of 1,024 characters of text.' },
    chapters: Type.Array(
      record(
        {
          title: Type.String(),
          depth: { ...Count, description: '0 for those of the first level.' },
          at: Type.Number({ minimum: 0, maximum: 1, description: 'How far into the book it begins.' }),
          page: Nullable(Type.Integer({ minimum: 1, description: 'In a book of pages: on which it begins.' })),
          length: { ...Count, description: 'As `total` counts. 0: it shares its beginning with the next.' },
        },
        { title: 'Chapter' },
      ),
      { maxItems: chaptersMax },
    ),
  },
  { title: 'Chapters' },
)
export type Chapters = Static<typeof Chapters>

export const readChapters = endpoint('GET /api/v1/books/{id}/chapters', {
  summary: 'The chapters of a book, where each begins and how long it is',
  description: 'Two levels of its outline; none where the book has none.',
  tag,
  access: 'books:read',
  // It leads to them.
  needs: ['pages:read'],
  params: byId,
  reply: Chapters,
  errors,
  example: { reply: { total: 130, chapters: [{ title: chapter.title, depth: 0, at: 0, page: null, length: 11 }] } },
})

export const readResource = endpoint('GET /api/v1/books/{id}/resources/{path}', {
  summary: 'A file from inside a book whose text flows',
  description:
    'Made safe: no script, no form, nothing that calls out. The path goes on as far as the address does. Sound and film are sent in parts, if asked for.',
  tag,
  access: 'pages:read',
  params: Type.Object({ id: Id, path: Type.String({ minLength: 1, maxLength: 2048 }) }),
  query: Type.Object({ v: Type.Optional(Type.String({ maxLength: 200, description: "The book's fileHash." })) }),
  mediaType: 'application/octet-stream',
  errors: [...errors, 'range_not_satisfiable'],
})

export const searchInBook = endpoint('GET /api/v1/books/{id}/search', {
  summary: 'Where words stand in a book',
  description: 'Ignoring case and accents, in reading order, up to 100 places.',
  tag,
  access: 'pages:read',
  params: byId,
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 200 }) }),
  reply: record(
    {
      results: Type.Array(
        record(
          { locator: Locator, before: Type.String(), match: Type.String(), after: Type.String() },
          { title: 'SearchHit' },
        ),
      ),
      truncated: Type.Boolean(),
    },
    { title: 'SearchHits' },
  ),
  errors,
  example: {
    reply: {
      results: [{ locator: exampleLocator, before: 'to the ', match: 'rabbit', after: '-hole under the hedge' }],
      truncated: false,
    },
  },
})
