import { createHash } from 'node:crypto'
import { png, tinyJpeg } from './books/pictures.ts'
import { zip } from './books/zip.ts'
import type { Person, TestServer } from './start-server.ts'

export const pages = [tinyJpeg(1), tinyJpeg(2), png({ width: 40, height: 60 })]
export const comic = zip([
  { name: '001.jpg', bytes: pages[0] ?? Buffer.alloc(0), method: 'stored' },
  { name: '002.jpg', bytes: pages[1] ?? Buffer.alloc(0), method: 'deflated' },
  { name: '003.png', bytes: pages[2] ?? Buffer.alloc(0), method: 'deflated' },
])

export const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const ask = async (
  server: TestServer,
  { accessToken }: Pick<Person, 'accessToken'>,
  path: string,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${accessToken}`, ...headers } })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
