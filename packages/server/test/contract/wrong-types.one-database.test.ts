import * as api from '@carrel/api'
import { mainEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { addressOf, type JsonSchema, schemaOf, someValueOf, wrongTextFor, wrongValueFor } from './inputs.ts'

interface Attempt {
  readonly what: string
  readonly address: string
  readonly method: string
  readonly body?: string
  /** The error must name this path. */
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

const wrongQuery = (endpoint: api.Endpoint): Attempt[] => {
  const { properties = {}, required = [] } = schemaOf(endpoint.shape.query)
  return Object.entries(properties).flatMap(([name, schema]) => {
    const wrong = wrongTextFor(schema)
    if (wrong === undefined) return []
    const needed = required.map((each) => [each, someValueOf(properties[each])] as const)
    const query = new URLSearchParams([...new Map([...needed, [name, wrong]])]).toString()
    const address = `${addressOf(endpoint)}?${query}`
    return [{ what: `${api.nameOf(endpoint)}?${name}=${wrong}`, address, method: endpoint.method, path: name }]
  })
}

/** The example with one field wrong, and with one too many. */
const wrongBody = (endpoint: api.Endpoint): Attempt[] => {
  const { shape, method } = endpoint
  if (!shape.body) return []
  const attempt = (path: string, value: unknown): Attempt => ({
    what: `${api.nameOf(endpoint)} with ${path} = ${JSON.stringify(value)}`,
    address: addressOf(endpoint),
    method,
    body: bodyWith(endpoint, path, value),
    path,
  })
  const wrong = fieldsOf(schemaOf(shape.body)).flatMap(({ pointer, schema }) => {
    const value = wrongValueFor(schema)
    return value === undefined ? [] : [attempt(pointer, value)]
  })
  return [...wrong, attempt('/noSuchField', 1)]
}

interface Field {
  readonly pointer: string
  readonly schema: JsonSchema
}

/** The fields of a body with all that is in them, fields of objects and items of lists. */
const fieldsOf = ({ properties = {}, items }: JsonSchema, under = ''): Field[] => {
  const fields = Object.entries(properties).map(([name, schema]) => ({ pointer: `${under}/${name}`, schema }))
  if (items) fields.push({ pointer: `${under}/0`, schema: items })
  return fields.flatMap((field) => [field, ...fieldsOf(field.schema, field.pointer)])
}

/** The example, and what the pointer leads through, with this value at its end. */
const bodyWith = ({ shape }: api.Endpoint, pointer: string, value: unknown): string => {
  const body = structuredClone(shape.example?.body ?? {}) as Record<string, unknown>
  const steps = pointer.slice(1).split('/')
  let container = body
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (typeof container[step] !== 'object' || container[step] === null)
      container[step] = steps[index + 1] === '0' ? [] : {}
    container = container[step] as Record<string, unknown>
  }
  container[steps.at(-1) ?? ''] = value
  return JSON.stringify(body)
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
  const { accessToken, call } = await server.person('admin')
  // Signing in is written down a moment after it.
  await expect.poll(async () => bodyOf(await call(api.listSignInActivity, {})).total).toBe(1)
  const before = await everythingOf(server, accessToken)
  const attempts = mainEndpoints.flatMap(attemptsAt)
  const wrongly: unknown[] = []
  for (const attempt of attempts) {
    const { status, id, reply } = await send(server, attempt, `Bearer ${accessToken}`)
    const named = reply.details?.some(({ path }) => path.startsWith(attempt.path))
    const fits = status === 400 && reply.error === 'validation_failed' && named && reply.requestId === id
    if (!fits) wrongly.push({ what: attempt.what, status, reply })
  }

  expect(wrongly).toEqual([])
  expect(attempts.length).toBeGreaterThan(100)
  expect(attempts.filter(({ path }) => path.includes('/', 1)).map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/access/libraries',
      '/access/denyTags/0',
      '/updates/0/key',
      '/userIds/0',
      '/permissions/0',
    ]),
  )
  expect(await everythingOf(server, accessToken)).toEqual(before)
})

/**
 * It is everything the API shows an administrator, as text, except what changes by itself: when sessions were last
 * used, the time, and how much room is left.
 */
const everythingOf = async (server: TestServer, accessToken: string): Promise<string[]> => {
  const readable = mainEndpoints.filter(
    ({ method, path, shape }) =>
      method === 'GET' &&
      /^\/api\/v1\/(?!auth\/sessions|events|metrics|reading-stats$|admin\/server)[^{]*$/.test(path) &&
      !schemaOf(shape.query).required?.length,
  )
  const authorization = `Bearer ${accessToken}`
  return Promise.all(
    readable.map(
      async ({ path }) => `${path} ${await (await fetch(server.url + path, { headers: { authorization } })).text()}`,
    ),
  )
}

test('HTTP-1 W2 a body that is no object is refused wherever one is wanted', async () => {
  await using server = await startServer()
  const { accessToken } = await server.person('admin')
  const wrongly: unknown[] = []
  for (const endpoint of mainEndpoints.filter(({ shape }) => shape.body !== undefined)) {
    for (const body of ['null', '[]', '"text"', '12', 'true', '[{}]']) {
      const attempt = { what: '', address: addressOf(endpoint), method: endpoint.method, body, path: '' }
      const { status, reply } = await send(server, attempt, `Bearer ${accessToken}`)
      if (status !== 400 || reply.error !== 'validation_failed' || reply.message !== 'The body must be an object.')
        wrongly.push({ name: api.nameOf(endpoint), body, status, reply })
    }
  }

  expect(wrongly).toEqual([])
})
