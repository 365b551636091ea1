import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { BookDto } from './books.ts'
import { coversOfName } from './covers-of-name.ts'
import { exampleTone, toneOfCover } from './cover-tone.ts'
import { endpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { Count, Id, Nullable, OneOf, record } from './schema.ts'
import { seriesIdOfBook } from './series-of-book.ts'
import { SeriesDto } from './series.ts'

const tag = 'Search'

export const queryLengthMax = 500
const resultsMax = 50
export const resultsUsual = 10

const q = Type.Optional(
  Type.String({
    maxLength: queryLengthMax,
    default: '',
    description: 'Any text. Every word of it must be found; the last one may be the beginning of a word.',
  }),
)

const nameResult = (title: string, count: string) =>
  record({ id: Id, name: Type.String(), count: { ...Count, description: count }, covers: coversOfName }, { title })

export const foundPersonCountMax = 100
export const PersonResult = nameResult(
  'PersonResult',
  'Series you may see that this person has worked on. Of 100 there may be more: nobody counts on.',
)
export const CollectionResult = nameResult('CollectionResult', 'Series in it that you may see.')
export const ReadListResult = nameResult('ReadListResult', 'Books in it that you may see.')

const list = { maxItems: resultsMax }

export const SearchResults = record(
  {
    series: Type.Array(SeriesDto, list),
    books: Type.Array(BookDto, list),
    people: Type.Array(PersonResult, list),
    collections: Type.Array(CollectionResult, list),
    readlists: Type.Array(ReadListResult, list),
  },
  { title: 'SearchResults' },
)
export type SearchResults = Static<typeof SearchResults>

export const search = endpoint('GET /api/v1/search', {
  summary: 'Find series, books, people, collections and read lists',
  description: [
    'In titles, alternate titles, names of people, publishers and file names, the best first. Case, accents and width make',
    'no difference; Chinese, Japanese and Korean are found by any part; one typing mistake is forgiven in words of five',
    'letters or more, unless an administrator has switched that off. A text without any words finds nothing.',
  ].join(' '),
  tag,
  access: 'series:read',
  query: Type.Object({
    q,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: resultsMax, default: resultsUsual, description: 'Results of each kind.' }),
    ),
  }),
  reply: SearchResults,
  example: {
    reply: {
      series: [],
      books: [],
      people: [{ id: '019aa3b2-6c7e-7000-8000-000000000050', name: 'Kiyohiko Azuma', count: 2, covers: [] }],
      collections: [],
      readlists: [],
    },
  },
})

export const suggestionKinds = ['series', 'book', 'person', 'collection', 'readlist'] as const
export const suggestionsMax = 10

/** Only series and books have these. */
const pictured = {
  libraryName: Type.Optional(Type.String({ description: 'Of a series or a book, as all that is optional here.' })),
  year: Type.Optional(Nullable(Type.Integer({ description: 'Of a series.' }))),
  unreadCount: Type.Optional({ ...Count, description: 'Of a series: books of it that you have not finished.' }),
  wantToRead: Type.Optional(Type.Boolean()),
  oneShot: Type.Optional(Type.Boolean()),
  authors: Type.Optional(Type.Array(Type.String(), { description: 'Who has written it.' })),
  coverVersion: Type.Optional(Type.String()),
  placeholder: Type.Optional(Nullable(Type.String({ description: 'Thumbhash of the cover, base64.' }))),
  tone: Type.Optional(toneOfCover),
}

/** With its title, the name of its series and its numbers make up the name of a book; the rest says how far it is read. */
const suggestedBook = {
  seriesId: Type.Optional(seriesIdOfBook),
  seriesName: Type.Optional(Type.String()),
  number: Type.Optional(bookNumbers.number),
  volume: Type.Optional(bookNumbers.volume),
  chapter: Type.Optional(bookNumbers.chapter),
  fileFormat: Type.Optional(OneOf(fileFormats)),
  pageCount: Type.Optional(Count),
  readProgress: Type.Optional(
    Nullable(
      record(
        { currentPage: Count, progressPercentage: Nullable(Type.Number()), completed: Type.Boolean() },
        { title: 'SuggestedProgress' },
      ),
    ),
  ),
}

export const Suggestions = record(
  {
    suggestions: Type.Array(
      record(
        {
          kind: OneOf(suggestionKinds),
          value: Type.String({ description: 'Its title or name.' }),
          id: Id,
          count: { ...Count, description: 'Books or series of it that you may see; of a book 1.' },
          covers: Type.Optional({ ...coversOfName, description: 'Of a person, a collection or a read list.' }),
          ...pictured,
          ...suggestedBook,
        },
        { title: 'Suggestion' },
      ),
      { maxItems: suggestionsMax },
    ),
  },
  { title: 'Suggestions' },
)
export type Suggestions = Static<typeof Suggestions>

export const suggest = endpoint('GET /api/v1/search/suggest', {
  summary: 'Suggest what somebody may be typing',
  description:
    'A few of each kind. Of the books, those that you have begun come first; a one-shot is told once, as a book.',
  tag,
  access: 'series:read',
  query: Type.Object({ q }),
  reply: Suggestions,
  example: {
    reply: {
      suggestions: [
        {
          kind: 'series',
          value: 'Yotsuba&!',
          id: '019aa3b2-6c7e-7000-8000-000000000030',
          count: 15,
          libraryName: 'Manga',
          year: 2003,
          unreadCount: 3,
          wantToRead: false,
          oneShot: false,
          authors: [],
          coverVersion: '0-1-90ab12cd',
          placeholder: null,
          tone: exampleTone,
        },
        { kind: 'person', value: 'Kiyohiko Azuma', id: '019aa3b2-6c7e-7000-8000-000000000050', count: 2, covers: [] },
      ],
    },
  },
})
