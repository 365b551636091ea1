import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { plainRequest } from '../plain-request.ts'
import { startServer } from '../start-server.ts'
import { addressOf, doorsOpen, type JsonSchema, schemaOf } from './inputs.ts'

/** Every optional field as null, below objects too; what is required as its example has it. */
const withNulls = (schema: JsonSchema, example: unknown): unknown => {
  if (schema.properties === undefined) return example
  const given = (example ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      schema.required?.includes(name) ? withNulls(property, given[name]) : null,
    ]),
  )
}

const asking = allEndpoints.filter(({ shape }) => shape.nullIsAbsent)

test('F6 W2 whatever only asks takes null for a field that is left out', async () => {
  await using server = await startServer({ env: doorsOpen })
  const { accessToken } = await server.person('admin')
  const ask = async (endpoint: api.Endpoint, body: unknown) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    const { status, json } = await plainRequest(server.url + addressOf(endpoint), { method: 'POST', headers, body })
    return [api.nameOf(endpoint), status < 300 ? 'fine' : json]
  }

  expect(asking.length).toBeGreaterThanOrEqual(12)
  for (const endpoint of asking) {
    const { body, example } = endpoint.shape
    const isBulk = endpoint.path.endsWith('/bulk-edit')
    const nulls = withNulls(schemaOf(body), example?.body) as Record<string, unknown>
    // Nothing at all is no target, and no change.
    const sent = isBulk ? { ...nulls, ...(example?.body as object), add: null, remove: null, dryRun: null } : nulls
    expect(await ask(endpoint, sent)).toEqual([api.nameOf(endpoint), 'fine'])
  }
})

test('F6 W2 null is refused where it is no field that may be left out', async () => {
  await using server = await startServer()
  const { accessToken } = await server.person('admin')
  const post = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${accessToken}` }
    return (await plainRequest(server.url + path, { method: 'POST', headers, body })).json
  }
  const refused = (path: string) => ({ error: 'validation_failed', details: [{ path }] })

  expect(await post('/api/v1/series/facets', { facets: null })).toMatchObject(refused('/facets'))
  expect(await post('/api/v1/series/list', { nothing: null })).toMatchObject(refused('/nothing'))
  expect(await post('/api/v1/series/list', { condition: { title: null } })).toMatchObject({
    error: 'validation_failed',
  })
  expect(await post('/api/v1/want-to-read', { seriesId: null })).toMatchObject({ error: 'validation_failed' })
})
