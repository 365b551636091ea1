import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { beforeEach, expect, test } from 'vitest'
import { administer } from '../packages/server/test/administer.ts'
import { freePort } from '../packages/server/test/free-port.ts'
import { startPostgres } from '../packages/server/test/postgres.ts'
import { claim, startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { startTcpProxy } from '../packages/server/test/smoke/tcp-proxy.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom } from './numbered-writes.ts'
import { acknowledgedAgain, numbersOf, writeOn } from './preference-writers.ts'

beforeEach(({ skip }) => {
  const { error, status } = spawnSync('unshare', ['--mount', 'true'])
  if (!error && status === 0) return
  const note = 'NOT TESTED: names that lead elsewhere, because nothing can be mounted here (unshare --mount)'
  console.warn(note)
  skip(note)
})

const name = 'database.carrel.test'
const addresses = ['127.0.0.2', '127.0.0.3'] as const

/** A process has its own file of names, which says where the database is. */
const withNames = (file: string) => ({
  node: 'unshare',
  nodeArgs: ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"', file, process.execPath],
})

test('E2 P-12 P-1 the name of the database leads nowhere for a while, and then to the server that followed: nothing is lost, and the node goes on by itself', async () => {
  const heldMs = times(3000, 30_000, 10_000)
  await using stack = new AsyncDisposableStack()
  const first = await startPostgres({ isDurable: true, mayFollow: true })
  stack.defer(() => first.stop())
  await first.createDatabase('moved')
  const second = await first.startFollower()
  stack.defer(() => second.stop())
  // What is acknowledged is on both.
  const firstUrl = new URL(first.urlOf('postgres'))
  await administer(firstUrl, "alter system set synchronous_standby_names = '*'")
  await administer(firstUrl, 'select pg_reload_conf()')

  const port = await freePort()
  for (const [index, url] of [firstUrl, new URL(second.urlOf('postgres'))].entries()) {
    const to = { hostname: url.hostname, port: Number(url.port) }
    stack.use(await startTcpProxy(to, { host: addresses[index] ?? '', port }))
  }
  await using folder = await temporaryFolder()
  const names = join(folder.path, 'hosts')
  const leadTo = (address: string | undefined) =>
    writeFile(names, `127.0.0.1 localhost\n${address === undefined ? '' : `${address} ${name}\n`}`)
  await leadTo(addresses[0])
  const url = new URL(first.urlOf('moved'))
  url.hostname = name
  url.port = String(port)
  const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_DATABASE_URL: url.href }
  await using carrel = await startCarrel({ cwd: folder.path, env, ...withNames(names) })
  const ana = await claim(carrel)
  const ledger = emptyWriteLedger()
  const stops = [1, 2, 3, 4].map((writer) => writeOn(ana, ledger, `writer-${writer}`))
  await acknowledgedAgain(ledger)

  await leadTo(undefined)
  // Connections that are there go on.
  await acknowledgedAgain(ledger)
  await first.kill()
  const killedAt = performance.now()
  await waitUntil('the node to be unready', async () => (await carrel.call(api.readReadiness, {})).status === 503)
  while (performance.now() - killedAt < heldMs) {
    const { status, headers } = await ana.call(api.readPreferences, {})
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    expect((await carrel.call(api.readLiveness, {})).status).toBe(200)
  }
  // From now on it is another database, as what was the first one is when it comes back: nobody asks for that.
  await administer(new URL(second.urlOf('postgres')), 'select pg_promote()')
  await first.resume()
  await leadTo(addresses[1])
  const back = await acknowledgedAgain(ledger)
  await waitUntil('the node to be ready', async () => (await carrel.call(api.readReadiness, {})).status === 200)
  await Promise.all(stops.map((stop) => stop()))

  const lost = missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)
  const what = `the name of the database leads to another, beside ${ledger.acknowledged.length} acknowledgements; until it goes on`
  tell({ id: 'E2', what, tries: 1, lost: lost.length, figure: back, limit: 10_000, unit: 'ms' })
  expect(lost).toEqual([])
  expect([...ledger.refused.keys()].filter((status) => status !== 503)).toEqual([])
})
