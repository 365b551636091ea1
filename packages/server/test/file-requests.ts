import { createHash } from 'node:crypto'
import { tinyJpeg } from './books/pictures.ts'
import { zip } from './books/zip.ts'
import type { Person, TestServer } from './start-server.ts'

export const comic = zip([1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const })))
export const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const ask = async (
  server: TestServer,
  { accessToken }: Pick<Person, 'accessToken'>,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
