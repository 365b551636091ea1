import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { booksByPath, importing, scanHousehold, unpackStore } from '../../../test/stores.ts'
import { storePath } from '../../../test/stores/read.ts'

let server: TestServer
let admin: Person
let mara: Person
let folder = ''
let byPath: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  mara = await server.person('reader', { username: 'mara' })
  folder = await mkdtemp(join(tmpdir(), 'carrel-import-'))
  byPath = await booksByPath(server, await scanHousehold(server))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const calibre = async () => {
  const path = join(folder, 'calibre')
  await cp(storePath('calibre', 'library'), path, { recursive: true })
  await unpackStore('calibre/app.db.gz', path)
  await unpackStore('calibre/library/metadata.db.gz', path)
  return { kind: 'calibre' as const, source: { path } }
}
const stump = async () => ({ kind: 'stump' as const, source: { path: await unpackStore('stump/stump.db.gz', folder) } })

/** Where each of the reader's passages begins, with the part of the book that its CFI means. */
const passagesIn = async (title: string) => {
  const [, id = ''] = [...byPath].find(([path]) => path.includes(title)) ?? []
  const { readingOrder } = bodyOf(await mara.call(api.readManifest, { params: { id } }))
  const { positions } = bodyOf(await mara.call(api.readPositions, { params: { id } }))
  const { data } = bodyOf(await mara.call(api.listAnnotations, { params: { id }, query: {} }))
  const parts = readingOrder.map(({ href }) => ({
    href,
    begins: positions.find((position) => position.href === href)?.locations?.totalProgression,
  }))
  return data.map(({ quote, locator }) => {
    const { partialCfi } = (locator.locations ?? {}) as { readonly partialCfi?: unknown }
    const part = parts.findIndex(({ href }) => href === locator.href)
    return { quote, part, partialCfi, isAtPart: locator.locations?.totalProgression === parts[part]?.begins }
  })
}

test.each([
  ['stump', stump, { quote: 'slate quiet lichen copper cinder', part: 4, partialCfi: '/4/4,/1:0,/1:32' }],
  ['calibre', calibre, { quote: 'brine willow orchard lantern drift', part: 2, partialCfi: '/4/4/1:0' }],
] as const)(
  'C25 a passage marked in %s stands in the part of the book that its CFI names',
  async (_, store, passage) => {
    const { read, apply, undo } = importing(server, admin)
    const { id } = await read(await store())
    await apply(id)
    expect(await passagesIn('Tidewright Cycle 3')).toEqual([{ ...passage, isAtPart: true }])
    await undo(id)
  },
)
