import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { setUpCatalogue } from '../../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../../test/work.ts'
import { autoMatch } from './auto-match.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')

const shelf = async (titles: readonly string[]) => {
  const library = await addLibrary(db)
  const series = await addManySeries(
    db,
    library,
    titles.map((title) => ({ title })),
  )
  for (const each of series) await addBooks(db, each, [{}])
  return { libraryId: library.id, ids: series.map(({ id }) => id) }
}
const shownOf = async (id = '') => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))

test('CAT-2 a dry run of a job says what would change of a few, and how many there are, and writes nothing', async () => {
  const entries = ['Akira', 'Berserk', 'Claymore'].map((title) => ({ externalId: title, title, status: 'ongoing' }))
  const plugin = await setUpCatalogue(house, { entries })
  const { libraryId, ids } = await shelf(['Akira', 'Berserk', 'Claymore', 'Unheard of'])
  for (const [index, { externalId }] of entries.entries()) {
    const body = { pluginId: plugin.id, externalId, fields: ['status' as const] }
    bodyOf(await editor.call(api.applySeriesMatch, { params: { id: ids[index] ?? '' }, body }))
  }
  bodyOf(
    await editor.call(api.editSeriesMetadata, {
      params: { id: ids[0] ?? '' },
      body: { publisher: 'My own', titleLock: true },
    }),
  )
  const complete = entries.map((entry) => ({ ...entry, status: 'ended', publisher: 'Kodansha' }))
  bodyOf(
    await house.admin.call(api.updatePlugin, { params: { id: plugin.id }, body: { config: { entries: complete } } }),
  )
  const job = bodyOf(
    await editor.call(api.createLibraryJob, {
      params: { id: libraryId },
      body: { pluginId: plugin.id, cronSchedule: '0 4 * * 0', config: { skipRecentlySyncedWithinS: 0 } },
    }),
  )
  const params = { id: libraryId, jobId: job.id }
  expect(bodyOf(await editor.call(api.readLibraryJob, { params }))).toEqual(job)
  const run = async (body: api.DryRunBody) => bodyOf(await editor.call(api.dryRunLibraryJob, { params, body }))
  const two = await run({ sampleSize: 2 })
  expect(two).toMatchObject({ totalEligible: 3, estSkippedNoId: 1, estSkippedRecentlySynced: 0, planFailure: null })
  expect(two.sample).toHaveLength(2)
  const akira = two.sample.find(({ title }) => title === 'Akira')
  expect(akira?.changes).toContainEqual({ field: 'status', before: 'ongoing', after: 'ended' })
  expect(akira?.skipped).toContainEqual({ field: 'publisher', reason: 'said by people' })
  const some = await run({ configOverride: { fieldGroups: ['publisher'] } })
  expect(some.sample.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(['publisher', 'publisher'])
  expect(await run({ configOverride: { skipRecentlySyncedWithinS: 3600 } })).toMatchObject({
    totalEligible: 0,
    estSkippedRecentlySynced: 3,
    sample: [],
  })
  expect(await shownOf(ids[0])).toMatchObject({ status: 'ongoing', publisher: 'My own' })
  const tooMany = await editor.call(api.dryRunLibraryJob, { params, body: { sampleSize: 21 } })
  expect(errorOf(tooMany).error).toBe('validation_failed')
  bodyOf(await house.admin.call(api.disablePlugin, { params: { id: plugin.id } }))
  expect(await run({})).toMatchObject({ sample: [], planFailure: expect.stringContaining('switched off') })
})

test('PLG-1 one series is matched at once with what is sure, and what is not sure waits', async () => {
  const plugin = await setUpCatalogue(house, {
    entries: [
      { externalId: 'a', title: 'Akira', publisher: 'Kodansha', externalUrl: 'https://catalogue.example/a' },
      { externalId: 'b', title: 'Berserk', publisher: 'Hakusensha', confidence: 0.3 },
    ],
  })
  const { libraryId, ids } = await shelf(['Akira', 'Berserk', 'Nothing of the kind'])
  const match = async (position: number, query?: string) =>
    bodyOf(
      await editor.call(api.autoMatchSeries, {
        params: { id: ids[position] ?? '' },
        body: { pluginId: plugin.id, ...(query !== undefined && { query }) },
      }),
    )
  expect(await match(0)).toMatchObject({
    success: true,
    state: 'matched',
    matchedResult: { externalId: 'a' },
    externalUrl: 'https://catalogue.example/a',
  })
  expect(await shownOf(ids[0])).toMatchObject({ publisher: 'Kodansha' })
  expect(await match(1)).toMatchObject({ success: false, state: 'uncertain', confidence: 0.3, appliedFields: [] })
  expect(await shownOf(ids[1])).toMatchObject({ publisher: null })
  const queue = bodyOf(await editor.call(api.listMetadataMatches, { query: { libraryId } }))
  expect(queue.data).toMatchObject([{ title: 'Berserk', candidates: [{ externalId: 'b' }] }])
  expect(await match(2)).toMatchObject({ success: false, state: 'nothing', matchedResult: null })
  expect(await match(2, 'Akira')).toMatchObject({ success: true })
})

test('PLG-1 some series are matched in the background, and who may not see one starts nothing', async () => {
  const plugin = await setUpCatalogue(house, {
    entries: [
      { externalId: 'a', title: 'Akira', publisher: 'Kodansha' },
      { externalId: 'b', title: 'Berserk', publisher: 'Hakusensha' },
    ],
  })
  const [one, other] = [await shelf(['Akira', 'Berserk']), await shelf(['Berserk'])]
  const seriesIds = [one.ids[1] ?? '', ...other.ids]
  const body = { pluginId: plugin.id, seriesIds }
  const elsewhere = await addLibrary(db)
  const blind = await house.server.person('editor', { access: { libraries: [elsewhere.id] } })
  expect((await blind.call(api.autoMatchManySeries, { body })).status).toBe(404)
  const { taskIds } = bodyOf(await editor.call(api.autoMatchManySeries, { body }))
  expect(taskIds).toHaveLength(2)
  await using _ = workOn(house.server, [autoMatch])
  const ended = async () => {
    const rows = await db.read.selectFrom('task').select('status').where('id', 'in', taskIds).execute()
    return rows.every(({ status }) => status === 'completed')
  }
  await expect.poll(ended).toBe(true)
  for (const id of seriesIds) expect(await shownOf(id)).toMatchObject({ publisher: 'Hakusensha' })
  expect(await shownOf(one.ids[0])).toMatchObject({ publisher: null })
  const [change] = bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id: seriesIds[0] ?? '' } })).data
  expect(change?.by).toMatchObject({ id: editor.id })
})
