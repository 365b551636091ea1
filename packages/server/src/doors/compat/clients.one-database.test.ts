import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { basic, compatApp } from '../../../test/compat-app.ts'
import { openStream } from '../../../test/event-stream.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { type Person, startServer, testPassword } from '../../../test/start-server.ts'

// The rate limiter has its default settings: none of these requests may run into it.
const server = await startServer({ env: { CARREL_RATE_LIMIT_ENABLED: 'true', CARREL_SETTING_COMPAT_ENABLED: 'true' } })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
const admin = await server.person('admin')

const pages = [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))
const comic = await shelf.addBook('one.cbz', zip(pages), { number: 1 })
const novel = await shelf.addBook('alice.epub', epub(), { series: await shelf.addSeries({ title: 'Alice' }) })

const plain = (id: string): string => id.replaceAll('-', '')
const credentials = ({ username }: Person) => basic(username, testPassword)
const isRead = async (person: Person, id: string) =>
  bodyOf(await person.call(api.readProgress, { params: { id } }))?.completed

/** Each step: what is asked, and the status it must be answered with. */
type Step = readonly [method: string, path: string, status: number, body?: object]

const walk = async (
  app: ReturnType<typeof compatApp>,
  steps: readonly Step[],
  headers: Record<string, string> = {},
) => {
  for (const [method, path, status, body] of steps) {
    const reply = await app.send(path, { method, headers, ...(body && { body }) })
    expect([method, path, reply.status]).toEqual([method, path, status])
  }
}

test('COM-1 Mihon and its tracker: a password after the first refusal, covers by the cookie, progress without any password', async () => {
  const person = await server.person('reader')
  const source = compatApp(server.url, {
    headers: { 'user-agent': 'TachiyomiKomga/0.19', accept: 'image/*,*/*;q=0.8' },
  })
  await walk(source, [['GET', '/api/v1/libraries', 401]])
  await walk(source, [['GET', '/api/v1/libraries', 200]], credentials(person))
  const covers = Array.from({ length: 60 }, (): Step => [
    'GET',
    `/api/v1/series/${plain(shelf.series.id)}/thumbnail`,
    200,
  ])
  await walk(source, covers)
  await walk(source, [
    ['GET', `/api/v1/books/${plain(comic)}/pages`, 200],
    ['GET', `/api/v1/books/${plain(comic)}/pages/1?convert=png`, 200],
  ])
  const tracker = compatApp(server.url, { headers: { 'user-agent': 'Mihon v0.19' } })
  for (const [name, value] of source.cookies) tracker.cookies.set(name, value)
  const at = `/api/v2/series/${plain(shelf.series.id)}/read-progress/tachiyomi`
  await walk(tracker, [
    ['GET', at, 200],
    ['PUT', at, 204, { lastBookNumberSortRead: 1 }],
  ])
  expect(await isRead(person, comic)).toBe(true)
})

test('W4 LIM-1 two hundred covers at once, each with the password, run into no limit', async () => {
  const person = await server.person('reader')
  const app = compatApp(server.url, {
    headers: { 'user-agent': 'Paperback/0.8', ...credentials(person) },
    keepsCookies: false,
  })
  const at = `/api/v1/series/${plain(shelf.series.id)}/thumbnail`
  const replies = await Promise.all(Array.from({ length: 200 }, () => app.send(at)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
})

test('COM-1 Aidoku: knows the server by its refusal and the user by what was typed, and its ids have no hyphens', async () => {
  const person = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'Aidoku/1 CFNetwork/1', accept: 'image/*' } })
  expect((await app.send('/api/v2/users/me')).json).toMatchObject({ error: 'Unauthorized' })
  const typed = person.username.toUpperCase()
  expect((await app.send('/api/v2/users/me', { headers: basic(typed, testPassword) })).json).toMatchObject({
    email: typed,
  })
  const libraries = (await app.send('/api/v1/libraries', { headers: credentials(person) })).json as { id: string }[]
  expect(libraries.every(({ id }) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
  await walk(
    app,
    [
      ['GET', `/api/v1/libraries/${libraries[0]?.id}`, 200],
      ['GET', `/api/v1/books/${plain(comic)}/thumbnail`, 200],
      ['GET', `/api/v1/books/${plain(comic)}/pages/1`, 200],
      ['PATCH', `/api/v1/books/${plain(comic)}/read-progress`, 204, { completed: true, page: 3 }],
      ['DELETE', `/api/v1/books/${plain(comic)}/read-progress`, 204],
    ],
    credentials(person),
  )
})

test('COM-1 Paperback: tries the libraries with a slash at the end, and writes that a book is read', async () => {
  const person = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'Paperback/0.8', ...credentials(person) } })
  await walk(app, [
    ['GET', '/api/v1/libraries/', 200],
    ['GET', `/api/v1/books/${comic}/pages`, 200],
    ['GET', `/api/v1/books/${comic}/pages/2?convert=png`, 200],
    ['PATCH', `/api/v1/books/${comic}/read-progress`, 204, { page: 1, completed: true }],
  ])
  expect(await isRead(person, comic)).toBe(true)
})

test('COM-1 Komelia: a password once, then cookies alone, for the stream of events too', async () => {
  const person = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'ktor-client' } })
  await walk(app, [['GET', '/api/v2/users/me?remember-me=true', 200]], credentials(person))
  expect([...app.cookies.keys()].sort()).toEqual(['KOMGA-SESSION', 'komga-remember-me'])
  await walk(app, [
    ['GET', '/api/v1/libraries', 200],
    ['GET', `/api/v1/books/${novel}/manifest`, 200],
    ['GET', `/api/v1/books/${novel}/positions`, 200],
    ['GET', `/api/v1/books/${novel}/progression`, 204],
    ['GET', `/api/v1/books/${comic}/pages/1/thumbnail`, 200],
    ['POST', `/api/v1/series/${shelf.series.id}/read-progress`, 204],
    ['DELETE', `/api/v1/series/${shelf.series.id}/read-progress`, 204],
    ['GET', `/api/v1/books/${comic}/file`, 200],
  ])
  const cookie = [...app.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await using stream = await openStream(server.url, { cookie, 'user-agent': 'ktor-client' }, '/komga/sse/v1/events')
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  bodyOf(await person.call(api.saveProgress, { params: { id: comic }, body: { currentPage: 2 } }))
  expect((await stream.first('ReadProgressChanged')).data).toEqual({ bookId: plain(comic), userId: plain(person.id) })
  expect(stream.text()).toMatch(/^:heartbeat\n\n/)
  await walk(app, [
    ['POST', '/api/logout', 204],
    ['GET', '/api/v1/libraries', 401],
  ])
})

test('COM-1 KMReader: looks whether anybody is there, then lives on the session in the header', async () => {
  const person = await server.person('reader')
  const app = compatApp(server.url, { headers: { 'user-agent': 'KMReader/4' } })
  expect((await app.send('/api/v1/client-settings/global/list')).json).toEqual({})
  const first = await app.send('/api/v2/users/me?remember-me=true', {
    headers: { ...credentials(person), 'x-auth-token': '' },
  })
  const token = { 'x-auth-token': String(first.headers['x-auth-token']) }
  await walk(
    app,
    [
      ['GET', '/api/v1/libraries', 200],
      ['GET', `/api/v1/books/${plain(comic)}/manifest/divina`, 200],
      ['GET', `/api/v1/books/${plain(novel)}/manifest/divina`, 404],
      ['GET', `/api/v1/books/${plain(novel)}/manifest/epub`, 200],
      ['GET', `/api/v1/books/${plain(novel)}/positions`, 200],
      ['PATCH', `/api/v1/books/${plain(comic)}/read-progress`, 204, { page: 2, completed: false }],
      ['GET', '/api/v2/users/me/authentication-activity?sort=dateTime,desc', 200],
      ['GET', '/api/v2/users/me/api-keys', 200],
    ],
    token,
  )
  // In the background the application sends only the cookie.
  await walk(app, [['GET', `/api/v1/books/${plain(comic)}/file`, 200]])
})

test('COM-1 Liseur and the plugins of KOReader: a key, the file, and where somebody is in it', async () => {
  const person = await server.person('reader')
  const { key } = bodyOf(await person.call(api.createApiKey, { body: { name: 'role-6' } }))
  const app = compatApp(server.url, { headers: { 'user-agent': 'Liseur/1', 'x-api-key': key } })
  const me = (await app.send('/api/v2/users/me')).json as { roles: string[] }
  expect(me.roles).toContain('FILE_DOWNLOAD')
  const { positions } = (await app.send(`/api/v1/books/${plain(novel)}/positions`)).json as {
    positions: { href: string }[]
  }
  const locator = {
    href: positions[0]?.href,
    type: 'application/xhtml+xml',
    locations: { progression: 0.5, totalProgression: 0.2 },
  }
  const progression = { modified: new Date().toISOString(), device: { id: 'phone', name: 'Phone' }, locator }
  await walk(app, [
    ['GET', `/api/v1/books/${plain(novel)}/file`, 200],
    ['PUT', `/api/v1/books/${plain(novel)}/progression`, 204, progression],
    ['GET', `/api/v1/books/${plain(novel)}/progression`, 200],
    ['PATCH', `/api/v1/books/${plain(novel)}/read-progress`, 204, { completed: true }],
    ['DELETE', `/api/v1/books/${plain(novel)}/read-progress`, 204],
  ])
})

test('COM-1 the web application made for Komga: no window of the browser, what it asks at its start, and its own settings', async () => {
  const app = compatApp(server.url, { headers: { 'x-requested-with': 'XMLHttpRequest', origin: server.url } })
  await walk(app, [
    ['GET', '/api/v1/claim', 200],
    ['GET', '/api/v1/oauth2/providers', 200],
  ])
  await walk(app, [['GET', '/api/v2/users/me?remember-me=true', 200]], credentials(admin))
  await walk(app, [
    ['GET', '/api/v1/libraries', 200],
    ['GET', '/api/v1/client-settings/user/list', 200],
    ['PATCH', '/api/v1/client-settings/global', 204, { 'webui.cover': { value: 'x', allowUnauthorized: true } }],
    ['GET', '/api/v1/announcements', 200],
    ['GET', '/api/v1/releases', 200],
    ['GET', '/actuator/info', 200],
    ['GET', `/api/v1/books/${comic}/pages/1?convert=jpeg`, 200],
    ['POST', `/api/v1/libraries/${shelf.series.library.id}/scan?deep=true`, 202],
    // Its dialogs send what their fields hold.
    ['PATCH', `/api/v1/series/${shelf.series.id}/metadata`, 204, { ageRating: '6', totalBookCount: '12' }],
    ['PATCH', `/api/v1/books/${comic}/metadata`, 204, { number: '1', numberSort: '1.5', numberSortLock: true }],
    ['PATCH', `/api/v1/series/${shelf.series.id}/metadata`, 400, { title: '', totalBookCount: '12' }],
    ['GET', `/api/v1/books/${novel}/manifest/epub`, 200],
    ['GET', `/api/v1/books/${novel}/resource/OEBPS/text/ch1.xhtml`, 200],
  ])
  const open = { 'webui.cover': { value: 'x', allowUnauthorized: true } }
  expect((await compatApp(server.url).send('/api/v1/client-settings/global/list')).json).toEqual(open)
  await walk(app, [['DELETE', '/api/v1/client-settings/global', 204, ['webui.cover']]])
  expect((await compatApp(server.url).send('/api/v1/client-settings/global/list')).json).toEqual({})
})

test('COM-1 EVT-3 events in their words, to whoever may see what they are about, and to nobody else', async () => {
  const sees = await server.person('reader')
  const blind = await server.person('reader', { access: { libraries: [] } })
  const open = (person: Person) =>
    openStream(server.url, { authorization: `Bearer ${person.accessToken}` }, '/komga/sse/v1/events')
  // The stream opened first is written to first: what the other one has received, this one has received too.
  await using blinded = await open(blind)
  await using seeing = await open(sees)
  const { id } = bodyOf(await admin.call(api.createCollection, { body: { name: 'role-7' } }))
  bodyOf(await admin.call(api.addToCollection, { params: { id }, body: { seriesIds: [shelf.series.id] } }))
  bodyOf(await admin.call(api.editSeriesMetadata, { params: { id: shelf.series.id }, body: { publisher: 'role-8' } }))
  expect((await seeing.first('SeriesChanged')).data).toEqual({
    seriesId: shelf.series.id,
    libraryId: shelf.series.library.id,
  })
  bodyOf(await blind.call(api.createApiKey, { body: { name: 'role-8' } }))
  expect([...blinded.ofType('SeriesChanged'), ...blinded.ofType('CollectionChanged')]).toEqual([])
  expect(seeing.ofType('resync')).toEqual([])
})
