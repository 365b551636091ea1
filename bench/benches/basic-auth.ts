import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import type { Installation } from '../installation.ts'
import { sameReply } from '../load.ts'
import { type Contender, ratios, runRounds } from '../rounds.ts'
import type { ServerProcess } from '../server-process.ts'
import { usualLoad } from './against-bare.ts'

/** A password that is known costs next to nothing more than a token. */
const within = { max: 1.15 }

/** Applications that send the password each time ask for these. */
const paths = {
  opds: '/opds/v1/catalog',
  compat: '/komga/api/v1/libraries',
} as const
type BasicAuthRoute = keyof typeof paths

export const basicAuth: Bench = {
  names: ['auth.basic'],
  run: async ({ installation }) => {
    await using server = await installation.start({ CARREL_SETTING_COMPAT_ENABLED: 'true' })
    return [...(await figuresAt(server, installation, 'opds')), ...(await figuresAt(server, installation, 'compat'))]
  },
}

const figuresAt = async (
  server: ServerProcess,
  { token, basic }: Installation,
  route: BasicAuthRoute,
): Promise<Figure[]> => {
  const requestWith = (headers: typeof token) => requestBytes({ path: paths[route], headers })
  const model = await exchangeOnce(server.port, requestWith(token))
  if (model.status !== 200) throw new Error(`${paths[route]} was answered with ${model.status}`)
  const check = sameReply(model)
  check(await exchangeOnce(server.port, requestWith(basic)))
  const contender = (headers: typeof token): Contender => {
    const request = requestWith(headers)
    return { pid: server.pid, load: { port: server.port, ...usualLoad, request: () => request, check } }
  }
  const rounds = await runRounds({ token: contender(token), basic: contender(basic) })
  const of = `auth.basic, ${route}`
  return [
    {
      name: `${of}: to a token, by CPU`,
      unit: 'ratio',
      values: ratios(rounds.basic, rounds.token, 'cpuUsPerRequest'),
      gate: within,
    },
    { name: `${of}: to a token, by time`, unit: 'ratio', values: ratios(rounds.basic, rounds.token, 'perSecond') },
    { name: `${of}: token, CPU per request`, unit: 'µs', values: rounds.token.map((r) => r.cpuUsPerRequest) },
    { name: `${of}: Basic, CPU per request`, unit: 'µs', values: rounds.basic.map((r) => r.cpuUsPerRequest) },
  ]
}
