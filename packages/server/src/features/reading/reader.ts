import type { Context } from '../../context.ts'
import type { Caller } from '../../http/caller.ts'
import { findGoodKeys } from '../api-keys/api-keys.ts'
import { deviceFrom, headerText } from './device.ts'
import type { Reader } from './progress/progress.ts'

/** A request says this about who reads, and with what. */
interface ReaderRequest {
  readonly caller: Caller
  readonly userAgent: string | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export const readerFrom = async (
  { db, clock, viewerOf }: Pick<Context, 'db' | 'clock' | 'viewerOf'>,
  { caller, userAgent, headers }: ReaderRequest,
): Promise<Reader> => {
  const now = clock()
  const headerOf = (name: string): string | undefined => {
    const text = headers[name]
    return typeof text === 'string' ? headerText(text) : undefined
  }
  const keys = caller.by.kind === 'key' ? await findGoodKeys(db.read, [caller.by.id], now) : undefined
  const device = deviceFrom({
    id: headerOf('x-device-id'),
    name: headerOf('x-device-name'),
    apiKey: caller.by.kind === 'key' ? keys?.get(caller.by.id) : undefined,
    userAgent,
  })
  return { viewer: await viewerOf(caller), device, now }
}
