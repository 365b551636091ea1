import { errorNameOf, type ErrorName, type RpcError } from '@carrel/plugin-sdk/protocol'
import { cutText } from '../platform/text/cut-text.ts'

/** A call of a plugin can fail in these ways. The names are those of the protocol. */
const faultCodes = [
  'INIT_ERROR',
  'TIMEOUT',
  'PROCESS_CRASHED',
  'PROTOCOL_ERROR',
  'AUTH_FAILED',
  'RPC_ERROR',
  'RATE_LIMITED',
  'NOT_FOUND',
  'API_ERROR',
  'CONFIG_ERROR',
  'NETWORK_REFUSED',
  'UNAVAILABLE',
  'CANCELLED',
] as const
export type FaultCode = (typeof faultCodes)[number]

interface Extras extends ErrorOptions {
  readonly retryAfterSeconds?: number | undefined
}

/** A question that a plugin did not answer, and why. The message may be shown to whoever asked. */
export class PluginFault extends Error {
  override readonly name = 'PluginFault'
  readonly code: FaultCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: FaultCode, message: string, { retryAfterSeconds, ...options }: Extras = {}) {
    super(message, options)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A number of these switches the plugin off. Other faults are errors it reported properly, or somebody else's. */
const grave: ReadonlySet<FaultCode> = new Set([
  'INIT_ERROR',
  'TIMEOUT',
  'PROCESS_CRASHED',
  'PROTOCOL_ERROR',
  'AUTH_FAILED',
])
export const isGrave = (code: FaultCode): boolean => grave.has(code)

/** No trouble at all: it has nothing of that name, was asked too often, or was not asked in the end. */
const everyday: ReadonlySet<FaultCode> = new Set(['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'CANCELLED'])
export const isTrouble = (code: FaultCode): boolean => !everyday.has(code)

/** It maps the protocol's error names; all others are errors of the plugin. */
const codesOfErrors: Partial<Record<ErrorName, FaultCode>> = {
  rate_limited: 'RATE_LIMITED',
  not_found: 'NOT_FOUND',
  auth_failed: 'AUTH_FAILED',
  api_error: 'API_ERROR',
  config_error: 'CONFIG_ERROR',
}

const messageLengthMax = 500
const retryAfterMaxSeconds = 3600

export const faultOfError = ({ code, message, data }: RpcError): PluginFault => {
  const name = errorNameOf(code)
  const { retryAfterSeconds } = (data ?? {}) as { retryAfterSeconds?: unknown }
  const seconds = Number(retryAfterSeconds)
  return new PluginFault(
    (name && codesOfErrors[name]) ?? 'RPC_ERROR',
    message === '' ? 'It gave no reason.' : plainText(message, messageLengthMax),
    { retryAfterSeconds: seconds > 0 ? Math.min(Math.ceil(seconds), retryAfterMaxSeconds) : undefined },
  )
}

/** It makes a plugin's text harmless to a terminal or a log, and no longer than this. */
export const plainText = (text: string, lengthMax: number): string => {
  const plain = text
    .slice(0, 2 * lengthMax)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu, (character) => (character === '\n' ? character : '\uFFFD'))
  return plain.length <= lengthMax ? plain : `${cutText(plain, lengthMax - 1)}…`
}
