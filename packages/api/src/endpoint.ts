import { type Static, type TSchema, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'
import { type Envelope, envelopeOf, pagingParameters } from './schema.ts'

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** WebDAV has these methods, OpenAPI does not: only doors use them. */
export const davMethods = ['PROPFIND', 'MKCOL'] as const
export type Method = (typeof methods)[number] | (typeof davMethods)[number]

/**
 * A caller can prove who they are in these ways. The main API takes the first three; a door may take `basic` too,
 * KOReader's its own.
 */
export type Scheme = 'bearer' | 'key' | 'cookie' | 'basic' | 'digest'
export const mainSchemes: readonly Scheme[] = ['bearer', 'key', 'cookie']

/** A door serves applications that speak a protocol of their own, with its own errors and ways to sign in. */
export type Door = 'opds' | 'compat' | 'koreader'

export interface Shape {
  readonly summary: string
  readonly description?: string
  /** The heading it stands under in the reference. */
  readonly tag: string
  /** `open` needs no credentials, `optional` looks at them when there are some, `signed-in` takes any, a permission that permission. */
  readonly access: 'open' | 'optional' | 'signed-in' | Permission
  /**
   * The endpoint shows or leads to something that needs these permissions as well: without one of them it is refused as
   * without the first.
   */
  readonly needs?: readonly Permission[]
  /** These of its addresses are answered without credentials too; `access` counts for whoever sends some. */
  readonly openPaths?: RegExp
  /** An API key is refused, whatever its permissions: keys cannot manage keys, passwords or sessions. */
  readonly keys?: 'refused'
  readonly schemes?: readonly Scheme[]
  /** Absent: it belongs to the main API. */
  readonly door?: Door
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is bytes, which the endpoint judges itself: no JSON. */
  readonly upload?: {
    readonly description: string
    /** JSON is among what it may be; elsewhere it is refused. */
    readonly maybeJson?: true
  }
  /** An absent body counts as an empty object. */
  readonly bodyOptional?: true
  /** It only asks: in its body null stands for a field that is left out, as many clients write what they do not have. */
  readonly nullIsAbsent?: true
  readonly bodyBytesMax?: number
  /** Absent: 204 without a body. */
  readonly reply?: TSchema
  /** There may be nothing to reply with: then it is 204 without a body. */
  readonly mayBeEmpty?: true
  /** The media type of a reply that is not JSON; beside a `reply` it is the name of that JSON. */
  readonly mediaType?: string
  /** A text that has an ETag: a client may keep it and ask whether it has changed. */
  readonly isTagged?: true
  /** 303 and 307: the reply is the address in `Location`. 402: what a protocol calls refused for good. */
  readonly status?: 200 | 201 | 202 | 207 | 303 | 307 | 402
  /** It refuses with these errors besides those of every endpoint of its kind (see `errorsOf`). */
  readonly errors?: readonly ErrorCode[]
  /** The record an `If-Match` is compared with before the change. */
  readonly guards?: TSchema
  /**
   * What people change of its reply. The ETag names it beside the whole: what is only counted, or says when something was
   * last used, refuses nobody's `If-Match`.
   */
  readonly editable?: TSchema
  /** The rate limiter ignores the endpoint: the request takes no token. */
  readonly unlimited?: true
  /** The reply holds credentials: nothing may keep it. */
  readonly secret?: true
  readonly deprecated?: { readonly since: string; readonly sunset: string }
  readonly example?: { readonly body?: unknown; readonly reply?: unknown }
}

/**
 * One operation of the API, described once. `Input` is what a client sends, `Reply` what it gets, `Answer` what the
 * function behind it returns. They are worked out here, at the declaration, so that callers stay cheap to check.
 */
export interface Endpoint<Input = unknown, Reply = unknown, Answer = Reply> {
  readonly kind: 'endpoint'
  readonly method: Method
  /** The path is written as in OpenAPI: `/api/v1/users/{id}`. */
  readonly path: string
  readonly isList: boolean
  readonly shape: Shape
  /** Exists for the type checker only. */
  readonly types?: { readonly input: Input; readonly reply: Reply; readonly answer: Answer }
}

export const endpoint = <const S extends Shape>(
  name: `${Method} /${string}`,
  shape: S,
): Endpoint<InputOf<S>, ReplyOf<S>> => ({ kind: 'endpoint', ...parseName(name), isList: false, shape })

/** An endpoint that answers one page of many: takes `page` and `pageSize`, replies with the envelope. */
export const listEndpoint = <const S extends Omit<Shape, 'reply'> & { readonly item: TSchema; readonly title: string }>(
  name: `${Method} /${string}`,
  { item, title, query, ...rest }: S,
): Endpoint<ListInputOf<S>, Envelope<Static<S['item']>>, ListAnswer<Static<S['item']>>> => {
  const parameters = { ...propertiesOf(query), ...pagingParameters }
  const shape = { ...rest, query: Type.Object(parameters), reply: envelopeOf(item, title) } as unknown as Shape
  return { kind: 'endpoint', ...parseName(name), isList: true, shape }
}

export interface ListAnswer<Item> {
  readonly data: readonly Item[]
  readonly total: number
  /** The total is a lower bound: no more than this many results of a search are counted (pins W11). */
  readonly totalIsLowerBound?: true
}

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'endpoint'

/** It returns the endpoints among all that a module exports. */
export const endpointsIn = (values: object): readonly Endpoint[] => Object.values(values).filter(isEndpoint)

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Every error an endpoint can answer with: its own, and those that come with being an endpoint of its kind. */
export const errorsOf = ({ method, shape }: Endpoint): ReadonlySet<ErrorCode> => {
  const changes = method !== 'GET'
  const codes: (ErrorCode | false)[] = [
    'malformed_request',
    'internal_error',
    'unavailable',
    isProtected(shape) && 'not_authenticated',
    ((isProtected(shape) && shape.access !== 'signed-in') || shape.keys === 'refused' || changes) && 'not_allowed',
    shape.unlimited !== true && 'rate_limit_exceeded',
    Boolean(shape.params ?? shape.query ?? shape.body) && 'validation_failed',
    takesBody(shape) && 'payload_too_large',
    takesBody(shape) && 'unsupported_media_type',
    shape.guards !== undefined && 'precondition_failed',
    changes && 'disk_full',
    changes && 'read_only',
    ...(shape.errors ?? []),
  ]
  return new Set(codes.filter((code) => code !== false))
}

export const takesBody = ({ body, upload }: Shape): boolean => body !== undefined || upload !== undefined

export const isProtected = ({ access }: Pick<Shape, 'access'>): boolean => access !== 'open' && access !== 'optional'

const parseName = (name: `${Method} /${string}`): { method: Method; path: string } => {
  const space = name.indexOf(' ')
  const method = [...methods, ...davMethods].find((each) => each === name.slice(0, space))
  if (!method) throw new Error(`"${name}" does not begin with a method`)
  return { method, path: name.slice(space + 1) }
}

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema> => {
  const { properties = {} }: { properties?: Record<string, TSchema> } = schema ?? {}
  return properties
}

type InputOf<S> = Part<S, 'params'> & QueryPart<S> & BodyPart<S>
type ListInputOf<S> = Part<S, 'params'> & {
  readonly query?: { readonly page?: number; readonly pageSize?: number } & (S extends {
    readonly query: infer Q extends TSchema
  }
    ? Static<Q>
    : unknown)
} & BodyPart<S>
type ReplyOf<S> = S extends { readonly reply: infer R extends TSchema }
  ? Static<R> | (S extends { readonly mayBeEmpty: true } ? undefined : never)
  : S extends { readonly mediaType: string }
    ? string
    : undefined
type Part<S, Name extends string> = S extends { readonly [K in Name]: infer P extends TSchema }
  ? { readonly [K in Name]: Static<P> }
  : unknown
type QueryPart<S> = S extends { readonly query: infer Q extends TSchema } ? { readonly query?: Static<Q> } : unknown
type BodyPart<S> = S extends { readonly bodyOptional: true; readonly body: infer B extends TSchema }
  ? { readonly body?: Static<B> }
  : S extends { readonly upload: object }
    ? { readonly body: Uint8Array<ArrayBuffer> }
    : Part<S, 'body'>
