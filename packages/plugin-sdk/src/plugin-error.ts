import { type ErrorName, type RpcError, errorCodes, errorNameOf } from './protocol/index.ts'

export interface ErrorDetails {
  /** It comes with `rate_limited` and says when it is worth asking again. */
  readonly retryAfterSeconds?: number
  readonly [more: string]: unknown
}

/**
 * A plugin refuses a call with it. Anything else that is thrown is a fault of the plugin: the host hears only that
 * there was one.
 */
export class PluginError extends Error {
  override readonly name = 'PluginError'
  readonly code: ErrorName
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorName, message: string, details?: ErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

export const toRpcError = ({ code, message, details }: PluginError): RpcError => ({
  code: errorCodes[code],
  message,
  ...(details && { data: details }),
})

export const fromRpcError = ({ code, message, data }: RpcError): PluginError =>
  new PluginError(
    errorNameOf(code) ?? 'internal_error',
    message,
    typeof data === 'object' && data !== null ? { ...data } : undefined,
  )
