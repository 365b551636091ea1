import * as api from '@carrel/api'
import { readCompatClaim, readKoreaderHealth, readOpdsCatalog } from '@carrel/api/doors'
import { expect, test } from 'vitest'
import { bodyOf } from '../../test/outcome.ts'
import { plainRequest } from '../../test/plain-request.ts'
import { startServer } from '../../test/start-server.ts'

test('COM-1 W13 the compatibility door is closed at first, opens and moves at run time, and is at one address only', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const statusAt = async (address: string) => (await plainRequest(server.url + address)).status
  const set = async (key: string, value: string | boolean) =>
    bodyOf(await admin.call(api.saveSetting, { params: { key }, body: { value } }))

  const closed = await plainRequest(`${server.url}/komga/api/v1/claim`)
  expect([closed.status, closed.json]).toMatchObject([404, { error: 'not_found', requestId: expect.any(String) }])
  await set('compat.enabled', true)
  expect(bodyOf(await server.call(readCompatClaim, {}))).toEqual({ isClaimed: true })
  expect(await statusAt('/komga/api/v1/claim/')).toBe(200)
  const nowhere = await plainRequest(`${server.url}/komga/api/v1/nothing`)
  expect([nowhere.status, nowhere.json]).toMatchObject([404, { error: 'Not Found', path: '/komga/api/v1/nothing' }])
  await set('compat.prefix', 'comics')
  expect(await statusAt('/comics/api/v1/claim')).toBe(200)
  expect(await statusAt('/komga/api/v1/claim')).toBe(404)
  expect(await statusAt('/~compat/api/v1/claim')).toBe(404)
  await set('compat.enabled', false)
  for (const address of [
    '/comics/api/v1/claim',
    '/komga/api/v1/claim',
    '/~compat/api/v1/claim',
    '/%7Ecompat/api/v1/claim',
  ])
    expect([address, await statusAt(address)]).toEqual([address, 404])
})

test('OPD-1 KOR-1 C6 the other doors are open at first, and closed they do not exist', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  expect((await admin.call(readOpdsCatalog, {})).status).toBe(200)
  expect((await server.call(readKoreaderHealth, {})).status).toBe(200)
  for (const key of ['opds.enabled', 'koreader.enabled'])
    bodyOf(await admin.call(api.saveSetting, { params: { key }, body: { value: false } }))
  expect((await admin.call(readOpdsCatalog, {})).status).toBe(404)
  expect((await server.call(readKoreaderHealth, {})).status).toBe(404)
})

test('G1 W2 W3 C14 the law has the shape of what the limiter says, at every door', async () => {
  await using server = await startServer({
    env: {
      CARREL_RATE_LIMIT_ENABLED: 'true',
      CARREL_SETTING_COMPAT_ENABLED: 'true',
      CARREL_SETTING_RATE_LIMIT_ANONYMOUS_BURST: '1',
      CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '1',
    },
  })
  const endpoints: readonly api.Endpoint[] = [readOpdsCatalog, readCompatClaim, readKoreaderHealth]
  for (const endpoint of endpoints) {
    // All requests are sent at once: however slow the machine is, fewer tokens come back than are asked for.
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => server.call(endpoint, {})))
    const refused = outcomes.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const outcome of refused)
      expect(!outcome.ok && Object.keys(outcome.error)).toEqual(['error', 'message', 'retry_after'])
  }
})
