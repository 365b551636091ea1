import { addressOf, createApiKey, updateApiKey } from '../../packages/api/src/index.ts'
import { type Connection, openConnection, requestBytes } from '../connection.ts'
import type { Bench } from '../figure.ts'
import { callerAt, type Installation, signInAgain } from '../installation.ts'
import { sameReply } from '../load.ts'
import { profileRequest, readOwnProfile } from '../own-profile.ts'
import { cpuUsOf } from '../process-figures.ts'
import type { ServerProcess } from '../server-process.ts'

const rounds = 7
const passes = 40
const credentials = 40
const lanes = 8

/**
 * The server remembers who a credential belongs to until anything changes about access. Here something changes before
 * every pass, so that each credential is looked up again.
 */
export const coldAuth: Bench = {
  names: ['auth.cold'],
  run: async ({ installation }) => {
    await using server = await installation.start()
    const model = await readOwnProfile(server.port, installation.username, installation.token)
    const { tokens, keys, change } = await makeCredentials(installation, server.port)
    const connections = await Promise.all(Array.from({ length: lanes }, () => openConnection(server.port)))
    const course = { server, connections, change, check: sameReply(model) }
    await runPasses(course, [...tokens, ...keys])
    const byToken: number[] = []
    const byKey: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const changesUs = await runPasses(course, [])
      byToken.push(((await runPasses(course, tokens)) - changesUs) / (passes * credentials))
      byKey.push(((await runPasses(course, keys)) - changesUs) / (passes * credentials))
    }
    for (const connection of connections) connection.close()
    return [
      { name: 'auth.cold token CPU per request', unit: 'µs', values: byToken },
      { name: 'auth.cold key CPU per request', unit: 'µs', values: byKey },
      {
        name: 'auth.cold key to token, by CPU',
        unit: 'ratio',
        values: byKey.map((cpuUs, round) => cpuUs / (byToken[round] ?? Number.NaN)),
      },
    ]
  },
}

interface Credentials {
  readonly tokens: readonly Buffer[]
  readonly keys: readonly Buffer[]
  /** It changes a key that nobody uses, after which the server knows nobody any more. */
  readonly change: Buffer
}

const makeCredentials = async ({ token }: Installation, port: number): Promise<Credentials> => {
  const call = callerAt(port, token)
  const create = async (name: string) => {
    const created = await call(createApiKey, { body: { name } })
    if (!created.ok) throw new Error(`No API key: ${created.error.message}`)
    return created.body
  }
  const tokens: Buffer[] = []
  const keys: Buffer[] = []
  for (let each = 0; each < credentials; each += 1) {
    tokens.push(profileRequest(await signInAgain(port)))
    const { key } = await create(`bench ${each}`)
    keys.push(profileRequest({ 'x-api-key': key }))
  }
  const { id } = await create('bench, to be changed')
  const input = { params: { id }, body: { isActive: false } }
  const path = addressOf(updateApiKey, input)
  return { tokens, keys, change: requestBytes({ method: 'PATCH', path, headers: token, body: input.body }) }
}

interface Course {
  readonly server: ServerProcess
  readonly connections: readonly Connection[]
  readonly change: Buffer
  readonly check: ReturnType<typeof sameReply>
}

/** It returns what the passes cost the server. */
const runPasses = async (
  { server, connections, change, check }: Course,
  requests: readonly Buffer[],
): Promise<number> => {
  const before = cpuUsOf(server.pid)
  for (let pass = 0; pass < passes; pass += 1) {
    const changed = await connections[0]?.exchange(change)
    if (changed?.status !== 200) throw new Error(`The key could not be changed: ${changed?.body.toString()}`)
    await Promise.all(
      connections.map(async (connection, lane) => {
        for (const request of requests.filter((_, index) => index % lanes === lane))
          check(await connection.exchange(request))
      }),
    )
  }
  return cpuUsOf(server.pid) - before
}
