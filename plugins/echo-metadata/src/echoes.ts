import {
  type BookMetadata,
  type ErrorName,
  PluginError,
  type SearchResult,
  type SeriesMetadata,
  errorCodes,
} from '@carrel/plugin-sdk'

const site = 'https://echo.example'
const year = 2_001

/** `!rate_limited` asks for that refusal: how a host takes each of them can be tried. */
export const refuseIfRequested = (words: string): void => {
  const code = words.startsWith('!') ? words.slice(1) : ''
  if (!isErrorName(code)) return
  throw new PluginError(code, `You asked for ${code}.`, code === 'rate_limited' ? { retryAfterSeconds: 7 } : undefined)
}

const isErrorName = (word: string): word is ErrorName => Object.hasOwn(errorCodes, word)

/** The id contains the request, so that `get` can echo it. */
export const resultOf = (words: string, position: number): SearchResult => ({
  externalId: `echo:${position}:${words}`,
  title: position === 1 ? words : `${words} ${position}`,
  alternateTitles: [`Echo of ${words}`],
  year,
  coverUrl: `${site}/covers/${position}.jpg`,
  relevanceScore: 1 / position,
  preview: {
    status: 'ended',
    genres: ['Echo'],
    rating: 8,
    description: `What was asked: ${words}`,
    bookCount: position,
    authors: ['Echo'],
    format: 'comic',
  },
})

const whatBothHave = (externalId: string) => {
  const [, kind, position, words] = /^(echo):(\d+):(.*)$/s.exec(externalId) ?? []
  if (kind === undefined || words === undefined) throw new PluginError('not_found', `There is no echo "${externalId}".`)
  const url = `${site}/${encodeURIComponent(externalId)}`
  return {
    externalId,
    externalUrl: url,
    title: resultOf(words, Number(position)).title,
    alternateTitles: [{ title: `Echo of ${words}`, language: 'en', titleType: 'english' }],
    summary: `What was asked: ${words}`,
    year,
    language: 'en',
    genres: ['Echo'],
    tags: ['test'],
    authors: [{ name: 'Echo Author', role: 'author', sortName: 'Author, Echo' }],
    artists: ['Echo Artist'],
    publisher: 'Echo House',
    coverUrl: `${site}/covers/${position}.jpg`,
    rating: { score: 80, voteCount: 10, source: 'echo' },
    externalRatings: [{ score: 80, voteCount: 10, source: 'echo' }],
    externalLinks: [{ url, label: 'Echo', linkType: 'provider' }],
    externalIds: [{ source: 'api:echo', externalId }],
  }
}

export const seriesOf = (externalId: string): SeriesMetadata => ({
  ...whatBothHave(externalId),
  status: 'ended',
  totalVolumeCount: 3,
  totalChapterCount: 12.5,
  ageRating: 12,
  readingDirection: 'ltr',
})

export const bookOf = (externalId: string): BookMetadata => ({
  ...whatBothHave(externalId),
  subtitle: 'An echo',
  bookType: 'comic',
  volume: 1,
  pageCount: 100,
  releaseDate: '2001-02-03',
  isbn: '9780306406157',
  isbns: ['9780306406157', '0306406152'],
  seriesPosition: 1,
  seriesTotal: 3,
  subjects: ['Echoes'],
  covers: [{ url: `${site}/covers/large.jpg`, width: 1_000, height: 1_500, size: 'large' }],
  awards: [{ name: 'Echo Prize', year, category: 'Best', won: true }],
})
