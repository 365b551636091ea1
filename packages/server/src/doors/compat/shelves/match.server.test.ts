import * as api from '@carrel/api'
import type { CompatListMatch } from '@carrel/api/doors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicHeader } from '../../../../test/basic-door.ts'
import { addBooks, addLibrary, addManySeries } from '../../../../test/content.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { plainRequest } from '../../../../test/plain-request.ts'
import { type Person, startServer, type TestServer } from '../../../../test/start-server.ts'

let server: TestServer
let editor: Person
let ids: readonly { series: string; book: string }[]

beforeAll(async () => {
  server = await startServer({ env: doorsOpen })
  const { db } = server.context
  const series = await addManySeries(db, await addLibrary(db), [
    { title: 'Wolverine', year: 2003 },
    { title: 'Batman', year: 1940 },
    { title: 'Batman', year: 2016, key: 'Batman again' },
  ])
  ids = await Promise.all(
    series.map(async (each, index) => {
      const [book = ''] = await addBooks(db, each, [{ number: 1, title: `Book ${index}` }])
      return { series: each.id.replaceAll('-', ''), book: book.replaceAll('-', '') }
    }),
  )
  editor = await server.person('editor')
})
afterAll(() => server[Symbol.asyncDispose]())

const cbl = (name: string): string => `<?xml version="1.0"?>
<ReadingList>${name}<Books>
<Book Series="Wolverine" Number="1" Volume="2003" Year="2003"/>
<Book Series="Batman" Number="1"/>
<Book Series="Nobody" Number="7"/>
</Books></ReadingList>`

const boundary = '----WebKitFormBoundaryQ1'
const form = (file: string, field = 'form-data; name="file"; filename="list.cbl"'): string =>
  [
    `--${boundary}`,
    `Content-Disposition: ${field}`,
    'Content-Type: application/xml',
    '',
    file,
    `--${boundary}--`,
    '',
  ].join('\r\n')

const send = async (
  body: string,
  { username, password } = editor,
  type = `multipart/form-data; boundary=${boundary}`,
) => {
  const { status, json } = await plainRequest(`${server.url}/komga/api/v1/readlists/match/comicrack`, {
    method: 'POST',
    headers: { ...basicHeader(username, password), 'user-agent': 'Komelia/1', 'content-type': type },
    body,
  })
  return { status, body: json as CompatListMatch }
}

const batman = (index: number, year: number) => ({
  series: { seriesId: ids[index]?.series, title: 'Batman', releaseDate: `${year}-01-01` },
  books: [{ bookId: ids[index]?.book, number: '1', title: `Book ${index}` }],
})

test('COM-1 CAT-8 a .cbl file is matched with what there is, and nothing is created', async () => {
  const { status, body } = await send(form(cbl('<Name>Crisis</Name>')))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    readListMatch: { name: 'Crisis', errorCode: '' },
    errorCode: '',
    requests: [
      {
        request: { series: ['Wolverine (2003)', 'Wolverine'], number: '1' },
        matches: [
          {
            series: { seriesId: ids[0]?.series, title: 'Wolverine', releaseDate: '2003-01-01' },
            books: [{ bookId: ids[0]?.book, number: '1', title: 'Book 0' }],
          },
        ],
      },
      { request: { series: ['Batman'], number: '1' }, matches: expect.any(Array) },
      { request: { series: ['Nobody'], number: '7' }, matches: [] },
    ],
  })
  const several = body.requests[1]?.matches ?? []
  expect(several).toHaveLength(2)
  expect(several).toEqual(expect.arrayContaining([batman(1, 1940), batman(2, 2016)]))
  expect(bodyOf(await editor.call(api.listReadLists, {})).total).toBe(0)
  // The list that the application then creates has the name.
  bodyOf(await editor.call(api.createReadList, { body: { name: 'Crisis' } }))
  expect((await send(form(cbl('<Name>crisis</Name>')))).body.readListMatch).toEqual({
    name: 'crisis',
    errorCode: 'ERR_1009',
  })
  expect((await send(cbl('<Name>As it is</Name>'), editor, 'application/xml')).status).toBe(200)
})

test('COM-1 CAT-8 what is no list is refused, and so is whoever may make none', async () => {
  for (const body of [
    form('no XML'),
    form('<ReadingList><Name>x</Name><Books/></ReadingList>'),
    form(cbl('')),
    form(cbl('<Name>x</Name>'), 'form-data; name="file"'),
    '',
  ])
    expect([body, (await send(body)).status]).toEqual([body, 400])
  expect((await send(form('x'.repeat(6 * 1024 * 1024)))).status).toBe(413)
  expect((await send(form(cbl('<Name>x</Name>')), await server.person('reader'))).status).toBe(403)
})
