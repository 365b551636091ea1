import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as api from '@carrel/api'
import { expect, onTestFinished, test } from 'vitest'
import { comic, libraryFolder } from '../library-folder.ts'
import { bodyOf } from '../outcome.ts'
import { claim, startCarrel } from './carrel.ts'
import { endOf } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait-until.ts'

test('HTTP-8 server and worker of the bundle tell a collector what they did, at the latest when they end', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end('{}', () => bodies.push(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({ cwd: folder.path, env: { CARREL_OTLP_URL: url } })
  const ana = await claim(carrel)
  await using books = await libraryFolder()
  await books.write('A/1.cbz', comic({ seed: 1 }))
  const { id } = bodyOf(
    await ana.call(api.createLibrary, { body: { name: 'Books', roots: [books.path], watch: false, scanNow: true } }),
  )
  const library = async () => bodyOf(await ana.call(api.readLibrary, { params: { id } }))
  await waitUntil('the scan', async () => (await library()).lastScannedAt ?? undefined)
  carrel.kill('SIGTERM')
  expect(await endOf(carrel)).toMatchObject({ code: 0 })

  const told = await waitUntil('the word of both', () => {
    const all = bodies.join('\n')
    return all.includes('"server-') && all.includes('"worker-') ? all : undefined
  })
  expect(told).toContain('POST /api/v1/setup')
  expect(told).toContain('task scan_library')
  expect(told).toContain('db.client.operation.duration')
})
