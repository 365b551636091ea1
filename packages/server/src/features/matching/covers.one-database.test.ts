import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'
import { workOn } from '../../../test/work.ts'
import { fetchCovers } from './jobs/fetch-covers.ts'

const picture = tinyJpeg(7)
let sentBytes = 0

/** It sends as much as anybody takes. */
const sendWithoutEnd = (response: ServerResponse): void => {
  const chunk = Buffer.alloc(1024 * 1024)
  chunk.set(picture)
  const more = () => {
    while (!response.destroyed) {
      sentBytes += chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
  }
  more()
}

const listen = async (answer: (path: string, response: ServerResponse) => void): Promise<Server> => {
  const server = createServer((request, response) => answer(request.url ?? '', response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port

let insideAsked = 0
const inside = await listen((_, response) => {
  insideAsked += 1
  response.end(picture)
})
const outside = await listen((path, response) => {
  if (path === '/cover.jpg') return response.end(picture)
  if (path === '/moved') return response.writeHead(302, { location: '/cover.jpg' }).end()
  if (path === '/inwards') return response.writeHead(302, { location: `http://127.0.0.1:${portOf(inside)}/` }).end()
  if (path === '/round') return response.writeHead(302, { location: '/round' }).end()
  if (path === '/page') return response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html>no picture</html>')
  if (path === '/broken') return response.writeHead(200, { 'content-length': '100' }).end(picture.subarray(0, 60))
  if (path === '/endless') {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': String(10 * 1024 ** 3) })
    return sendWithoutEnd(response)
  }
  response.writeHead(404).end()
})

const house = await startHousehold()
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  outside.closeAllConnections()
  for (const server of [inside, outside]) server.close()
})
const { db } = house.server.context
const editor = await house.server.person('editor')
// Anything may be fetched from this name, and nothing from the same address by its number.
bodyOf(
  await house.admin.call(api.saveSetting, { params: { key: 'plugins.cover_hosts' }, body: { value: ['localhost'] } }),
)

const base = `http://localhost:${portOf(outside)}`
const paths = ['/cover.jpg', '/moved', '/inwards', '/round', '/page', '/broken', '/endless', '/nothing']
const addresses = [...paths.map((path) => base + path), `http://127.0.0.1:${portOf(inside)}/`, 'http://10.0.0.1/a.jpg']
const catalogue = await setUpCatalogue(house, {
  entries: addresses.map((coverUrl) => ({ externalId: coverUrl, title: 'Any', coverUrl })),
})

const newSeries = async () => {
  const series = await addSeries(db, await addLibrary(db), {})
  const [bookId = ''] = await addBooks(db, series, [{}])
  return { id: series.id, bookId }
}

/** What came of it, in the words of the task. */
const matchedWith = async (id: string, externalId: string): Promise<string | undefined> => {
  const body = { pluginId: catalogue.id, externalId, fields: ['cover' as const] }
  bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body }))
  return fetched()
}

const fetched = async (): Promise<string | undefined> => {
  await using _ = workOn(house.server, [fetchCovers])
  const tasks = () => db.read.selectFrom('task').selectAll().where('type', '=', 'fetch_covers').orderBy('id').execute()
  await expect.poll(async () => (await tasks()).every(({ status }) => status === 'completed')).toBe(true)
  const last = (await tasks()).at(-1)
  return (JSON.parse(last?.result ?? '{}') as { problem?: string | null }).problem ?? undefined
}

const coversOf = async (id: string) => bodyOf(await editor.call(api.listSeriesCovers, { params: { id } }))

test('a cover of a plugin is fetched where it is public or allowed, and stands for the series', async () => {
  const { id } = await newSeries()
  expect(await matchedWith(id, `${base}/moved`)).toBeUndefined()
  const source = `plugin:${catalogue.name}`
  expect(await coversOf(id)).toMatchObject([{ source, isSelected: true }])
  const again = bodyOf(
    await editor.call(api.previewSeriesMatch, {
      params: { id },
      body: { pluginId: catalogue.id, externalId: `${base}/moved` },
    }),
  )
  expect(again.fields.find(({ field }) => field === 'cover')).toMatchObject({ status: 'unchanged' })
  const params = { id, pluginName: catalogue.name }
  expect((await editor.call(api.unmatchSeries, { params })).status).toBe(204)
  expect(await coversOf(id)).toEqual([])
})

test.each([
  ['a redirect into our own network', `${base}/inwards`, /ports|private/],
  ['an address in our own network', `http://127.0.0.1:${portOf(inside)}/`, /ports|private/],
  ['a private address', 'http://10.0.0.1/a.jpg', /private/],
  ['a circle', `${base}/round`, /more than 3 times/],
  ['text that is called a picture', `${base}/page`, /no picture/],
  ['half a picture', `${base}/broken`, /broke off|cannot be reached/],
  ['ten gigabytes', `${base}/endless`, /more than 10485760 bytes/],
  ['nothing', `${base}/nothing`, /404/],
])('of %s nothing is taken', async (_, url, problem) => {
  const { id } = await newSeries()
  expect(await matchedWith(id, url)).toMatch(problem)
  expect(await coversOf(id)).toEqual([])
  expect(insideAsked).toBe(0)
  expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
})

test('a cover that is still to be fetched is not lost when another field of the same work is applied', async () => {
  const { id } = await newSeries()
  const apply = async (field: 'cover' | 'title') => {
    const body = { pluginId: catalogue.id, externalId: `${base}/cover.jpg`, fields: [field] }
    bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body }))
  }
  await apply('cover')
  await apply('title')

  expect(await fetched()).toBeUndefined()
  expect(await coversOf(id)).toMatchObject([{ source: `plugin:${catalogue.name}` }])
})

test('C13 undoing a match by its history takes its cover back too, and undoing that brings it again', async () => {
  const { id } = await newSeries()
  const apply = async (path: string) => {
    const body = { pluginId: catalogue.id, externalId: base + path }
    const applied = bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body }))
    await fetched()
    return applied.historyId ?? ''
  }
  const undo = async (historyId: string, force = false) => {
    const undone = bodyOf(await editor.call(api.undoSeriesMetadata, { params: { id }, body: { historyId, force } }))
    await fetched()
    return undone.conflicts
  }
  const shown = async () => ({
    covers: (await coversOf(id)).map(({ source, isSelected }) => ({ source, isSelected })),
    url: (await db.read.selectFrom('plugin_match').select('cover_url').where('entity_id', '=', id).executeTakeFirst())
      ?.cover_url,
  })
  const source = `plugin:${catalogue.name}`
  const withCover = (path: string) => ({ covers: [{ source, isSelected: true }], url: base + path })
  const without = { covers: [], url: null }
  const first = await apply('/cover.jpg')
  expect(await shown()).toEqual(withCover('/cover.jpg'))
  expect(await undo(first)).toEqual([])
  expect(await shown()).toEqual(without)
  const [newest] = bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id } })).data
  expect(await undo(newest?.id ?? '')).toEqual([])
  expect(await shown()).toEqual(withCover('/cover.jpg'))

  const second = await apply('/moved')
  expect(await shown()).toEqual(withCover('/moved'))
  expect(await undo(first)).toContain('cover')
  expect(await shown()).toEqual(withCover('/moved'))
  await undo(second)
  expect(await shown()).toEqual(withCover('/cover.jpg'))

  const params = { id, pluginName: catalogue.name }
  expect((await editor.call(api.unmatchSeries, { params })).status).toBe(204)
  expect((await shown()).covers).toEqual([])
  const [unmatched] = bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id } })).data
  await undo(unmatched?.id ?? '')
  expect(await shown()).toEqual(withCover('/cover.jpg'))
})

test('CAT-2 a cover that somebody has chosen stays, and is not even fetched', async () => {
  const { id } = await newSeries()
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { coverLock: true } }))
  const body = { pluginId: catalogue.id, externalId: `${base}/cover.jpg`, fields: ['cover' as const] }
  const applied = bodyOf(await editor.call(api.applySeriesMatch, { params: { id }, body }))
  expect(applied).toMatchObject({ appliedFields: [], skippedFields: [{ field: 'cover', reason: 'locked' }] })
})
