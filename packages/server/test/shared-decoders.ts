import { type Decoders, openDecoders } from '../src/decoders/pool.ts'
import { BookFault } from '../src/formats/book-format.ts'
import { createLog } from '../src/platform/log.ts'

let pool: Decoders | undefined

/** All servers that one process of the tests starts share its decoders: to start them for each would cost more than what they do. */
export const shareDecoders = (): Decoders => {
  pool ??= openDecoders({ log: createLog({ level: 'silent', format: 'json' }), size: 2 })
  const { run, size } = pool
  const closed = new AbortController()
  return {
    size,
    run: (kind, input, options = {}) => {
      if (closed.signal.aborted) return Promise.reject(new BookFault('unreadable', 'The server is stopping.'))
      const { signal } = options
      return run(kind, input, { ...options, signal: AbortSignal.any([closed.signal, ...(signal ? [signal] : [])]) })
    },
    close: async () => closed.abort(),
  }
}
