import { fileURLToPath } from 'node:url'
import { getBook, matchBook, searchBooks } from '@carrel/plugin-sdk'
import { startPlugin } from '@carrel/plugin-sdk/testing'
import { describe, expect, test } from 'vitest'
import { startRecorded } from '../test/recorded.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const pluginFor = (baseUrl: string) =>
  startPlugin(program, { adminConfig: { baseUrl, contact: 'me@example.org', timeoutSeconds: 3 } })

describe('PLG-1 Open Library', () => {
  test('is searched by words, by title and author, and by number', async () => {
    await using service = await startRecorded()
    await using plugin = await pluginFor(service.address)
    expect((await plugin.call(searchBooks, { query: 'night train', limit: 5 })).results).toMatchObject([
      {
        externalId: 'OL100W',
        title: 'Night Train',
        year: 1999,
        coverUrl: 'https://covers.openlibrary.org/b/id/71-M.jpg',
        preview: { authors: ['Ana Kovač'] },
      },
      { externalId: 'OL101W' },
    ])
    await plugin.call(searchBooks, { query: 'night train', author: 'Ana', limit: 5 })
    expect((await plugin.call(searchBooks, { isbn: '978-0-306-40615-7' })).results).toMatchObject([
      { externalId: 'OL55M', title: 'Nachtzug', year: 2003, preview: { authors: ['Ana Kovač'] } },
    ])
    expect(service.requests.map(({ url }) => decodeURIComponent(url))).toEqual([
      expect.stringMatching(/^\/search\.json\?q=night\+train&fields=key.*&limit=5$/) as string,
      expect.stringMatching(/^\/search\.json\?title=night\+train&author=Ana&/) as string,
      '/isbn/9780306406157.json',
      '/books/OL55M.json',
      '/authors/OL7A.json',
    ])
    expect(service.requests[0]?.agent).toBe('Carrel open-library plugin (me@example.org)')
  })

  test('tells of works and of editions', async () => {
    await using service = await startRecorded()
    await using plugin = await pluginFor(`${service.address}/`)
    expect(await plugin.call(getBook, { externalId: 'OL100W' })).toMatchObject({
      externalUrl: `${service.address}/works/OL100W`,
      title: 'Night Train',
      summary: 'Two people on a train.',
      year: 1999,
      subjects: ['Railways', 'Crime'],
      authors: [{ name: 'Ana Kovač', role: 'author' }],
      covers: [{ url: 'https://covers.openlibrary.org/b/id/71-L.jpg' }],
      externalIds: [{ source: 'api:openlibrary', externalId: 'OL100W' }],
    })
    expect(await plugin.call(getBook, { externalId: 'OL55M' })).toMatchObject({
      title: 'Nachtzug',
      subtitle: 'Roman',
      originalTitle: 'Night Train',
      originalYear: 1999,
      year: 2003,
      publisher: 'Haus',
      pageCount: 321,
      language: 'de',
      isbn: '9780306406157',
      isbns: ['9780306406157', '0306406152'],
      summary: 'Two people on a train.',
    })
  })

  test('is matched by number, else by title, year and author', async () => {
    await using service = await startRecorded()
    await using plugin = await pluginFor(service.address)
    expect(await plugin.call(matchBook, { title: 'x', isbn: '9780306406157' })).toMatchObject({
      match: { externalId: 'OL55M' },
      confidence: 1,
    })
    expect(
      await plugin.call(matchBook, { title: 'Night Train', isbn: '0000000000', authors: ['Kovač, Ana'], year: 1999 }),
    ).toMatchObject({ match: { externalId: 'OL100W' }, confidence: 1, alternatives: [{ externalId: 'OL101W' }] })
    expect((await plugin.call(matchBook, { title: 'Night Train', year: 1950 })).confidence).toBeLessThan(0.8)
    expect(await plugin.call(matchBook, { title: 'None' })).toMatchObject({ match: null, confidence: 0 })
  })
})

describe('what the service does wrong is said in the words of the protocol', () => {
  test.each([
    ['wants fewer requests', 'OL429W', 'rate_limited', /wants fewer/, 17],
    ['wants fewer requests until a date', 'OL430W', 'rate_limited', /wants fewer/, expect.closeTo(90, -1)],
    ['wants fewer requests and says no more', 'OL431W', 'rate_limited', /wants fewer/, 60],
    ['is away for a while', 'OL503W', 'rate_limited', /wants fewer/, 5],
    ['fails', 'OL500W', 'api_error', /answers 500/, undefined],
    ['refuses', 'OL403W', 'auth_failed', /refuses the request \(403\)/, undefined],
    ['knows nothing of it', 'OL404W', 'not_found', /has no \/works\/OL404W/, undefined],
    ['answers with a page', 'OL600W', 'api_error', /answers with text\/html instead of JSON/, undefined],
    ['answers with half of JSON', 'OL601W', 'api_error', /JSON that is broken/, undefined],
    ['answers with what makes no sense', 'OL602W', 'api_error', /makes no sense: title must be string/, undefined],
    ['answers with far too much', 'OL603W', 'api_error', /more than 4194304 bytes/, undefined],
    ['hangs up', 'OL605W', 'api_error', /cannot be reached/, undefined],
    ['sends on and on', 'OL301W', 'api_error', /sends on and on/, undefined],
    ['sends on to somebody else', 'OL302W', 'api_error', /sends on to 127\.0\.0\.2, which is not followed/, undefined],
  ])('it %s', async (_, externalId, code, message, retryAfterSeconds) => {
    await using service = await startRecorded()
    await using plugin = await pluginFor(service.address)
    const refusal = plugin.call(getBook, { externalId })
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toMatchObject({ code, ...(retryAfterSeconds && { details: { retryAfterSeconds } }) })
  })

  test('it does not answer', async () => {
    await using service = await startRecorded()
    await using plugin = await pluginFor(service.address)
    await expect(plugin.call(getBook, { externalId: 'OL604W' })).rejects.toThrow(/did not answer within 3000 ms/)
  })

  test('it is not there, or is no address', async () => {
    await using plugin = await pluginFor('http://127.0.0.1:9')
    await expect(plugin.call(searchBooks, { query: 'x' })).rejects.toMatchObject({ code: 'api_error' })
    await expect(pluginFor('file:///etc/passwd')).rejects.toMatchObject({ code: 'config_error' })
    await expect(plugin.call(getBook, { externalId: '../admin' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(plugin.call(getBook, { externalId: 'OL7A' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
