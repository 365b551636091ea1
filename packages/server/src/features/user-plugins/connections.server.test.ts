import * as api from '@carrel/api'
import {
  env,
  openConnectedHouse,
  hashOf,
  setUpAt,
  signIn,
  pluginOf,
  allOf,
  trustedBy,
  askAnew,
  everythingKept,
  processesWith,
  probeWith,
} from '../../../test/plugins/connecting.ts'
import { sendJson, startOAuthIssuer } from '../../../test/plugins/oauth-issuer.ts'
import { fixtures, read } from '../../../test/plugins/recommending-house.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { type Person, startServer } from '../../../test/start-server.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { movableClock, second } from '../../../test/movable-clock.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

describe('C19 a connection', () => {
  test('is one user’s own: a token is encrypted, given to the plugin for them, and shown to nobody', async () => {
    await using house = await openConnectedHouse()
    const { server } = house
    const asks = [{ key: 'access_token', label: 'Token', required: true, credentialType: 'password' }]
    const plugin = await house.setUp({ asks, tells: true }, { credentialDelivery: 'both' })
    const { id } = plugin
    const params = { id }
    const manifest = bodyOf(await house.admin.call(api.readPlugin, { params })).manifest
    expect(manifest?.requiredCredentials).toMatchObject([{ key: 'access_token', credentialType: 'password' }])
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    expect(await pluginOf(one, id)).toMatchObject({
      connected: false,
      requiresAuth: true,
      requiresOauth: false,
      takesToken: true,
    })
    expect(errorOf(await one.call(api.enableUserPlugin, { params }))).toMatchObject({ error: 'conflict' })
    const accessToken = 'a-token-of-one-reader'
    const saved = await one.call(api.saveUserPluginCredentials, { params, body: { accessToken } })
    expect(bodyOf(saved)).toMatchObject({
      enabled: true,
      connected: true,
      connection: { kind: 'token', problem: null },
    })
    expect(await trustedBy(one)).toEqual({
      names: ['access_token'],
      token: hashOf(accessToken),
      variable: hashOf(accessToken),
    })
    expect(await pluginOf(other, id)).toMatchObject({ connected: false, connection: null })
    expect(await read(other)).toEqual({ recommendations: [], sources: [] })

    bodyOf(await house.admin.call(api.updatePlugin, { params, body: { credentialDelivery: 'env' } }))
    await askAnew(one)
    expect(await trustedBy(one)).toEqual({ names: [], variable: hashOf(accessToken) })
    const shown = [await allOf(one), await pluginOf(one, id), await read(one)]
    const toAdmin = bodyOf(await house.admin.call(api.readPlugin, { params }))
    expect(JSON.stringify([shown, toAdmin])).not.toContain(accessToken)
    expect(await everythingKept(house)).not.toContain(accessToken)

    for (const wrong of ['', 'with space', 'é', 'x'.repeat(20_000)])
      expect(
        errorOf(await one.call(api.saveUserPluginCredentials, { params, body: { accessToken: wrong } })),
      ).toMatchObject({ error: 'validation_failed' })
    const unknown = { params: { id: unknownId } }
    for (const refused of [
      await one.call(api.saveUserPluginCredentials, { ...unknown, body: { accessToken } }),
      await one.call(api.beginUserPluginSignIn, unknown),
      await one.call(api.disconnectUserPlugin, unknown),
    ])
      expect(errorOf(refused)).toMatchObject({ error: 'not_found' })
    const plain = await house.setUp({})
    const onPlain = { params: { id: plain.id }, body: { accessToken } }
    expect(errorOf(await one.call(api.saveUserPluginCredentials, onPlain))).toMatchObject({ error: 'conflict' })
  })

  test('ends with all that the plugin has of its user, and with its process', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server } = house
    const { db } = server.context
    const { id } = await setUpAt(house, service)
    const params = { id }
    const [one, other] = [await server.person('reader'), await server.person('reader')]
    for (const person of [one, other]) {
      await signIn(server, person, id)
      bodyOf(await person.call(api.saveUserPluginConfig, { params, body: { config: { mood: 'calm' } } }))
      await trustedBy(person)
    }
    const stored = (user: Person) =>
      ({
        plugin_id: id,
        owner: user.id,
        user_id: user.id,
        key: 'k',
        data: '1',
        expires_at: null,
        updated_at: 'x',
      }) as const
    await db.write(async (db) => {
      await db
        .insertInto('plugin_data')
        .values([stored(one), stored(other)])
        .execute()
    })
    const folderOf = (person: Person) => join(server.context.config.dataDir, 'plugins', 'data', id, person.id)
    const runsFor = (person: Person): boolean => processesWith(`HOME=${folderOf(person)}`) > 0
    expect([runsFor(one), runsFor(other), existsSync(folderOf(one))]).toEqual([true, true, true])
    expect((await one.call(api.disconnectUserPlugin, { params })).status).toBe(204)
    await waitUntil('the end of the process', () => !runsFor(one) && !existsSync(folderOf(one)))
    expect([runsFor(other), existsSync(folderOf(other))]).toEqual([true, true])
    const ownersIn = async (
      table: 'user_plugin_connection' | 'recommendation_batch' | 'recommendation' | 'plugin_data',
    ) => {
      const rows = await db.read.selectFrom(table).select('user_id').execute()
      return [...new Set(rows.map(({ user_id }) => user_id))]
    }
    for (const table of ['user_plugin_connection', 'recommendation_batch', 'recommendation', 'plugin_data'] as const)
      expect([table, await ownersIn(table)]).toEqual([table, [other.id]])
    expect(await pluginOf(one, id)).toMatchObject({
      connected: false,
      connection: null,
      config: {},
      externalUsername: null,
    })
    expect(await read(one)).toEqual({ recommendations: [], sources: [] })
    expect(await pluginOf(other, id)).toMatchObject({ connected: true, config: { mood: 'calm' } })
    expect((await one.call(api.disconnectUserPlugin, { params })).status).toBe(204)

    // A connection can be ended even when the plugin is no longer offered.
    bodyOf(await house.admin.call(api.disablePlugin, { params }))
    expect((await other.call(api.disconnectUserPlugin, { params })).status).toBe(204)
    expect(await ownersIn('user_plugin_connection')).toEqual([])
    const newcomer = await server.person('reader')
    expect(errorOf(await newcomer.call(api.disconnectUserPlugin, { params }))).toMatchObject({ error: 'not_found' })
  })

  test('ends also with what the plugin stores of its user while it ends', async () => {
    await using house = await openConnectedHouse()
    const { server } = house
    const asks = [{ key: 'access_token', label: 'Token', required: true, credentialType: 'password' }]
    const { id } = await house.setUp({ asks, tells: true, keeps: true })
    const params = { id }
    const one = await server.person('reader')
    const folder = join(server.context.config.dataDir, 'plugins', 'data', id, one.id)
    const stored = () =>
      server.context.db.read.selectFrom('plugin_data').select('data').where('user_id', '=', one.id).execute()
    bodyOf(await one.call(api.saveUserPluginCredentials, { params, body: { accessToken: 'first' } }))
    await trustedBy(one)
    // Another choice of its user ends the process too, and what it stores then stays.
    bodyOf(await one.call(api.saveUserPluginConfig, { params, body: { config: { mood: 'calm' } } }))
    await waitUntil('the last word', async () => ((await stored()).length > 0 ? true : undefined))
    await askAnew(one)
    expect(processesWith(`HOME=${folder}`)).toBeGreaterThan(0)
    expect((await one.call(api.disconnectUserPlugin, { params })).status).toBe(204)
    await waitUntil('the end of the process', () => processesWith(`HOME=${folder}`) === 0 && !existsSync(folder))
    expect(await stored()).toEqual([])
  })

  test('is renewed by one of many who want it at once, on whichever node', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthIssuer({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using here = probeWith(server.context)
    await using second = await startServer({ env, address: server.context.config.database, clock })
    await cp(fixtures, join(second.context.config.dataDir, 'plugins', 'recommending'), { recursive: true })
    await using there = probeWith(second.context)
    pass(90_000)
    const tokens = await Promise.all([here, there, here, there, here].map((each) => each.tokenOf(id, one.id)))
    expect(new Set(tokens)).toEqual(new Set([hashOf('access-number-2')]))
    expect(service.tokenRequests).toHaveLength(2)
  })

  test('is not brought back by a renewal that was under way when it ended', async () => {
    const { clock, pass } = movableClock()
    await using service = await startOAuthIssuer({ lifeSeconds: 120 })
    await using house = await openConnectedHouse({ clock })
    const { server } = house
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    await using plugins = probeWith(server.context)
    const held = Promise.withResolvers<ServerResponse>()
    service.answer = (_, response) => {
      held.resolve(response)
      return true
    }
    pass(90 * second)
    const token = plugins.tokenOf(id, one.id)
    const response = await held.promise
    expect((await one.call(api.disconnectUserPlugin, { params: { id } })).status).toBe(204)
    sendJson(response, 200, { access_token: 'access-too-late', expires_in: 100 })
    // It runs for them as for somebody who has never entrusted it with anything.
    expect(await token).toBe('nothing')
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: null })
  })

  test('is encrypted anew under another key, and the former one can go; without it, it is said to be unreadable', async () => {
    await using service = await startOAuthIssuer()
    await using house = await openConnectedHouse()
    const { server } = house
    const { context } = server
    const { id } = await setUpAt(house, service)
    const one = await server.person('reader')
    await signIn(server, one, id)
    const encrypted = async () => {
      const { tokens } = await context.db.read
        .selectFrom('user_plugin_connection')
        .select('tokens')
        .executeTakeFirstOrThrow()
      const { oauth_client_secret } = await context.db.read
        .selectFrom('plugin')
        .select('oauth_client_secret')
        .executeTakeFirstOrThrow()
      return [tokens, oauth_client_secret]
    }
    const before = await encrypted()
    const secret = 'another secret for tests, and for nothing but tests'
    const config = { ...context.config, formerSecretKey: context.secret }
    await using rotating = probeWith({ ...context, secret, config })
    await waitUntil('the tokens encrypted anew', async () =>
      (await encrypted()).every((each, index) => each !== before[index]),
    )
    expect(await rotating.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    await using later = probeWith({ ...context, secret })
    expect(await later.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    expect(await pluginOf(one, id)).toMatchObject({ connected: true })

    await using strangers = probeWith(context)
    expect(await strangers.tokenOf(id, one.id)).toMatch(/^UNAVAILABLE: .*has to connect it again/)
    expect(await pluginOf(one, id)).toMatchObject({ connected: false, connection: { problem: 'unreadable' } })
    // One node that has the wrong secret does not spoil it for the others.
    expect(await later.tokenOf(id, one.id)).toBe(hashOf('access-number-1'))
    expect(await pluginOf(one, id)).toMatchObject({ connected: true, connection: { problem: null } })
  })
})
