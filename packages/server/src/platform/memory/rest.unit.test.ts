import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const threads = 6
const tries = 300
const program = `
  const { parentPort } = require('node:worker_threads')
  import(${JSON.stringify(new URL('./rest.ts', import.meta.url).href)}).then(({ findCollector }) => {
    let found = 0
    for (let at = 0; at < ${tries}; at += 1) if (findCollector() !== undefined) found += 1
    parentPort.postMessage(found)
  })`

test('threads that look for the collector at the same moment take it from each other, and end none of them', async () => {
  const found = await Promise.all(
    Array.from({ length: threads }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      const thread = new Worker(program, { eval: true })
      thread.once('message', resolve)
      thread.once('error', reject)
      return promise
    }),
  )
  for (const count of found) expect(count).toBeGreaterThan(0)
})
