import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as api from '@carrel/api'
import { beforeEach, expect, test } from 'vitest'
import { openStream } from '../packages/server/test/event-stream.ts'
import { freePort } from '../packages/server/test/free-port.ts'
import { type Carrel, claim, type Visitor } from '../packages/server/test/smoke/carrel.ts'
import { messagesOf, startNodes } from '../packages/server/test/smoke/nodes.ts'
import { newDatabase } from '../packages/server/test/smoke/postgres-of-file.ts'
import { endOf } from '../packages/server/test/smoke/program.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'
import { waitUntil } from '../packages/server/test/smoke/wait-until.ts'
import { emptyWriteLedger, missingFrom, type WriteLedger } from './numbered-writes.ts'
import { numbersOf } from './preference-writers.ts'
import { haproxyExample, type ReverseProxy, startReverseProxy } from './reverse-proxy.ts'

beforeEach(({ skip }) => {
  if (!spawnSync('haproxy', ['-v']).error) return
  const note = 'NOT TESTED: servers behind HAProxy, because there is none (Debian: apt-get install haproxy)'
  console.warn(note)
  skip(note)
})

/** The file that operators get, with other addresses and without TLS. */
const startHaproxy = async (folder: string, ports: Readonly<Record<string, number>>): Promise<ReverseProxy> => {
  const port = await freePort()
  let text = (await readFile(haproxyExample, 'utf8')).replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
  for (const [name, own] of Object.entries(ports))
    text = text.replace(new RegExp(`server ${name} .*`), `server ${name} 127.0.0.1:${own}`)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  return startReverseProxy('haproxy', ['-db', '-f', file], port)
}

interface Answers {
  readonly failed: { readonly status: number | string; readonly at: number; readonly isChange: boolean }[]
  asked: number
}

/** Half of them read lists, half make changes, each one after the other. */
const useOn = ({ call }: Visitor, ledger: WriteLedger, answers: Answers, lane: number) => {
  const stopping = new AbortController()
  const name = `lane-${lane}`
  const isChange = lane % 2 === 0
  const ask = async (): Promise<number | string> => {
    if (!isChange) return (await call(api.listSeries, { query: { pageSize: 1 + (answers.asked % 50) } })).status
    const number = (ledger.sent.get(name) ?? 0) + 1
    ledger.sent.set(name, number)
    const { ok, status } = await call(api.savePreference, { params: { key: name }, body: { value: number } })
    if (ok) ledger.acknowledged.push({ slot: name, number, at: 0 })
    return status
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const status = await ask().catch(String)
      answers.asked += 1
      if (status !== 200) answers.failed.push({ status, at: performance.now(), isChange })
    }
  }
  const over = run()
  return async (): Promise<void> => {
    stopping.abort()
    await over
  }
}

/** It follows events as a browser does: from where it was, when its stream ends. */
const follow = (url: string, { accessToken }: Visitor) => {
  const stopping = new AbortController()
  const got = { messages: [] as string[], streams: 0, isConnected: false }
  let lastId = ''
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const headers = { authorization: `Bearer ${accessToken}`, ...(lastId !== '' && { 'last-event-id': lastId }) }
      const stream = await openStream(url, headers).catch(() => undefined)
      if (stream?.status !== 200) {
        await delay(50)
        continue
      }
      await using open = stream
      got.streams += 1
      let [taken, told] = [0, 0]
      while (!stopping.signal.aborted && !(open.isEnded() && taken === open.events.length)) {
        const fresh = open.events.slice(taken)
        for (const { id } of fresh) lastId = id ?? lastId
        taken += fresh.length
        got.isConnected ||= open.ofType('connected').length > 0
        const messages = messagesOf(open)
        got.messages.push(...messages.slice(told))
        told = messages.length
        if (fresh.length === 0) await delay(20)
      }
    }
  }
  const over = run()
  return {
    got,
    stop: async (): Promise<void> => {
      stopping.abort()
      await over
    },
  }
}

test('E9 P-12 P-16 P-20 behind HAProxy one of three servers is killed, then all are restarted one by one: hardly a request fails, and streams miss nothing', async () => {
  const rounds = times(1, 10, 3)
  await using nodes = await startNodes({ kind: 'postgres', url: await newDatabase() })
  await using folder = await temporaryFolder()
  await using running = new AsyncDisposableStack()
  const ports = { one: await freePort(), two: await freePort(), three: await freePort() }
  const start = async (name: keyof typeof ports): Promise<Carrel> =>
    running.use(
      await nodes.startApi(name, {
        asShipped: true,
        // Longer than HAProxy takes to notice.
        env: { CARREL_PORT: String(ports[name]), CARREL_DRAIN_SECONDS: '3' },
      }),
    )
  const servers = { one: await start('one'), two: await start('two'), three: await start('three') }
  await using proxy = await startHaproxy(folder.path, ports)
  const own = await claim(servers.one)
  const ana: Visitor = {
    ...own,
    call: api.createClient({ baseUrl: proxy.url, headers: { authorization: `Bearer ${own.accessToken}` } }),
  }

  const following = follow(proxy.url, ana)
  await waitUntil('the stream', () => following.got.isConnected)
  const ledger = emptyWriteLedger()
  const killed: Answers = { failed: [], asked: 0 }
  const restarted: Answers = { failed: [], asked: 0 }
  const announced: string[] = []
  const announceMore = async (): Promise<void> => {
    const message = `message ${announced.length}`
    announced.push(message)
    await nodes.announce(message)
  }
  /** Enough is asked before and after, so that what fails is a share of something. */
  const askMore = async (answers: Answers): Promise<void> => {
    const before = answers.asked
    await waitUntil('some hundred answers', async () => {
      await announceMore()
      return answers.asked > before + 400
    })
  }
  let latestMs = 0
  for (let round = 0; round < rounds; round += 1) {
    const stops = Array.from({ length: 8 }, (_, lane) => useOn(ana, ledger, killed, lane))
    await askMore(killed)
    servers.one.kill('SIGKILL')
    const killedAt = performance.now()
    await endOf(servers.one)
    await askMore(killed)
    servers.one = await start('one')
    await askMore(killed)
    for (const stop of stops) await stop()
    latestMs = Math.max(latestMs, ...killed.failed.filter(({ at }) => at > killedAt).map(({ at }) => at - killedAt))
  }
  for (let round = 0; round < rounds; round += 1) {
    const stops = Array.from({ length: 8 }, (_, lane) => useOn(ana, ledger, restarted, lane))
    await askMore(restarted)
    for (const name of ['one', 'two', 'three'] as const) {
      servers[name].kill('SIGTERM')
      await endOf(servers[name])
      servers[name] = await start(name)
      await askMore(restarted)
    }
    for (const stop of stops) await stop()
  }
  await announceMore()
  await waitUntil('the last event', () => following.got.messages.length >= announced.length)
  await following.stop()

  const lost = missingFrom(await numbersOf(ana), ledger.acknowledged, ledger.sent)
  const perMille = ({ failed, asked }: Answers) => (failed.length * 1000) / asked
  const told = { id: 'E9', tries: rounds, lost: lost.length }
  tell({ ...told, what: `a kill: of ${killed.asked} requests failed`, figure: perMille(killed), limit: 5, unit: '‰' })
  tell({ ...told, what: 'a kill: the latest of them', figure: latestMs, limit: 2000, unit: 'ms' })
  tell({
    ...told,
    what: `all restarted: of ${restarted.asked} requests failed`,
    figure: perMille(restarted),
    limit: 5,
    unit: '‰',
  })
  expect(lost).toEqual([])
  // What is only read is asked of another server.
  expect([...killed.failed, ...restarted.failed].filter(({ isChange }) => !isChange)).toEqual([])
  // A server that is told to stop answers all it was asked.
  expect(restarted.failed).toEqual([])
  expect(following.got.messages).toEqual(announced)
  expect(following.got.streams).toBeGreaterThan(1)
})
