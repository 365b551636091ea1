import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The bare server answers this to anything: the limit is what `node:http` itself costs. */
export interface BareReply {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

const keepAliveMs = 65_000

// One child process per answer, so that nothing is looked up.
process.once('message', ({ status, headers, body }: BareReply) => {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (_, response) => {
    response.writeHead(status, [...headers])
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.once('disconnect', () => process.exit())
