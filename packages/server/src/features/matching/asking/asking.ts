import type { MatchCandidate } from '@carrel/api'
import type { BookMetadata, MatchReply, SearchReply, SearchResult, SeriesMetadata } from '@carrel/plugin-sdk/protocol'
import { cleanIsbn, cleanLine, cleanList, cleanSummary } from '../../../formats/metadata/clean-text.ts'
import { cutText } from '../../../platform/text/cut-text.ts'
import { AppError } from '../../../platform/errors.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import { type Entity, externalIdsIn } from '../../../catalogue/metadata/metadata.ts'
import { confidenceOf } from './confidence.ts'
import { idSourceOf, type Provider } from './providers.ts'

/** A question of the protocol, from a request or from a task: its answer fits it, or there is a `PluginFault`. */
export type Ask = (method: string, params: unknown) => Promise<unknown>

/** What a plugin is told of a series or a book. */
export interface ShownMetadata {
  readonly title: string
  readonly year: number | null
  /** JSON: all that is shown of it. */
  readonly metadata: string
}

export const shownMetadataOf = ({
  title,
  metadata,
}: {
  readonly title: string
  readonly metadata: string
}): ShownMetadata => {
  const { year } = JSON.parse(metadata) as { year?: number }
  return { title, year: year ?? null, metadata }
}

export interface Best {
  readonly match: SearchResult | null
  readonly confidence: number
  readonly alternatives: readonly SearchResult[]
  /** All it says of it, where it had to say that already. */
  readonly metadata?: SeriesMetadata | BookMetadata
}

interface SearchOptions {
  readonly query?: string
  /** Only books have one. */
  readonly isbn?: string
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export const searchFor = async (ask: Ask, entity: Entity, options: SearchOptions): Promise<SearchReply> => {
  const params = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const reply = (await ask(`metadata/${entity}/search`, params)) as SearchReply
  return { ...reply, results: reply.results.slice(0, options.limit ?? resultsMax) }
}

export const getOne = async (ask: Ask, entity: Entity, externalId: string): Promise<SeriesMetadata | BookMetadata> =>
  (await ask(`metadata/${entity}/get`, { externalId })) as SeriesMetadata | BookMetadata

interface MatchQuery {
  readonly entity: Entity
  readonly provider: Provider
  readonly shown: ShownMetadata
  /** How its administrator wants it to be asked. */
  readonly query: string
  readonly refused: ReadonlySet<string>
}

const resultsMax = 100
const alternativesMax = 10

/**
 * What it is by its own id, if that is known; what bears its ISBN; else what the plugin takes it for; else the best of
 * what it finds. What was refused is no answer.
 */
export const bestMatch = async (ask: Ask, matchQuery: MatchQuery): Promise<Best> => {
  const { entity, provider, shown, query, refused } = matchQuery
  const own = ownId(provider, shown.metadata)
  if (own !== undefined && !refused.has(own)) return { match: { externalId: own, title: shown.title }, ...certain }
  const sure = entity === 'book' ? await byIsbn(ask, matchQuery) : undefined
  if (sure) return sure
  const limit = provider.options.internalConfig?.searchResultsLimit ?? undefined
  const scored = await (provider.options.searchQueryTemplate == null
    ? matchOrSearch(ask, { entity, shown, query, limit })
    : bySearch(ask, { entity, shown, query, limit }))
  const [match = null, ...alternatives] = scored.filter(({ result }) => !refused.has(result.externalId))
  return {
    match: match?.result ?? null,
    confidence: match?.confidence ?? 0,
    alternatives: alternatives.slice(0, alternativesMax).map(({ result }) => result),
  }
}

const certain = { confidence: 1, alternatives: [] }

const ownId = (provider: Provider, metadata: string): string | undefined => {
  if (provider.options.useExistingExternalId === false) return undefined
  const source = idSourceOf(provider)
  return externalIdsIn(metadata).find((each) => each.source === source)?.id
}

const isbnResultsMax = 5

/** Certain only if what the plugin says of it bears the same number: some answer with anything of that title. */
const byIsbn = async (ask: Ask, { shown, refused }: MatchQuery): Promise<Best | undefined> => {
  const { isbns = [] } = JSON.parse(shown.metadata) as { isbns?: readonly string[] }
  const [isbn] = isbns
  if (isbn === undefined) return undefined
  try {
    const { results } = await searchFor(ask, 'book', { isbn, limit: isbnResultsMax })
    const [match, ...alternatives] = results.filter(({ externalId }) => !refused.has(externalId))
    if (!match) return undefined
    const metadata = (await getOne(ask, 'book', match.externalId)) as BookMetadata
    const isbnKeys = new Set(isbns.map(sameIsbn))
    const isIt = [metadata.isbn, ...(metadata.isbns ?? [])].some((each) => each != null && isbnKeys.has(sameIsbn(each)))
    return isIt ? { match, metadata, confidence: 1, alternatives } : undefined
  } catch (error) {
    // It may do without.
    if (error instanceof PluginFault && (error.code === 'RPC_ERROR' || error.code === 'NOT_FOUND')) return undefined
    throw error
  }
}

const sameIsbn = (isbn: string): string => cleanIsbn(isbn) ?? isbn

interface Question {
  readonly entity: Entity
  readonly shown: ShownMetadata
  readonly query: string
  readonly limit: number | undefined
}

interface Scored {
  readonly result: SearchResult
  readonly confidence: number
}

const matchOrSearch = async (ask: Ask, question: Question): Promise<readonly Scored[]> => {
  const { entity, shown } = question
  try {
    const reply = (await ask(`metadata/${entity}/match`, paramsOf(question))) as MatchReply
    const confidence = Math.min(1, Math.max(0, reply.confidence))
    const best = reply.match ? [{ result: reply.match, confidence }] : []
    return [
      ...best,
      ...(reply.alternatives ?? []).map((result) => ({ result, confidence: confidenceOf(shown, result) })),
    ]
  } catch (error) {
    // It may do without.
    if (error instanceof PluginFault && error.code === 'RPC_ERROR') return bySearch(ask, question)
    throw error
  }
}

const paramsOf = ({ entity, shown, query }: Question) => {
  const {
    authors = [],
    isbns = [],
    publisher,
  } = JSON.parse(shown.metadata) as {
    authors?: readonly { name: string }[]
    isbns?: readonly string[]
    publisher?: string
  }
  const shared = { title: query, ...(shown.year !== null && { year: shown.year }) }
  const [author] = authors
  const [isbn] = isbns
  return entity === 'series'
    ? { ...shared, ...(author && { author: author.name }) }
    : {
        ...shared,
        ...(authors.length > 0 && { authors: authors.slice(0, alternativesMax).map(({ name }) => name) }),
        ...(isbn !== undefined && { isbn }),
        ...(publisher !== undefined && { publisher }),
      }
}

const bySearch = async (ask: Ask, { entity, shown, query, limit }: Question): Promise<readonly Scored[]> => {
  const { results } = await searchFor(ask, entity, { query, limit })
  return results
    .map((result) => ({ result, confidence: confidenceOf(shown, result) }))
    .sort((one, other) => other.confidence - one.confidence)
}

/** A candidate is kept without addresses of ours: they are good for one person, and not for long. */
export type Candidate = Omit<MatchCandidate, 'coverProxyUrl'>

/** Bounded, clean, and only addresses of the web. */
export const toCandidate =
  (refused: ReadonlySet<string>) =>
  (result: SearchResult): Candidate => ({
    externalId: result.externalId.slice(0, 500),
    title: cleanLine(result.title, 500) ?? result.externalId.slice(0, 500),
    alternateTitles: [...cleanList(result.alternateTitles ?? [], 500)].slice(0, alternativesMax),
    year: result.year ?? null,
    coverUrl: webAddress(result.coverUrl),
    relevanceScore: result.relevanceScore == null ? null : Math.min(1, Math.max(0, result.relevanceScore)),
    refused: refused.has(result.externalId),
    preview: result.preview ? previewIn(result.preview) : null,
  })

/** Whatever else it may be is not for anybody to click on. */
export const webAddress = (url: string | null | undefined): string | null =>
  url != null && url.length <= 2000 && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null

const previewListMax = 20

const previewIn = (preview: NonNullable<SearchResult['preview']>): NonNullable<MatchCandidate['preview']> => ({
  status: cleanLine(preview.status ?? undefined, 50) ?? null,
  genres: cleanList(preview.genres ?? []).slice(0, previewListMax),
  rating: preview.rating ?? null,
  description: cutText(cleanSummary(preview.description ?? undefined) ?? '', 2000) || null,
  bookCount: preview.bookCount ?? null,
  authors: cleanList(preview.authors ?? []).slice(0, previewListMax),
  format: cleanLine(preview.format ?? undefined, 50) ?? null,
})

/** For whoever asked: a plugin that does not answer is no fault of theirs, nor of ours. */
export const asRefusal = (error: unknown, { displayName }: Pick<Provider, 'displayName'>): unknown => {
  if (!(error instanceof PluginFault)) return error
  const { code, message, retryAfterSeconds = 10 } = error
  if (code === 'NOT_FOUND') return new AppError('not_found', `${displayName} does not know it.`, { cause: error })
  return new AppError('unavailable', `${displayName} has no answer (${code}): ${message}`, {
    cause: error,
    retryAfterSeconds,
    reason: 'plugin_failed',
    values: { plugin: displayName, code, message },
  })
}
