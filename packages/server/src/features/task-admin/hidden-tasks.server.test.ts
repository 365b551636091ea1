import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../../../test/event-stream.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

test('A8 HTTP-3 tasks and scans say nothing of what somebody does not see', async () => {
  await using server = await startServer()
  await using folder = await libraryFolder()
  await using other = await libraryFolder()
  await folder.write('A/1.cbz', comic({ seed: 1, pages: 1 }))
  await other.write('B/1.cbz', comic({ seed: 2, pages: 1 }))
  const admin = await server.person('admin')
  const libraryOn = async (path: string, name: string) =>
    bodyOf(await admin.call(api.createLibrary, { body: { name, roots: [path], scanNow: false } })).id
  const seen = await libraryOn(folder.path, 'Seen')
  const hidden = await libraryOn(other.path, 'Hidden')
  const editor = await server.person('editor', { access: { libraries: [seen] } })
  const child = await server.person('editor', { access: { ageCeiling: 12, includeUnrated: true } })
  const streams = []
  for (const { accessToken } of [editor, child])
    streams.push(await openStream(server.url, { authorization: `Bearer ${accessToken}` }))
  await scanNow(server, seen)
  await scanNow(server, hidden)
  await folder.write('A/2.cbz', comic({ seed: 3, pages: 1 }))
  const waiting = bodyOf(await admin.call(api.scanLibrary, { params: { id: hidden } })).taskId

  const all = bodyOf(await admin.call(api.listTasks, { query: { pageSize: 500 } }))
  const theirs = bodyOf(await editor.call(api.listTasks, { query: { pageSize: 500 } }))
  const ofHidden = all.data.filter(({ libraryId }) => libraryId === hidden)
  expect(ofHidden.length).toBeGreaterThan(1)
  expect(theirs.total).toBe(all.total - ofHidden.length)
  expect(JSON.stringify(theirs)).not.toContain(hidden)
  const params = { id: waiting }
  for (const endpoint of [api.readTask, api.cancelTask, api.retryTask] as const)
    expect((await editor.call(endpoint, { params })).status).toBe(404)
  const [stats, ownStats] = [
    bodyOf(await admin.call(api.readTaskStats, {})),
    bodyOf(await editor.call(api.readTaskStats, {})),
  ]
  expect(ownStats.total).toBe(stats.total - ofHidden.length)
  expect(bodyOf(await admin.call(api.readTask, { params })).status).toBe('pending')

  // Figures are kept of all libraries together.
  const metrics = bodyOf(await admin.call(api.readTaskMetrics, {}))
  expect(metrics.byType).not.toEqual([])
  const { queue, byType, summary } = bodyOf(await editor.call(api.readTaskMetrics, {}))
  expect(byType).toEqual([])
  expect(summary.totalExecuted).toBe(ownStats.completed + ownStats.failed)
  expect(queue.pendingCount).toBe(ownStats.pending)
  expect(queue.pendingCount).toBeLessThan(metrics.queue.pendingCount)
  expect(bodyOf(await admin.call(api.readTaskMetricsHistory, {})).points).not.toEqual([])
  expect(bodyOf(await editor.call(api.readTaskMetricsHistory, {})).points).toEqual([])

  // While a part of the library is hidden, the viewer does not learn how much there is in all.
  const scan = bodyOf(await admin.call(api.readScanStatus, { params: { id: seen } }))
  expect(scan).toMatchObject({ filesTotal: 1, booksAdded: 1, seriesAdded: 1, analysisPending: 0 })
  const nothing = { filesTotal: 0, filesProcessed: 0, booksAdded: 0, seriesAdded: 0, analysisPending: 0 }
  expect(bodyOf(await child.call(api.readScanStatus, { params: { id: seen } }))).toMatchObject({
    id: scan?.id,
    status: 'completed',
    ...nothing,
  })
  expect(bodyOf(await child.call(api.listScans, { params: { id: seen } })).data).toMatchObject([{ filesTotal: 0 }])
  const told = bodyOf(await child.call(api.listTasks, { query: { libraryId: seen } }))
  expect(told.data.map(({ result, progress }) => [result, progress])).toEqual(told.data.map(() => [null, null]))
  const [ofEditor, ofChild] = streams
  await ofEditor?.first('library_updated')
  await ofChild?.first('library_updated')
  expect(ofEditor?.ofType('task_progress').filter(({ data }) => data['libraryId'] === hidden)).toEqual([])
  expect(ofEditor?.ofType('task_progress').length).toBeGreaterThan(0)
  expect(ofChild?.ofType('task_progress').filter(({ data }) => data['libraryId'] !== undefined)).toEqual([])
  expect(ofChild?.ofType('scan_progress')).toEqual([])
  for (const stream of streams) await stream[Symbol.asyncDispose]()
})
