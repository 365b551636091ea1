import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plansOf, slowSteps, statementsOf } from '../../../test/plans.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../test/work.ts'
import { newId } from '../../platform/ids.ts'
import { autoMatch } from './jobs/auto-match.ts'
import { selectUnmatched } from './queries.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')

const isbn = '9784840224661'

const shelf = async (titles: readonly string[]) => {
  const library = await addLibrary(db)
  const series = await addSeries(db, library, { title: 'A series' })
  const ids = await addBooks(
    db,
    series,
    titles.map((title) => ({ title })),
  )
  return { libraryId: library.id, ids: new Map(titles.map((title, index) => [title, ids[index] ?? ''])) }
}

const resultOf = async (libraryId: string, body: { pluginId: string; entity?: 'series' | 'book' }) => {
  const { taskId } = bodyOf(await editor.call(api.autoMatchLibrary, { params: { id: libraryId }, body }))
  await using _ = workOn(house.server, [autoMatch])
  const task = () => db.read.selectFrom('task').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow()
  await expect.poll(async () => (await task()).status).toBe('completed')
  return JSON.parse((await task()).result ?? '{}') as Record<string, unknown>
}

const shownOf = async (id = '') => bodyOf(await editor.call(api.readBookMetadata, { params: { id } }))
const queueOf = async (libraryId: string) =>
  bodyOf(await editor.call(api.listMetadataMatches, { query: { libraryId, entity: 'book' } }))

test('PLG-1 the books of a library are matched too: what is certain is applied, the rest waits', async () => {
  const plugin = await setUpCatalogue(house, {
    entries: [
      { externalId: 'a', title: 'Volume one', publisher: 'Kodansha' },
      { externalId: 'b', title: 'Volume two of old', publisher: 'Hakusensha', confidence: 0.4 },
    ],
  })
  const { libraryId, ids } = await shelf(['Volume one', 'Volume two', 'Unheard of'])
  // The series as well, which is not known.
  expect(await resultOf(libraryId, { pluginId: plugin.id })).toMatchObject({ matched: 1, uncertain: 1, nothing: 2 })
  expect(await shownOf(ids.get('Volume one'))).toMatchObject({ publisher: 'Kodansha' })
  const [waiting] = (await queueOf(libraryId)).data
  expect(waiting).toMatchObject({ entity: 'book', title: 'Volume two', candidates: [{ externalId: 'b' }] })
  const params = { id: waiting?.id ?? '' }
  const key = bodyOf(
    await editor.call(api.createApiKey, {
      body: { name: 'series only', permissions: ['series:write', 'series:read'] },
    }),
  ).key
  const withKey = house.server.callWith({ 'x-api-key': key })
  expect(errorOf(await withKey(api.acceptMetadataMatch, { params, body: { externalId: 'b' } })).error).toBe(
    'not_allowed',
  )
  bodyOf(await editor.call(api.acceptMetadataMatch, { params, body: { externalId: 'b' } }))
  expect(await shownOf(waiting?.entityId)).toMatchObject({ publisher: 'Hakusensha' })
  expect(await resultOf(libraryId, { pluginId: plugin.id })).toMatchObject({ matched: 0, uncertain: 0, nothing: 0 })
})

test('PLG-1 a book that has an ISBN is what bears it, and not what only answers to it', async () => {
  const { libraryId, ids } = await shelf(['Yotsuba', 'Another'])
  for (const id of ids.values())
    bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { isbns: [isbn] } }))
  const plugin = await setUpCatalogue(house, {
    entries: [
      { externalId: 'title', title: 'Yotsuba', publisher: 'By title', confidence: 0.9 },
      { externalId: 'number', title: 'Called otherwise', publisher: 'By number', isbns: [isbn] },
    ],
  })
  const options = { pluginId: plugin.id, entity: 'book' as const }
  expect(await resultOf(libraryId, options)).toMatchObject({ matched: 2 })
  expect(await shownOf(ids.get('Yotsuba'))).toMatchObject({ publisher: 'By number' })

  const other = await shelf(['Yotsuba'])
  const [id = ''] = other.ids.values()
  bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { isbns: [isbn] } }))
  const sloppy = await setUpCatalogue(house, {
    entries: [
      { externalId: 'first', title: 'Whatever', publisher: 'Wrong', sloppy: true },
      { externalId: 'title', title: 'Yotsuba', publisher: 'By title' },
    ],
  })
  expect(await resultOf(other.libraryId, { ...options, pluginId: sloppy.id })).toMatchObject({ matched: 1 })
  expect(await shownOf(id)).toMatchObject({ publisher: 'By title' })
})

test('PLG-1 what an administrator leaves out is not asked about', async () => {
  const plugin = await setUpCatalogue(
    house,
    { entries: [{ externalId: 'a', title: 'Volume', publisher: 'Kodansha' }] },
    { metadataTargets: ['series'] },
  )
  const { libraryId } = await shelf(['Volume'])
  expect(await resultOf(libraryId, { pluginId: plugin.id })).toMatchObject({ matched: 0, nothing: 1 })
  const body = { pluginId: plugin.id, entity: 'book' as const }
  expect(errorOf(await editor.call(api.autoMatchLibrary, { params: { id: libraryId }, body })).error).toBe('conflict')
})

test('PLG-1 what nothing was found for is asked about again once it is called otherwise', async () => {
  const plugin = await setUpCatalogue(house, { entries: [{ externalId: 'a', title: 'Akira', publisher: 'Kodansha' }] })
  const { libraryId, ids } = await shelf(['Aikra'])
  const options = { pluginId: plugin.id, entity: 'book' as const }
  expect(await resultOf(libraryId, options)).toMatchObject({ nothing: 1 })
  expect(await resultOf(libraryId, options)).toMatchObject({ nothing: 0, matched: 0 })
  const [id = ''] = ids.values()
  bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body: { title: 'Akira' } }))
  expect(await resultOf(libraryId, options)).toMatchObject({ matched: 1 })
})

test('W16 a library is gone through in the order of an index of its own', async () => {
  const of = { libraryId: newId(), pluginId: newId(), again: false }
  const statements = await Promise.all(
    (['series', 'book'] as const).map((entity) =>
      statementsOf((db) => selectUnmatched(db, { ...of, entity }, newId(), 100)),
    ),
  )
  const plans = await plansOf(house.server.context.config.database, statements.flat())
  expect(plans.flatMap(({ steps }) => slowSteps(steps))).toEqual([])
  // PostgreSQL takes the order of all ids where there are few.
  const inOrder = /(series|book)_(of_library|pk)\b/
  const elsewise = plans.filter(({ steps }) => !steps.some((step) => inOrder.test(step)))
  expect(elsewise).toEqual([])
})
