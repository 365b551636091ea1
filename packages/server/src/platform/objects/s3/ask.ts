import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type ObjectStoreAddress, StoreAway } from '../store.ts'
import { circuitBreaker } from './circuit.ts'

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Undefined: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface BucketAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** What S3 calls the problem; undefined where there is none, or no word for it. */
  readonly code: string | undefined
}

export interface AskTiming {
  /** One try may take this long, to the last byte. */
  readonly tryMs: number
  readonly triesMax: number
}

export interface BucketTiming {
  /** Somebody waits for a picture. */
  readonly small: AskTiming
  /** Up to 8 MiB go one way or the other. */
  readonly large: AskTiming
  readonly pauseMs: number
  readonly restMs: number
}

export const usualTiming: BucketTiming = {
  small: { tryMs: 2500, triesMax: 3 },
  large: { tryMs: 30_000, triesMax: 3 },
  pauseMs: 100,
  restMs: 3000,
}

const pauseMaxMs = 5000
const failuresMax = 3
const inFlightMax = 32
const answerBytesMax = 32 * 1024 * 1024
/** What another try may change: throttling, and faults of the server. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** The store has understood and will not, whatever the number of tries. */
export class BucketRefusal extends Error {
  override readonly name = 'BucketRefusal'
  readonly status: number
  readonly code: string | undefined

  constructor({ status, code }: Pick<BucketAnswer, 'status' | 'code'>) {
    super(`It answered ${status}${code === undefined ? '' : ` ${code}`}`)
    this.status = status
    this.code = code
  }
}

export const bucketAddress = ({ url, isBucketInPath }: Pick<ObjectStoreAddress, 'url' | 'isBucketInPath'>) => {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split('/').filter((part) => part !== '')
  const bucket = isBucketInPath ? `${origin}/${parts.shift() ?? ''}` : `${origin}/`
  const prefix = parts.map((part) => `${part}/`).join('')
  const urlOf = (key: string | undefined, query: Readonly<Record<string, string>> = {}): string => {
    const queryText = new URLSearchParams(query).toString()
    const path = key === undefined ? bucket : `${bucket.replace(/\/$/, '')}/${prefix}${key}`
    return queryText === '' ? path : `${path}?${queryText}`
  }
  return { prefix, urlOf }
}

/** It asks a bucket, again where that may help, and not for ever. Answers of 2xx and 404 come back; all others are thrown. */
export const askBucket = (address: ObjectStoreAddress, timing: BucketTiming) => {
  const through = circuitBreaker({ failuresMax, restMs: timing.restMs, now: () => performance.now() })
  const inTurn = atMost(inFlightMax)
  const askOnce = signedRequests(address)

  return (request: BucketRequest, { tryMs, triesMax }: AskTiming): Promise<BucketAnswer> =>
    through(async () => {
      // Whoever waits for a turn waits no longer than the tries would take.
      const endsAt = performance.now() + tryMs * triesMax
      const askInTime = async (): Promise<BucketAnswer | undefined> =>
        performance.now() > endsAt ? undefined : askOnce(request, tryMs)
      let problem: unknown
      for (let tries = 0; tries < triesMax; tries += 1) {
        if (tries > 0) await delay(Math.random() * Math.min(timing.pauseMs * 2 ** tries, pauseMaxMs))
        try {
          const answer = await inTurn(askInTime)
          if (answer === undefined) {
            // What went wrong before says more.
            problem ??= new Error('There was no turn in time')
            break
          }
          const { status, code } = answer
          if ((status === 404 && code !== 'NoSuchBucket') || (status < 300 && code === undefined)) return answer
          problem = new BucketRefusal(answer)
          if (!passing.has(status) && code !== 'RequestTimeout' && code !== 'InternalError' && code !== 'SlowDown')
            break
        } catch (error) {
          problem = inWords(error)
        }
      }
      throw new StoreAway(problem)
    })
}

const signedRequests = (address: ObjectStoreAddress) => {
  const { urlOf } = bucketAddress(address)
  const keys = new Map<string, ArrayBuffer>()
  return async (request: BucketRequest, tryMs: number): Promise<BucketAnswer> => {
    const { method, key, query, headers = {}, body } = request
    const signer = new AwsV4Signer({
      method,
      url: urlOf(key, query),
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId: address.accessKey,
      secretAccessKey: address.secretKey,
      service: 's3',
      region: address.region,
      cache: keys,
    })
    const signed = await signer.sign()
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(tryMs),
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    })
    const bytes = await bytesOf(response)
    const { status } = response
    // An answer of 200 may still say, in its text, that it went wrong.
    const code = /^(?:\s*<\?xml[^>]*>)?\s*<Error[^>]*>.*?<Code>(\w+)<\/Code>/s.exec(
      method === 'GET' && status < 300 ? '' : bytes.toString('latin1', 0, 4096),
    )?.[1]
    return { status, headers: response.headers, bytes, code }
  }
}

/** The log and the doctor say it like this: `fetch failed` would be all otherwise. */
const inWords = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  if (error.name === 'TimeoutError') return new Error('no answer in time', { cause: error })
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  return error.cause === undefined
    ? error
    : new Error(typeof code === 'string' ? `no connection, ${code}` : 'no connection', { cause: error })
}

const bytesOf = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the answer.
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).byteLength
    if (size > answerBytesMax) throw new Error('It answered with more than was asked for')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks, size)
}

const atMost = (most: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
