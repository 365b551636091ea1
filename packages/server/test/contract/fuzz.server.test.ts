import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { doorsOpen, isStream, type JsonSchema, schemaOf, unknownId } from './inputs.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '%',
    "'; drop table user; --",
    '__proto__',
    'constructor',
    '../..',
    '\u0000',
    '\ud800',
    'a'.repeat(300),
  ),
)
const anything = fc.oneof(fc.jsonValue(), text, fc.constantFrom(null, -0, 1e308, [], {}, [[]]))

/** Mostly what the schema takes, sometimes what it does not. */
const valueFor = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fitting(schema), weight: 6 }, { arbitrary: anything, weight: 1 })

const fitting = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  const types = [schema.type ?? []].flat()
  if (types.length > 1) return fc.oneof(...types.map((type) => fitting({ ...schema, type })))
  switch (types[0]) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer(), fc.double())
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valueFor(each)])),
        {
          requiredKeys: [...(schema.required ?? [])],
        },
      )
    case 'string':
      return stringFor(schema)
    case undefined:
    default:
      return anything
  }
}

const stringFor = ({ format }: JsonSchema): fc.Arbitrary<string> => {
  if (format === 'uuid') return fc.oneof(fc.uuid(), fc.constant(unknownId))
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
      .map((date) => date.toISOString())
  return format === 'email' ? fc.emailAddress() : text
}

interface Call {
  readonly endpoint: api.Endpoint
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly who: number
}

/** Endpoints that end sessions or remove administrators are left out: nobody could go on after them. */
const survivable = allEndpoints
  .filter(({ path, method }) => !(path.startsWith('/api/v1/auth/') && method !== 'GET'))
  .filter((endpoint) => !isStream(endpoint))

const calls = fc.constantFrom(...survivable).chain((endpoint): fc.Arbitrary<Call> => {
  const { shape } = endpoint
  const partOf = (schema: JsonSchema) =>
    fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valueFor(each)])),
      {
        requiredKeys: [...(schema.required ?? [])],
      },
    )
  return fc.record({
    endpoint: fc.constant(endpoint),
    params: partOf(schemaOf(shape.params)),
    query: partOf(schemaOf(shape.query)),
    body: shape.body ? valueFor(schemaOf(shape.body)) : fc.constant(undefined),
    who: fc.nat({ max: 4 }),
  })
})

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''

/** An address has no part that is a dot or two: whoever sends it takes them out. */
const addressPart = (value: unknown): string => {
  const part = encodeURIComponent(asText(value).toWellFormed())
  return /^\.{0,2}$/.test(part) ? 'x' : part
}

const addressOf = ({ endpoint, params, query }: Call): string => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'prefix' ? 'komga' : addressPart(params[name]),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, asText(value)]),
  )
  return search.size > 0 ? `${path}?${search.toString()}` : path
}

const crew = async (server: TestServer): Promise<Record<string, string>[]> => {
  const [reader, editor, admin] = [
    await server.person('reader'),
    await server.person('editor'),
    await server.person('admin'),
  ]
  const { key } = bodyOf(await admin.call(api.createApiKey, { body: { name: 'fuzz' } }))
  const bearer = ({ accessToken }: { accessToken: string }) => ({ authorization: `Bearer ${accessToken}` })
  return [{}, bearer(reader), bearer(editor), bearer(admin), { 'x-api-key': key }]
}

const documented = (endpoint: api.Endpoint): Set<number> => {
  const statuses = [...api.errorsOf(endpoint)].map((code) => api.errorTable[code].status)
  // A parameter such as `..` makes another address of it, where there may be nothing.
  const { mayBeEmpty } = endpoint.shape
  return new Set([
    api.statusOf(endpoint),
    304,
    ...(mayBeEmpty ? [204] : []),
    ...(endpoint.shape.params ? [404] : []),
    ...statuses,
  ])
}

test('HTTP-1 HTTP-7 whatever is sent to whatever endpoint, the answer is one the document names and never a fault', async () => {
  await using server = await startServer({ env: { CARREL_METRICS_ENABLED: 'true', ...doorsOpen } })
  const people = await crew(server)
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      const { endpoint, body, who } = call
      const response = await fetch(server.url + addressOf(call), {
        method: endpoint.method,
        redirect: 'manual',
        headers: { ...people[who], ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const reply = await response.text()
      const isDocumented = documented(endpoint).has(response.status) && response.status < 500
      expect(isDocumented ? '' : `${api.nameOf(endpoint)} ${response.status}: ${reply}`).toBe('')
      if (response.status < 400 || endpoint.shape.door !== undefined) return
      const error = JSON.parse(reply) as api.ErrorReply
      const keys = Object.keys(error).filter((key) => !['details', 'reason', 'values'].includes(key))
      expect([keys.sort(), error.requestId]).toEqual([
        // A sign-in or a setup token tried too often has the shape of the law, which knows no request id.
        response.status === 429 ? ['error', 'message', 'retry_after'] : ['error', 'message', 'requestId'],
        response.status === 429 ? undefined : response.headers.get('x-request-id'),
      ])
    }),
    { numRuns: 1500, endOnFailure: true },
  )
})
