import {
  confidenceOf,
  decide,
  definePlugin,
  limits,
  type Log,
  type MatchReply,
  PluginError,
  run,
  type SearchResult,
  type Sought,
  Type,
} from '@carrel/plugin-sdk'
import { bookOf, resultOf, seriesOf } from './answers.ts'
import { type Catalogue, findById, findByIsbn, findByTitle, openCatalogue, readRows, versionOf } from './catalogue.ts'
import type { Entry } from './entry.ts'

const resultsDefault = 10
const matchCandidates = 10
const alternativesMax = 5

run(
  definePlugin({
    manifest: {
      name: 'local-catalogue',
      displayName: 'Catalogue file',
      version: '0.1.0',
      description: 'Metadata of series and books from a JSON or CSV file of your own.',
      author: 'Carrel',
    },
    config: Type.Object({
      file: Type.String({
        title: 'Catalogue',
        description:
          'Where the file is on the server: .json, .jsonl, .csv or .tsv. It is read again when it has changed.',
        examples: ['/srv/catalogue.csv'],
        minLength: 1,
      }),
    }),
    start: async ({ config, log }) => keepUpToDate(config.file, await openCatalogue(config.file, log), log),
    series: {
      search: async ({ query, limit }, { state }) => search(await state(), query, 'series', limit),
      get: async ({ externalId }, { state }) => seriesOf(await entryOf(await state(), externalId, 'series')),
      match: async ({ title, year, author }, { state }) =>
        match(await state(), { title, year, authors: author == null ? [] : [author] }, 'series'),
    },
    books: {
      search: async ({ isbn, query, author, limit }, { state }) => {
        const catalogue = await state()
        const bookRow = isbn == null ? undefined : findByIsbn(catalogue, isbn)
        if (bookRow !== undefined)
          return { results: (await readRows(catalogue, [bookRow])).map((row) => resultOf(row, 1)) }
        const reply = await search(catalogue, query ?? '', 'book', limit)
        return author == null ? reply : { results: reply.results.toSorted(byAuthor(author)) }
      },
      get: async ({ externalId }, { state }) => bookOf(await entryOf(await state(), externalId, 'book')),
      match: async ({ title, authors, isbn, year }, { state }) => {
        const catalogue = await state()
        const row = isbn == null ? undefined : findByIsbn(catalogue, isbn)
        if (row === undefined) return match(catalogue, { title, year, authors }, 'book')
        const [book] = await readRows(catalogue, [row])
        return { match: book ? resultOf(book, 1) : null, confidence: book ? 1 : 0 }
      },
    },
  }),
)

/** The catalogue as the file is now: read again, once, when it has changed. */
function keepUpToDate(path: string, first: Catalogue, log: Log): () => Promise<Catalogue> {
  let current = Promise.resolve(first)
  let version = first.version
  return async () => {
    const now = await versionOf(path).catch(() => 'gone')
    if (now !== version) {
      version = now
      current = openCatalogue(path, log)
      // A version that was not read is read again with the next call.
      current.catch(() => (version = 'failed'))
    }
    return current
  }
}

async function search(
  catalogue: Catalogue,
  query: string,
  type: Entry['type'],
  limit = resultsDefault as number | null,
) {
  const matches = findByTitle(catalogue, query, type, Math.min(limit ?? resultsDefault, limits.results))
  const entries = await readRows(
    catalogue,
    matches.map(({ row }) => row),
  )
  return { results: entries.map((entry, index) => resultOf(entry, matches[index]?.likeness ?? 0)) }
}

async function match(catalogue: Catalogue, sought: Sought, type: Entry['type']): Promise<MatchReply> {
  const matches = findByTitle(catalogue, sought.title, type, matchCandidates)
  const entries = await readRows(
    catalogue,
    matches.map(({ row }) => row),
  )
  const candidates = entries.map((entry) => {
    const titles = [entry.title, ...entry.alternateTitles]
    return { entry, confidence: confidenceOf(sought, { titles, year: entry.numbers.year, authors: entry.authors }) }
  })
  const { ranked, confidence } = decide(candidates)
  const [best, ...others] = ranked.map((candidate) => resultOf(candidate.entry, candidate.confidence))
  return { match: best ?? null, confidence, alternatives: others.slice(0, alternativesMax) }
}

async function entryOf(catalogue: Catalogue, id: string, type: Entry['type']): Promise<Entry> {
  const row = findById(catalogue, id, type)
  const [entry] = row === undefined ? [] : await readRows(catalogue, [row])
  if (!entry) throw new PluginError('not_found', `The catalogue has no ${type} "${id}".`)
  return entry
}

/** Rows by this author come first; otherwise the order stays. */
function byAuthor(author: string) {
  const isBy = ({ preview }: SearchResult): number =>
    confidenceOf({ title: author }, { titles: preview?.authors ?? [] }) > 0.7 ? 0 : 1
  return (a: SearchResult, b: SearchResult): number => isBy(a) - isBy(b)
}
