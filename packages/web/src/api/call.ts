import { createClient, type Endpoint, type ErrorCode, type ProblemReason, type ProblemValues } from '@carrel/api'
import { takeEarlyResponse } from './early-requests.ts'
import { basePath } from './base.ts'
import { connectionLost, connectionWorks } from './connection.ts'
import { deviceId, deviceName } from './device.ts'

/** It holds the reply of a call, and the ETag that says which state of the record it is. */
export interface Answer<Reply> {
  readonly body: Reply
  readonly etag: string | null
}

export type ProblemCode = ErrorCode | 'no_connection'

/** It is a failed call, with the problem the server reports. */
export class ApiProblem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: readonly { readonly path: string; readonly message: string }[]
  /** What stands in the way, where the server has a word for it. */
  readonly reason: ProblemReason | undefined
  /** These names and numbers belong into the sentence of the reason. */
  readonly values: ProblemValues
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string | undefined

  constructor(code: ProblemCode, message: string, more: Partial<Omit<ApiProblem, 'code' | 'message'>> = {}) {
    super(message, { cause: more.cause })
    this.name = 'ApiProblem'
    this.code = code
    this.status = more.status ?? 0
    this.details = more.details ?? []
    this.reason = more.reason
    this.values = more.values ?? {}
    this.retryAfterSeconds = more.retryAfterSeconds
    this.requestId = more.requestId
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The tag of the record as it was read: the change is refused when somebody else was first. */
  readonly ifMatch?: string | null | undefined
  /** Arrives also when the page is being left. */
  readonly isLastWord?: boolean
}

export const deviceHeaders = { 'x-device-id': deviceId(), 'x-device-name': deviceName() }

/** The one way to the server. The cookie of the session goes along by itself. */
export const call = async <Input, Reply, Result>(
  endpoint: Endpoint<Input, Reply, Result>,
  input: NoInfer<Input>,
  { signal, ifMatch, isLastWord = false }: CallOptions = {},
): Promise<Answer<Reply>> => {
  const options = { ...(signal && { signal }), ...(ifMatch != null && { headers: { 'if-match': ifMatch } }) }
  const send: typeof fetch = async (address, init) => {
    const earlyResponse =
      endpoint.method === 'GET' && typeof address === 'string' ? await takeEarlyResponse(address) : undefined
    return earlyResponse ?? fetch(address, { ...init, keepalive: isLastWord })
  }
  const client = createClient({ baseUrl: basePath, headers: deviceHeaders, fetch: send })
  const outcome = await client(endpoint, input, options).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    connectionLost()
    throw new ApiProblem('no_connection', 'The server does not answer.', { cause })
  })
  connectionWorks()
  if (outcome.ok) return { body: outcome.body, etag: outcome.headers.get('etag') }
  throw problemFrom(outcome)
}

interface Refused {
  readonly status: number
  readonly headers: Headers
  readonly error: unknown
}

/** A proxy before the server may answer with a page of its own. */
const problemFrom = ({ status, headers, error }: Refused): ApiProblem => {
  const reply = (typeof error === 'object' && error !== null ? error : {}) as {
    error?: ErrorCode
    message?: string
    reason?: ProblemReason
    values?: ProblemValues
    details?: ApiProblem['details']
    requestId?: string
  }
  const code = reply.error ?? (status >= 502 && status <= 504 ? 'unavailable' : 'internal_error')
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(code, reply.message ?? `The server answered ${status}.`, {
    status,
    reason: reply.reason,
    values: reply.values ?? {},
    details: reply.details ?? [],
    requestId: reply.requestId,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  })
}
