import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { startServer, type TestServer } from '../start-server.ts'

const addTags = async (server: TestServer, names: readonly string[]) => {
  const admin = await server.person('admin')
  for (const name of names) bodyOf(await admin.call(api.createSharingTag, { body: { name } }))
  return admin
}

test('HTTP-4 a list says where it is, how much there is, and how to go on', async () => {
  await using server = await startServer()
  const admin = await addTags(server, ['a', 'b', 'c', 'd', 'e'])
  const { accessToken } = admin
  const address = '/api/v1/admin/sharing-tags?theme=dark&pageSize=2&page=2&q=%C3%A9%26'
  const { json, headers } = await plainRequest(server.url + address, {
    headers: { authorization: `Bearer ${accessToken}` },
  })
  const link = (page: number) => `/api/v1/admin/sharing-tags?theme=dark&pageSize=2&page=${page}&q=%C3%A9%26`

  expect(json).toMatchObject({
    data: [{ name: 'c' }, { name: 'd' }],
    page: 2,
    pageSize: 2,
    total: 5,
    totalPages: 3,
    links: { self: link(2), first: link(1), prev: link(1), next: link(3), last: link(3) },
  })
  expect(headers.link).toBe(
    [
      `<${link(1)}>; rel="first"`,
      `<${link(1)}>; rel="prev"`,
      `<${link(3)}>; rel="next"`,
      `<${link(3)}>; rel="last"`,
    ].join(', '),
  )
})

test('HTTP-4 W11 an empty list has no pages, and a first and last one all the same', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const empty = bodyOf(await admin.call(api.listSharingTags, {}))
  const beyond = bodyOf(await admin.call(api.listUsers, { query: { page: 7, pageSize: 1 } }))
  const first = '/api/v1/admin/sharing-tags?page=1&pageSize=50'

  expect(empty).toEqual({
    data: [],
    page: 1,
    pageSize: 50,
    total: 0,
    totalPages: 0,
    links: { self: first, first, prev: null, next: null, last: first },
  })
  expect(beyond).toMatchObject({
    data: [],
    page: 7,
    total: 1,
    links: { prev: '/api/v1/users?page=1&pageSize=1', next: null },
  })
})

test('HTTP-4 links keep the base path the server stands under', async () => {
  await using server = await startServer({ env: { CARREL_BASE_PATH: '/books' } })
  const admin = await server.person('admin')
  const { links } = bodyOf(await admin.call(api.listUsers, {}))

  expect(links.self).toBe('/books/api/v1/users?page=1&pageSize=50')
  expect((await plainRequest(`${server.url}/books/health`)).status).toBe(200)
})

test('HTTP-5 W10 names are in natural order, ignoring case, accents and width, the same on both databases', async () => {
  await using server = await startServer()
  const inOrder = [
    'Éclair',
    'eclair 2',
    'The Zoo',
    'Vol. 2',
    'VOL. 010',
    'Vol. 10.5',
    'vol. 11',
    'ｗｉｄｅ',
    'wider',
    'ナルト',
    '進撃',
  ]
  const admin = await addTags(server, inOrder.toReversed())
  const listed = async (sort: 'name,asc' | 'name,desc') => {
    const { data } = bodyOf(await admin.call(api.listSharingTags, { query: { sort } }))
    return data.map(({ name }) => name)
  }

  expect(await listed('name,asc')).toEqual(inOrder)
  expect(await listed('name,desc')).toEqual(inOrder.toReversed())
})

test('HTTP-5 what has no value comes last in both directions', async () => {
  await using server = await startServer()
  const admin = await server.person('admin', { username: 'signed-in' })
  bodyOf(await admin.call(api.createUser, { body: { username: 'never', password: 'quiet-lamp-over-snow' } }))
  for (const sort of ['lastLoginAt,asc', 'lastLoginAt,desc'] as const) {
    const { data } = bodyOf(await admin.call(api.listUsers, { query: { sort } }))
    expect([sort, ...data.map(({ username }) => username)]).toEqual([sort, 'signed-in', 'never'])
  }
})

test('HTTP-5 an order that does not exist is refused with those that do', async () => {
  await using server = await startServer()
  const { accessToken } = await server.person('admin')
  for (const sort of ['password_hash,asc', 'name', 'name,sideways', 'name,asc;drop', '(select 1),asc']) {
    const { status, json } = await plainRequest(
      `${server.url}/api/v1/admin/sharing-tags?sort=${encodeURIComponent(sort)}`,
      {
        headers: { authorization: `Bearer ${accessToken}` },
      },
    )
    expect([sort, status, (json as api.ErrorReply).message]).toEqual([
      sort,
      400,
      'sort must be one of name,asc, name,desc, createdAt,asc, createdAt,desc.',
    ])
  }
})

test('HTTP-5 pages neither repeat nor drop anything, whatever the order', async () => {
  await using server = await startServer()
  const admin = await addTags(
    server,
    Array.from({ length: 23 }, (_, index) => `tag ${index % 5}${'!'.repeat(index)}`),
  )
  for (const sort of ['name,asc', 'name,desc', 'createdAt,asc', 'createdAt,desc'] as const) {
    const seen: string[] = []
    for (let page = 1; page <= 5; page += 1) {
      const { data } = bodyOf(await admin.call(api.listSharingTags, { query: { sort, page, pageSize: 5 } }))
      seen.push(...data.map(({ id }) => id))
    }
    expect(new Set(seen).size).toBe(23)
    expect(seen.length).toBe(23)
  }
})
