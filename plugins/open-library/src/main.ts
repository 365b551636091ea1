import {
  type BookMatchParams,
  type BookMetadata,
  type BookSearchParams,
  confidenceOf,
  decide,
  definePlugin,
  limits,
  type MatchReply,
  PluginError,
  run,
  type SearchReply,
  Type,
} from '@carrel/plugin-sdk'
import { bookOfEdition, bookOfWork, resultOf, resultOfEdition } from './answers.ts'
import { type Edition, idIn, openService, type Service } from './service.ts'

const resultsDefault = 10
const alternativesMax = 5

run(
  definePlugin({
    manifest: {
      name: 'open-library',
      displayName: 'Open Library',
      version: '0.1.0',
      description: 'Metadata of books from Open Library, by ISBN, title and author.',
      author: 'Carrel',
      homepage: 'https://openlibrary.org',
      searchURITemplate: 'https://openlibrary.org/search?q=<title>',
    },
    capabilities: { externalIdSource: 'api:openlibrary' },
    config: Type.Object({
      baseUrl: Type.String({
        title: 'Address',
        description: 'Of the service, when it is not the public one.',
        default: 'https://openlibrary.org',
      }),
      contact: Type.String({
        title: 'Contact',
        description: 'An address of yours that is sent with each request: Open Library asks for one.',
        default: '',
        examples: ['you@example.org'],
      }),
      timeoutSeconds: Type.Integer({
        title: 'Patience',
        description: 'How long one request may take, in seconds.',
        minimum: 1,
        maximum: 60,
        default: 10,
      }),
    }),
    start: ({ config, signal }) => {
      // A wrong address is reported at once.
      openService(config, signal)
      return (call: AbortSignal) => openService(config, call)
    },
    books: {
      search: (params, { state, signal }) => search(state(signal), params),
      get: ({ externalId }, { state, signal }) => get(state(signal), externalId),
      match: (params, { state, signal }) => match(state(signal), params),
    },
  }),
)

async function search(service: Service, { isbn, query, author, limit }: BookSearchParams): Promise<SearchReply> {
  const edition = isbn == null ? undefined : await editionOf(service, isbn)
  if (edition) return { results: [resultOfEdition(edition, await authorsOf(service, edition))] }
  if (query == null || query.trim() === '') return { results: [] }
  const count = Math.min(limit ?? resultsDefault, limits.results)
  const docs = await service.search(author == null ? { q: query } : { title: query, author }, count)
  return { results: docs.map((doc, index) => resultOf(doc, Math.round(1_000 * (1 - index / docs.length)) / 1_000)) }
}

async function get(service: Service, externalId: string): Promise<BookMetadata> {
  const id = idIn(externalId)
  if (id.endsWith('A')) throw new PluginError('not_found', `${id} is an author.`)
  if (id.endsWith('W')) {
    const work = await service.work(id)
    const keys = (work.authors ?? []).flatMap(({ author }) => author?.key ?? [])
    return bookOfWork(work, await service.authorNames(keys), service)
  }
  const edition = await service.edition(id)
  const workKey = edition.works?.[0]?.key
  const [work, authors] = await Promise.all([
    workKey === undefined ? undefined : service.work(idIn(workKey)),
    authorsOf(service, edition),
  ])
  return bookOfEdition(edition, work, authors, service)
}

async function match(service: Service, { title, authors, isbn, year }: BookMatchParams): Promise<MatchReply> {
  const edition = isbn == null ? undefined : await editionOf(service, isbn)
  if (edition) return { match: resultOfEdition(edition, await authorsOf(service, edition)), confidence: 1 }
  const author = authors?.[0]
  const docs = await service.search(author === undefined ? { title } : { title, author }, resultsDefault)
  const candidates = docs.map((doc) => ({
    doc,
    confidence: confidenceOf(
      { title, year, authors },
      { titles: [doc.title], year: doc.first_publish_year, authors: doc.author_name },
    ),
  }))
  const { ranked, confidence } = decide(candidates)
  const [best, ...others] = ranked.map((candidate) => resultOf(candidate.doc, candidate.confidence))
  return { match: best ?? null, confidence, alternatives: others.slice(0, alternativesMax) }
}

/** Nothing when the number is none, or is not known there: then the title decides. */
async function editionOf(service: Service, isbn: string): Promise<Edition | undefined> {
  const plain = isbn.replace(/[^0-9xX]/g, '').toUpperCase()
  if (!/^(\d{13}|\d{9}[\dX])$/.test(plain)) return undefined
  try {
    return await service.editionByIsbn(plain)
  } catch (error) {
    if (error instanceof PluginError && error.code === 'not_found') return undefined
    throw error
  }
}

function authorsOf(service: Service, { authors }: Edition): Promise<string[]> {
  return service.authorNames((authors ?? []).map(({ key }) => key))
}
