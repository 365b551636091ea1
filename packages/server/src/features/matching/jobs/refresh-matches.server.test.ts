import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../../test/content.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { setUpCatalogue } from '../../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../../test/work.ts'
import { jobSchedules } from './library-jobs.ts'
import { refreshMatches } from './refresh-matches.ts'

const house = await startHousehold()
afterAll(() => house[Symbol.asyncDispose]())
const { db, clock } = house.server.context
const editor = await house.server.person('editor')

const matched = async (entry: object) => {
  const entries = [{ externalId: '1', title: 'Akira', ...entry }]
  const plugin = await setUpCatalogue(house, { entries })
  const library = await addLibrary(db)
  const { id } = await addSeries(db, library, { title: 'Akira' })
  await addBooks(db, { id, title: 'Akira', library }, [{}])
  const body = { pluginId: plugin.id, externalId: '1' }
  const applied = bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body }))
  const say = async (more: object) =>
    bodyOf(
      await house.admin.call(api.updatePlugin, {
        params: { id: plugin.id },
        body: { config: { entries: [{ ...entries[0], ...more }] } },
      }),
    )
  return { plugin, libraryId: library.id, id, say, historyId: applied.historyId ?? '' }
}

const newJob = async (libraryId: string, pluginId: string, config: api.NewRefreshConfig) =>
  bodyOf(
    await editor.call(api.createLibraryJob, {
      params: { id: libraryId },
      body: { pluginId, cronSchedule: '0 4 * * 0', config: { skipRecentlySyncedWithinS: 0, ...config } },
    }),
  )

const run = async ({ id: jobId, libraryId }: api.LibraryJob): Promise<api.LibraryJob | undefined> => {
  const params = { id: libraryId, jobId }
  const { taskId } = bodyOf(await editor.call(api.runLibraryJob, { params }))
  expect(errorOf(await editor.call(api.runLibraryJob, { params })).error).toBe('conflict')
  await using _ = workOn(house.server, [refreshMatches])
  const task = () => db.read.selectFrom('task').selectAll().where('id', '=', taskId).executeTakeFirstOrThrow()
  await expect.poll(async () => (await task()).status).toBe('completed')
  const { jobs } = bodyOf(await editor.call(api.listLibraryJobs, { params: { id: libraryId } }))
  return jobs.find(({ id }) => id === jobId)
}
const shownOf = async (id: string) => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id } }))

test('CAT-2 a job asks again about what was matched, and writes the groups it is for', async () => {
  const { plugin, libraryId, id, say } = await matched({ status: 'ongoing', publisher: 'Kodansha' })
  const job = await newJob(libraryId, plugin.id, { fieldGroups: ['status'] })
  await say({ status: 'ended', publisher: 'Somebody else' })
  expect(await run(job)).toMatchObject({ lastRunStatus: 'completed', lastRunMessage: '1 asked about, 1 changed.' })
  expect(await shownOf(id)).toMatchObject({ status: 'ended', publisher: 'Kodansha' })
  const patient = await newJob(libraryId, plugin.id, { skipRecentlySyncedWithinS: 3600 })
  expect(await run(patient)).toMatchObject({ lastRunMessage: '0 asked about, 0 changed.' })
})

test('CAT-2 what was undone is not said again, and what people say or lock stays', async () => {
  const { plugin, libraryId, id, say, historyId } = await matched({ status: 'ongoing', publisher: 'Kodansha' })
  const job = await newJob(libraryId, plugin.id, {})
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { status: 'hiatus', publisherLock: true } }))
  await say({ status: 'ended', publisher: 'Somebody else' })
  await run(job)
  expect(await shownOf(id)).toMatchObject({ status: 'hiatus', publisher: 'Kodansha' })
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { publisherLock: false } }))
  bodyOf(await editor.call(api.undoSeriesMetadata, { params: { id }, body: { historyId, force: true } }))
  await run(job)
  expect(await shownOf(id)).toMatchObject({ status: 'hiatus', publisher: null, title: null })
})

test('a job is changed, switched off, removed, and has times that mean something', async () => {
  const { plugin, libraryId } = await matched({})
  const job = await newJob(libraryId, plugin.id, {})
  const names = async () => (await jobSchedules(db)()).map(({ name }) => name)
  expect(await names()).toContain(`library_job ${job.id}`)
  const schedule = (await jobSchedules(db)()).find(({ name }) => name.endsWith(job.id))
  await db.write(async (db) => schedule?.fire(db, clock()))
  const [task] = await db.read.selectFrom('task').selectAll().where('library_id', '=', libraryId).execute()
  expect(task?.type).toBe('refresh_matches')
  const params = { id: libraryId, jobId: job.id }
  const change = (body: api.LibraryJobPatch) => editor.call(api.updateLibraryJob, { params, body })
  expect(errorOf(await change({ cronSchedule: 'now and then' })).error).toBe('validation_failed')
  expect(errorOf(await change({ timezone: 'Nowhere/At all' })).error).toBe('validation_failed')
  expect(
    bodyOf(await change({ enabled: false, timezone: 'Europe/Berlin', config: { scope: 'books_only' } })),
  ).toMatchObject({
    enabled: false,
    timezone: 'Europe/Berlin',
    config: { scope: 'books_only', skipRecentlySyncedWithinS: 0 },
  })
  expect(await names()).not.toContain(`library_job ${job.id}`)
  expect((await editor.call(api.removeLibraryJob, { params })).status).toBe(204)
  expect((await change({})).status).toBe(404)
})
