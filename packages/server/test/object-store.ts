import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { type ObjectStoreAddress } from '../src/platform/objects/objects.ts'
import { expectedSignature } from './signed-request.ts'

/** What the store does with whatever comes: it answers, breaks every connection, never answers, or is overloaded. */
type StoreMood = 'well' | 'gone' | 'silent' | 'overloaded'

export interface TestStore {
  readonly address: ObjectStoreAddress
  /** `CARREL_…`, as an operator would set them. */
  readonly env: Readonly<Record<string, string>>
  /** The requests that came, as METHOD and path. */
  readonly requests: readonly string[]
  mood: StoreMood
  isPublic: boolean
  /** So many more requests are answered; then it is gone. */
  answersLeft: number
  [Symbol.asyncDispose](): Promise<void>
}

const accessKey = 'S3RVER'
// Only the gate looks at it.
const secretKey = 'the-secret-key-of-the-bucket-in-tests'

/**
 * A bucket of s3rver, behind a gate that asks for the signature, which s3rver does not, and fails as tests want it to.
 */
export const startObjectStore = async (): Promise<TestStore> => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-bucket-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, directory }
  const s3 = new S3rver({ ...options, configureBuckets: [{ name: 'carrel' }] })
  const { port: behind } = await s3.run()
  const requests: string[] = []
  const state = { mood: 'well' as StoreMood, isPublic: false, answersLeft: Number.POSITIVE_INFINITY }

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = '', url: path = '', headers } = incoming
    requests.push(`${method} ${path}`)
    state.answersLeft -= 1
    if (state.mood === 'gone' || state.answersLeft < 0) return void incoming.socket.destroy()
    if (state.mood === 'silent') return
    if (state.mood === 'overloaded') return refuse(response, 503, 'SlowDown')
    const signature = expectedSignature({ method, path, headers, body }, secretKey)
    if (!signature && (!state.isPublic || headers.authorization !== undefined))
      return refuse(response, 403, 'AccessDenied')
    if (signature && signature.given !== signature.expected) return refuse(response, 403, 'SignatureDoesNotMatch')
    const isList = path.includes('list-type=2')
    const onward = request(
      { host: '127.0.0.1', port: behind, method, path: isList ? withMarker(path) : path, headers },
      (received) => {
        if (isList) return void answerList(received, response).catch(() => incoming.socket.destroy())
        response.writeHead(received.statusCode ?? 500, received.headers)
        received.pipe(response)
      },
    )
    onward.once('error', () => incoming.socket.destroy())
    onward.end(body)
  }

  const gate = createServer(
    (incoming, response) => void answer(incoming, response).catch(() => incoming.socket.destroy()),
  )
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/carrel/of-tests`
  return Object.assign(state, {
    address: { url, isBucketInPath: true, region: 'us-east-1', accessKey, secretKey },
    env: {
      CARREL_OBJECT_STORE_URL: url,
      CARREL_OBJECT_STORE_ACCESS_KEY: accessKey,
      CARREL_OBJECT_STORE_SECRET_KEY: secretKey,
    },
    requests,
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections()
      await new Promise((resolve) => gate.close(resolve))
      await s3.close()
      await rm(directory, { recursive: true, force: true })
    },
  })
}

const listedAtOnce = 3

/** s3rver hides its places in a list with DES, which Node has no more: the gate asks as version 1 does, by the last key. */
const withMarker = (path: string): string => {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const marker = searchParams.get('continuation-token') ?? ''
  return `${pathname}?${new URLSearchParams({ prefix: searchParams.get('prefix') ?? '', marker, 'max-keys': String(listedAtOnce) }).toString()}`
}

const answerList = async (received: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of received) chunks.push(chunk as Buffer)
  const xml = Buffer.concat(chunks).toString()
  const last = [...xml.matchAll(/<Key>([^<]+)<\/Key>/g)].at(-1)?.[1]
  const isMore = xml.includes('<IsTruncated>true</IsTruncated>') && last !== undefined
  response.writeHead(received.statusCode ?? 500, { 'content-type': 'application/xml' })
  response.end(
    isMore ? xml.replace('<IsTruncated>', `<NextContinuationToken>${last}</NextContinuationToken><IsTruncated>`) : xml,
  )
}

export const allOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`)
}
