/** JSON-RPC 2.0, one message a line, in both directions over the two standard streams. */

/** Codes are never reused. Those below -32000 are JSON-RPC's own. */
export const errorCodes = {
  parse_error: -32_700,
  invalid_request: -32_600,
  method_not_found: -32_601,
  invalid_params: -32_602,
  internal_error: -32_603,
  /** The service behind the plugin wants fewer calls; `data.retryAfterSeconds` says for how long. */
  rate_limited: -32_001,
  not_found: -32_002,
  /** The service behind the plugin refuses the credentials. */
  auth_failed: -32_003,
  /** The service behind the plugin cannot be reached, or answers what nobody can read. */
  api_error: -32_004,
  /** The configuration of the plugin is wrong or not complete. */
  config_error: -32_005,
} as const

export type ErrorName = keyof typeof errorCodes

export const errorNameOf = (code: number): ErrorName | undefined => {
  const names = Object.keys(errorCodes) as ErrorName[]
  return names.find((name) => errorCodes[name] === code)
}

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Null stands in a reply to what could not be read. */
export type RequestId = string | number

export type Message =
  | {
      readonly kind: 'request'
      readonly id: RequestId
      readonly method: string
      readonly params: unknown
      /** A call made by a plugin names the call of the host during which it is made. */
      readonly parentRequestId?: RequestId
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId | undefined; readonly error: RpcError }
  | {
      readonly kind: 'unreadable'
      readonly id: RequestId | undefined
      readonly code: 'parse_error' | 'invalid_request'
      readonly why: string
    }

/** It parses a line and never throws: a line that makes no sense is `unreadable`, with a sentence about it. */
export const readMessage = (line: string): Message => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { kind: 'unreadable', id: undefined, code: 'parse_error', why: 'The line is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid(undefined, 'The line is not an object; batches are not part of the protocol.')
  }
  const { jsonrpc, id, method, parentRequestId, ...rest } = value as Record<string, unknown>
  const requestId = isRequestId(id) ? id : undefined
  if (jsonrpc !== '2.0') return invalid(requestId, 'The message does not say "jsonrpc": "2.0".')
  if (method === undefined) return readReply(requestId, rest)
  if (typeof method !== 'string') return invalid(requestId, '"method" is not a text.')
  if (id === undefined || id === null) return { kind: 'notification', method, params: rest['params'] }
  if (requestId === undefined) return invalid(undefined, '"id" is neither a text nor a whole number.')
  const call = { kind: 'request', id: requestId, method, params: rest['params'] } as const
  return isRequestId(parentRequestId) ? { ...call, parentRequestId } : call
}

const readReply = (id: RequestId | undefined, { result, error }: Record<string, unknown>): Message => {
  if (error !== undefined && error !== null) {
    return isRpcError(error)
      ? { kind: 'error', id, error }
      : invalid(id, '"error" has no number as "code" or no "message".')
  }
  if (result === undefined) return invalid(id, 'The message has neither "method" nor "result" nor "error".')
  return id === undefined
    ? invalid(undefined, 'The result does not say to which request.')
    : { kind: 'result', id, result }
}

const invalid = (id: RequestId | undefined, why: string): Message => ({
  kind: 'unreadable',
  id,
  code: 'invalid_request',
  why,
})

const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value)

const isRpcError = (value: unknown): value is RpcError =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  Number.isInteger(value.code) &&
  'message' in value &&
  typeof value.message === 'string'

interface Call {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
  readonly parentRequestId?: RequestId | undefined
}

/** The line includes its newline. */
export const requestLine = ({ id, method, params, parentRequestId }: Call): string =>
  line({ id, method, params, parentRequestId })

/** `undefined` as a result is written as null: a reply without a result is none. */
export const resultLine = (id: RequestId, result: unknown): string => line({ id, result: result ?? null })

export const errorLine = (id: RequestId | undefined, error: RpcError): string => line({ id: id ?? null, error })

/** JSON lets these two stand in a text as they are; to Node's readline, which many plugins read with, they end a line. */
const line = (fields: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...fields }).replace(/[\u2028\u2029]/g, escaped)}\n`

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16)}`
