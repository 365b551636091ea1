import { type Static, Type } from 'typebox'
import { Locator } from '../../contents.ts'
import { endpoint } from '../../endpoint.ts'
import { Json, Nullable, record, Timestamp } from '../../schema.ts'
import { byCompatId, CompatId, Repeated } from './page.ts'
import { compat } from './shared.ts'

const reading = {
  ...compat,
  access: 'pages:read',
  params: byCompatId,
  errors: ['not_found', 'library_unavailable'],
} as const

export const CompatPageDto = record(
  {
    number: Type.Integer({ minimum: 1 }),
    fileName: Type.String(),
    mediaType: Type.String(),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    sizeBytes: Nullable(Type.Integer()),
    size: Type.String(),
  },
  { title: 'CompatPageDto' },
)
export type CompatPageDto = Static<typeof CompatPageDto>

export const listCompatPages = endpoint('GET /{prefix}/api/v1/books/{id}/pages', {
  ...reading,
  summary: 'The pages of a book',
  reply: Type.Array(CompatPageDto, { maxItems: 20_000 }),
  example: {
    reply: [
      {
        number: 1,
        fileName: '001.jpg',
        mediaType: 'image/jpeg',
        width: 1600,
        height: 2400,
        sizeBytes: 812_345,
        size: '793.3 KiB',
      },
    ],
  },
})

const byPage = Type.Object({ id: CompatId, number: Type.Integer({ minimum: 0, maximum: 1_000_000 }) })
const onePage = {
  ...reading,
  params: byPage,
  mediaType: 'image/*',
  errors: ['not_found', 'validation_failed', 'library_unavailable'],
} as const

export const readCompatPage = endpoint('GET /{prefix}/api/v1/books/{id}/pages/{number}', {
  ...onePage,
  summary: 'One page',
  query: Type.Object({
    zero_based: Type.Optional(Repeated),
    convert: Type.Optional(Repeated),
    contentNegotiation: Type.Optional(Repeated),
  }),
})
export const readCompatPageThumbnail = endpoint('GET /{prefix}/api/v1/books/{id}/pages/{number}/thumbnail', {
  ...onePage,
  summary: 'A small picture of a page',
})
export const readCompatRawPage = endpoint('GET /{prefix}/api/v1/books/{id}/pages/{number}/raw', {
  ...onePage,
  summary: 'One page as it stands in the book',
})

const download = {
  ...compat,
  access: 'files:download',
  params: byCompatId,
  mediaType: 'application/octet-stream',
  errors: ['not_found', 'range_not_satisfiable', 'library_unavailable'],
} as const
export const downloadCompatBook = endpoint('GET /{prefix}/api/v1/books/{id}/file', {
  ...download,
  summary: 'The file of a book',
})
export const downloadCompatBookByName = endpoint('GET /{prefix}/api/v1/books/{id}/file/{path}', {
  ...download,
  summary: 'The file of a book, whatever name stands behind it',
  params: Type.Object({ id: CompatId, path: Type.String({ maxLength: 4096 }) }),
})
export const downloadCompatSeries = endpoint('GET /{prefix}/api/v1/series/{id}/file', {
  ...download,
  summary: 'All books of a series as one ZIP',
  mediaType: 'application/zip',
})

const cover = { ...compat, params: byCompatId, mediaType: 'image/*', errors: ['not_found'] } as const
export const readCompatBookThumbnail = endpoint('GET /{prefix}/api/v1/books/{id}/thumbnail', {
  ...cover,
  access: 'books:read',
  summary: 'The cover of a book',
})
export const readCompatSeriesThumbnail = endpoint('GET /{prefix}/api/v1/series/{id}/thumbnail', {
  ...cover,
  access: 'series:read',
  summary: 'The cover of a series',
})
export const readCompatCollectionThumbnail = endpoint('GET /{prefix}/api/v1/collections/{id}/thumbnail', {
  ...cover,
  access: 'collections:read',
  summary: 'The cover of the first series of a collection',
})
export const readCompatReadListThumbnail = endpoint('GET /{prefix}/api/v1/readlists/{id}/thumbnail', {
  ...cover,
  access: 'readlists:read',
  summary: 'The cover of the first book of a read list',
})

const CompatLink = record(
  {
    href: Type.String(),
    type: Type.String(),
    rel: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
  },
  { title: 'CompatLink' },
)

export const CompatManifest = record(
  {
    context: Type.String(),
    metadata: Json,
    links: Type.Array(CompatLink),
    images: Type.Array(CompatLink),
    readingOrder: Type.Array(CompatLink),
    resources: Type.Array(CompatLink),
    toc: Json,
    landmarks: Json,
    pageList: Json,
  },
  { title: 'CompatManifest' },
)
export type CompatManifest = Static<typeof CompatManifest>

const exampleManifest: CompatManifest = {
  context: 'https://readium.org/webpub-manifest/context.jsonld',
  metadata: { title: 'One' },
  links: [],
  images: [],
  readingOrder: [],
  resources: [],
  toc: [],
  landmarks: [],
  pageList: [],
}
const manifest = {
  ...reading,
  access: 'books:read',
  // It leads to them.
  needs: ['pages:read'],
  reply: CompatManifest,
  example: { reply: exampleManifest },
} as const

export const readCompatManifest = endpoint('GET /{prefix}/api/v1/books/{id}/manifest', {
  ...manifest,
  summary: 'What a reader needs to know of a book, with whole addresses',
})
export const readCompatEpubManifest = endpoint('GET /{prefix}/api/v1/books/{id}/manifest/epub', {
  ...manifest,
  summary: 'The same of an EPUB',
})
export const readCompatPdfManifest = endpoint('GET /{prefix}/api/v1/books/{id}/manifest/pdf', {
  ...manifest,
  summary: 'The same of a PDF',
})
export const readCompatDivinaManifest = endpoint('GET /{prefix}/api/v1/books/{id}/manifest/divina', {
  ...manifest,
  summary: 'The same of a book of pages',
})

export const readCompatPositions = endpoint('GET /{prefix}/api/v1/books/{id}/positions', {
  ...reading,
  summary: 'All positions of a book',
  reply: record(
    { total: Type.Integer({ minimum: 0 }), positions: Type.Array(Locator, { maxItems: 100_000 }) },
    { title: 'CompatPositions' },
  ),
  mediaType: 'application/vnd.readium.position-list+json',
  example: { reply: { total: 0, positions: [] } },
})

export const readCompatResource = endpoint('GET /{prefix}/api/v1/books/{id}/resource/{path}', {
  ...reading,
  summary: 'A part of an EPUB; a font of it is shown to anybody, for browsers ask for fonts without credentials',
  openPaths: /\.(?:otf|ttf|ttc|woff2?)$/i,
  params: Type.Object({ id: CompatId, path: Type.String({ minLength: 1, maxLength: 4096 }) }),
  mediaType: '*/*',
})

/** An application sends this about a position; it keeps other fields for itself. */
const LocatorUpdate = Type.Object(
  {
    href: Type.String({ maxLength: 4096 }),
    type: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    title: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
    locations: Type.Optional(
      Nullable(
        Type.Object({
          fragments: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 }))),
          position: Type.Optional(Nullable(Type.Integer({ maximum: 10_000_000 }))),
          progression: Type.Optional(Nullable(Type.Number())),
          totalProgression: Type.Optional(Nullable(Type.Number())),
        }),
      ),
    ),
    text: Type.Optional(Json),
    koboSpan: Type.Optional(Nullable(Type.String({ maxLength: 1024 }))),
  },
  { title: 'CompatLocator' },
)
const DeviceUpdate = Type.Object({ id: Type.String({ maxLength: 1024 }), name: Type.String({ maxLength: 1024 }) })

export const CompatProgression = record(
  {
    modified: Timestamp,
    device: record({ id: Type.String(), name: Type.String() }),
    locator: record({
      href: Type.String(),
      type: Type.String(),
      title: Type.Optional(Type.String()),
      locations: record({
        fragments: Type.Array(Type.String()),
        position: Type.Optional(Type.Integer()),
        progression: Type.Optional(Type.Number()),
        totalProgression: Type.Optional(Type.Number()),
      }),
    }),
  },
  { title: 'CompatProgression' },
)
export type CompatProgression = Static<typeof CompatProgression>

export const readCompatProgression = endpoint('GET /{prefix}/api/v1/books/{id}/progression', {
  ...compat,
  summary: 'Where you are in a book',
  access: 'progress:read',
  params: byCompatId,
  reply: CompatProgression,
  mediaType: 'application/vnd.readium.progression+json',
  mayBeEmpty: true,
  errors: ['not_found', 'library_unavailable'],
  example: {
    reply: {
      modified: '2026-11-21T10:00:00Z',
      device: { id: 'tablet-1', name: 'Tablet' },
      locator: {
        href: 'OEBPS/chapter3.xhtml',
        type: 'application/xhtml+xml',
        locations: { fragments: [], position: 42, progression: 0.5, totalProgression: 0.21 },
      },
    },
  },
})

export const CompatProgressionUpdate = Type.Object(
  { modified: Type.String({ format: 'date-time' }), device: DeviceUpdate, locator: LocatorUpdate },
  { title: 'CompatProgressionUpdate' },
)
export type CompatProgressionUpdate = Static<typeof CompatProgressionUpdate>

export const saveCompatProgression = endpoint('PUT /{prefix}/api/v1/books/{id}/progression', {
  ...compat,
  summary: 'Say where you are in a book',
  access: 'progress:write',
  params: byCompatId,
  body: CompatProgressionUpdate,
  errors: ['not_found', 'conflict', 'library_unavailable'],
  example: {
    body: {
      modified: '2026-11-21T10:00:00Z',
      device: { id: 'tablet-1', name: 'Tablet' },
      locator: { href: '', locations: { position: 3 } },
    },
  },
})
