/** A plugin for tests: it does at once, late, wrong or never what it is asked for. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Log, PluginError, definePlugin, run } from '@carrel/plugin-sdk'
import { Type } from 'typebox'

const forever = new Promise<never>(() => {})

run(
  definePlugin({
    manifest: {
      name: 'everything',
      displayName: 'Everything',
      version: '1.2.3',
      description: 'For tests',
      author: 'Tests',
      requiredCredentials: [{ key: 'api_key', label: 'API key', required: false, sensitive: true }],
    },
    capabilities: { externalIdSource: 'api:everything' },
    config: Type.Object({
      greeting: Type.String({ title: 'Greeting', default: 'hello', description: 'What it begins with' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, examples: [5] })),
      words: Type.Optional(Type.Array(Type.String())),
    }),
    userConfig: Type.Object({ shout: Type.Optional(Type.Boolean()) }),
    start: ({ config, credentials, log }) => {
      if (config.greeting === 'never') throw new PluginError('config_error', 'It cannot begin with "never".')
      if (config.greeting === 'broken') throw new TypeError('start is broken')
      log.info('started with', { key: credentials['api_key'] })
      return { greeting: config.greeting, ended: 0 }
    },
    stop: async (state) => {
      process.stderr.write(`stopped after ${state.greeting}\n`)
      if (state.greeting === 'lingering') await forever
    },
    series: {
      search: async ({ query, limit }, { state, userConfig, signal, log, storage, userId }) => {
        switch (query) {
          case 'late':
            await wait(60_000, undefined, { signal }).catch(() => wait(50))
            await storage.set('ended', 'in order')
            return { results: [] }
          case 'deaf':
            return forever
          case 'print':
            // oxlint-disable-next-line no-console -- the point of it
            console.log('{"jsonrpc":"2.0","id":1,"result":"printed"}')
            process.stdout.write('written\n')
            return { results: [] }
          case 'memory':
            return { results: [{ externalId: '1', title: String(process.resourceUsage().maxRSS) }] }
          case 'huge':
            return { results: [{ externalId: '1', title: 'x'.repeat(1_100_000) }] }
          case 'nonsense':
            return { results: [{ externalId: '', title: 'x' }] }
          case 'levels':
            return tell(log)
        }
        const title = `${state.greeting} ${query} ${limit ?? 'all'} ${userId ?? 'everybody'}`
        return { results: [{ externalId: '1', title: userConfig.shout === true ? title.toUpperCase() : title }] }
      },
      get: ({ externalId }, { credentials }) => {
        if (externalId === 'limited') throw new PluginError('rate_limited', 'Later', { retryAfterSeconds: 12 })
        if (externalId === 'secret') throw new Error(`https://example.org/?key=${credentials['api_key']}`)
        throw new PluginError('not_found', `There is no series ${externalId}.`)
      },
    },
    recommendations: {
      get: async (_, { storage }) => {
        const before = Number((await storage.get('count')) ?? 0)
        await storage.set('count', before + 1, { expiresAt: new Date('2030-01-01T00:00:00Z') })
        const keys = (await storage.keys()).map(({ key }) => key)
        return { recommendations: [{ externalId: '1', title: keys.join(), score: 1, reason: `asked ${before} times` }] }
      },
      dismiss: async ({ externalId }, { storage }) => {
        await storage.set(externalId, 'x'.repeat(externalId === 'large' ? 1_000_000 : 10))
        return { dismissed: true }
      },
      clear: async (_, { storage }) => ({ cleared: (await storage.clear()) > 0 || (await storage.delete('none')) }),
    },
  }),
)

const tell = (log: Log): { results: [] } => {
  log.debug('of nobody’s interest')
  log.info('plain', { nested: ['a'] })
  log.warn('two\nlines and \u001b[31mcolour\u0007')
  log.error('loud', new Error('why'))
  return { results: [] }
}
