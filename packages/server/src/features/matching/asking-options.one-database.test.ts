import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')
const plugin = await setUpCatalogue(house, {
  entries: Array.from({ length: 9 }, (_, index) => ({ externalId: `${index}`, title: `Akira ${index}` })),
})
const set = (body: object) => house.admin.call(api.updatePlugin, { params: { id: plugin.id }, body })

const newSeries = async (title: string): Promise<string> => {
  const series = await addSeries(db, await addLibrary(db), { title })
  await addBooks(db, series, [{}])
  return series.id
}

test.each([
  [
    {
      searchPreprocessingRules: [
        { pattern: 'fine', replacement: '' },
        { pattern: '(', replacement: '' },
      ],
    },
    '/searchPreprocessingRules/1/pattern',
  ],
  [{ autoMatchConditions: { mode: 'some', rules: [] } }, '/autoMatchConditions/mode'],
  [
    { autoMatchConditions: { mode: 'all', rules: [{ field: 'title', operator: 'like', value: 'x' }] } },
    '/autoMatchConditions/rules/0/operator',
  ],
  [
    { autoMatchConditions: { mode: 'all', rules: [{ field: 'colour', operator: 'is_null' }] } },
    '/autoMatchConditions/rules/0/field',
  ],
  [
    { autoMatchConditions: { mode: 'all', rules: [{ field: 'bookCount', operator: 'gt', value: 'many' }] } },
    '/autoMatchConditions/rules/0/value',
  ],
  [
    { autoMatchConditions: { mode: 'all', rules: [{ field: 'title', operator: 'matches', value: '[' }] } },
    '/autoMatchConditions/rules/0/value',
  ],
  [
    { autoMatchConditions: { mode: 'all', rules: [{ field: 'title', operator: 'in', value: 'one' }] } },
    '/autoMatchConditions/rules/0/value',
  ],
  [{ searchQueryTemplate: '{{#if title}}never closed' }, '/searchQueryTemplate'],
  [{ metadataTargets: ['films'] }, '/metadataTargets/0'],
  [{ internalConfig: { searchResultsLimit: 0 } }, '/internalConfig/searchResultsLimit'],
])('HTTP-1 what could never be understood is refused when it is set: %j', async (body, path) => {
  expect(errorOf(await set(body))).toMatchObject({
    error: 'validation_failed',
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  })
})

test('PLG-1 how a plugin is to be asked is obeyed, and can be looked at first', async () => {
  const id = await newSeries('Akira (Digital)')
  bodyOf(
    await set({
      searchPreprocessingRules: [
        { pattern: ' \\(.*\\)$', replacement: '' },
        { pattern: 'never there', replacement: '' },
      ],
      searchQueryTemplate: '{{title}}',
      internalConfig: { searchResultsLimit: 3 },
    }),
  )
  const query = { pluginId: plugin.id }
  expect(bodyOf(await editor.call(api.readSeriesSearchTitle, { params: { id }, query }))).toEqual({
    originalTitle: 'Akira (Digital)',
    searchTitle: 'Akira',
    rulesApplied: 1,
  })
  const search = async () =>
    bodyOf(await editor.call(api.searchSeriesMetadata, { params: { id }, body: { pluginId: plugin.id } }))
  expect((await search()).results).toHaveLength(3)
  bodyOf(
    await editor.call(api.editSeriesMetadata, {
      params: { id },
      body: { externalIds: [{ source: 'catalogue', id: '7', url: null }] },
    }),
  )
  const best = async () =>
    bodyOf(await editor.call(api.matchSeriesMetadata, { params: { id }, body: { pluginId: plugin.id } }))
  expect(await best()).toMatchObject({ match: { externalId: '7' }, confidence: 1 })
  bodyOf(await set({ useExistingExternalId: false }))
  expect(await best()).toMatchObject({ match: { externalId: '0' } })
})

test('PLG-1 a pattern that would go on for ever ends, with what is asked with it, and nothing else', async () => {
  const id = await newSeries(`${'a'.repeat(60)}!`)
  bodyOf(await set({ searchPreprocessingRules: [{ pattern: '^(a+)+$', replacement: '' }], searchQueryTemplate: null }))
  const body = { pluginId: plugin.id }
  const answer = errorOf(await editor.call(api.searchSeriesMetadata, { params: { id }, body }))
  expect(answer).toMatchObject({ error: 'conflict', message: expect.stringContaining('longer than a second') })
  bodyOf(await set({ searchPreprocessingRules: null }))
  expect((await editor.call(api.searchSeriesMetadata, { params: { id }, body })).ok).toBe(true)
})

test('PLG-1 links to the web are filled in with what is no secret, and lead nowhere else', async () => {
  const { manifest } = await db.read
    .selectFrom('plugin')
    .select('manifest')
    .where('id', '=', plugin.id)
    .executeTakeFirstOrThrow()
  const links = async (webLinks: object, config: object) => {
    const parsed = JSON.parse(manifest ?? '{}') as { capabilities: object }
    const rewritten = JSON.stringify({ ...parsed, capabilities: { ...parsed.capabilities, webLinks } })
    await db.write((db) =>
      db
        .updateTable('plugin')
        .set({ manifest: rewritten, config: JSON.stringify(config) })
        .where('id', '=', plugin.id)
        .execute(),
    )
    const { providers } = bodyOf(await editor.call(api.listWebLinks, { query: {} }))
    return providers.find(({ pluginName }) => pluginName === plugin.name)
  }
  const seriesLinks = [
    { source: 'api:catalogue', urlTemplate: '{config.base}/t/{externalId}?l={config.language}' },
    { source: 'sly', urlTemplate: 'javascript:alert({externalId})' },
    { source: 'mine', urlTemplate: 'https://{externalId}.example/' },
    { source: 'told', urlTemplate: 'https://catalogue.example/{externalId}?k={config.apiKey}' },
    { source: 'missing', urlTemplate: 'https://catalogue.example/{externalId}?k={config.unknown}' },
  ]
  const config = { base: 'https://catalogue.example/', language: 'd e&x=1', apiKey: 'hush' }
  expect(await links({ searchUrlTemplate: 'https://catalogue.example/?q={title}', seriesLinks }, config)).toEqual({
    pluginName: plugin.name,
    displayName: plugin.displayName,
    searchUrlTemplate: 'https://catalogue.example/?q={title}',
    seriesLinks: [{ source: 'catalogue', urlTemplate: 'https://catalogue.example/t/{externalId}?l=d%20e%26x%3D1' }],
  })
  expect(await links({ searchUrlTemplate: '{config.base}/?q={title}' }, { base: 'file:///etc' })).toBeUndefined()
  bodyOf(await house.admin.call(api.disablePlugin, { params: { id: plugin.id } }))
  expect(await links({ searchUrlTemplate: 'https://catalogue.example/?q={title}' }, {})).toBeUndefined()
})
