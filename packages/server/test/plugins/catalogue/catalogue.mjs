import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** It knows what it is configured with, for tests: `entries`, each with what it says of a series or a book. */
let entries = []
let tooOften = 0
let perTurn = 0
let counted = 'match'
let asked = 0
const say = (message) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const resultOf = ({ externalId, title, year, coverUrl, relevanceScore }) => ({
  externalId,
  title,
  year,
  coverUrl,
  relevanceScore,
})
const named = (title) => entries.filter((each) => each.title.toLowerCase().includes(title.toLowerCase()))

const answers = {
  initialize: ({ adminConfig = {} }) => {
    entries = adminConfig.entries ?? []
    tooOften = adminConfig.tooOften ?? 0
    perTurn = adminConfig.perTurn ?? 0
    counted = adminConfig.counted ?? 'match'
    return {
      name: 'catalogue',
      displayName: 'Catalogue',
      version: '1.0.0',
      protocolVersion: '1.0',
      capabilities: { metadataProvider: ['series', 'book'], externalIdSource: 'api:catalogue' },
    }
  },
  ping: () => 'pong',
  shutdown: () => null,
  search: ({ query, isbn }) => {
    if (isbn === undefined) return { results: named(query ?? '').map(resultOf) }
    return { results: entries.filter(({ isbns = [], sloppy }) => sloppy || isbns.includes(isbn)).map(resultOf) }
  },
  match: ({ title }) => {
    const [best, ...others] = named(title)
    if (!best) return { match: null, confidence: 0 }
    return { match: resultOf(best), confidence: best.confidence ?? 1, alternatives: others.map(resultOf) }
  },
  get: ({ externalId }) => entries.find((each) => each.externalId === externalId),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (method.endsWith(`/${counted}`) && perTurn > 0 && (asked += 1) % (perTurn + 1) === 0)
    return say({ id, error: { code: -32001, message: 'Too often.', data: { retryAfterSeconds: 60 } } })
  if (method.endsWith('/match') && tooOften > 0) {
    tooOften -= 1
    return say({ id, error: { code: -32001, message: 'Too often.', data: { retryAfterSeconds: 1 } } })
  }
  const result = answers[method.split('/').at(-1)]?.(params)
  if (result === undefined) return say({ id, error: { code: -32002, message: 'There is no such thing.' } })
  say({ id, result })
  if (method === 'shutdown') process.exit(0)
})
