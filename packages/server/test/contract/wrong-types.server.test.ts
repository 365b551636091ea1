import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { startServer, type TestServer } from '../start-server.ts'
import { addressOf, schemaOf, wrongTextFor, wrongValueFor } from './inputs.ts'

interface Attempt {
  readonly what: string
  readonly address: string
  readonly method: string
  readonly body?: string
  /** What the error must name. */
  readonly path: string
}

const attemptsAt = (endpoint: api.Endpoint): Attempt[] => [
  ...wrongParameters(endpoint),
  ...wrongQuery(endpoint),
  ...wrongBody(endpoint),
]

const wrongParameters = (endpoint: api.Endpoint): Attempt[] =>
  Object.entries(schemaOf(endpoint.shape.params).properties ?? {}).flatMap(([name, schema]) => {
    const wrong = wrongTextFor(schema)
    if (wrong === undefined) return []
    const address = addressOf(endpoint, { [name]: wrong })
    return [{ what: `${api.nameOf(endpoint)} with ${name}=${wrong}`, address, method: endpoint.method, path: name }]
  })

const wrongQuery = (endpoint: api.Endpoint): Attempt[] =>
  Object.entries(schemaOf(endpoint.shape.query).properties ?? {}).flatMap(([name, schema]) => {
    const wrong = wrongTextFor(schema)
    if (wrong === undefined) return []
    const address = `${addressOf(endpoint)}?${name}=${wrong}`
    return [{ what: `${api.nameOf(endpoint)}?${name}=${wrong}`, address, method: endpoint.method, path: name }]
  })

/** The example with one field wrong, and with one too many. */
const wrongBody = (endpoint: api.Endpoint): Attempt[] => {
  const { shape, method } = endpoint
  if (!shape.body) return []
  const example = (shape.example?.body ?? {}) as Record<string, unknown>
  const attempt = (name: string, value: unknown): Attempt => ({
    what: `${api.nameOf(endpoint)} with ${name} = ${JSON.stringify(value)}`,
    address: addressOf(endpoint),
    method,
    body: JSON.stringify({ ...example, [name]: value }),
    path: `/${name}`,
  })
  const wrong = Object.entries(schemaOf(shape.body).properties ?? {}).flatMap(([name, schema]) => {
    const value = wrongValueFor(schema)
    return value === undefined ? [] : [attempt(name, value)]
  })
  return [...wrong, attempt('noSuchField', 1)]
}

const send = async (server: TestServer, { address, method, body }: Attempt, authorization: string) => {
  const response = await fetch(server.url + address, {
    method,
    headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  return {
    status: response.status,
    id: response.headers.get('x-request-id'),
    reply: (await response.json()) as api.ErrorReply,
  }
}

test('HTTP-1 W2 a wrong type in any parameter, and any field that does not exist, is refused by name', async () => {
  await using server = await startServer()
  const { accessToken } = await server.person('admin')
  const attempts = allEndpoints.flatMap(attemptsAt)
  const wrongly: unknown[] = []
  for (const attempt of attempts) {
    const { status, id, reply } = await send(server, attempt, `Bearer ${accessToken}`)
    const named = reply.details?.some(({ path }) => path.startsWith(attempt.path))
    const fits = status === 400 && reply.error === 'validation_failed' && named && reply.requestId === id
    if (!fits) wrongly.push({ what: attempt.what, status, reply })
  }

  expect(wrongly).toEqual([])
  expect(attempts.length).toBeGreaterThan(100)
})
