import { type Endpoint, isEndpoint, nameOf } from '@carrel/api'
import * as api from '@carrel/api'
import * as doors from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { basic, type CompatApp, compatApp } from '../../../test/compat-app.ts'
import { doorsOpen } from '../../../test/contract/inputs.ts'
import { libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { fillShelf, type Shelf } from '../../../test/shelf.ts'
import { type Person, startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

/** It holds everything that can be changed. */
interface World {
  readonly series: string
  readonly books: readonly string[]
  readonly collection: string
  readonly readList: string
  readonly library: string
  readonly user: string
  readonly apiKey: string
  readonly covers: Readonly<Record<string, string>>
}

interface Change {
  /**
   * The path is below the prefix; when absent it is the address of the endpoint, filled with the ids of the test world.
   */
  readonly at?: (world: World) => string
  readonly body?: (world: World) => unknown
  /** It reads what the change must show in. */
  readonly shows: (world: World) => string | (() => Promise<unknown>)
}
type Row = Change | 'asks' | 'is always refused' | 'begins work'

let server: TestServer
let shelf: Shelf
let admin: Person
let app: CompatApp
let world: World
const other = libraryFolder()

const send = (method: string, path: string, body?: unknown) =>
  app.send(path, { method, ...(body !== undefined && { body }) })
const picture = async (path: string, bytes: Buffer): Promise<{ status: number; id: string }> => {
  const headers = { 'x-api-key': adminKey, 'content-type': 'image/jpeg' }
  const reply = await fetch(`${server.url}/komga${path}`, { method: 'POST', headers, body: new Uint8Array(bytes) })
  const { id } = (await reply.json()) as { id: string }
  return { status: reply.status, id }
}
let adminKey = ''

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  shelf = await fillShelf(server)
  admin = await server.person('admin')
  adminKey = bodyOf(await admin.call(api.createApiKey, { body: { name: 'upload' } })).key
  app = compatApp(server.url)
  await app.send('/api/v2/users/me', { headers: basic(admin.username, testPassword) })
  const pages = (seed: number) => ({
    '1.jpg': tinyJpeg(seed),
    '2.jpg': tinyJpeg(seed + 1),
    '3.jpg': tinyJpeg(seed + 2),
  })
  const books = [
    await shelf.addBook('One 1.cbz', pages(1), { number: 1 }),
    await shelf.addBook('One 2.cbz', pages(4), { number: 2 }),
  ]
  const made = async (path: string, body: unknown): Promise<string> =>
    ((await send('POST', path, body)).json as { id: string }).id
  const series = shelf.series.id
  const collection = await made('/api/v1/collections', { name: 'All', ordered: false, seriesIds: [series] })
  const readList = await made('/api/v1/readlists', { name: 'All', summary: '', ordered: true, bookIds: books })
  const covers: Record<string, string> = {}
  for (const [kind, id] of Object.entries({
    books: books[0] ?? '',
    series,
    collections: collection,
    readlists: readList,
  })) {
    covers[kind] = (await picture(`/api/v1/${kind}/${id}/thumbnails`, tinyJpeg(50))).id
    await picture(`/api/v1/${kind}/${id}/thumbnails`, tinyJpeg(51))
  }
  world = {
    series,
    books,
    collection,
    readList,
    library: shelf.series.library.id,
    user: (await server.person('reader')).id,
    apiKey: bodyOf(await admin.call(api.createApiKey, { body: { name: 'old' } })).id,
    covers,
  }
})
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await (await other)[Symbol.asyncDispose]()
})

const tasks = async () => bodyOf(await admin.call(api.listTasks, { query: { pageSize: 1 } })).total
const signsInWith = (nameOfUser: () => Promise<string>, password: string) => () => async () =>
  (
    await compatApp(server.url, { keepsCookies: false }).send('/api/v2/users/me', {
      headers: basic(await nameOfUser(), password),
    })
  ).status

const book = (world: World) => `/api/v1/books/${world.books[0] ?? ''}`
const oneSeries = (world: World) => `/api/v1/series/${world.series}`
const coverRows = (kind: 'books' | 'series' | 'collections' | 'readlists'): Record<string, Row> => {
  const shows = (world: World) =>
    `/api/v1/${kind}/${{ books: world.books[0] ?? '', series: world.series, collections: world.collection, readlists: world.readList }[kind]}/thumbnails`
  const cover = (world: World) => `${shows(world)}/${world.covers[kind] ?? ''}`
  return {
    [`PUT /{prefix}/api/v1/${kind}/{id}/thumbnails/{coverId}/selected`]: {
      at: (world: World) => `${cover(world)}/selected`,
      shows,
    },
    [`DELETE /{prefix}/api/v1/${kind}/{id}/thumbnails/{coverId}`]: { at: cover, shows },
    [`POST /{prefix}/api/v1/${kind}/{id}/thumbnails`]: { at: shows, body: () => tinyJpeg(60), shows },
  }
}
const progression = {
  modified: '2036-01-01T00:00:00Z',
  device: { id: 'd', name: 'Device' },
  locator: { href: '', type: 'image/jpeg', locations: { position: 2 } },
}

/** The order matters: what is deleted goes last. */
const rows: Readonly<Record<string, Row>> = {
  'POST /{prefix}/api/v1/books/list': 'asks',
  'POST /{prefix}/api/v1/series/list': 'asks',
  'POST /{prefix}/api/v1/series/list/alphabetical-groups': 'asks',
  'POST /{prefix}/api/v1/readlists/match/comicrack': 'asks',
  'POST /{prefix}/api/v1/filesystem': 'asks',
  'POST /{prefix}/api/v1/claim': 'is always refused',
  'DELETE /{prefix}/api/v1/books/{id}/file': 'is always refused',
  'DELETE /{prefix}/api/v1/series/{id}/file': 'is always refused',
  'DELETE /{prefix}/api/v1/tasks': 'is always refused',

  'POST /{prefix}/api/v1/books/{id}/analyze': 'begins work',
  'POST /{prefix}/api/v1/books/{id}/metadata/refresh': 'begins work',
  'POST /{prefix}/api/v1/series/{id}/analyze': 'begins work',
  'POST /{prefix}/api/v1/series/{id}/metadata/refresh': 'begins work',
  'POST /{prefix}/api/v1/libraries/{id}/scan': 'begins work',
  'POST /{prefix}/api/v1/libraries/{id}/analyze': 'begins work',
  'POST /{prefix}/api/v1/libraries/{id}/metadata/refresh': 'begins work',
  'POST /{prefix}/api/v1/libraries/{id}/empty-trash': 'begins work',
  'PUT /{prefix}/api/v1/books/thumbnails': 'begins work',

  'PATCH /{prefix}/api/v1/books/{id}/metadata': {
    at: (world: World) => `${book(world)}/metadata`,
    body: () => ({ title: 'Another' }),
    shows: book,
  },
  'PATCH /{prefix}/api/v1/books/metadata': {
    at: () => '/api/v1/books/metadata',
    body: ({ books }: World) => ({ [books[0] ?? '']: { summary: 'Told' } }),
    shows: book,
  },
  'PATCH /{prefix}/api/v1/series/{id}/metadata': {
    at: (world: World) => `${oneSeries(world)}/metadata`,
    body: () => ({ sharingLabels: ['seen'], publisher: 'P' }),
    shows: oneSeries,
  },
  'PUT /{prefix}/api/v1/books/{id}/progression': {
    at: (world: World) => `${book(world)}/progression`,
    body: () => progression,
    shows: (world: World) => `${book(world)}/progression`,
  },
  'PATCH /{prefix}/api/v1/books/{id}/read-progress': {
    at: (world: World) => `${book(world)}/read-progress`,
    body: () => ({ completed: true }),
    shows: book,
  },
  'DELETE /{prefix}/api/v1/books/{id}/read-progress': {
    at: (world: World) => `${book(world)}/read-progress`,
    shows: book,
  },
  'POST /{prefix}/api/v1/series/{id}/read-progress': {
    at: (world: World) => `${oneSeries(world)}/read-progress`,
    shows: oneSeries,
  },
  'DELETE /{prefix}/api/v1/series/{id}/read-progress': {
    at: (world: World) => `${oneSeries(world)}/read-progress`,
    shows: oneSeries,
  },
  'PUT /{prefix}/api/v2/series/{id}/read-progress/tachiyomi': {
    at: ({ series }: World) => `/api/v2/series/${series}/read-progress/tachiyomi`,
    body: () => ({ lastBookNumberSortRead: 1 }),
    shows: oneSeries,
  },
  'PUT /{prefix}/api/v1/readlists/{id}/read-progress/tachiyomi': {
    at: ({ readList }: World) => `/api/v1/readlists/${readList}/read-progress/tachiyomi`,
    body: () => ({ lastBookRead: 2 }),
    shows: oneSeries,
  },
  ...coverRows('books'),
  ...coverRows('series'),
  ...coverRows('collections'),
  ...coverRows('readlists'),

  'PATCH /{prefix}/api/v1/client-settings/global': {
    at: () => '/api/v1/client-settings/global',
    body: () => ({ 'webui.a': { value: '1', allowUnauthorized: true } }),
    shows: () => '/api/v1/client-settings/global/list',
  },
  'DELETE /{prefix}/api/v1/client-settings/global': {
    at: () => '/api/v1/client-settings/global',
    body: () => ['webui.a'],
    shows: () => '/api/v1/client-settings/global/list',
  },
  'PATCH /{prefix}/api/v1/client-settings/user': {
    at: () => '/api/v1/client-settings/user',
    body: () => ({ 'webui.a': { value: '1' } }),
    shows: () => '/api/v1/client-settings/user/list',
  },
  'DELETE /{prefix}/api/v1/client-settings/user': {
    at: () => '/api/v1/client-settings/user',
    body: () => ['webui.a'],
    shows: () => '/api/v1/client-settings/user/list',
  },
  'PATCH /{prefix}/api/v1/settings': {
    at: () => '/api/v1/settings',
    body: () => ({ thumbnailSize: 'LARGE' }),
    shows: () => '/api/v1/settings',
  },

  'POST /{prefix}/api/v1/collections': {
    at: () => '/api/v1/collections',
    body: ({ series }: World) => ({ name: 'More', ordered: true, seriesIds: [series] }),
    shows: () => '/api/v1/collections',
  },
  'PATCH /{prefix}/api/v1/collections/{id}': {
    at: ({ collection }: World) => `/api/v1/collections/${collection}`,
    body: () => ({ name: 'Renamed' }),
    shows: ({ collection }: World) => `/api/v1/collections/${collection}`,
  },
  'POST /{prefix}/api/v1/readlists': {
    at: () => '/api/v1/readlists',
    body: ({ books }: World) => ({ name: 'More', summary: '', ordered: true, bookIds: books }),
    shows: () => '/api/v1/readlists',
  },
  'PATCH /{prefix}/api/v1/readlists/{id}': {
    at: ({ readList }: World) => `/api/v1/readlists/${readList}`,
    body: () => ({ summary: 'Told' }),
    shows: ({ readList }: World) => `/api/v1/readlists/${readList}`,
  },
  'DELETE /{prefix}/api/v1/collections/{id}': {
    at: ({ collection }: World) => `/api/v1/collections/${collection}`,
    shows: () => '/api/v1/collections',
  },
  'DELETE /{prefix}/api/v1/readlists/{id}': {
    at: ({ readList }: World) => `/api/v1/readlists/${readList}`,
    shows: () => '/api/v1/readlists',
  },

  'POST /{prefix}/api/v2/users': {
    at: () => '/api/v2/users',
    body: () => ({ email: 'new@example.org', password: testPassword, roles: [] }),
    shows: () => '/api/v2/users',
  },
  'PATCH /{prefix}/api/v2/users/{id}': {
    at: ({ user }: World) => `/api/v2/users/${user}`,
    body: () => ({ roles: [], labelsExclude: ['seen'] }),
    shows: () => '/api/v2/users',
  },
  'PATCH /{prefix}/api/v2/users/{id}/password': {
    at: ({ user }: World) => `/api/v2/users/${user}/password`,
    body: () => ({ password: 'another-lamp-over-snow' }),
    shows: signsInWith(
      async () => bodyOf(await admin.call(api.readUser, { params: { id: world.user } })).username,
      'another-lamp-over-snow',
    ),
  },
  'DELETE /{prefix}/api/v2/users/{id}': {
    at: ({ user }: World) => `/api/v2/users/${user}`,
    shows: () => '/api/v2/users',
  },
  'POST /{prefix}/api/v2/users/me/api-keys': {
    at: () => '/api/v2/users/me/api-keys',
    body: () => ({ comment: 'new' }),
    shows: () => '/api/v2/users/me/api-keys',
  },
  'DELETE /{prefix}/api/v2/users/me/api-keys/{id}': {
    at: ({ apiKey }: World) => `/api/v2/users/me/api-keys/${apiKey}`,
    shows: () => '/api/v2/users/me/api-keys',
  },

  'POST /{prefix}/api/v1/libraries': {
    at: () => '/api/v1/libraries',
    body: () => ({ name: 'Other', root: otherPath }),
    shows: () => '/api/v1/libraries',
  },
  'PATCH /{prefix}/api/v1/libraries/{id}': {
    at: ({ library }: World) => `/api/v1/libraries/${library}`,
    body: () => ({ scanPdf: false }),
    shows: ({ library }: World) => `/api/v1/libraries/${library}`,
  },
  'PUT /{prefix}/api/v1/libraries/{id}': {
    at: ({ library }: World) => `/api/v1/libraries/${library}`,
    body: () => ({ scanInterval: 'WEEKLY' }),
    shows: ({ library }: World) => `/api/v1/libraries/${library}`,
  },
  'DELETE /{prefix}/api/v1/libraries/{id}': {
    at: ({ library }: World) => `/api/v1/libraries/${library}`,
    shows: () => '/api/v1/libraries',
  },
  'PATCH /{prefix}/api/v2/users/me/password': {
    at: () => '/api/v2/users/me/password',
    body: () => ({ password: 'third-lamp-over-snow' }),
    shows: signsInWith(async () => admin.username, 'third-lamp-over-snow'),
  },
  'POST /{prefix}/api/logout': {
    at: () => '/api/logout',
    shows: () => async () => (await send('GET', '/api/v2/users/me')).status,
  },
}
let otherPath = ''

const changing = Object.values<unknown>(doors)
  .filter(isEndpoint)
  .filter(({ shape, method }: Endpoint) => shape.door === 'compat' && method !== 'GET')

test('A4 C10 every endpoint of the door that changes something has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual(changing.map(nameOf).toSorted())
})

const rowsOf = <Kind extends Row>(isOne: (row: Row) => row is Kind): [string, Kind][] =>
  Object.entries(rows).flatMap(([name, row]) => (isOne(row) ? [[name, row] satisfies [string, Kind]] : []))

const addressOf = (name: string): string => {
  const id = name.includes('/series/') ? world.series : name.includes('/libraries/') ? world.library : world.books[0]
  return name.replace(/^\S+ \/\{prefix\}/, '').replace('{id}', id ?? '')
}

test('A4 C10 what cannot be done there is refused', async () => {
  for (const [name] of rowsOf((row) => row === 'is always refused')) {
    const { status } = await send(name.split(' ')[0] ?? '', addressOf(name))
    expect([name, status >= 400 && status < 500]).toEqual([name, true])
  }
})

test('A4 C10 what begins work has put it into the queue', async () => {
  for (const [name] of rowsOf((row) => row === 'begins work')) {
    const { status } = await send(name.split(' ')[0] ?? '', addressOf(name))
    expect([name, status, (await tasks()) > 0]).toEqual([name, 202, true])
  }
})

test('A4 C10 nothing answers well that has changed nothing: each change shows where it is read', async () => {
  otherPath = (await other).path
  for (const [name, row] of rowsOf((each) => typeof each === 'object')) {
    const where = row.shows(world)
    const see = async () => (typeof where === 'string' ? (await send('GET', where)).json : where())
    const before = await see()
    const status = await change(name.split(' ')[0] ?? '', row)
    expect([name, status]).toEqual([name, expect.toSatisfy((code: number) => code >= 200 && code < 300)])
    expect([name, await see()]).not.toEqual([name, before])
  }
})

const change = async (method: string, { at, body }: Change): Promise<number> => {
  const path = at?.(world) ?? ''
  const payload = body?.(world)
  return Buffer.isBuffer(payload) ? (await picture(path, payload)).status : (await send(method, path, payload)).status
}
