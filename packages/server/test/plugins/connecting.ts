import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import * as api from '@carrel/api'
import { expect } from 'vitest'
import type { Context } from '../../src/context.ts'
import { runPlugins } from '../../src/features/plugins/running/run.ts'
import { ownTrust } from '../../src/features/user-plugins/own-trust.ts'
import { PluginFault } from '../../src/plugins/fault.ts'
import { type Browser, newBrowser } from '../oidc-browser.ts'
import { clientSecret, publicUrl } from '../oidc-provider.ts'
import { bodyOf } from '../outcome.ts'
import type { Person, ServerOptions, TestServer } from '../start-server.ts'
import type { OAuthIssuer } from './oauth-issuer.ts'
import { type House, made, openHouse, read } from './recommending-house.ts'

export const callback = `${publicUrl}/api/v1/user/plugins/oauth/callback`
export const env = { CARREL_PUBLIC_URL: publicUrl, CARREL_SETTING_PLUGINS_OAUTH_HOSTS: '127.0.0.1' }
export const openConnectedHouse = (more: ServerOptions = {}): Promise<House> =>
  openHouse({ ...more, env: { ...env, ...more.env } })

export const clientCredentials = { oauth_client_id: 'carrel', oauth_client_secret: clientSecret }
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const setUpAt = (house: House, { oauth }: Pick<OAuthIssuer, 'oauth'>, more: object = {}) =>
  house.setUp({ oauth, tells: true, ...more }, { credentials: clientCredentials })

/** One in which this person is signed in here, and `account` at the service. */
export const browserOf = (server: TestServer, account = 'ana-1'): Browser => newBrowser(() => server, account)

export const start = async (browser: Browser, person: Person, pluginId: string): Promise<string> => {
  const reply = await plainBegin(browser, person, pluginId)
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
  return (reply.json as { redirectUrl: string }).redirectUrl
}

export const plainBegin = (browser: Browser, { accessToken }: Person, pluginId: string) =>
  browser.open(`${publicUrl}/api/v1/user/plugins/${pluginId}/oauth/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
  })

export const locationOf = async (browser: Browser, address: string): Promise<string> => {
  const landed = await browser.open(address)
  expect([landed.status, landed.headers['cache-control']]).toEqual([303, 'no-store'])
  return landed.headers.location ?? ''
}

/** The whole way; where it ends. */
export const signIn = async (server: TestServer, person: Person, pluginId: string): Promise<string> => {
  const browser = browserOf(server)
  return locationOf(browser, await browser.walk(await start(browser, person, pluginId)))
}

export const pluginOf = async ({ call }: Person, id: string) =>
  bodyOf(await call(api.readUserPlugin, { params: { id } }))
export const allOf = async ({ call }: Person) => bodyOf(await call(api.listUserPlugins, {}))

export interface Trusted {
  readonly names: readonly string[]
  readonly token?: string
  readonly variable?: string
}

/** The plugin reports the credentials it was given for this person. */
export const trustedBy = async (person: Person): Promise<Trusted> => {
  await read(person)
  const { recommendations } = await made(person)
  const told = recommendations.find(({ externalId }) => externalId === 'told')
  return (JSON.parse(told?.reason ?? '{}') as { trusted: Trusted }).trusted
}

/** The recommendations are computed again, even if there are some. */
export const askAnew = async (person: Person): Promise<api.RecommendationsResponse> => {
  await person.call(api.refreshRecommendations, {})
  return made(person)
}

/** It counts the processes on this machine that have this in their environment. */
export const processesWith = (variable: string): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(variable)
    } catch {
      return false
    }
  }).length

interface TokenProbe extends AsyncDisposable {
  /** It returns the token that the plugin has for this user, or the code and the message of the fault. */
  tokenOf(pluginId: string, userId: string): Promise<string>
}

/** Plugins as a worker runs them, asked without a task. */
export const probeWith = (context: Context): TokenProbe => {
  const plugins = runPlugins(context, { own: ownTrust(context), timing: { shutdownMs: 500, backOffFirstMs: 20 } })
  const params = { library: [], limit: 10, excludeIds: [] }
  return {
    tokenOf: async (pluginId, userId) => {
      try {
        const reply = await plugins.call({ pluginId, userId }, 'recommendations/get', params)
        const { recommendations } = reply as { recommendations: readonly { externalId: string; reason: string }[] }
        const told = recommendations.find(({ externalId }) => externalId === 'told')
        return (JSON.parse(told?.reason ?? '{}') as { trusted: Trusted }).trusted.token ?? 'nothing'
      } catch (error) {
        if (error instanceof PluginFault) return `${error.code}: ${error.message}`
        throw error
      }
    },
    [Symbol.asyncDispose]: plugins.stop,
  }
}

export const everythingKept = async (house: House): Promise<string> => {
  const { db } = house.server.context
  const tables = [
    'user_plugin',
    'user_plugin_connection',
    'user_plugin_sign_in',
    'plugin',
    'plugin_failure',
    'task',
  ] as const
  const rows = await Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute()))
  return JSON.stringify([rows, house.server.logLines])
}
