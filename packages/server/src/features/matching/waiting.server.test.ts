import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { minute, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'
import { addLibraryOn, scanTasks } from '../../../test/scanning.ts'
import { workOn } from '../../../test/work.ts'
import { startScan } from '../scan/scan.ts'
import { autoMatch } from './jobs/auto-match.ts'
import { refreshMatches } from './jobs/refresh-matches.ts'

const { clock, pass } = movableClock()
const house = await startHousehold({ clock, env: { CARREL_WORKER_CONCURRENCY: '1' } })
afterAll(() => house[Symbol.asyncDispose]())
const { db } = house.server.context
const editor = await house.server.person('editor')

const titles = ['Akira', 'Berserk', 'Claymore', 'Dorohedoro', 'Eden', 'Frieren', 'Gantz']
const entries = titles.map((title, index) => ({ externalId: `${index}`, title, publisher: 'Kodansha' }))

const shelf = async () => {
  const library = await addLibrary(db)
  const series = await addManySeries(
    db,
    library,
    titles.map((title) => ({ title })),
  )
  for (const each of series) await addBooks(db, each, [{}])
  return { library, series }
}

const taskOf = (id: string) => db.read.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const matchedCount = async (pluginId: string) =>
  (await db.read.selectFrom('plugin_match').select('id').where('plugin_id', '=', pluginId).execute()).length
const isPutOff = async (taskId: string) => {
  const { status, scheduled_for } = await taskOf(taskId)
  return status === 'pending' && scheduled_for > clock().toISOString()
}
const becomes = (read: () => Promise<unknown>, expected: unknown) => expect.poll(read).toEqual(expected)

test('PLG-1 what must wait for a plugin holds up no scan, keeps what it has, and goes on behind it', async () => {
  const { library } = await shelf()
  const plugin = await setUpCatalogue(house, { entries, perTurn: 3 })
  const body = { pluginId: plugin.id, entity: 'series' as const }
  const { taskId } = bodyOf(await editor.call(api.autoMatchLibrary, { params: { id: library.id }, body }))
  // One place for all of them.
  await using _ = workOn(house.server, [autoMatch, ...scanTasks], { settleMs: 20 })
  await becomes(() => isPutOff(taskId), true)
  expect(await matchedCount(plugin.id)).toBe(3)

  await using folder = await libraryFolder()
  await folder.write('Monster/Monster 01.cbz', comic({ seed: 1 }))
  const libraryId = await addLibraryOn(house.server, { roots: [folder.path] })
  await db.write((db) => startScan(db, { libraryId, mode: 'changes', paths: [] }, clock()))
  const scanned = async () =>
    (await db.read.selectFrom('book').select('analysed').where('library_id', '=', libraryId).execute()).map(
      ({ analysed }) => analysed,
    )
  await becomes(scanned, [1])
  expect(await isPutOff(taskId)).toBe(true)
  expect(await taskOf(taskId)).toMatchObject({ attempts: 0, last_error: null })

  pass(minute)
  await becomes(() => matchedCount(plugin.id), 6)
  await becomes(() => isPutOff(taskId), true)
  pass(minute)
  await becomes(async () => (await taskOf(taskId)).status, 'completed')
  expect(JSON.parse((await taskOf(taskId)).result ?? '{}')).toEqual({
    matched: 7,
    uncertain: 0,
    nothing: 0,
    passedOver: 0,
    stopped: null,
  })
})

test('PLG-1 one that waits is cancelled as any other, and one that waits in vain comes to an end', async () => {
  const { library } = await shelf()
  const never = await setUpCatalogue(house, { entries, tooOften: 1_000_000 })
  const body = { pluginId: never.id, entity: 'series' as const }
  const start = async () => bodyOf(await editor.call(api.autoMatchLibrary, { params: { id: library.id }, body })).taskId
  const cancelled = await start()
  await using _ = workOn(house.server, [autoMatch])
  await becomes(() => isPutOff(cancelled), true)
  bodyOf(await house.admin.call(api.cancelTask, { params: { id: cancelled } }))
  const taskId = await start()
  expect(taskId).not.toBe(cancelled)
  for (let waits = 0; waits < 30; waits += 1) {
    await becomes(() => isPutOff(taskId), true)
    pass(15_000)
  }
  await becomes(async () => (await taskOf(taskId)).status, 'completed')
  expect(JSON.parse((await taskOf(taskId)).result ?? '{}')).toMatchObject({
    matched: 0,
    stopped: expect.stringContaining('RATE_LIMITED'),
  })
})

test('PLG-1 a job that asks again goes on with what is left of it', async () => {
  const { library, series } = await shelf()
  const plugin = await setUpCatalogue(house, { entries })
  for (const [index, { id }] of series.entries())
    bodyOf(
      await editor.call(api.applySeriesMatch, {
        params: { id },
        body: { pluginId: plugin.id, externalId: `${index}`, fields: ['publisher'] },
      }),
    )
  const changed = entries.map((entry) => ({ ...entry, publisher: 'Shueisha' }))
  const config = { entries: changed, perTurn: 4, counted: 'get' }
  bodyOf(await house.admin.call(api.updatePlugin, { params: { id: plugin.id }, body: { config } }))
  pass(minute)
  const options = { pluginId: plugin.id, cronSchedule: '0 4 * * 0', config: { skipRecentlySyncedWithinS: 0 } }
  const params = { id: library.id }
  const job = bodyOf(await editor.call(api.createLibraryJob, { params, body: options }))
  const { taskId } = bodyOf(await editor.call(api.runLibraryJob, { params: { ...params, jobId: job.id } }))
  await using _ = workOn(house.server, [refreshMatches])
  await becomes(() => isPutOff(taskId), true)
  const publishers = async () => {
    const rows = await db.read.selectFrom('series').select('publisher').where('library_id', '=', library.id).execute()
    return rows.filter(({ publisher }) => publisher === 'Shueisha').length
  }
  expect(await publishers()).toBe(4)
  pass(minute)
  await becomes(async () => (await taskOf(taskId)).status, 'completed')
  expect(JSON.parse((await taskOf(taskId)).result ?? '{}')).toMatchObject({ asked: 7, changed: 7, stopped: null })
  expect(await publishers()).toBe(7)
})
