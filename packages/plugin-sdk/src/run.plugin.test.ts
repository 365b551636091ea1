import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PluginError } from './plugin-error.ts'
import {
  clearRecommendations,
  dismissRecommendation,
  errorCodes,
  getRecommendations,
  getSeries,
  initialize,
  limits,
  matchSeries,
  ping,
  searchBooks,
  searchSeries,
} from './protocol/index.ts'
import { type HostOptions, type TestHost, startPlugin } from './testing/index.ts'

const program = fileURLToPath(new URL('../test/everything.ts', import.meta.url))
const everything = (options?: HostOptions): Promise<TestHost> => startPlugin(program, options)
const refusalOf = async (call: Promise<unknown>): Promise<PluginError> => {
  const error: unknown = await call.then(
    () => undefined,
    (refused: unknown) => refused,
  )
  if (!(error instanceof PluginError)) throw new Error(`not refused: ${String(error)}`)
  return error
}

describe('PLG-1 a plugin made with the SDK', () => {
  test('says what it is: its parts are its abilities, its schema is the form', async () => {
    await using plugin = await everything()
    expect(plugin.manifest).toMatchObject({
      name: 'everything',
      protocolVersion: '1.0',
      capabilities: {
        metadataProvider: ['series'],
        userRecommendationProvider: true,
        externalIdSource: 'api:everything',
      },
      configSchema: {
        fields: [
          {
            key: 'greeting',
            label: 'Greeting',
            description: 'What it begins with',
            type: 'string',
            required: false,
            default: 'hello',
          },
          { key: 'limit', label: 'limit', type: 'number', required: false, example: 5 },
          { key: 'words', label: 'words', type: 'string-array', required: false },
        ],
      },
      userConfigSchema: { fields: [{ key: 'shout', type: 'boolean' }] },
    })
  })

  test('answers with what it was configured with, by administrator and user', async () => {
    await using plain = await everything()
    await using ours = await everything({
      adminConfig: { greeting: 'hi', unknown: 1 },
      userConfig: { shout: true },
      userId: 'ana',
    })
    await using older = await everything({ config: { greeting: 'hey', shout: true } })
    const search = async (plugin: TestHost) => (await plugin.call(searchSeries, { query: 'you' })).results[0]?.title
    expect(await search(plain)).toBe('hello you all everybody')
    expect(await search(ours)).toBe('HI YOU ALL ANA')
    expect(await search(older)).toBe('HEY YOU ALL EVERYBODY')
  })

  test.each([
    ['with the label of the field', { adminConfig: { limit: 0 } }, '"limit" must be >= 1'],
    ['of the right kind', { adminConfig: { greeting: 7 } }, '"Greeting" (greeting) must be string'],
    ['as the plugin says it', { adminConfig: { greeting: 'never' } }, 'It cannot begin with "never".'],
  ])('refuses a wrong configuration %s, and still says what it is', async (_, options, sentence) => {
    const { code, message, details } = await refusalOf(everything(options))
    expect(code).toBe('config_error')
    expect(message).toContain(sentence)
    expect(details?.['manifest']).toMatchObject({ name: 'everything', configSchema: { fields: [{}, {}, {}] } })
  })

  test('can be initialized again after it has failed, and only then', async () => {
    await using plugin = await everything({ initialize: 'no' })
    expect((await refusalOf(plugin.call(searchSeries, { query: 'a' }))).message).toContain('not initialized')
    expect((await refusalOf(plugin.call(initialize, { adminConfig: { greeting: 'broken' } }))).message).toBe(
      'The plugin has a fault: start is broken',
    )
    await plugin.call(initialize, {})
    expect((await refusalOf(plugin.call(initialize, {}))).message).toContain('initialized already')
  })

  test('refuses what it does not have and what makes no sense', async () => {
    await using plugin = await everything()
    expect((await refusalOf(plugin.call(searchBooks, { query: 'a' }))).code).toBe('method_not_found')
    expect((await refusalOf(plugin.call(matchSeries, { title: 'a' }))).code).toBe('method_not_found')
    expect(await refusalOf(plugin.call(searchSeries, { query: '' }))).toMatchObject({
      code: 'invalid_params',
      message: 'metadata/series/search: query must not have fewer than 1 characters.',
    })
  })

  test('says no with the codes of the protocol and their details', async () => {
    await using plugin = await everything()
    expect(await refusalOf(plugin.call(getSeries, { externalId: 'limited' }))).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 12 },
    })
    expect(await refusalOf(plugin.call(getSeries, { externalId: '4' }))).toMatchObject({
      code: 'not_found',
      message: 'There is no series 4.',
    })
  })

  test('what does not fit the protocol is a fault of the plugin, and does not leave it', async () => {
    await using plugin = await everything()
    expect((await refusalOf(plugin.call(searchSeries, { query: 'nonsense' }))).message).toContain(
      'results.0.externalId must not have fewer than 1 characters',
    )
    expect((await refusalOf(plugin.call(searchSeries, { query: 'huge' }))).message).toMatch(
      /The answer has 1100\d+ bytes; 1048576 are allowed/,
    )
    expect(await plugin.call(ping)).toBe('pong')
  })
})

describe('credentials', () => {
  const credentials = { api_key: 's3cr"t-key' }

  test.each([
    ['with the message', { credentials }],
    ['in the environment', { env: { API_KEY: 's3cr"t-key' } }],
  ])('arrive %s, and never stand in log or error', async (_, options) => {
    await using plugin = await everything(options)
    expect((await refusalOf(plugin.call(getSeries, { externalId: 'secret' }))).message).toBe(
      'The plugin has a fault: https://example.org/?key=[redacted]',
    )
    await plugin.stop()
    expect(plugin.log()).toContain('info: started with {"key":"[redacted]"}')
    expect(plugin.log()).not.toContain('s3cr')
  })
})

describe('the streams', () => {
  test('what a library prints becomes a line of the log', async () => {
    await using plugin = await everything()
    await plugin.call(searchSeries, { query: 'print' })
    await plugin.stop()
    expect(plugin.log()).toContain('"result":"printed"')
    expect(plugin.log()).toContain('written')
  })

  test('an entry of the log is one line, of the level that is wanted', async () => {
    await using plugin = await everything({ logLevel: 'info' })
    await plugin.call(searchSeries, { query: 'levels' })
    await plugin.stop()
    const lines = plugin.log().trimEnd().split('\n')
    expect(lines).toContain('info: plain {"nested":["a"]}')
    expect(lines).toContain('warn: two | lines and  [31mcolour ')
    expect(lines.filter((line) => line.startsWith('error: loud Error: why'))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('of nobody’s interest'))).toEqual([])
  })

  test('an unreadable line is answered, and the next one is read', async () => {
    await using plugin = await everything()
    plugin.send('{"jsonrpc":\n')
    expect(await plugin.nextStray()).toMatchObject({
      kind: 'error',
      id: undefined,
      error: { code: errorCodes.parse_error },
    })
    plugin.send('\n  \r\n[]\n')
    expect(await plugin.nextStray()).toMatchObject({ kind: 'error', error: { code: errorCodes.invalid_request } })
    plugin.send('{"jsonrpc":"2.0","method":"cancelled"}\n{"jsonrpc":"2.0","id":"x","result":1}\n')
    expect(await plugin.call(ping)).toBe('pong')
  })

  test('a message may come in pieces, and several at once', async () => {
    await using plugin = await everything()
    const bytes = '{"jsonrpc":"2.0","id":"p","method":"metadata/series/search","params":{"query":"日本"}}\n'
    for (const part of bytes.match(/[^]{1,7}/gu) ?? []) plugin.send(part)
    expect(await plugin.nextStray()).toMatchObject({
      id: 'p',
      result: { results: [{ title: 'hello 日本 all everybody' }] },
    })
    plugin.send('{"jsonrpc":"2.0","id":"a","method":"ping"}\n{"jsonrpc":"2.0","id":"b","method":"ping"}\n')
    expect([await plugin.nextStray(), await plugin.nextStray()]).toMatchObject([{ id: 'a' }, { id: 'b' }])
  })

  test('a line beyond the limit is passed over without being held', async () => {
    await using plugin = await everything()
    const kilobytes = async () => Number((await plugin.call(searchSeries, { query: 'memory' })).results[0]?.title)
    const before = await kilobytes()
    const piece = 'x'.repeat(8_388_608)
    for (let sent = 0; sent <= limits.lineFromHostBytes * 8; sent += piece.length) plugin.send(piece)
    plugin.send('\n')
    expect(await plugin.nextStray()).toMatchObject({
      error: { message: expect.stringContaining('passed over') as string },
    })
    expect((await kilobytes()) - before).toBeLessThan((limits.lineFromHostBytes * 4) / 1024)
  })

  test('more calls than allowed are refused, and ping is answered all the same', async () => {
    await using plugin = await everything()
    const line = (id: number) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'metadata/series/search', params: { query: 'deaf' } })}\n`
    for (let id = 1; id <= limits.openCalls + 1; id += 1) plugin.send(line(1_000 + id))
    expect(await plugin.nextStray()).toMatchObject({
      id: 1_000 + limits.openCalls + 1,
      error: { message: '32 calls are open already.' },
    })
    expect(await plugin.call(ping)).toBe('pong')
  })
})

describe('storage', () => {
  test('is kept at the host, and each call says in whose course it is made', async () => {
    await using plugin = await everything()
    await plugin.call(getRecommendations, { library: [] })
    const { recommendations } = await plugin.call(getRecommendations, { library: [], excludeIds: [] })
    expect(recommendations).toMatchObject([{ title: 'count', reason: 'asked 1 times' }])
    expect(plugin.storage.get('count')).toEqual({ data: 2, expiresAt: '2030-01-01T00:00:00.000Z' })
    expect(plugin.requests.map(({ method, parentRequestId }) => [method, parentRequestId])).toEqual([
      ['storage/get', 2],
      ['storage/set', 2],
      ['storage/list', 2],
      ['storage/get', 3],
      ['storage/set', 3],
      ['storage/list', 3],
    ])
    expect(await plugin.call(clearRecommendations)).toEqual({ cleared: true })
    expect(await plugin.call(clearRecommendations)).toEqual({ cleared: false })
  })

  test('a value that is too large does not leave the plugin', async () => {
    await using plugin = await everything()
    expect((await refusalOf(plugin.call(dismissRecommendation, { externalId: 'large' }))).message).toContain(
      '"large" has 1000002 bytes; 1000000 can be kept',
    )
    expect(plugin.requests).toEqual([])
  })
})

describe('the end', () => {
  test('calls under way may finish and use the host, then the plugin cleans up, then it answers and is gone', async () => {
    await using plugin = await everything({ adminConfig: { greeting: 'tea' } })
    const late = plugin.call(searchSeries, { query: 'late' })
    await plugin.call(ping)
    expect(await plugin.stop()).toEqual({ code: 0, signal: null })
    expect(await late).toEqual({ results: [] })
    expect(plugin.storage.get('ended')?.data).toBe('in order')
    expect(plugin.log()).toContain('stopped after tea')
  })

  test('one that does not finish is ended before the host would kill it', async () => {
    await using plugin = await everything({ adminConfig: { greeting: 'lingering' } })
    const deaf = refusalOf(plugin.call(searchSeries, { query: 'deaf' }))
    expect(await plugin.stop()).toEqual({ code: 0, signal: null })
    expect(plugin.log()).toContain('warn: The plugin was not done in time')
    expect((await deaf).message).toContain('The plugin has ended (0)')
  })

  test.each([
    ['its input ends', (plugin: TestHost) => plugin.closeInput()],
    ['it is told to by the system', (plugin: TestHost) => plugin.kill('SIGTERM')],
  ])('it cleans up when %s', async (_, leave) => {
    await using plugin = await everything({ adminConfig: { greeting: 'tea' } })
    leave(plugin)
    expect(await plugin.ended).toEqual({ code: 0, signal: null })
    expect(plugin.log()).toContain('stopped after tea')
  })
})
