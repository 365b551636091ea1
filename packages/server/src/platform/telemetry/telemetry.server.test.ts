import { once } from 'node:events'
import { createServer, type IncomingMessage, request as startRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.ts'
import { testDialect } from '../../../test/test-database.ts'
import { enqueueNow, testTask, workOn } from '../../../test/work.ts'
import type { Span } from './otlp.ts'

interface Received {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** What OpenTelemetry sends to, with nothing in it but what has come. */
const startCollector = async (status: number | 'silence' = 200) => {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await text(request) })
    if (status !== 'silence') response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bodiesAt = <Body>(path: string): Body[] =>
    received.filter((each) => each.path === path).map(({ body }) => JSON.parse(body) as Body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    received,
    spans: (): Span[] => bodiesAt<Traces>('/otlp/v1/traces').flatMap(spansOf),
    metrics: (): Metric[] => bodiesAt<Metrics>('/otlp/v1/metrics').flatMap(metricsOf),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Its body is sent when the server has the head already, as from a phone far away. */
const sendInTwoParts = async (url: string, body: object): Promise<number | undefined> => {
  const headers = { 'content-type': 'application/json', expect: '100-continue', 'user-agent': 'two parts' }
  const sending = startRequest(url, { method: 'POST', headers })
  sending.flushHeaders()
  await once(sending, 'continue')
  sending.end(JSON.stringify(body))
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  await text(response)
  return response.statusCode
}

interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}
interface Metric {
  readonly name: string
  readonly histogram?: { readonly dataPoints: readonly { readonly attributes: object[]; readonly count: string }[] }
}
interface Metrics {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[]
}
const spansOf = ({ resourceSpans }: Traces) =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
const metricsOf = ({ resourceMetrics }: Metrics) =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const secret = 'wombat-among-the-parameters'

test('HTTP-8 requests, tasks and their statements reach a collector as spans that belong together, without parameters', async () => {
  await using collector = await startCollector()
  {
    const env = { CARREL_OTLP_URL: collector.url, CARREL_OTLP_HEADERS: 'x-collector-key=key-of-collector' }
    await using server = await startServer({ env })
    const admin = await server.person('admin')
    const headers = { traceparent: `00-${traceId}-${callerSpan}-00` }
    expect((await admin.call(api.listUsers, { query: { q: secret } }, { headers })).status).toBe(200)
    const { username, password } = admin
    expect(await sendInTwoParts(`${server.url}/api/v1/auth/login`, { username, password })).toBe(200)
    await using _ = workOn(server, [
      testTask(async (_payload, { db }) => {
        await db.read.selectFrom('library').select('id').where('name', '=', secret).execute()
      }),
    ])
    await enqueueNow(
      server,
      testTask(async () => undefined),
    )
    const ended = () =>
      server.context.db.read.selectFrom('task').select('id').where('status', '=', 'completed').execute()
    await expect.poll(async () => (await ended()).length).toBe(1)
  }

  const spans = collector.spans()
  const request = spans.find((span) => span.traceId === traceId && span.kind === 2)
  expect(request).toMatchObject({ name: 'GET /api/v1/users', parentSpanId: callerSpan, status: { code: 0 } })
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } })
  const task = spans.find(({ name }) => name === 'task test')
  expect(task).toMatchObject({ kind: 1, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  const [, withBody] = spans.filter(({ name }) => name === 'POST /api/v1/auth/login')
  for (const [statement, table] of [
    [request, 'user'],
    [withBody, 'user'],
    [task, 'library'],
  ] as const) {
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === statement?.spanId)
    const told = parts.flatMap(({ attributes }) => attributes as { value: { stringValue?: string } }[])
    expect(told.map(({ value }) => value.stringValue ?? '').join('\n')).toContain(`from "${table}"`)
    for (const part of parts) {
      expect(part).toMatchObject({ traceId: statement?.traceId, kind: 3 })
      expect(BigInt(part.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(part.startTimeUnixNano))
    }
  }
  expect(collector.received.every(({ headers }) => headers['x-collector-key'] === 'key-of-collector')).toBe(true)
  const all = collector.received.map(({ body }) => body).join()
  expect([secret, 'key-of-collector', '?q='].filter((each) => all.includes(each))).toEqual([])
})

test('HTTP-8 figures of all requests and statements reach the collector, however few are traced', async () => {
  await using collector = await startCollector()
  {
    await using server = await startServer({
      env: { CARREL_OTLP_URL: `${collector.url}/`, CARREL_OTLP_SAMPLE_PERCENT: '0' },
    })
    for (let times = 0; times < 3; times += 1) await server.call(api.readHealth, {})
    expect((await server.call(api.readMe, {})).status).toBe(401)
  }

  expect(collector.spans()).toEqual([])
  const metrics = collector.metrics()
  const points = metrics.find(({ name }) => name === 'http.server.request.duration')?.histogram?.dataPoints ?? []
  expect(points.map(({ attributes, count }) => [JSON.stringify(attributes), count])).toContainEqual([
    expect.stringMatching(/"\/health".*"200"/),
    '3',
  ])
  expect(points.map(({ attributes }) => JSON.stringify(attributes))).toContainEqual(expect.stringContaining('"401"'))
  const system = testDialect === 'postgres' ? 'postgresql' : 'sqlite'
  expect(JSON.stringify(metrics.find(({ name }) => name === 'db.client.operation.duration'))).toContain(system)
  const names = metrics.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['process.cpu.time', 'process.memory.usage', 'carrel.spans.dropped']))
})

test('HTTP-8 a collector that refuses is logged once and holds up nothing', async () => {
  await using collector = await startCollector(503)
  await using server = await startServer({ env: { CARREL_OTLP_URL: collector.url } })
  for (let times = 0; times < 600; times += 1) await server.call(api.readHealth, {})
  await expect.poll(() => collector.received.length).toBeGreaterThan(0)
  await server.context.telemetry?.close()

  expect((await server.call(api.readHealth, {})).status).toBe(200)
  const told = server.logLines.filter(({ msg }) => String(msg).startsWith('Traces and metrics cannot be sent'))
  expect(told).toMatchObject([{ level: 'warn', err: { message: 'It answered 503' } }])
})

test('HTTP-8 the end of a server does not wait for a collector that takes what is sent and says nothing', async () => {
  await using collector = await startCollector('silence')
  await using server = await startServer({ env: { CARREL_OTLP_URL: collector.url } })
  await server.call(api.readHealth, {})
  await server.context.telemetry?.close()

  const told = server.logLines.filter(({ msg }) => String(msg).startsWith('Traces and metrics cannot be sent'))
  expect(told).toMatchObject([{ err: { message: 'It did not answer in time' } }])
})

test('HTTP-8 without the address of a collector there is nothing that observes', async () => {
  await using server = await startServer()

  expect(server.context.config.collector).toBeUndefined()
  expect(server.context.telemetry).toBeUndefined()
})
