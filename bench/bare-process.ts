import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareReply } from './bare-server.ts'
import type { SentPart } from './books/bare-files.ts'
import type { Reply } from './connection.ts'
import { exchangeOnce } from './exchange-once.ts'
import { sameReply } from './load.ts'

export interface BareProcess extends AsyncDisposable {
  readonly pid: number
  readonly port: number
}

const flags = { env: { ...process.env, UV_THREADPOOL_SIZE: '64' }, stdio: 'inherit' } as const
/** `node:http` writes these by itself. */
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding']

/** It answers every request with the bytes our server gave to this one. */
export const spawnBare = async (model: Reply, request: Buffer): Promise<BareProcess> => {
  const bare = await spawnWith('./bare-server.ts', bareReply(model))
  try {
    await requireSameBytes(bare.port, model, request)
    return bare
  } catch (error) {
    await bare[Symbol.asyncDispose]()
    throw error
  }
}

/** Answers with these parts of files, at `/0`, `/1` and so on. */
export const spawnBareFiles = (parts: readonly SentPart[]): Promise<BareProcess> =>
  spawnWith('./books/bare-files.ts', parts)

const spawnWith = async (program: string, first: BareReply | readonly SentPart[]): Promise<BareProcess> => {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), flags)
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill()
    await exited
  }
  try {
    const listening = once(child, 'message')
    child.send(first)
    const [port] = (await listening) as [number]
    if (child.pid === undefined) throw new Error('The bare server could not be started')
    return { pid: child.pid, port, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const bareReply = ({ status, head, body }: Reply): BareReply => ({
  status,
  headers: head
    .split('\r\n')
    .slice(1)
    .flatMap((line) => {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? []
      return ownHeaders.includes(name.toLowerCase()) ? [] : [name, value]
    }),
  body: body.toString(),
})

const requireSameBytes = async (port: number, model: Reply, request: Buffer): Promise<void> => {
  const reply = await exchangeOnce(port, request)
  sameReply(model)(reply)
  if (reply.head.length !== model.head.length)
    throw new Error(`The bare server answers with other headers:\n${reply.head}\ninstead of\n${model.head}`)
}
