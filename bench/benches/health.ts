import { readHealth } from '../../packages/api/src/index.ts'
import { spawnBare } from '../bare-process.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench } from '../figure.ts'
import { sameReply } from '../load.ts'
import { runRounds } from '../rounds.ts'
import { figuresAgainstBare, usualLoad } from './against-bare.ts'

export const health: Bench = {
  names: ['health'],
  run: async ({ installation: { start } }) => {
    await using server = await start()
    const request = requestBytes({ path: readHealth.path })
    const model = await exchangeOnce(server.port, request)
    await using bare = await spawnBare(model, request)
    const load = { ...usualLoad, request: () => request, check: sameReply(model) }
    const rounds = await runRounds({
      bare: { pid: bare.pid, load: { ...load, port: bare.port } },
      ours: { pid: server.pid, load: { ...load, port: server.port } },
    })
    return figuresAgainstBare('health', rounds.ours, rounds.bare)
  },
}
