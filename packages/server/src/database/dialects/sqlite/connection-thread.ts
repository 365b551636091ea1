import { parentPort, workerData } from 'node:worker_threads'
import { type ConnectionOptions, openConnection, type Statement } from './connection.ts'

export interface ThreadRequest extends Statement {
  readonly id: number
}

export type ThreadReply =
  | { readonly id: number; readonly rows: unknown[]; readonly numAffectedRows?: bigint }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } }

if (!parentPort) throw new Error('This file runs as a worker thread')
const port = parentPort
const connection = openConnection(workerData as ConnectionOptions)

port.on('message', (request: ThreadRequest | 'close') => {
  if (request === 'close') {
    connection.close()
    port.close()
    return
  }
  port.postMessage(answer(request))
})

const answer = (request: ThreadRequest): ThreadReply => {
  try {
    return { id: request.id, ...connection.run(request) }
  } catch (error) {
    const { message, code = 'SQLITE_UNKNOWN' } = error as Error & { code?: string }
    return { id: request.id, failure: { message, code } }
  }
}
