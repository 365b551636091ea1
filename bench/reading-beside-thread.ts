import { parentPort, workerData } from 'node:worker_threads'
import { requestBytes } from './connection.ts'
import { putLoad } from './load.ts'

const { port } = workerData as { readonly port: number }
const besideMs = 100

const over = new AbortController()
let longestMs = 0
parentPort?.once('message', () => over.abort())
while (!over.signal.aborted) {
  const { latenciesMs } = await putLoad({
    port,
    connections: 1,
    durationMs: besideMs,
    request: () => requestBytes({ path: '/health' }),
    check: ({ status }) => {
      if (status >= 300) throw new Error(`A small read was answered with ${status}`)
    },
  })
  longestMs = Math.max(longestMs, latenciesMs.at(-1) ?? 0)
}
parentPort?.postMessage(longestMs)
