import { spawnBare } from '../bare-process.ts'
import type { Bench, Figure } from '../figure.ts'
import { sameReply } from '../load.ts'
import { profileRequest, readOwnProfile } from '../own-profile.ts'
import { type Contender, ratios, runRounds } from '../rounds.ts'
import { figuresAgainstBare, usualLoad } from './against-bare.ts'

/** Both ways of signing in must take about the same time. */
const equal = { min: 0.9, max: 1.1 }

export const auth: Bench = {
  names: ['auth.token', 'auth.key'],
  run: async ({ installation: { start, token, key, username } }) => {
    await using server = await start()
    const model = await readOwnProfile(server.port, username, token)
    sameReply(model)(await readOwnProfile(server.port, username, key))
    await using bare = await spawnBare(model, profileRequest(token))
    const contender = ({ pid, port }: { pid: number; port: number }, headers: typeof token): Contender => {
      const request = profileRequest(headers)
      return { pid, load: { port, ...usualLoad, request: () => request, check: sameReply(model) } }
    }
    const rounds = await runRounds({
      bare: contender(bare, token),
      token: contender(server, token),
      key: contender(server, key),
    })
    return [
      { name: 'auth bare node:http CPU per request', unit: 'µs', values: rounds.bare.map((r) => r.cpuUsPerRequest) },
      { name: 'auth bare node:http requests per second', unit: '/s', values: rounds.bare.map((r) => r.perSecond) },
      ...figuresAgainstBare('auth.token', rounds.token, rounds.bare),
      ...figuresAgainstBare('auth.key', rounds.key, rounds.bare),
      ...equality(ratios(rounds.key, rounds.token, 'cpuUsPerRequest'), ratios(rounds.key, rounds.token, 'perSecond')),
    ]
  },
}

const equality = (byCpu: number[], byTime: number[]): Figure[] => [
  { name: 'auth.key to auth.token, by CPU', unit: 'ratio', values: byCpu, gate: equal },
  { name: 'auth.key to auth.token, by time', unit: 'ratio', values: byTime },
]
