import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record } from './schema.ts'

const tag = 'Pages'

export const PageDto = record(
  {
    pageNumber: Type.Integer({ minimum: 1 }),
    fileName: Type.String(),
    mediaType: Type.String(),
    width: Nullable(Type.Integer({ minimum: 1 })),
    height: Nullable(Type.Integer({ minimum: 1 })),
    fileSize: Count,
  },
  { title: 'Page' },
)
export type PageDto = Static<typeof PageDto>

export const listPages = endpoint('GET /api/v1/books/{id}/pages', {
  summary: 'List the pages of a book',
  description: 'All of them, in reading order. A book whose text flows to fit the screen has none.',
  tag,
  access: 'pages:read',
  params: byId,
  reply: Type.Array(PageDto, { maxItems: 20_000 }),
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
  example: {
    reply: [
      { pageNumber: 1, fileName: '001.jpg', mediaType: 'image/jpeg', width: 1600, height: 2400, fileSize: 812_345 },
    ],
  },
})

export const pageFormats = ['jpeg', 'webp', 'avif', 'png'] as const
export type PageFormat = (typeof pageFormats)[number]

const onePage = {
  tag,
  access: 'pages:read',
  params: Type.Object({ id: Id, number: Type.Integer({ description: 'Counted from 1.' }) }),
  query: Type.Object({
    width: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'At least this wide, if the page is: rounded up to one of few widths, and never enlarged.',
      }),
    ),
    format: Type.Optional(OneOf(pageFormats)),
    v: Type.Optional(
      Type.String({ maxLength: 200, description: "The book's fileHash: with it the reply may be kept for ever." }),
    ),
  }),
  mediaType: 'image/*',
  errors: ['not_found', 'damaged_file', 'library_unavailable'],
} as const

export const readPage = endpoint('GET /api/v1/books/{id}/pages/{number}', {
  ...onePage,
  summary: 'One page as a picture',
  description: [
    'As it stands in the book, unless `width` or `format` ask otherwise, or it is of a kind browsers do not show (JPEG XL,',
    'TIFF, HEIC) and `Accept` does not name it. A page of a PDF is rendered.',
  ].join(' '),
})

export const readPagePicture = endpoint('GET /media/books/{id}/pages/{number}', {
  ...onePage,
  summary: 'One page, for the web app',
  description: 'The same outside the rate limiter: 64 requests at once and 1,000 a second for each user.',
  unlimited: true,
})

const Share = Type.Number({ minimum: 0, maximum: 1 })

export const PageWord = record(
  { text: Type.String(), left: Share, top: Share, width: Share, height: Share },
  { title: 'PageWord' },
)
export type PageWord = Static<typeof PageWord>

export const pageWordsMax = 10_000
export const PageText = record(
  {
    words: Type.Array(PageWord, { maxItems: pageWordsMax }),
    truncated: Type.Boolean(),
  },
  { title: 'PageText' },
)
export type PageText = Static<typeof PageText>

export const readPageText = endpoint('GET /api/v1/books/{id}/pages/{number}/text', {
  summary: 'The words of a page, and where they stand on it',
  description:
    'Of a PDF, as they are read, each with the space behind it. Places are shares of the page as it is shown, from its upper left corner.',
  tag,
  access: 'pages:read',
  params: onePage.params,
  reply: PageText,
  errors: onePage.errors,
  example: {
    reply: { words: [{ text: 'Preface\n', left: 0.084, top: 0.058, width: 0.071, height: 0.017 }], truncated: false },
  },
})
