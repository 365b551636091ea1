import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { setUpCatalogue } from '../../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../../test/work.ts'
import { autoMatch } from './auto-match.ts'
import { startMatchingAfterScan } from './start-matching.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db, clock, settings } = house.server.context
const editor = await house.server.person('editor')

const catalogue = [
  { externalId: '1', title: 'Akira', publisher: 'Kodansha', genres: ['Drama'] },
  { externalId: '2', title: 'Berserk of old', publisher: 'Hakusensha', confidence: 0.5 },
  { externalId: '3', title: 'Berserk of new', publisher: 'Young Animal' },
]

const shelves = async (titles: readonly string[]) => {
  const library = await addLibrary(db)
  const series = await addManySeries(
    db,
    library,
    titles.map((title) => ({ title })),
  )
  for (const each of series) await addBooks(db, each, [{}])
  return { libraryId: library.id, ids: new Map(series.map(({ title, id }) => [title, id])) }
}

const start = async (libraryId: string, pluginId: string, again = false) => {
  const body = { pluginId, again, entity: 'series' as const }
  return bodyOf(await editor.call(api.autoMatchLibrary, { params: { id: libraryId }, body })).taskId
}

const taskOf = (id: string) => db.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const resultOf = async (taskId: string): Promise<Record<string, unknown>> => {
  await using _ = workOn(house.server, [autoMatch])
  await expect.poll(async () => (await taskOf(taskId)).status).toBe('completed')
  return JSON.parse((await taskOf(taskId)).result ?? '{}') as Record<string, unknown>
}

const shownOf = async (id: string | undefined) =>
  bodyOf(await editor.call(api.readSeriesMetadata, { params: { id: id ?? '' } }))
const queueOf = async (libraryId: string, state: api.MatchState = 'uncertain') =>
  bodyOf(await editor.call(api.listMetadataMatches, { query: { libraryId, state } }))

test('PLG-1 what a plugin is certain of is applied, the rest waits for people, and nothing is asked twice', async () => {
  const plugin = await setUpCatalogue(house, { entries: catalogue })
  const { libraryId, ids } = await shelves(['Akira', 'Berserk', 'Unheard of'])
  expect(await resultOf(await start(libraryId, plugin.id))).toMatchObject({ matched: 1, uncertain: 1, nothing: 1 })
  expect(await shownOf(ids.get('Akira'))).toMatchObject({ publisher: 'Kodansha', genres: ['Drama'] })
  expect(await shownOf(ids.get('Berserk'))).toMatchObject({ publisher: null })
  const [change] = bodyOf(
    await editor.call(api.listSeriesMetadataHistory, { params: { id: ids.get('Akira') ?? '' } }),
  ).data
  expect(change).toMatchObject({ reason: 'plugin', source: `plugin:${plugin.name}`, by: null })
  const queue = await queueOf(libraryId)
  expect(queue).toMatchObject({
    total: 1,
    data: [{ title: 'Berserk', confidence: 0.5, candidates: [{ externalId: '2' }, { externalId: '3' }] }],
  })
  expect(await resultOf(await start(libraryId, plugin.id))).toMatchObject({ matched: 0, uncertain: 0, nothing: 0 })
  expect(await resultOf(await start(libraryId, plugin.id, true))).toMatchObject({ nothing: 1 })
})

test('PLG-1 what waits is accepted or refused, and what was refused is never proposed again', async () => {
  const plugin = await setUpCatalogue(house, { entries: catalogue })
  const { libraryId, ids } = await shelves(['Berserk', 'Berserk of'])
  await resultOf(await start(libraryId, plugin.id))
  const [one, other] = (await queueOf(libraryId)).data
  const accepted = await editor.call(api.acceptMetadataMatch, {
    params: { id: one?.id ?? '' },
    body: { externalId: '3', fields: ['publisher'] },
  })
  expect(bodyOf(accepted)).toMatchObject({ appliedFields: ['publisher'] })
  expect(await shownOf(one?.entityId)).toMatchObject({ publisher: 'Young Animal', title: null })
  const refuse = (body: { externalId?: string }) =>
    editor.call(api.refuseMetadataMatch, { params: { id: other?.id ?? '' }, body })
  expect(bodyOf(await refuse({ externalId: '2' }))).toMatchObject({
    state: 'uncertain',
    candidates: [{ externalId: '3' }],
  })
  expect(bodyOf(await refuse({}))).toMatchObject({ state: 'refused', candidates: [] })
  expect((await queueOf(libraryId)).total).toBe(0)
  expect(await resultOf(await start(libraryId, plugin.id, true))).toMatchObject({ matched: 0, uncertain: 0 })
  const best = await editor.call(api.matchSeriesMetadata, {
    params: { id: other?.entityId ?? '' },
    body: { pluginId: plugin.id },
  })
  expect(bodyOf(best)).toMatchObject({ match: null })
  // What was accepted can be refused as well: it is taken back.
  bodyOf(await editor.call(api.refuseMetadataMatch, { params: { id: one?.id ?? '' }, body: {} }))
  expect(await shownOf(one?.entityId)).toMatchObject({ publisher: null })
  expect(ids.size).toBe(2)
})

test('the conditions and words of its administrator decide what a plugin is asked', async () => {
  const plugin = await setUpCatalogue(
    house,
    { entries: catalogue },
    {
      searchPreprocessingRules: [{ pattern: ' \\(.*\\)$', replacement: '' }],
      autoMatchConditions: { mode: 'all', rules: [{ field: 'title', operator: 'not_contains', value: 'mine' }] },
    },
  )
  const { libraryId, ids } = await shelves(['Akira (Digital)', 'Akira mine'])
  expect(await resultOf(await start(libraryId, plugin.id))).toMatchObject({ matched: 1, passedOver: 1 })
  expect(await shownOf(ids.get('Akira (Digital)'))).toMatchObject({ publisher: 'Kodansha' })
  expect(await shownOf(ids.get('Akira mine'))).toMatchObject({ publisher: null })
})

test('PLG-1 a plugin that is away is asked another time', async () => {
  const { libraryId } = await shelves(['Akira'])
  const ended = await setUpCatalogue(house, { entries: catalogue })
  const taskId = await start(libraryId, ended.id)
  bodyOf(await house.admin.call(api.disablePlugin, { params: { id: ended.id } }))
  expect(await resultOf(taskId)).toMatchObject({ matched: 0, stopped: 'catalogue is switched off.' })
  bodyOf(await house.admin.call(api.enablePlugin, { params: { id: ended.id } }))
  expect(await resultOf(await start(libraryId, ended.id))).toMatchObject({ matched: 1 })
})

test('C11 after a scan plugins are asked by themselves where that is wanted', async () => {
  const plugin = await setUpCatalogue(house, { entries: catalogue })
  const { libraryId } = await shelves(['Akira'])
  const waiting = async () => {
    await db.write((db) => startMatchingAfterScan(db, { settings }, libraryId, clock()))
    const rows = await db.read
      .selectFrom('task')
      .select('payload')
      .where('library_id', '=', libraryId)
      .where('type', '=', autoMatch.type)
      .execute()
    return rows.map(({ payload }) => (JSON.parse(payload) as { pluginId: string }).pluginId)
  }
  expect(await waiting()).toEqual([])
  const params = { key: 'plugins.post_scan_auto_match_enabled' }
  bodyOf(await house.admin.call(api.saveSetting, { params, body: { value: true } }))
  expect(await waiting()).toContain(plugin.id)
})

test('W1 of many, every one is matched, with as many statements for a full batch as for a small one', async () => {
  const entries = Array.from({ length: 25 }, (_, index) => ({
    externalId: `${index}`,
    title: `Number ${index} of all`,
    genres: ['Drama'],
    authors: ['Somebody'],
  }))
  const plugin = await setUpCatalogue(house, { entries })
  // What the tests before have asked for would be done now.
  await db.write((db) => db.deleteFrom('task').where('type', '=', autoMatch.type).execute())
  const statementsFor = async (count: number): Promise<number> => {
    const { libraryId } = await shelves(Array.from({ length: count }, (_, index) => `Number ${index} of all`))
    const from = house.server.logLines.length
    expect(await resultOf(await start(libraryId, plugin.id))).toMatchObject({ matched: count })
    expect((await queueOf(libraryId, 'matched')).total).toBe(count)
    const statements = house.server.logLines.slice(from).map(({ sql }) => (typeof sql === 'string' ? sql : ''))
    return statements.filter((sql) => /plugin_match|match_refusal|metadata_|_term|external_id/.test(sql)).length
  }
  // With what makes a term known for the first time.
  await statementsFor(2)
  expect(await statementsFor(20)).toBe(await statementsFor(5))
  await statementsFor(25)
})
