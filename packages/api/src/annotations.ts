import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { ReadiumLocator } from './reading.ts'
import { byId, Id, OneOf, record, Timestamp } from './schema.ts'
import { titledSeriesOfBook } from './series-of-book.ts'

const tag = 'Annotations'
const read = 'progress:read'
const write = 'progress:write'

/** The limits hold per user, over all books. */
export const bookmarksMax = 10_000
export const annotationsMax = 10_000

const Note = Type.String({ maxLength: 20_000 })
const Quote = Type.String({ maxLength: 10_000, description: 'The text that is marked; empty for a place without any.' })
const Around = Type.String({ maxLength: 1000, description: 'Text beside it, by which it is found again.' })
const Colour = Type.String({
  pattern: '^(#[0-9a-f]{6}|[a-z]{1,20})$',
  description: 'A name, or six digits after a `#`.',
})

const dates = { createdAt: Timestamp, updatedAt: Timestamp }

export const BookmarkDto = record({ id: Id, locator: ReadiumLocator, note: Note, ...dates }, { title: 'Bookmark' })
export type BookmarkDto = Static<typeof BookmarkDto>

const annotationFields = {
  id: Id,
  locator: ReadiumLocator,
  quote: Quote,
  before: Around,
  after: Around,
  colour: Colour,
  note: Note,
  ...dates,
}
export const AnnotationDto = record(annotationFields, { title: 'Annotation' })
export type AnnotationDto = Static<typeof AnnotationDto>

const NewBookmark = record({ locator: ReadiumLocator, note: Type.Optional(Note) }, { title: 'NewBookmark' })
export type NewBookmark = Static<typeof NewBookmark>
const BookmarkPatch = record(
  { locator: Type.Optional(ReadiumLocator), note: Type.Optional(Note) },
  { title: 'BookmarkPatch' },
)
export type BookmarkPatch = Static<typeof BookmarkPatch>

const changeable = {
  quote: Type.Optional(Quote),
  before: Type.Optional(Around),
  after: Type.Optional(Around),
  colour: Type.Optional(Colour),
  note: Type.Optional(Note),
}
const NewAnnotation = record({ locator: ReadiumLocator, ...changeable }, { title: 'NewAnnotation' })
export type NewAnnotation = Static<typeof NewAnnotation>
const AnnotationPatch = record({ locator: Type.Optional(ReadiumLocator), ...changeable }, { title: 'AnnotationPatch' })
export type AnnotationPatch = Static<typeof AnnotationPatch>

const exampleLocator = {
  href: 'OEBPS/chapter3.xhtml',
  type: 'application/xhtml+xml',
  locations: { progression: 0.5, totalProgression: 0.21 },
}
const exampleDates = { createdAt: '2026-11-21T10:00:00.000Z', updatedAt: '2026-11-21T10:00:00.000Z' }
const exampleBookmark: BookmarkDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000080',
  locator: exampleLocator,
  note: 'The map',
  ...exampleDates,
}
const exampleAnnotation: AnnotationDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000081',
  locator: exampleLocator,
  quote: 'Call me Ishmael.',
  before: '',
  after: ' Some years ago',
  colour: 'yellow',
  note: '',
  ...exampleDates,
}

const ofBook = { tag, params: byId, errors: ['not_found'] } as const
const order = 'In the order of the book, as far as `totalProgression` tells it.'

export const listBookmarks = listEndpoint('GET /api/v1/books/{id}/bookmarks', {
  ...ofBook,
  summary: 'Your bookmarks in a book',
  description: order,
  access: read,
  item: BookmarkDto,
  title: 'BookmarkPage',
})

export const createBookmark = endpoint('POST /api/v1/books/{id}/bookmarks', {
  ...ofBook,
  summary: 'Put a bookmark into a book',
  description: `You can have ${bookmarksMax} of them.`,
  access: write,
  body: NewBookmark,
  reply: BookmarkDto,
  status: 201,
  errors: ['not_found', 'conflict'],
  example: { body: { locator: exampleLocator, note: 'The map' }, reply: exampleBookmark },
})

const oneBookmark = { ...ofBook, access: write, params: Type.Object({ id: Id, bookmarkId: Id }) } as const

export const updateBookmark = endpoint('PATCH /api/v1/books/{id}/bookmarks/{bookmarkId}', {
  ...oneBookmark,
  summary: 'Change a bookmark',
  body: BookmarkPatch,
  guards: BookmarkDto,
  reply: BookmarkDto,
  example: { body: { locator: exampleLocator, note: 'The map' }, reply: exampleBookmark },
})

export const deleteBookmark = endpoint('DELETE /api/v1/books/{id}/bookmarks/{bookmarkId}', {
  ...oneBookmark,
  summary: 'Take a bookmark out',
})

export const listAnnotations = listEndpoint('GET /api/v1/books/{id}/annotations', {
  ...ofBook,
  summary: 'What you have marked and noted in a book',
  description: order,
  access: read,
  item: AnnotationDto,
  title: 'AnnotationPage',
})

export const createAnnotation = endpoint('POST /api/v1/books/{id}/annotations', {
  ...ofBook,
  summary: 'Mark or note something in a book',
  description: `You can have ${annotationsMax} of them.`,
  access: write,
  body: NewAnnotation,
  reply: AnnotationDto,
  status: 201,
  errors: ['not_found', 'conflict'],
  example: { body: { locator: exampleLocator, quote: 'Call me Ishmael.', colour: 'yellow' }, reply: exampleAnnotation },
})

const oneAnnotation = { ...ofBook, access: write, params: Type.Object({ id: Id, annotationId: Id }) } as const

export const updateAnnotation = endpoint('PATCH /api/v1/books/{id}/annotations/{annotationId}', {
  ...oneAnnotation,
  summary: 'Change an annotation',
  body: AnnotationPatch,
  guards: AnnotationDto,
  reply: AnnotationDto,
  example: { body: { locator: exampleLocator, colour: 'yellow' }, reply: exampleAnnotation },
})

export const deleteAnnotation = endpoint('DELETE /api/v1/books/{id}/annotations/{annotationId}', {
  ...oneAnnotation,
  summary: 'Remove an annotation',
})

/** One of those that are exported as JSON, which are `{"annotations":[…]}`. */
export const ExportedAnnotation = record(
  {
    book: record({ id: Id, title: Type.String(), ...titledSeriesOfBook, ...bookNumbers }),
    ...annotationFields,
  },
  { title: 'ExportedAnnotation' },
)
export type ExportedAnnotation = Static<typeof ExportedAnnotation>

export const exportAnnotations = endpoint('GET /api/v1/user/annotations', {
  summary: 'All your annotations, to keep elsewhere',
  description: '`json` is `{"annotations":[…]}`, each with its book; `md` is a text to read. Book by book.',
  tag,
  access: read,
  query: Type.Object({ format: Type.Optional(OneOf(['json', 'md'], { default: 'json' })) }),
  mediaType: 'application/json; charset=utf-8',
})
