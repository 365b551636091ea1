import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'

test('G10 P-17 without a descriptor left the server stays, says so without filling its log, and serves again when there are some', async ({
  skip,
}) => {
  if (spawnSync('prlimit', ['--version']).error) {
    const note = 'NOT TESTED: a server without a descriptor left, because there is no prlimit (Debian: util-linux)'
    console.warn(note)
    skip(note)
  }
  await using folder = await temporaryFolder()
  await using carrel = await startCarrel({
    cwd: folder.path,
    env: { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false' },
  })
  const { call } = await claim(carrel)
  const open = readdirSync(`/proc/${carrel.pid}/fd`).length
  const limit = open + 60
  expect(spawnSync('prlimit', ['--pid', String(carrel.pid), `--nofile=${limit}:${limit}`]).status).toBe(0)
  const logBefore = carrel.stdout().split('\n').length
  const startedAt = performance.now()
  const { port, hostname } = new URL(carrel.url)
  const sockets: Socket[] = Array.from({ length: 1000 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write('GET /health HTTP/1.1\r\n')
    return socket
  })
  await waitUntil('the descriptors to be used up', () => readdirSync(`/proc/${carrel.pid}/fd`).length >= limit - 2)
  await delay(5000)
  const seconds = (performance.now() - startedAt) / 1000
  const lines = carrel.stdout().split('\n').length - logBefore + carrel.stderr().split('\n').length
  expect(readdirSync(`/proc/${carrel.pid}/fd`).length).toBeGreaterThan(0)

  for (const socket of sockets) socket.destroy()
  await waitUntil('the server to be well again', async () => {
    const outcome = await call(api.savePreference, { params: { key: 'a' }, body: { value: 1 } }).catch(() => undefined)
    return outcome?.status === 200
  })

  tell({
    id: 'G10',
    what: 'lines of the log in a second meanwhile',
    tries: 1000,
    lost: 0,
    figure: lines / seconds,
    limit: 1,
    unit: 'lines',
  })
  expect(carrel.stdout() + carrel.stderr()).not.toContain('uncaught')
})
