import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../../../test/outcome.ts'
import { type Household, importing, startHousehold, unpackCalibre, unpackStore } from '../../../test/stores.ts'
import { storePath } from '../../../test/stores/read.ts'

let home: Household
beforeAll(async () => {
  home = await startHousehold()
})
afterAll(() => home[Symbol.asyncDispose]())

const calibre = (): Promise<string> => unpackCalibre(home.folder)
const codex = async (): Promise<string> => {
  await cp(storePath('codex', 'uploads'), join(home.folder, 'uploads'), { recursive: true })
  return unpackStore('codex/codex.db.gz', home.folder)
}

const stores = [
  ['komga', () => storePath('komga', 'database.sqlite')],
  ['kavita', () => storePath('kavita', 'kavita.db')],
  ['codex', codex],
  ['stump', () => storePath('stump', 'stump.db')],
  ['lanraragi', () => storePath('lanraragi', 'backup.json')],
  ['calibre', calibre],
  ['mihon', () => storePath('mihon', 'app.mihon_2026-08-01_12-00.tachibk')],
] as const

/** What is told besides, of what was here already or stays behind. */
const besides: ReadonlySet<string> = new Set([
  'progressKnown',
  'ratingsGivenHere',
  'reviewsWithoutRating',
  'placesKept',
  'membersNotHere',
  'privateListsLeft',
  'presetsRefused',
  'coversChosenHere',
  'coversUnreadable',
  'metadataSaidHere',
  'metadataRefused',
  'pluginSettingsLeft',
])

const some = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).filter(([name, count]) => count > 0 && !besides.has(name)))

test.each(stores)('C25 what the report of %s says would be made is what then is', async (kind, storeOf) => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const body = { kind, source: { path: await storeOf() } }
  const { id, wouldCreate } = await read(body)
  const { taken } = await apply(id)
  expect(some(wouldCreate)).toEqual(some(taken))
  expect(some(wouldCreate)).not.toEqual({})

  const again = await read(body)
  expect(some(again.wouldCreate)).toEqual({})
  await undo(id)
})

test.each([
  ['kavita', () => storePath('kavita', 'kavita.db')],
  ['stump', () => storePath('stump', 'stump.db')],
  ['calibre', calibre],
  ['mihon', () => storePath('mihon', 'app.mihon_2026-08-01_12-00.tachibk')],
] as const)('C25 a list that others do not see in %s is made only where somebody says so', async (kind, storeOf) => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const somebody = await home.server.person('reader')
  const seen = async (): Promise<number> => {
    const collections = bodyOf(await somebody.call(api.listCollections, { query: {} })).total
    return collections + bodyOf(await somebody.call(api.listReadLists, { query: {} })).total
  }
  const body = { kind, source: { path: await storeOf() } }
  const { id, wouldCreate, privateLists } = await read(body)
  expect(privateLists).toBeGreaterThan(0)
  const { taken } = await apply(id)
  expect(taken).toMatchObject({ privateListsLeft: privateLists })
  const shared = (wouldCreate['collections'] ?? 0) + (wouldCreate['readLists'] ?? 0)
  expect(await seen()).toBe(shared)
  await undo(id)

  await apply(id, { privateLists: true })
  expect(await seen()).toBe(shared + privateLists)
  await undo(id)
})

test('C25 who has read in a book that is not here is counted where only a log tells of it', async () => {
  const { read } = importing(home.server, home.admin)
  const { unmatched, passedOver } = await read({ kind: 'stump', source: { path: storePath('stump', 'stump.db') } })
  expect(unmatched.slice(0, 2)).toMatchObject([
    { series: 'Iron Garden', number: '7', readers: 2 },
    { series: 'Iron Garden', number: '8', readers: 1 },
  ])
  expect(passedOver).toContainEqual({
    what: 'states of reading of books that are not here',
    reason: 'not_matched',
    count: 3,
    examples: [],
  })
})

test('C25 a category of archives becomes a read list also where none of its archives is in the store', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const { id, found } = await read({ kind: 'lanraragi', source: { path: storePath('lanraragi', 'backup.json') } })
  const { taken } = await apply(id)
  expect(taken['collections'] ?? 0).toBe(0)
  expect(taken['readLists']).toBe(found['categories'])
  await undo(id)
})

test('C25 a text has no fewer pages here, since each server counts them in its own way', async () => {
  const { read } = importing(home.server, home.admin)
  const { conflicts } = await read({ kind: 'codex', source: { path: await codex() } })
  expect(conflicts.filter(({ kind }) => kind === 'fewer_pages')).toEqual([
    { kind: 'fewer_pages', what: 'The Lantern Coast 6', count: 1 },
  ])
})

test('C25 a store of one library has all of its books in that', async () => {
  const { read } = importing(home.server, home.admin)
  const { libraries, found } = await read({ kind: 'calibre', source: { path: await calibre() } })
  expect(libraries).toMatchObject([{ name: 'calibre', books: found['books'] }])
})

test('C25 what Codex alone knows of a series comes over, and the rest is told', async () => {
  const { read, apply, undo } = importing(home.server, home.admin)
  const { id, passedOver } = await read({ kind: 'codex', source: { path: await codex() } })
  await apply(id)
  const { data } = bodyOf(await home.admin.call(api.listSeries, { query: { pageSize: 100 } }))
  const known = await Promise.all(
    data.map(async (each) => bodyOf(await home.admin.call(api.readSeriesMetadata, { params: { id: each.id } }))),
  )
  expect(known.flatMap(({ alternateTitles }) => alternateTitles)).toEqual([{ label: 'Native', title: '風の話' }])
  expect(known.filter(({ externalLinks }) => externalLinks.length > 0)).toMatchObject([
    {
      title: 'The Lantern Coast',
      externalIds: [{ source: 'anilist', id: '123456', url: 'https://list.example/123456' }],
      externalLinks: [{ source: 'publisher', url: 'https://press.example/x' }],
    },
  ])
  const told = new Map(passedOver.map(({ what, reason, count }) => [what, [reason, count]]))
  expect(told.get('ratings by other services')).toEqual(['not_a_persons_word', 1])
  expect(told.get('values of metadata without a lock, which files say again')?.[1]).toBeGreaterThan(0)
  await undo(id)
})

test('C25 settings of a Komga are told as left behind', async () => {
  const { read } = importing(home.server, home.admin)
  const { passedOver } = await read({ kind: 'komga', source: { path: storePath('komga', 'database.sqlite') } })
  const [settings] = passedOver.filter(({ what }) => what === 'settings of the server')
  expect(settings).toEqual({ what: 'settings of the server', reason: 'no_such_thing', count: 4, examples: [] })
})

test('C25 a choice of a library that theirs does not have is told', async () => {
  const { read } = importing(home.server, home.admin)
  const { comics } = home.libraries
  const libraries = [
    { theirs: 'Comics', ours: comics },
    { theirs: 'Comix', ours: comics },
  ]
  const body = { kind: 'komga', source: { path: storePath('komga', 'database.sqlite') }, libraries } as const
  const { conflicts } = await read({ ...body, libraries: [...libraries] })
  expect(conflicts.filter(({ kind }) => kind === 'library_unknown')).toEqual([
    { kind: 'library_unknown', what: 'Comix', count: 1 },
  ])
})
