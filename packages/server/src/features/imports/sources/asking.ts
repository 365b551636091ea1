import { type AddressSource, SourceFault } from '../records.ts'
import { isObject } from './json-lists.ts'

/** It asks for JSON; undefined: there is nothing at this path. */
export const askJson = async ({ get }: AddressSource, path: string): Promise<unknown> => {
  const { status, body } = await get(path)
  if (status === 404 || status === 204) return undefined
  requireAnswered(status)
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (cause) {
    throw new SourceFault('wrong_kind', 'What answers at this address is no such server: look at the address.', {
      cause,
    })
  }
}

const requireAnswered = (status: number): void => {
  if (status === 401)
    throw new SourceFault('refused', 'The server does not know this key. Make one there, and give it here.')
  if (status === 403) throw new SourceFault('refused', 'The server does not let this key read what is asked for.')
  if (status >= 300 && status < 400)
    throw new SourceFault('unreachable', 'The server leads on to another address: give that one.')
  if (status !== 200)
    throw new SourceFault('unreachable', `The server answers with status ${status}. Look into its log, and try again.`)
}

/** The same where the key may not be allowed to ask: undefined then. */
export const askIfAllowed = async (source: AddressSource, path: string): Promise<unknown> => {
  const { status, body } = await source.get(path)
  if (status === 403) return undefined
  return askJson({ get: () => Promise.resolve({ status, body }) }, path)
}

export type Answer = Readonly<Record<string, unknown>>

export const objectsIn = (value: unknown): readonly Answer[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const objectIn = (value: unknown): Answer => (isObject(value) ? value : {})
