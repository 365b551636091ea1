import sharp from 'sharp'
import { png } from './books/pictures.ts'
import { zip } from './books/zip.ts'
import type { Shelf } from './shelf.ts'
import type { Person, TestServer } from './start-server.ts'

export const plain = (colour: string, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
export const book = (...pages: readonly Buffer[]): Buffer =>
  zip(pages.map((bytes, at) => ({ name: `${at + 1}.png`, bytes, method: 'stored' as const })))

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

export const colourOf = async (bytes: Buffer): Promise<string> => {
  const { dominant } = await sharp(bytes).stats()
  const name = Object.entries(dominant).sort(([, one], [, other]) => other - one)[0]
  return (name?.[1] ?? 0) > 100 ? ({ r: 'red', g: 'green', b: 'blue' }[name?.[0] ?? ''] ?? '') : 'dark'
}

export const thumbnail = async (server: TestServer, who: Person, kind: 'books' | 'series', id: string, query = '') => {
  const { status, headers, bytes } = await ask(server, who, `/api/v1/${kind}/${id}/thumbnail${query}`)
  const { width, height, format, space, icc, exif } = await sharp(bytes).metadata()
  return { status, headers, bytes, width, height, format, space, extras: [icc, exif], colour: await colourOf(bytes) }
}

/** A few bytes that say they are sixty thousand pixels wide. */
export const hugePng = (): Buffer => {
  const bytes = Buffer.from(png({ width: 40, height: 60 }))
  bytes.writeUInt32BE(60_000, 16)
  bytes.writeUInt32BE(60_000, 20)
  return bytes
}

export const chosen = async (server: TestServer, shelf: Shelf) => {
  const id = await shelf.addBook('one.cbz', book(await plain('#ff0000', 60, 90), await plain('#00ff00', 60, 90)))
  const editor = await server.person('editor')
  return { id, editor, show: () => thumbnail(server, editor, 'books', id) }
}

export const sizeOf = async (server: TestServer, who: Person, id: string, query = '') => {
  const { width, height, colour } = await thumbnail(server, who, 'books', id, query)
  return { width, height, colour }
}

/** Red where it begins, blue below. */
export const strip = async (width: number, height: number): Promise<Buffer> =>
  sharp(await plain('#0000ff', width, height))
    .composite([{ input: await plain('#ff0000', width, 2 * width), left: 0, top: 0 }])
    .png()
    .toBuffer()
