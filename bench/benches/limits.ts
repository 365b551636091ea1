import { readInfo } from '../../packages/api/src/index.ts'
import { requestBytes } from '../connection.ts'
import { exchangeOnce } from '../exchange-once.ts'
import type { Bench, Figure } from '../figure.ts'
import { sameReply } from '../load.ts'
import { type Contender, ratios, type Round, runRounds } from '../rounds.ts'
import { usualLoad } from './against-bare.ts'

/** The limits are as high as they go, so that nobody is refused. */
const limited = {
  CARREL_RATE_LIMIT_ENABLED: 'true',
  CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS: '10000',
  CARREL_SETTING_RATE_LIMIT_ANONYMOUS_BURST: '100000',
  CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_RPS: '10000',
  CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_BURST: '100000',
}
const proxied = { CARREL_TRUSTED_PROXIES: '127.0.0.1' }
const strangersMany = 20_000

/**
 * The limiter on and off, in turns: for one user, for one stranger, and, through a proxy, for strangers who each ask only
 * now and then.
 */
export const limits: Bench = {
  names: ['limits'],
  run: async ({ installation: { start, token } }) => {
    await using on = await start(limited)
    await using off = await start()
    await using proxiedOn = await start({ ...limited, ...proxied })
    await using proxiedOff = await start(proxied)
    const infoRequest = (headers: Readonly<Record<string, string>>) => requestBytes({ path: readInfo.path, headers })
    const user = [infoRequest(token)]
    const stranger = [infoRequest({})]
    const strangers = Array.from({ length: strangersMany }, (_, index) =>
      infoRequest({ 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` }),
    )
    const check = sameReply(await exchangeOnce(off.port, infoRequest({})))
    const contender = ({ pid, port }: { pid: number; port: number }, requests: readonly Buffer[]): Contender => ({
      pid,
      load: { port, ...usualLoad, request: (index) => requests[index % requests.length] as Buffer, check },
    })
    const rounds = await runRounds({
      user: contender(on, user),
      userFree: contender(off, user),
      stranger: contender(on, stranger),
      strangerFree: contender(off, stranger),
      strangers: contender(proxiedOn, strangers),
      strangersFree: contender(proxiedOff, strangers),
    })
    return [
      ...figures('limits, one user', rounds.user, rounds.userFree),
      ...figures('limits, one stranger', rounds.stranger, rounds.strangerFree),
      ...figures('limits, many strangers', rounds.strangers, rounds.strangersFree),
    ]
  },
}

const figures = (name: string, on: readonly Round[], off: readonly Round[]): Figure[] => [
  { name: `${name}, requests per second`, unit: '/s', values: on.map(({ perSecond }) => perSecond) },
  { name: `${name}, on to off, by time`, unit: 'ratio', values: ratios(on, off, 'perSecond') },
  { name: `${name}, on to off, by CPU`, unit: 'ratio', values: ratios(on, off, 'cpuUsPerRequest') },
]
