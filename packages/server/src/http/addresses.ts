import type { FastifyInstance, FastifyRequest } from 'fastify'
import createRouter from 'find-my-way'
import type { Address } from './request.ts'

/**
 * Notes every address that is bound from now on with its methods, and answers which of them a request is for. The framework
 * has a tree of addresses for each method, in which `GET /books/list` would lead to `/books/:id`; this is one for all methods.
 */
export const collectAddresses = (app: FastifyInstance, maxParamLength: number) => {
  const router = createRouter({
    maxParamLength,
    // It is never called: that it is there makes the router tell such an address from one that does not exist.
    onMaxParamLength: () => undefined,
    // The query is the framework's to read.
    querystringParser: () => ({}),
  })
  const methodsAt = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsAt.get(url)
    const methods = known ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    if (known) return
    methodsAt.set(url, methods)
    router.on('GET', url, () => undefined, { pattern: url, methods })
  })
  return ({ url }: FastifyRequest): Address | 'too long' | undefined => {
    const found = router.find('GET', url)
    if (!found) return undefined
    // What is stored is what the hook above has stored.
    const stored = found.store as Omit<Address, 'parameters'> | null
    return stored ? { ...stored, parameters: found.params } : 'too long'
  }
}

/** HEAD is among the methods wherever GET is. */
export const allowOf = ({ methods }: Address): string => [...methods, 'OPTIONS'].sort().join(', ')

/** Whether there is something at this address, but not with this method. OPTIONS asks about an address and may be asked of each. */
export const lacksMethod = ({ address, method }: FastifyRequest): boolean =>
  address !== undefined && method !== 'OPTIONS' && !address.methods.has(method)
