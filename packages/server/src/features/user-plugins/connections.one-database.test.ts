import * as api from '@carrel/api'
import {
  openConnectedHouse,
  hashOf,
  setUpAt,
  signIn,
  pluginOf,
  trustedBy,
  askAnew,
  everythingKept,
  probeWith,
} from '../../../test/plugins/connecting.ts'
import { startOAuthIssuer, answers } from '../../../test/plugins/oauth-issuer.ts'
import { read } from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { minute, movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { describe, expect, test } from 'vitest'

describe('C19 a connection', () => {
  test('is renewed once when the service refuses it, and given up when that does not help: no fault of the plugin', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server, admin } = house
    const plugin = await setUpAt(house, service, { refuses: ['number-1'] })
    const { id } = plugin
    const params = { id }
    const one = await server.person('reader')
    await signIn(server, one, id)
    expect(await trustedBy(one)).toMatchObject({ token: hashOf('access-number-2') })
    expect(service.tokenRequests.map((form) => form.get('refresh_token'))).toEqual([null, 'refresh-number-1'])

    bodyOf(await admin.call(api.updatePlugin, { params, body: { config: { ...plugin.config, refuses: ['number'] } } }))
    await askAnew(one)
    const broken = { enabled: true, connected: false, connection: { kind: 'oauth', problem: 'token_refused' } }
    await waitUntil('the end of the connection', async () => ((await pluginOf(one, id)).connected ? undefined : true))
    expect(await pluginOf(one, id)).toMatchObject(broken)
    const requestCount = service.tokenRequests.length
    expect(requestCount).toBe(3)
    await one.call(api.refreshRecommendations, {})
    expect(await read(one)).toEqual({ recommendations: [], sources: [] })
    expect(service.tokenRequests).toHaveLength(requestCount)
    const { failures, windowFailures } = bodyOf(await admin.call(api.readPluginFailures, { params }))
    expect(windowFailures).toBe(0)
    expect(failures.length).toBeGreaterThan(0)
    expect(JSON.stringify(failures)).not.toContain('access-number')
    expect(await everythingKept(house)).not.toMatch(/(access|refresh)-number/)
    expect(bodyOf(await admin.call(api.readPlugin, { params }))).toMatchObject({ enabled: true })

    // A user who connects again starts from the beginning.
    bodyOf(await admin.call(api.updatePlugin, { params, body: { config: { ...plugin.config, refuses: [] } } }))
    await signIn(server, one, id)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
  })

  test('ends where the service does not renew it, and waits where the service is away', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthIssuer({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using plugins = probeWith(server.context)
    const token = () => plugins.tokenOf(id, one.id)

    service.answer = answers(503, {})
    // A minute before its end it is to be renewed, and is good still when that cannot be.
    pass(90 * second)
    expect(await token()).toBe(hashOf('access-number-1'))
    expect(service.tokenRequests).toHaveLength(2)
    pass(minute)
    for (let times = 0; times < 3; times += 1) expect(await token()).toMatch(/^UNAVAILABLE: .*does not answer/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
    // The service is asked once a minute, however often the plugin is needed.
    expect(service.tokenRequests).toHaveLength(3)

    service.answer = undefined
    pass(2 * minute)
    expect(await token()).toBe(hashOf('access-number-2'))
    service.answer = answers(400, { error: 'invalid_grant' })
    pass(2 * minute)
    expect(await token()).toMatch(/^UNAVAILABLE: .*has to connect it again/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'refresh_refused' } })
    const count = service.tokenRequests.length
    expect(await token()).toMatch(/^UNAVAILABLE/)
    expect(service.tokenRequests).toHaveLength(count)
  })

  test('ends when it has run out and nothing came along to renew it with', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthIssuer({ lifeSeconds: 120, canRefresh: false })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await trustedBy(one)
    pass(2 * minute)
    await askAnew(one)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'expired' } })
    expect(service.tokenRequests).toHaveLength(1)
  })
})
