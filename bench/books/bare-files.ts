import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

/** It says which part of a file is sent at `/0`, `/1` and so on. */
export interface SentPart {
  readonly file: string
  readonly offset: number
  readonly storedSize: number
  readonly method: string
}

const unpack = promisify(inflateRaw)
const keepAliveMs = 65_000

/** It does what a server of static files does, and no more: it opens the file, reads the part, sends it. */
const read = async ({ file, offset, storedSize, method }: SentPart): Promise<Buffer> => {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.allocUnsafe(storedSize), 0, storedSize, offset)
    return method === 'deflated' ? await unpack(buffer) : buffer
  } finally {
    await handle.close()
  }
}

const send = async (part: SentPart, response: ServerResponse): Promise<void> => {
  const bytes = await read(part)
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length })
  response.end(bytes)
}

process.once('message', (parts: readonly SentPart[]) => {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const part = parts[Number(request.url?.slice(1))]
    if (part) void send(part, response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.once('disconnect', () => process.exit())
