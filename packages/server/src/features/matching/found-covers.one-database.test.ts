import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { jpeg } from '../../../test/books/pictures.ts'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { hour, movableClock } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { setUpCatalogue } from '../../../test/plugins/catalogue-plugin.ts'
import { startHousehold } from '../../../test/plugins/with-plugins.ts'
import { testPassword } from '../../../test/start-server.ts'
import { readImageHeader } from '../../formats/images/header.ts'

const picture = jpeg({ width: 900, height: 1200, seed: 7, detail: 3 })
const requests: string[] = []
const outside = createServer((request, response) => {
  requests.push(request.url ?? '')
  if (request.url === '/cover.jpg') return void response.end(picture)
  if (request.url === '/page') return void response.end('<svg onload="alert(1)"/>')
  response.writeHead(404).end()
})
await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))

const { clock, pass } = movableClock()
const house = await startHousehold({ clock })
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  outside.close()
})
const { db } = house.server.context
const editor = await house.server.person('editor')
const other = await house.server.person('editor')
bodyOf(
  await house.admin.call(api.saveSetting, { params: { key: 'plugins.cover_hosts' }, body: { value: ['localhost'] } }),
)
const { port } = outside.address() as AddressInfo
const coverUrls = {
  good: `http://localhost:${port}/cover.jpg`,
  page: `http://localhost:${port}/page`,
  // The same server by its number, which is not allowed.
  inside: `http://127.0.0.1:${port}/cover.jpg`,
}
const catalogue = await setUpCatalogue(house, {
  entries: Object.entries(coverUrls).map(([externalId, coverUrl]) => ({ externalId, title: 'Any', coverUrl })),
})
const series = await addSeries(db, await addLibrary(db), {})
await addBooks(db, series, [{}])
const params = { id: series.id }

/** By the ids of what was found. */
const findCovers = async (): Promise<ReadonlyMap<string, string>> => {
  const body = { pluginId: catalogue.id, query: 'Any' }
  const { results } = bodyOf(await editor.call(api.searchSeriesMetadata, { params, body }))
  return new Map(results.map(({ externalId, coverProxyUrl }) => [externalId, coverProxyUrl ?? '']))
}

const get = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(house.server.url + address, { headers: { authorization: `Bearer ${editor.accessToken}`, ...headers } })

test('the cover of a result is fetched for whoever searched, made anew and small, and need not be asked for again', async () => {
  const address = (await findCovers()).get('good') ?? ''
  const reply = await get(address)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(reply.headers.get('cache-control')).toContain('private')
  const bytes = Buffer.from(await reply.arrayBuffer())
  expect(readImageHeader(bytes)).toMatchObject({ mediaType: 'image/jpeg', width: 270, height: 360 })
  expect(bytes.length).toBeLessThan(picture.length)
  const count = requests.length
  expect((await get(address, { 'if-none-match': reply.headers.get('etag') ?? '' })).status).toBe(304)
  expect(requests).toHaveLength(count)
  expect((await findCovers()).get('good')).toBe(address)
  const body = { pluginId: catalogue.id, externalId: 'good' }
  expect(bodyOf(await editor.call(api.previewSeriesMatch, { params, body })).coverProxyUrl).toBe(address)
})

test('what is no picture, or lies in our own network, is not passed on', async () => {
  const addresses = await findCovers()
  const count = requests.length
  expect((await get(addresses.get('inside') ?? '')).status).toBe(404)
  expect(requests).toHaveLength(count)
  const reply = await get(addresses.get('page') ?? '')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
})

test('AUTH-7 such an address is of no use to others, cannot be made, and ends', async () => {
  const address = (await findCovers()).get('good') ?? ''
  const count = requests.length
  expect((await get(address, { authorization: `Bearer ${other.accessToken}` })).status).toBe(404)
  expect((await fetch(house.server.url + address)).status).toBe(401)
  const [, claim = '', signature = ''] = /picture=(.+)\.(.+)$/.exec(address) ?? []
  const [pluginId, until] = JSON.parse(Buffer.from(claim, 'base64url').toString()) as unknown[]
  const forged = Buffer.from(JSON.stringify([pluginId, until, coverUrls.page])).toString('base64url')
  for (const picture of [
    `${forged}.${signature}`,
    `${claim}.`,
    `${claim}.${signature}x`,
    `${claim}.${signature}.`,
    claim,
    '.',
  ])
    expect((await get(`/media/found-covers?picture=${picture}`)).status).toBe(404)
  expect(requests).toHaveLength(count)
  expect((await get(address)).status).toBe(200)
  pass(2 * hour)
  const { username } = editor
  const { accessToken } = bodyOf(await house.server.call(api.login, { body: { username, password: testPassword } }))
  expect((await get(address, { authorization: `Bearer ${accessToken}` })).status).toBe(404)
})
