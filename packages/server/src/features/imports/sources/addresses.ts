import type { ImportKind } from '@carrel/api'
import { askOutbound, OutboundProblem, requireEncrypted } from '../../../platform/outbound.ts'
import { type AddressSource, type DatabaseAddress, SourceFault } from '../records.ts'

/** A page of a list, or everything a LANraragi has, may be this long. */
const answerBytesMax = 64 * 1024 * 1024
/** A server that looks through a hundred thousand books thinks for a while. */
const timing = { firstByteMs: 60_000, totalMs: 5 * 60_000 }
/** A connection may break once in a hundred thousand requests. */
const attempts = 3

/** How each kind of server that can be asked wants to be told the key. */
const headersOf: Partial<Record<ImportKind, (key: string) => Readonly<Record<string, string>>>> = {
  komga: (key) => ({ 'x-api-key': key }),
  lanraragi: (key) => ({ authorization: `Bearer ${Buffer.from(key).toString('base64')}` }),
}

export interface ServerAddress {
  readonly kind: ImportKind
  readonly url: string
  readonly key: string | null
}

interface AskingOptions {
  readonly allowedHosts: readonly string[]
  readonly signal: AbortSignal
}

/** It asks a running server for paths below its address, under the rules for addresses that people have chosen. */
export const askServer =
  ({ kind, url, key }: ServerAddress, { allowedHosts, signal }: AskingOptions): AddressSource['get'] =>
  async (path) => {
    const headers = key === null ? {} : (headersOf[kind]?.(key) ?? {})
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted()
      try {
        const { status, bytes } = await askOutbound({
          url: url + path,
          method: 'GET',
          headers,
          accept: '*/*',
          bytesMax: answerBytesMax,
          allowedHosts,
          signal,
          timing,
        })
        return { status, body: bytes }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof OutboundProblem)) throw error
        if (attempt === attempts) throw new SourceFault('unreachable', withHint(error.message))
      }
    }
  }

/** Servers of a household lie in its own network, where nobody is let without being told. */
export const withHint = (message: string): string =>
  /private network|ports|https/.test(message)
    ? `${message} To ask a server of your own network, add its host to the setting imports.allowed_hosts.`
    : message

export interface ReadableAddress {
  /** It holds no password. */
  readonly url: string
  readonly password: string | null
}

/** It is an address that may be asked, as far as can be seen before its name is looked up. It throws `OutboundProblem`. */
export const readableAddress = (
  kind: ImportKind,
  text: string,
  allowedHosts: readonly string[],
): ReadableAddress | undefined => {
  if (kind === 'codex') return databaseUrl(text, allowedHosts)
  if (headersOf[kind] === undefined) return undefined
  const url = requireEncrypted(text, allowedHosts)
  url.search = ''
  url.hash = ''
  return { url: url.href.replace(/\/+$/, ''), password: null }
}

const protocols: ReadonlySet<string> = new Set(['postgres:', 'postgresql:'])
const standardPort = 5432

const databaseUrl = (text: string, allowedHosts: readonly string[]): ReadableAddress => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocols.has(url.protocol) || url.hostname === '' || url.pathname.length < 2)
    throw new OutboundProblem('The address of the database must be postgres://user@host:port/name.')
  if (!allowedHosts.some((host) => host.toLowerCase() === url.hostname.toLowerCase()))
    throw new OutboundProblem('A database may only be asked on a host that the setting imports.allowed_hosts names.')
  try {
    const password = url.password === '' ? null : decodeURIComponent(url.password)
    url.password = ''
    url.hash = ''
    databaseAt(url.href, password)
    return { url: url.href, password }
  } catch (cause) {
    throw new OutboundProblem('The address of the database holds a broken escape.', { cause })
  }
}

const encryptions: Readonly<Record<string, DatabaseAddress['encryption']>> = {
  require: 'encrypted',
  'verify-ca': 'checked',
  'verify-full': 'checked',
}

/** Nothing else that the address may say is heeded: some of it names files of this machine. */
export const databaseAt = (text: string, password: string | null): DatabaseAddress => {
  const url = new URL(text)
  return {
    host: url.hostname,
    port: url.port === '' ? standardPort : Number(url.port),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
    password,
    encryption: encryptions[url.searchParams.get('sslmode') ?? ''] ?? 'none',
  }
}
