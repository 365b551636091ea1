import type { Endpoint } from '@carrel/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Surface } from '../reply/security-headers.ts'

/** One method of one address, and what answers there; GET answers HEAD too. */
export interface Route {
  readonly method: string
  /** `/users/:id`; a `*` at the end takes the rest of an address. */
  readonly pattern: string
  readonly endpoint?: Endpoint
  readonly surface?: Surface
  readonly bodyBytesMax?: number | undefined
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown
}

/** Where something is, whichever method it is asked with. */
export interface Address {
  readonly routes: ReadonlyMap<string, Route>
  /** What stands in the place of each parameter, in their order. */
  readonly values: readonly string[]
}

export interface RouteTable {
  add(route: Route): void
  find(url: string): Address | 'too long' | undefined
  patterns(): readonly string[]
}

/** One part of an address, between two slashes, with all that may follow it. */
interface Part {
  readonly named: Map<string, Part>
  parameter?: Part
  /** What answers when the address ends here. */
  readonly routes: Map<string, Route>
  /** What takes whatever follows. */
  readonly rest: Map<string, Route>
}

/**
 * One tree of addresses for all methods: with a tree for each, `GET /books/list` would lead to `/books/:id`. The framework's
 * own router compiles a function for each piece of an address, which was a third of a start.
 */
export const openRoutes = (valueLengthMax: number): RouteTable => {
  const root = emptyPart()
  const patterns = new Set<string>()
  return {
    add: (route) => {
      const routes = routesAt(root, route.pattern)
      for (const method of route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]) {
        if (routes.has(method)) throw new Error(`${method} ${route.pattern} is bound twice`)
        routes.set(method, route)
      }
      patterns.add(route.pattern)
    },
    find: (url) => {
      const address = findFrom(root, partsOf(url), { index: 0, values: [] })
      return address?.values.some(({ length }) => length > valueLengthMax) ? 'too long' : address
    },
    patterns: () => [...patterns],
  }
}

const emptyPart = (): Part => ({ named: new Map(), routes: new Map(), rest: new Map() })

const routesAt = (root: Part, pattern: string): Map<string, Route> => {
  let part = root
  for (const name of pattern.slice(1).split('/')) {
    if (name === '*') return part.rest
    if (name.startsWith(':')) part = part.parameter ??= emptyPart()
    else {
      const next = part.named.get(name) ?? emptyPart()
      part.named.set(name, next)
      part = next
    }
  }
  return part.routes
}

/** What is named goes before a parameter, and a parameter before the rest of an address. */
const findFrom = (
  part: Part,
  parts: readonly string[],
  { index, values }: { readonly index: number; readonly values: readonly string[] },
): Address | undefined => {
  const here = parts[index]
  if (here === undefined) return part.routes.size > 0 ? { routes: part.routes, values } : undefined
  const next = part.named.get(here)
  const address =
    (next && findFrom(next, parts, { index: index + 1, values })) ??
    (part.parameter && findFrom(part.parameter, parts, { index: index + 1, values: [...values, here] }))
  if (address || part.rest.size === 0) return address
  return { routes: part.rest, values: [...values, parts.slice(index).join('/')] }
}

/** Parts are decoded one by one: a slash that is spelled with a percent sign belongs to its part. */
const partsOf = (url: string): readonly string[] => {
  const end = url.search(/[?#]/)
  const parts = (end === -1 ? url : url.slice(0, end)).slice(1).split('/')
  return url.includes('%') ? parts.map(decode) : parts
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    // The framework refuses such an address in its own words.
    return part
  }
}

/** How an address is spelled that is asked with a method it does not have. */
export const patternOf = ({ routes }: Address): string | undefined => routes.values().next().value?.pattern

/** The parameters by the names that this route gives them. */
export const parametersOf = ({ pattern }: Route, { values }: Address): Record<string, string> => {
  const names = pattern.match(/(?<=\/:)[^/]+|\*$/g) ?? []
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

export const allowOf = ({ routes }: Address): string => [...routes.keys(), 'OPTIONS'].sort().join(', ')

/** Whether there is something at this address, but not with this method. OPTIONS asks about an address and may be asked of each. */
export const lacksMethod = ({ address, method }: FastifyRequest): boolean =>
  address !== undefined && method !== 'OPTIONS' && !address.routes.has(method)
