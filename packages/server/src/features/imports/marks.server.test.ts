import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import type { Person } from '../../../test/start-server.ts'
import { type Household, importing, startHousehold, unpackCalibre } from '../../../test/stores.ts'
import { storePath } from '../../../test/stores/read.ts'
import { AppError } from '../../platform/errors.ts'
import { importFromServer } from './tasks.ts'

let home: Household
let mara: Person
beforeAll(async () => {
  home = await startHousehold()
  mara = await home.server.person('reader', { username: 'mara' })
})
afterAll(() => home[Symbol.asyncDispose]())

const calibre = async () => ({ kind: 'calibre' as const, source: { path: await unpackCalibre(home.folder) } })
const stump = () => ({ kind: 'stump' as const, source: { path: storePath('stump', 'stump.db') } })

/** Where each of the reader's passages begins, with the part of the book that its CFI means. */
const passagesIn = async (title: string) => {
  const id = home.bookAt(title)
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

const stumpPassage = { quote: 'slate quiet lichen copper cinder', part: 4, partialCfi: '/4/4,/1:0,/1:32' }

test.each([
  ['stump', stump, stumpPassage],
  ['calibre', calibre, { quote: 'brine willow orchard lantern drift', part: 2, partialCfi: '/4/4/1:0' }],
] as const)(
  'C25 a passage marked in %s stands in the part of the book that its CFI names',
  async (_, store, passage) => {
    const { read, apply, undo } = importing(home.server, home.admin)
    const { id } = await read(await store())
    await apply(id)
    expect(await passagesIn('Tidewright Cycle 3')).toEqual([{ ...passage, isAtPart: true }])
    await undo(id)
  },
)

/** No book can be opened while it takes over. */
const withoutDecoders: typeof importFromServer = {
  ...importFromServer,
  run: (payload, context, resources) => {
    const run = () => Promise.reject(new AppError('unavailable', 'No decoder can be started'))
    return importFromServer.run(payload, context, { ...resources, decoders: { ...resources.decoders, run } })
  },
}

test('C25 a passage whose part of the book was not known when it came gets it when the store comes again', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const unable = importing(home.server, home.admin, withoutDecoders)
  const { id } = await unable.read(stump())
  await unable.apply(id, { covers: false })
  const [passage] = await passagesIn('Tidewright Cycle 3')
  expect(passage).toMatchObject({ part: -1 })

  const again = await read(stump())
  expect(again.wouldCreate).toMatchObject({ marksPlaced: 5 })
  const { taken } = await apply(again.id)
  expect(taken).toMatchObject({ marksPlaced: 5 })
  expect(await passagesIn('Tidewright Cycle 3')).toEqual([{ ...stumpPassage, isAtPart: true }])
  expect((await read(stump())).wouldCreate).not.toHaveProperty('marksPlaced')
  await undo(again.id)
  await undo(id)
  expect(await passagesIn('Tidewright Cycle 3')).toEqual([])
})
