import {
  apiVersion,
  conditionGrammars,
  type Endpoint,
  ErrorReply,
  errorsOf,
  errorTable,
  isProtected,
  mainSchemes,
  methods,
  nameOf,
  RateLimitReply,
  type Scheme,
  statusOf,
} from '@carrel/api'
import type { TSchema } from 'typebox'

type Json = Record<string, unknown>

const schemeNames: Readonly<Record<Scheme, string | undefined>> = {
  key: 'api_key',
  bearer: 'bearer',
  basic: 'basic',
  // A browser sends it by itself; nobody fills it in.
  cookie: undefined,
  // Of KOReader alone: two headers, described with its endpoints.
  digest: undefined,
}

const securitySchemes = {
  api_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Generated in the web app or through /api/v1/api-keys.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The accessToken of /api/v1/auth/login.',
  },
}

const description = `Carrel is a self-hosted digital library server for comics, manga and ebooks.

Lists take \`page\` and \`pageSize\`, and reply with an envelope and a \`Link\` header. A single record has an \`ETag\`; send it
back as \`If-Match\` to change only what you have seen. Errors all have one shape, whose codes stand in docs/errors.md.
No text, in whatever place, may hold a null character or half a surrogate pair.`

/** The document of the whole API, made from the values that requests and replies are checked with. */
export const openApiDocument = (
  endpoints: readonly Endpoint[],
  { basePath, version }: { basePath: string; version: string },
): Json => {
  const components = new Map<string, Json>()
  const write = schemaWriter(components)
  const paths: Record<string, Json> = {}
  // Whoever asks, and in whatever order the routes were bound, it is the same text.
  const ordered = endpoints
    .filter(isDescribed)
    .toSorted((one, other) => (nameInOrder(one) < nameInOrder(other) ? -1 : 1))
  for (const endpoint of ordered) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, write) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Carrel',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-product-version': version,
    },
    servers: [{ url: basePath || '/' }],
    security: [{ api_key: [] }, { bearer: [] }],
    tags: [...new Set(ordered.map(({ shape }) => shape.tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) },
  }
}

const nameInOrder = ({ method, path }: Endpoint): string => `${path} ${method}`

type Write = (schema: TSchema | Json) => Json

const operation = (endpoint: Endpoint, write: Write): Json => {
  const { shape } = endpoint
  const parameters = [
    ...parametersIn('path', shape.params, write),
    ...parametersIn('query', shape.query, write),
    ...(shape.guards ? [ifMatch] : []),
  ]
  return {
    operationId: operationId(endpoint),
    summary: shape.summary,
    ...(shape.description && { description: shape.description }),
    tags: [shape.tag],
    ...(shape.deprecated && { deprecated: true }),
    'x-permission': shape.access,
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(shape.body && {
      requestBody: {
        required: shape.bodyOptional !== true,
        content: { 'application/json': { schema: write(shape.body), ...exampleOf(shape.example?.body) } },
      },
    }),
    ...(shape.upload && {
      requestBody: {
        required: true,
        description: shape.upload.description,
        content: {
          'image/*': {},
          'multipart/form-data': {
            schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
          },
        },
      },
    }),
    responses: responsesOf(endpoint, write),
  }
}

/** The document has no place for methods of WebDAV. */
const isDescribed = ({ method }: Endpoint): boolean => methods.some((each) => each === method)

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the record as you know it; when it has changed since, the answer is 412.',
  schema: { type: 'string' },
}

const securityOf = ({ shape }: Endpoint): Json[] => {
  if (!isProtected(shape)) return []
  const names = (shape.schemes ?? mainSchemes).map((scheme) => schemeNames[scheme]).filter((name) => name !== undefined)
  return names.filter((name) => shape.keys !== 'refused' || name !== 'api_key').map((name) => ({ [name]: [] }))
}

const parametersIn = (place: 'path' | 'query', schema: TSchema | undefined, write: Write): Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description: text, ...rest } = property
    return {
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && !('default' in property)),
      ...(typeof text === 'string' && { description: text }),
      schema: write(rest),
    }
  })
}

const responsesOf = (endpoint: Endpoint, write: Write): Json => {
  const { shape } = endpoint
  const success = statusOf(endpoint)
  const leadsOn = success === 303 || success === 307
  const { mediaType = 'application/json' } = shape
  const isText = mediaType.startsWith('text/') || shape.isTagged === true
  const content = shape.reply
    ? { [mediaType]: { schema: write(shape.reply), ...exampleOf(shape.example?.reply) } }
    : shape.mediaType && { [mediaType]: isText ? { schema: { type: 'string' } } : {} }
  const responses: Json = {
    [success]: {
      description: success === 204 ? 'Done' : leadsOn ? 'Go on at Location' : 'Good',
      headers: leadsOn ? { ...successHeaders, Location: location } : successHeaders,
      ...(content && { content }),
    },
  }
  if (shape.mayBeEmpty) responses['204'] = { description: 'There is none', headers: successHeaders }
  if (endpoint.method === 'GET' && (shape.reply || isMedia(shape)) && !shape.secret)
    responses['304'] = { description: 'Unchanged since If-None-Match' }
  if (errorsOf(endpoint).has('range_not_satisfiable'))
    responses['206'] = { description: 'The part asked for', headers: successHeaders, ...(content && { content }) }
  for (const [status, codes] of errorsByStatus(endpoint)) {
    const isLimit = status === 429
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n'),
      headers: isLimit || status === 503 ? { ...successHeaders, 'Retry-After': retryAfter } : successHeaders,
      content: { 'application/json': { schema: write(isLimit ? RateLimitReply : ErrorReply) } },
    }
  }
  return responses
}

const isMedia = ({ mediaType }: Endpoint['shape']): boolean => mediaType !== undefined && !mediaType.startsWith('text/')

const errorsByStatus = (endpoint: Endpoint) => {
  const byStatus = new Map<number, (keyof typeof errorTable)[]>()
  for (const code of errorsOf(endpoint)) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

const wholeNumber = { schema: { type: 'integer', minimum: 0 } }
const successHeaders = {
  'X-RateLimit-Limit': { description: 'Requests that may be made at once.', ...wholeNumber },
  'X-RateLimit-Remaining': { description: 'Requests left.', ...wholeNumber },
  'X-RateLimit-Reset': { description: 'Seconds until there is one again.', ...wholeNumber },
}
const location = { description: 'Where to go on.', schema: { type: 'string' } }
const retryAfter = { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } }

const exampleOf = (example: unknown): Json => (example === undefined ? {} : { example })

const operationId = (endpoint: Endpoint): string =>
  nameOf(endpoint)
    .replace('/api/v1', '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/[^A-Za-z0-9]/g, '')

/** A schema with a title becomes a component of that name, wherever it stands. */
const schemaWriter = (components: Map<string, Json>): Write => {
  const write = (schema: TSchema | Json): Json => {
    const { title, ...rest } = schema as Json & { title?: string }
    if (title === undefined) return walk(rest)
    if (!components.has(title)) {
      components.set(title, {})
      components.set(title, walk((conditionGrammars[title] as Json | undefined) ?? rest))
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  const walk = (value: Json): Json =>
    Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === 'properties' ? properties(item as Json) : inner(key, item),
      ]),
    )
  const properties = (record: Json): Json =>
    Object.fromEntries(Object.entries(record).map(([name, item]) => [name, write(item as Json)]))
  const inner = (key: string, item: unknown): unknown => {
    if (key === 'items' || key === 'additionalProperties') return typeof item === 'object' ? write(item as Json) : item
    if (key === 'patternProperties') return properties(item as Json)
    if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') return (item as Json[]).map(write)
    return item
  }
  return write
}
