import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * It recommends what its administrator has configured, which may be anything; with `tells` it recommends each series it
 * gets, and says what it knows of it; with `fails` it fails. It reports its credentials as a hash, and its service
 * refuses whatever has one of `refuses` in it. With `keeps` it stores a last word while it ends.
 */
let config = {}
let userConfig = {}
let credentials = {}
const dismissed = []
let ending

const say = (message) => writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

const manifest = () => ({
  name: 'recommends',
  displayName: 'Recommends',
  version: '1.0.0',
  protocolVersion: '1.0',
  capabilities: {
    userRecommendationProvider: true,
    wantsFullMetadata: true,
    ...(config.source && { externalIdSource: config.source }),
  },
  userConfigSchema: { fields: [{ key: 'mood', label: 'Mood', type: 'string' }] },
  ...(config.oauth && {
    oauth: { authorizationUrl: 'https://example.org/a', tokenUrl: 'https://example.org/t', ...config.oauth },
  }),
  ...(config.asks && { requiredCredentials: config.asks }),
})

const hashOf = (text) => text && createHash('sha256').update(text).digest('hex')
const trusted = () =>
  (config.oauth || config.asks) && {
    names: Object.keys(credentials).sort(),
    token: hashOf(credentials.access_token),
    variable: hashOf(process.env.ACCESS_TOKEN),
  }

const told = ({ library, excludeIds }) => [
  ...library.map((entry) => ({
    externalId: entry.seriesId,
    codexSeriesId: entry.seriesId,
    inLibrary: true,
    title: entry.title,
    score: 0.5,
    reason: JSON.stringify(entry).slice(0, 900),
    basedOn: library.filter(({ readingStatus }) => readingStatus === 'completed').map(({ title }) => title),
  })),
  {
    externalId: 'told',
    title: 'Told',
    score: 0,
    reason: JSON.stringify({ excludeIds, dismissed, userConfig, trusted: trusted() }),
  },
]

const answers = {
  initialize: ({ adminConfig, userConfig: own, credentials: given = {} }) => {
    config = adminConfig
    userConfig = own
    credentials = given
    return manifest()
  },
  ping: () => 'pong',
  shutdown: () => null,
  'recommendations/get': (params) => ({
    recommendations: config.tells ? told(params) : config.recommendations,
  }),
  'recommendations/dismiss': (params) => {
    dismissed.push(params)
    return { dismissed: true }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (config.keeps && method === 'shutdown') {
    ending = id
    return say({ id: 'last', method: 'storage/set', params: { key: 'last', data: 'word' } })
  }
  if (method === undefined) {
    say({ id: ending, result: null })
    process.exit(0)
  }
  if (config.fails && method.startsWith('recommendations/'))
    return say({ id, error: { code: -32004, message: 'Nobody is there.' } })
  const token = credentials.access_token ?? ''
  if (method.startsWith('recommendations/') && config.refuses?.some((part) => token.includes(part)))
    return say({ id, error: { code: -32003, message: `Who is ${token}?` } })
  if (config.cannot?.includes(method)) return say({ id, error: { code: -32601, message: 'What?' } })
  say({ id, result: answers[method]?.(params) ?? null })
  if (method === 'shutdown') process.exit(0)
})
