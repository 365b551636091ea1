import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { rawConnection } from '../../../test/smoke/raw-connection.ts'
import { waitUntil } from '../../../test/smoke/wait-until.ts'
import { startServer } from '../../../test/start-server.ts'

test('G1 W16 a server that closes waits neither for a connection that nothing came by nor for one that has been answered', async () => {
  const server = await startServer()
  await using unused = await rawConnection(server.url)
  await using used = await rawConnection(server.url)
  used.write(`GET /health HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`)
  await waitUntil('the answer', () => used.received().includes('{"status":"ok"}'))
  expect(await server.call(api.readHealth, {})).toMatchObject({ status: 200 })

  await server[Symbol.asyncDispose]()

  await waitUntil('both to be closed', () => unused.isClosed() && used.isClosed())
  await expect(rawConnection(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
