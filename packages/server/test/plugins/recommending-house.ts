import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as api from '@carrel/api'
import { expect } from 'vitest'
import { refreshOne, tellDismissal } from '../../src/features/recommendations/tasks.ts'
import { bodyOf } from '../outcome.ts'
import { waitUntil } from '../smoke/wait-until.ts'
import { type Person, type ServerOptions, startServer, type TestServer } from '../start-server.ts'
import { workOn } from '../work.ts'

export const fixtures = fileURLToPath(new URL('./recommending', import.meta.url))
export interface House extends AsyncDisposable {
  readonly server: TestServer
  readonly admin: Person
  /** A plugin that recommends, set up as this and started once. */
  setUp(config: object, more?: Partial<api.CreatePluginRequest>): Promise<api.PluginDto>
}

/** It starts a server with a worker, and a plugin that recommends whatever it is told to. */
export const openHouse = async (options: ServerOptions = {}): Promise<House> => {
  const server = await startServer(options)
  const { dataDir } = server.context.config
  await cp(fixtures, join(dataDir, 'plugins', 'recommending'), { recursive: true })
  const work = workOn(server, [refreshOne, tellDismissal], { pluginTiming: { shutdownMs: 500, backOffFirstMs: 20 } })
  const admin = await server.person('admin')
  let set = 0
  return {
    server,
    admin,
    setUp: async (config, more = {}) => {
      set += 1
      const body = {
        name: `plugin-${set}`,
        displayName: `Plugin ${set}`,
        command: 'node',
        args: ['recommending/recommends.mjs'],
        enabled: true,
        enabledFor: 'everybody' as const,
        config: { ...config },
        ...more,
      }
      const { plugin } = bodyOf(await admin.call(api.createPlugin, { body }))
      expect(bodyOf(await admin.call(api.testPlugin, { params: { id: plugin.id } }))).toMatchObject({ success: true })
      return plugin
    },
    [Symbol.asyncDispose]: async () => {
      await work.stop()
      await server[Symbol.asyncDispose]()
    },
  }
}

export const read = async ({ call }: Pick<Person, 'call'>) => bodyOf(await call(api.readRecommendations, {}))
export const refresh = ({ call }: Pick<Person, 'call'>) => call(api.refreshRecommendations, {})
export const dismiss = ({ call }: Person, externalId: string, reason?: api.DismissReason) =>
  call(api.dismissRecommendation, { params: { externalId }, ...(reason && { body: { reason } }) })

/** When nothing more is being made. */
export const made = (person: Pick<Person, 'call'>) =>
  waitUntil('the recommendations', async () => {
    const answer = await read(person)
    return answer.sources.every(({ taskId }) => taskId === null) ? answer : undefined
  })

export const titlesOf = ({ recommendations }: api.RecommendationsResponse) => recommendations.map(({ title }) => title)
export const rec = (externalId: string, more: object = {}) => ({
  externalId,
  title: `Title ${externalId}`,
  score: 0.5,
  reason: `Reason ${externalId}`,
  ...more,
})
