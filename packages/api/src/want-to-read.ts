import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { BookDto } from './books.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { SeriesDto } from './series.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Want to read'
const writing = { tag, access: 'progress:write' } as const

export const wantToReadMax = 10_000
const idsMax = 10_000

const Ids = Type.Array(Id, { maxItems: idsMax, uniqueItems: true })

export const WantToReadEntryDto = record(
  {
    id: Id,
    itemType: OneOf(['series', 'book']),
    seriesId: Nullable(Type.String({ format: 'uuid', description: 'Of an entry that is a series.' })),
    bookId: Nullable(Type.String({ format: 'uuid', description: 'Of an entry that is a book.' })),
    title: Type.String(),
    seriesName: Nullable(Type.String({ description: 'Of an entry that is a book, as its numbers are.' })),
    ...bookNumbers,
    addedAt: Timestamp,
  },
  { title: 'WantToReadEntry' },
)
export type WantToReadEntryDto = Static<typeof WantToReadEntryDto>

export const ListedWantToRead = record(
  {
    ...WantToReadEntryDto.properties,
    series: Nullable(SeriesDto),
    book: Nullable(BookDto),
  },
  { title: 'ListedWantToRead' },
)
export type ListedWantToRead = Static<typeof ListedWantToRead>

const exampleEntry: WantToReadEntryDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000070',
  itemType: 'series',
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  bookId: null,
  title: 'Yotsuba&!',
  seriesName: null,
  number: null,
  volume: null,
  chapter: null,
  addedAt: '2026-11-21T10:00:00.000Z',
}

const orders = ['custom', 'newest', 'oldest'] as const
export type WantToReadOrder = (typeof orders)[number]

export const listWantToRead = listEndpoint('GET /api/v1/want-to-read', {
  summary: 'What you want to read',
  description: '`custom` is the order you have given it; what is new comes last.',
  tag,
  access: 'progress:read',
  query: Type.Object({ sort: Type.Optional(OneOf(orders, { default: 'custom' })) }),
  item: ListedWantToRead,
  title: 'WantToReadPage',
})

const NewEntry = record(
  { seriesId: Type.Optional(Nullable(Id)), bookId: Type.Optional(Nullable(Id)) },
  { title: 'NewWantToReadEntry', description: 'One of the two.' },
)
export type NewWantToReadEntry = Static<typeof NewEntry>

export const addWantToRead = endpoint('POST /api/v1/want-to-read', {
  summary: 'Want to read a series or a book',
  description: `What is there already stays where it is. Up to ${wantToReadMax} entries.`,
  ...writing,
  body: NewEntry,
  reply: WantToReadEntryDto,
  status: 201,
  errors: ['not_found', 'conflict'],
  example: { body: { seriesId: exampleEntry.seriesId }, reply: exampleEntry },
})

const ManyEntries = record(
  { seriesIds: Type.Optional(Ids), bookIds: Type.Optional(Ids) },
  { title: 'ManyWantToReadEntries' },
)
export type ManyWantToReadEntries = Static<typeof ManyEntries>

/** Twenty thousand ids. */
const bodyBytesMax = 2 * 1024 * 1024

export const addManyWantToRead = endpoint('POST /api/v1/want-to-read/bulk', {
  summary: 'Want to read many series and books',
  description: 'In the order given, series first. Those that do not exist are left out.',
  ...writing,
  body: ManyEntries,
  bodyBytesMax,
  reply: record({ added: Count, alreadyPresent: Count }, { title: 'WantToReadAdded' }),
  errors: ['conflict'],
  example: { body: { seriesIds: [exampleEntry.seriesId ?? ''] }, reply: { added: 1, alreadyPresent: 0 } },
})

export const orderWantToRead = endpoint('PUT /api/v1/want-to-read/order', {
  summary: 'Put what you want to read in order',
  description: 'By the ids of entries. They share the places that they have now, in this order; all others stay.',
  ...writing,
  body: record({ ids: Ids }, { title: 'WantToReadOrder' }),
  bodyBytesMax,
  errors: ['not_found'],
  example: { body: { ids: [exampleEntry.id] } },
})

export const dropSeriesToRead = endpoint('DELETE /api/v1/want-to-read/series/{id}', {
  summary: 'No longer want to read a series',
  ...writing,
  params: byId,
})

export const dropBookToRead = endpoint('DELETE /api/v1/want-to-read/books/{id}', {
  summary: 'No longer want to read a book',
  ...writing,
  params: byId,
})
