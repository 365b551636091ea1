import type { FastifyInstance, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import type { Address } from './request.ts'

/**
 * Notes every address that is bound from now on with its methods, and answers which of them a request is for. The framework
 * has a tree of addresses for each method, in which `GET /books/list` would lead to `/books/:id`; this is one for all methods.
 */
export const collectAddresses = (app: FastifyInstance, maxParamLength: number) => {
  const methodsAt = new Map<string, Set<string>>()
  let router: Router | undefined
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsAt.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsAt.set(url, methods)
  })
  app.addHook('onReady', async () => {
    router = routerOf(methodsAt, maxParamLength)
  })
  return ({ url }: FastifyRequest): Address | 'too long' | undefined => {
    const found = router?.find('GET', url)
    if (!found) return undefined
    // What is stored is what stands below.
    const stored = found.store as Omit<Address, 'parameters'> | null
    return stored ? { ...stored, parameters: found.params } : 'too long'
  }
}

type Router = ReturnType<typeof createRouter>

/** The last one serves again where another server of the process has the same addresses: it takes 25 ms to build. */
let last: { readonly key: string; readonly router: Router } | undefined

const routerOf = (methodsAt: ReadonlyMap<string, ReadonlySet<string>>, maxParamLength: number): Router => {
  const key = JSON.stringify([maxParamLength, ...[...methodsAt].map(([url, methods]) => [url, ...methods])])
  if (last?.key !== key) last = { key, router: buildRouter(methodsAt, maxParamLength) }
  return last.router
}

const buildRouter = (methodsAt: ReadonlyMap<string, ReadonlySet<string>>, maxParamLength: number): Router => {
  const router = createRouter({
    maxParamLength,
    // It is never called: that it is there makes the router tell such an address from one that does not exist.
    onMaxParamLength: () => undefined,
    // The query is the framework's to read.
    querystringParser: () => ({}),
  })
  for (const [url, methods] of methodsAt) router.on('GET', url, () => undefined, { pattern: url, methods })
  return router
}

/** HEAD is among the methods wherever GET is. */
export const allowOf = ({ methods }: Address): string => [...methods, 'OPTIONS'].sort().join(', ')

/** Whether there is something at this address, but not with this method. OPTIONS asks about an address and may be asked of each. */
export const lacksMethod = ({ address, method }: FastifyRequest): boolean =>
  address !== undefined && method !== 'OPTIONS' && !address.methods.has(method)
