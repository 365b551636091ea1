import { isDeepStrictEqual } from 'node:util'
import {
  apiVersion,
  byId,
  type Endpoint,
  ErrorReply,
  errorsOf,
  errorTable,
  isProtected,
  mainSchemes,
  methods,
  pagingParameters,
  RateLimitReply,
  type Scheme,
  statusOf,
} from '@carrel/api'
import { byCompatId } from '@carrel/api/doors'
import type { TSchema } from 'typebox'
import { mapInTurns } from '../../platform/turns.ts'
import { operationId } from './operation-id.ts'
import { collectComponents, type Components, type Json } from './openapi-components.ts'

const schemeNames: Readonly<Record<Scheme, string | undefined>> = {
  key: 'api_key',
  bearer: 'bearer',
  basic: 'basic',
  // A browser sends it by itself; nobody fills it in.
  cookie: undefined,
  // Only KOReader uses it: two headers, described with its endpoints.
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
In a body that only asks (lists, letters, facets, exports, what a bulk edit is about), null stands for an optional field that is left out.
No text, in whatever place, may hold a null character or half a surrogate pair.`

/** An operation takes half a millisecond. */
const operationsAtOnce = 8

/** The document of the whole API, made from the values that requests and replies are checked with. */
export const openApiDocument = async (
  endpoints: readonly Endpoint[],
  { basePath, version }: { basePath: string; version: string },
): Promise<Json> => {
  const components = collectComponents()
  const paths: Record<string, Json> = {}
  // Whoever asks, and in whatever order the routes were bound, it is the same text.
  const ordered = endpoints
    .filter(isDescribed)
    .toSorted((one, other) => (nameInOrder(one) < nameInOrder(other) ? -1 : 1))
  const addOperation = (endpoint: Endpoint): void => {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, components) }
  }
  await mapInTurns(ordered, addOperation, operationsAtOnce)
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
    security: usualSecurity,
    tags: [...new Set(ordered.map(({ shape }) => shape.tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes, ...components.inOrder() },
  }
}

const usualSecurity: readonly Json[] = [{ api_key: [] }, { bearer: [] }]

const nameInOrder = ({ method, path }: Endpoint): string => `${path} ${method}`

const operation = (endpoint: Endpoint, components: Components): Json => {
  const { shape } = endpoint
  const { write } = components
  const security = securityOf(endpoint)
  const parameters = [
    ...parametersIn('path', shape.params, components),
    ...parametersIn('query', shape.query, components),
    ...(shape.guards ? [components.refer('parameters', ifMatch.name, ifMatch)] : []),
  ]
  return {
    operationId: operationId(endpoint),
    summary: shape.summary,
    ...(shape.description && { description: shape.description }),
    tags: [shape.tag],
    ...(shape.deprecated && { deprecated: true }),
    'x-permission': shape.access,
    ...(shape.needs && { 'x-permissions-besides': shape.needs }),
    // What is not said counts as the usual: so the document stays small.
    ...(!isDeepStrictEqual(new Set(security), new Set(usualSecurity)) && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(shape.body && {
      requestBody: {
        required: shape.bodyOptional !== true,
        content: {
          'application/json': {
            schema: write(shape.body),
            ...components.exampleOf(shape.body, shape.example?.body),
          },
        },
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
    responses: { ...repliesOf(endpoint, components), ...errorRepliesOf(endpoint, components) },
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

const parametersIn = (
  location: 'path' | 'query',
  schema: TSchema | undefined,
  { write, refer }: Components,
): Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description: text, ...rest } = property
    const isRequired = location === 'path' || (required.includes(name) && !('default' in property))
    const parameter = {
      name,
      in: location,
      ...(isRequired && { required: true }),
      ...(typeof text === 'string' && { description: text }),
      schema: write(rest),
    }
    const component = commonParameters.find((common) => common.name === name && common.property === property)
    return component ? refer('parameters', component.title, parameter) : parameter
  })
}

/** Hundreds of operations have these. */
const commonParameters: readonly { name: string; property: unknown; title: string }[] = [
  ...Object.entries(pagingParameters).map(([name, property]) => ({ name, property, title: name })),
  { name: 'id', property: byId.properties.id, title: 'id' },
  { name: 'id', property: byCompatId.properties.id, title: 'compatId' },
]

const repliesOf = (endpoint: Endpoint, components: Components): Json => {
  const { shape } = endpoint
  const success = statusOf(endpoint)
  const leadsOn = success === 303 || success === 307
  const { mediaType = 'application/json' } = shape
  const isText = mediaType.startsWith('text/') || shape.isTagged === true
  const content = shape.reply
    ? {
        [mediaType]: {
          schema: components.write(shape.reply),
          ...components.exampleOf(shape.reply, shape.example?.reply),
        },
      }
    : shape.mediaType && { [mediaType]: isText ? { schema: { type: 'string' } } : {} }
  const headers = headersOf(components, leadsOn ? { ...everyHeader, Location: location } : everyHeader)
  const empty = (name: string, text: string): Json =>
    components.refer('responses', name, { description: text, headers: headersOf(components, everyHeader) })
  const responses: Json = {
    [success]:
      success === 204 && !content
        ? empty('Done', 'Done')
        : { description: leadsOn ? 'Go on at Location' : 'Good', headers, ...(content && { content }) },
  }
  if (shape.mayBeEmpty) responses['204'] = empty('None', 'There is none')
  if (endpoint.method === 'GET' && (shape.reply || isMedia(shape)) && !shape.secret)
    responses['304'] = components.refer('responses', 'Unchanged', { description: 'Unchanged since If-None-Match' })
  if (errorsOf(endpoint).has('range_not_satisfiable'))
    responses['206'] = { description: 'The part asked for', headers, ...(content && { content }) }
  return responses
}

/** Named by their codes: the same codes are the same reply, wherever they stand. */
const errorRepliesOf = (endpoint: Endpoint, components: Components): Json =>
  Object.fromEntries(
    errorsByStatus(endpoint).map(([status, codes]) => {
      const isLimit = status === 429
      const headers = isLimit || status === 503 ? { ...everyHeader, 'Retry-After': retryAfter } : everyHeader
      const reply = {
        description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n'),
        headers: headersOf(components, headers),
        content: { 'application/json': { schema: components.write(isLimit ? RateLimitReply : ErrorReply) } },
      }
      return [status, components.refer('responses', codes.join('.'), reply)]
    }),
  )

const isMedia = ({ mediaType }: Endpoint['shape']): boolean => mediaType !== undefined && !mediaType.startsWith('text/')

const errorsByStatus = (endpoint: Endpoint) => {
  const byStatus = new Map<number, (keyof typeof errorTable)[]>()
  for (const code of errorsOf(endpoint)) {
    const { status } = errorTable[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

const wholeNumber = { schema: { type: 'integer', format: 'int64', minimum: 0 } }
const everyHeader = {
  'X-RateLimit-Limit': { description: 'Requests that may be made at once.', ...wholeNumber },
  'X-RateLimit-Remaining': { description: 'Requests left.', ...wholeNumber },
  'X-RateLimit-Reset': { description: 'Seconds until there is one again.', ...wholeNumber },
}
const location = { description: 'Where to go on.', schema: { type: 'string' } }
const retryAfter = { description: 'Seconds to wait.', schema: { type: 'integer', format: 'int64', minimum: 1 } }

const headersOf = ({ refer }: Components, headers: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, refer('headers', name, header)]))
