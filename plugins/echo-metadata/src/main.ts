import { definePlugin, redact, run, Type } from '@carrel/plugin-sdk'
import { bookOf, refuseIfRequested, resultOf, seriesOf } from './echoes.ts'

run(
  definePlugin({
    manifest: {
      name: 'echo-metadata',
      displayName: 'Echo (metadata)',
      version: '0.1.0',
      description: 'Answers every question about metadata with the question, and logs what it is sent.',
      author: 'Carrel',
    },
    config: Type.Object({
      results: Type.Integer({ title: 'Results', description: 'Of each search.', minimum: 0, maximum: 100, default: 3 }),
    }),
    start: ({ config, userConfig, credentials, dataDir, userId, log }) => {
      log.info('initialize', redact({ config, userConfig, credentials, dataDir, userId }))
    },
    series: {
      search: (params, { config, log }) => {
        log.info('metadata/series/search', params)
        refuseIfRequested(params.query)
        return { results: resultsOf(params.query, params.limit ?? config.results) }
      },
      get: (params, { log }) => {
        log.info('metadata/series/get', params)
        return seriesOf(params.externalId)
      },
      match: (params, { log }) => {
        log.info('metadata/series/match', params)
        refuseIfRequested(params.title)
        return {
          match: { ...resultOf(params.title, 1), year: params.year },
          confidence: 1,
          alternatives: [resultOf(params.title, 2)],
        }
      },
    },
    books: {
      search: (params, { config, log }) => {
        log.info('metadata/book/search', params)
        const words = params.isbn ?? params.query ?? ''
        refuseIfRequested(words)
        return { results: resultsOf(words, params.limit ?? config.results) }
      },
      get: (params, { log }) => {
        log.info('metadata/book/get', params)
        return bookOf(params.externalId)
      },
      match: (params, { log }) => {
        log.info('metadata/book/match', params)
        refuseIfRequested(params.title)
        return { match: resultOf(params.title, 1), confidence: params.isbn == null ? 0.5 : 1 }
      },
    },
  }),
)

const resultsOf = (words: string, count: number) =>
  Array.from({ length: count }, (_, index) => resultOf(words, index + 1))
