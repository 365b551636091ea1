import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** It makes only the part of a font that says what it is: tables of 4 bytes each. */
const sfnt = (kind: string, tables: readonly string[]): Buffer => {
  const directory = 12 + tables.length * 16
  const bytes = Buffer.alloc(directory + tables.length * 4)
  bytes.write(kind, 0, 'latin1')
  bytes.writeUInt16BE(tables.length, 4)
  for (const [index, name] of tables.entries()) {
    const position = 12 + index * 16
    bytes.write(name, position, 'latin1')
    bytes.writeUInt32BE(directory + index * 4, position + 8)
    bytes.writeUInt32BE(4, position + 12)
  }
  return bytes
}
const needed = ['cmap', 'head', 'hhea', 'maxp']
const ttf = sfnt('\u0000\u0001\u0000\u0000', ['glyf', ...needed])
const otf = sfnt('OTTO', ['CFF ', ...needed])
const woff2 = (size = 100): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.write('wOF2', 0, 'latin1')
  bytes.writeUInt32BE(size, 8)
  bytes.writeUInt16BE(9, 12)
  return bytes
}

const upload = ({ call }: Person, name: string, bytes: Buffer) =>
  call(api.uploadFont, { query: { name }, body: new Uint8Array(bytes) })
const listed = async ({ call }: Person) => bodyOf(await call(api.listFonts, {})).fonts

test('C17 fonts are brought, listed, read as they were, and removed by whoever has them', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const created = await upload(reader, ' Literata ', woff2())
  expect(created.status).toBe(201)
  const font = bodyOf(created)
  expect(font).toMatchObject({ name: 'Literata', format: 'woff2', size: 100 })
  expect(bodyOf(await upload(reader, 'Bitter', ttf))).toMatchObject({ format: 'ttf' })
  expect(bodyOf(await upload(reader, 'Charis', otf))).toMatchObject({ format: 'otf' })
  expect((await listed(reader)).map(({ name }) => name)).toEqual(['Bitter', 'Charis', 'Literata'])
  expect(await listed(other)).toEqual([])

  const read = ({ accessToken }: Person) =>
    fetch(`${server.url}/api/v1/user/fonts/${font.id}`, { headers: { authorization: `Bearer ${accessToken}` } })
  const reply = await read(reader)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'font/woff2'])
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(Buffer.from(await reply.arrayBuffer()).equals(woff2())).toBe(true)
  expect((await read(other)).status).toBe(404)
  for (const person of [other, reader])
    expect((await person.call(api.deleteFont, { params: { id: font.id } })).status).toBe(204)
  expect((await read(reader)).status).toBe(404)
})

test('C17 a font is told by its content, has a name of its own and a size, and there are not too many', async () => {
  const reader = await server.person('reader')
  const cut = Buffer.from(ttf.subarray(0, ttf.length - 1))
  const wrong = [
    Buffer.alloc(0),
    Buffer.from('<svg onload="x()"></svg>'),
    Buffer.from('wOFF'.padEnd(100)),
    cut,
    woff2().subarray(0, 90),
    sfnt('OTTO', ['glyf', ...needed]),
    sfnt('\u0000\u0001\u0000\u0000', ['glyf', 'cmap']),
  ]
  for (const bytes of wrong)
    expect(errorOf(await upload(reader, 'Font', bytes))).toMatchObject({ error: 'validation_failed' })
  expect(errorOf(await upload(reader, '  ', woff2()))).toMatchObject({ error: 'validation_failed' })
  expect(errorOf(await upload(reader, 'Font', woff2(api.fontBytesMax + 1)))).toMatchObject({
    error: 'payload_too_large',
  })
  expect(bodyOf(await upload(reader, 'Largest', woff2(api.fontBytesMax))).size).toBe(api.fontBytesMax)
  expect(errorOf(await upload(reader, 'LARGEST', woff2()))).toMatchObject({ error: 'already_exists' })
  for (let index = 1; index < api.fontsMax; index += 1) bodyOf(await upload(reader, `Font ${index}`, woff2()))
  expect(errorOf(await upload(reader, 'One more', woff2()))).toMatchObject({ error: 'conflict' })
  expect(await listed(reader)).toHaveLength(api.fontsMax)
})
