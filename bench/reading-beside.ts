import { Worker } from 'node:worker_threads'

export interface ReadingBeside {
  /** It resolves to how long the longest of its reads has taken. */
  stop(): Promise<number>
}

/**
 * It reads something small over and over in a thread of its own: what holds up the bench itself, which makes and reads
 * megabytes, is no wait at the server.
 */
export const readBeside = (port: number): ReadingBeside => {
  const thread = new Worker(new URL('./reading-beside-thread.ts', import.meta.url), { workerData: { port } })
  const longest = new Promise<number>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
  return {
    stop: () => {
      thread.postMessage('stop')
      return longest
    },
  }
}
