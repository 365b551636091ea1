import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { startServer } from '../start-server.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly Record<string, unknown>[]
  readonly responses: Record<string, unknown>
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly 'x-product-version': string }
  readonly security: unknown
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown>; readonly securitySchemes: Record<string, unknown> }
}

const fetchDocument = async (): Promise<Document> => {
  await using server = await startServer()
  return bodyOf(await server.call(api.readOpenApi, {})) as Document
}

test('HTTP-7 a change of the public API shows in the snapshot', async () => {
  const document = await fetchDocument()
  const stable = { ...document, info: { ...document.info, 'x-product-version': 'as built' } }

  await expect(`${JSON.stringify(stable, null, 2)}\n`).toMatchFileSnapshot('./openapi.snapshot.json')
})

test('HTTP-7 W17 the document is OpenAPI 3.1 of API 2.2.0 with the declared security schemes', async () => {
  const { openapi, info, security, components } = await fetchDocument()

  expect(openapi).toBe('3.1.0')
  expect(info.version).toBe('2.2.0')
  expect(security).toEqual([{ api_key: [] }, { bearer: [] }])
  expect(components.securitySchemes).toMatchObject({
    api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer: { type: 'http', scheme: 'bearer' },
  })
})

/** OpenAPI has no place for methods of WebDAV. */
const described = allEndpoints.filter(({ method }) => api.methods.some((each) => each === method))

test('HTTP-7 every operation stands in it once, with a name of its own, open ones without security', async () => {
  const { paths } = await fetchDocument()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )

  expect(operations.map(({ name }) => name).sort()).toEqual(described.map(api.nameOf).sort())
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const endpoint of described) {
    const operation = operations.find(({ name }) => name === api.nameOf(endpoint))
    expect([api.nameOf(endpoint), operation?.security.length === 0]).toEqual([
      api.nameOf(endpoint),
      !api.isProtected(endpoint.shape),
    ])
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining([String(api.statusOf(endpoint)), '400', '500']),
    )
  }
})

test('HTTP-7 every reference leads somewhere', async () => {
  const document = await fetchDocument()
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  )

  expect(names.length).toBeGreaterThan(50)
  expect([...new Set(names)].filter((name) => !(name in document.components.schemas))).toEqual([])
})
