import * as api from '@carrel/api'
import { allEndpoints } from '@carrel/api/all-endpoints'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { startServer } from '../start-server.ts'
import { linesOf } from './contract-lines.ts'

interface Operation {
  readonly operationId: string
  /** What is not said counts as for the whole document. */
  readonly security?: readonly Record<string, unknown>[]
  readonly responses: Record<string, unknown>
}

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly 'x-product-version': string }
  readonly security: readonly Record<string, unknown>[]
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

  const lines = linesOf(stable)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./openapi.snapshot.txt')
  // A review is to be able to read it.
  expect(lines.length).toBeLessThanOrEqual(10_000)
})

test('HTTP-7 the document of the whole API is no larger than 1.4 MB', async () => {
  await using server = await startServer()
  const { text } = await plainRequest(`${server.url}/api/openapi.json`)

  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_400_000)
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
  const { paths, security: usual } = await fetchDocument()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )

  expect(operations.map(({ name }) => name).sort()).toEqual(described.map(api.nameOf).sort())
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const endpoint of described) {
    const operation = operations.find(({ name }) => name === api.nameOf(endpoint))
    expect([api.nameOf(endpoint), operation !== undefined && (operation.security ?? usual).length === 0]).toEqual([
      api.nameOf(endpoint),
      !api.isProtected(endpoint.shape),
    ])
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining([String(api.statusOf(endpoint)), '400', '500']),
    )
  }
})

test('F6 HTTP-7 it names the law’s schemas, and says how wide each number is', async () => {
  const { components, paths } = await fetchDocument()
  const named = (name: string) => components.schemas[name] as { properties: Record<string, object> }
  const context = named('MetadataContextDto').properties
  expect(context).toMatchObject({
    ageRating: { type: ['integer', 'null'], format: 'int32' },
    year: { format: 'int32' },
    totalVolumeCount: { format: 'int32' },
    totalChapterCount: { type: ['number', 'null'], format: 'float' },
  })
  expect(paths['/api/v1/series/{id}/metadata/context']?.['get']?.responses['200']).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/MetadataContextDto' } } },
  })
  expect(named('Recommendation').properties).toMatchObject({
    score: { format: 'double' },
    popularity: { format: 'int32' },
    startYear: { format: 'int32' },
    totalChapterCount: { format: 'float' },
  })
  expect(named('CompatPage_CompatSeriesDto').properties).toMatchObject({
    number: { format: 'int32' },
    size: { format: 'int32' },
    totalElements: { format: 'int64' },
    totalPages: { format: 'int32' },
  })
  expect(named('PluginMetricsDto').properties).toMatchObject({
    requestsTotal: { format: 'int64' },
    avgDurationMs: { format: 'double' },
  })
  const without: string[] = []
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, format, enum: values } = value as { type?: unknown; format?: unknown; enum?: unknown }
    const isNumber = [type].flat().some((each) => each === 'integer' || each === 'number')
    if (isNumber && values === undefined && format === undefined) without.push(pointer)
    for (const [key, each] of Object.entries(value)) visit(each, `${pointer}/${key}`)
  }
  visit(components.schemas, '')
  visit(paths, '')
  expect(without).toEqual([])
})

/** Each reference, with what stands where it leads to. */
const referencesIn = (document: object, value: unknown = document): [reference: string, target: unknown][] => {
  if (typeof value !== 'object' || value === null) return []
  const { $ref: reference } = value as { $ref?: unknown }
  const own: [string, unknown][] = typeof reference === 'string' ? [[reference, targetOf(document, reference)]] : []
  return [...own, ...Object.values(value).flatMap((each) => referencesIn(document, each))]
}

const targetOf = (document: object, reference: string): unknown =>
  reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)

test('HTTP-7 every reference leads somewhere, and every component is referred to', async () => {
  const document = await fetchDocument()
  const references = referencesIn(document)
  const { securitySchemes, ...components } = document.components
  const named = Object.entries(components).flatMap(([kind, each]) =>
    Object.keys(each).map((name) => `#/components/${kind}/${name}`),
  )

  expect(Object.keys(securitySchemes).length).toBeGreaterThan(0)
  expect(references.filter(([, target]) => target === undefined)).toEqual([])
  expect([...new Set(references.map(([reference]) => reference))].sort()).toEqual(named.sort())
  for (const kind of ['parameters', 'headers', 'responses', 'schemas'])
    expect(named.some((name) => name.startsWith(`#/components/${kind}/`))).toBe(true)
})
