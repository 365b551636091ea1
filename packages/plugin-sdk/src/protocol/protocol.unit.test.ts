import { describe, expect, test } from 'vitest'
import {
  BookMetadata,
  PluginManifest,
  RecommendationsParams,
  RecommendationsReply,
  SearchReply,
  SeriesMetadata,
  fits,
  isAble,
  isUnderstood,
  methods,
  misfitOf,
  takeOutMisfits,
} from './index.ts'

const manifest = {
  name: 'metadata-example',
  displayName: 'Example',
  version: '1.4.0',
  protocolVersion: '1.0',
  capabilities: { metadataProvider: ['series'] },
}

test('PLG-1 every method of the published protocol is known, and nothing else', () => {
  expect([...methods.keys()].toSorted()).toEqual([
    'initialize',
    'metadata/book/get',
    'metadata/book/match',
    'metadata/book/search',
    'metadata/series/get',
    'metadata/series/match',
    'metadata/series/search',
    'ping',
    'recommendations/clear',
    'recommendations/dismiss',
    'recommendations/get',
    'recommendations/updateProfile',
    'releases/count_tracked',
    'releases/list_tracked',
    'releases/poll',
    'releases/record',
    'releases/register_sources',
    'releases/report_progress',
    'releases/source_state/get',
    'releases/source_state/set',
    'shutdown',
    'storage/clear',
    'storage/delete',
    'storage/get',
    'storage/list',
    'storage/set',
    'sync/getUserInfo',
    'sync/pullProgress',
    'sync/pushProgress',
    'sync/status',
  ])
})

describe('PLG-1 what a plugin sends is taken', () => {
  test.each([
    ['the least there can be of a manifest', PluginManifest, manifest],
    [
      'a manifest with fields nobody knows yet',
      PluginManifest,
      { ...manifest, colour: 'blue', capabilities: { x: {} } },
    ],
    [
      'a manifest whose fields are null instead of absent',
      PluginManifest,
      { ...manifest, description: null, oauth: null, configSchema: null, requiredCredentials: null },
    ],
    [
      'a manifest with all there is',
      PluginManifest,
      {
        ...manifest,
        capabilities: {
          metadataProvider: ['series', 'book', 'song'],
          userReadSync: true,
          externalIdSource: 'api:example',
          releaseSource: { kinds: ['rss-series'], requiresAliases: true },
          webLinks: { searchUrlTemplate: 'https://example.org/?q={title}' },
        },
        requiredCredentials: [{ key: 'api_key', label: 'Key', required: true, sensitive: true, type: 'password' }],
        configSchema: { fields: [{ key: 'limit', label: 'Results', type: 'number', default: 10, example: 25 }] },
        userConfigSchema: { type: 'object', properties: {} },
        oauth: { authorizationUrl: 'https://example.org/a', tokenUrl: 'https://example.org/t', scopes: [], pkce: true },
        searchURITemplate: 'https://example.org/search?q=<title>',
      },
    ],
    [
      'results with nothing but id and title, and a cursor of null',
      SearchReply,
      { results: [{ externalId: '1', title: 'A' }], nextCursor: null },
    ],
    [
      'authors as names and as people, a status and a link nobody knows',
      SeriesMetadata,
      {
        externalId: '1',
        authors: ['Ana', { name: 'Ben', role: 'lyricist', sortName: null }],
        status: 'resting',
        externalLinks: [{ url: 'https://example.org', label: 'Site', linkType: 'fan' }],
        totalChapterCount: 47.5,
      },
    ],
    ['a book with half a volume', BookMetadata, { externalId: '1', externalUrl: 'https://example.org', volume: 1.5 }],
    [
      'the least there can be of a recommendation',
      RecommendationsReply,
      { recommendations: [{ externalId: '9', title: 'B', score: 0.5, reason: 'You may like it' }] },
    ],
    ['a library without a limit and without exclusions', RecommendationsParams, { library: [] }],
  ])('%s', (_, schema, value) => {
    expect(misfitOf(schema, value)).toBeUndefined()
  })
})

describe('what makes no sense is refused with a sentence that names the place', () => {
  test.each([
    ['no version', PluginManifest, { ...manifest, version: undefined }, 'version'],
    ['capabilities as a list', PluginManifest, { ...manifest, capabilities: [] }, 'capabilities must be object'],
    ['an id that is a number', SearchReply, { results: [{ externalId: 1, title: 'A' }] }, 'results.0.externalId'],
    ['an empty id', SeriesMetadata, { externalId: '' }, 'externalId must not have fewer than 1 characters'],
    ['no reason', RecommendationsReply, { recommendations: [{ externalId: '9', title: 'B', score: 1 }] }, 'reason'],
    ['a list that is an object', SearchReply, { results: {} }, 'results must be array'],
    ['nothing at all', SearchReply, null, 'the whole must be object'],
  ])('%s', (_, schema, value, sentence) => {
    expect(fits(schema, value)).toBe(false)
    expect(misfitOf(schema, value)).toContain(sentence)
  })
})

describe('PLG-1 one thing that does not fit does not cost the rest', () => {
  const sound = { externalId: '1', title: 'A' }

  test('members of lists, and what may be absent, are left out', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ externalId: `x${index}`, title: null }))
    const reply = {
      results: [
        { title: 'no id' },
        sound,
        ...many,
        { ...sound, year: '1999', preview: { genres: ['b', 5, 6], rating: {} } },
      ],
      nextCursor: 7,
    }
    expect(takeOutMisfits(SearchReply, reply)).toMatchObject({ isUsable: true })
    expect(reply).toEqual({ results: [sound, { ...sound, preview: { genres: ['b'] } }] })
  })

  test.each([
    ['a list of nothing but misfits', { results: [{ title: 'no id' }, 5] }],
    ['what must be there', { results: {} }],
    ['the whole', 'results'],
  ])('but not %s', (_, reply) => {
    expect(takeOutMisfits(SearchReply, reply)).toMatchObject({ isUsable: false })
  })

  test('an empty list is an answer', () => {
    expect(takeOutMisfits(SearchReply, { results: [] })).toBeUndefined()
    expect(takeOutMisfits(SearchReply, { results: [], nextCursor: 7 })).toMatchObject({ isUsable: true })
  })
})

test('additions to the protocol do not shut a plugin out, another protocol does', () => {
  expect(['1', '1.0', '1.1', '1.2', '1.12'].every(isUnderstood)).toBe(true)
  expect(['2.0', '0.9', '', '1.x', '10.0'].some(isUnderstood)).toBe(false)
})

test('what a plugin has not declared it is not able to', () => {
  expect(isAble({}, 'series-metadata')).toBe(false)
  expect(isAble({ metadataProvider: ['book'] }, 'series-metadata')).toBe(false)
  expect(isAble({ metadataProvider: ['book'] }, 'book-metadata')).toBe(true)
  expect(isAble({ userRecommendationProvider: null }, 'recommendations')).toBe(false)
  expect(isAble({ releaseSource: false }, 'releases')).toBe(false)
  expect(isAble({ releaseSource: {} }, 'releases')).toBe(true)
})
