import { readLiveness } from '../packages/api/src/index.ts'
import { requestBytes } from './connection.ts'
import { exchangeOnce } from './exchange-once.ts'

/** The server reports the delay since it was last asked. */
export const readEventLoopDelayMs = async (port: number): Promise<number> => {
  const { body } = await exchangeOnce(port, requestBytes({ path: readLiveness.path }))
  const { eventLoopDelayMs } = JSON.parse(body.toString()) as { eventLoopDelayMs?: number }
  if (eventLoopDelayMs === undefined) throw new Error(`No event loop delay in ${body.toString()}`)
  return eventLoopDelayMs
}
