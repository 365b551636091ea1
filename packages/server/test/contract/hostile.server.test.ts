import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../outcome.ts'
import { plainRequest } from '../plain-request.ts'
import { startServer } from '../start-server.ts'

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('HTTP-1 what is deep but within bounds, and odd but text, is taken', async () => {
  await using server = await startServer()
  const person = await server.person('reader')
  const value = { __proto__x: JSON.parse(deep(60)) as unknown, text: '\u{1f4da} \\u0000 \u202e' }
  const saved = await person.call(api.savePreference, { params: { key: 'odd' }, body: { value } })

  expect(bodyOf(saved).value).toEqual(value)
})

test('W11 any whole number is a page, however large; anything else is not', async () => {
  await using server = await startServer()
  const { accessToken } = await server.person('admin')
  const list = async (query: string) => {
    const { status, json: reply } = await plainRequest(`${server.url}/api/v1/users?${query}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return { status, reply: reply as api.Envelope<unknown> & api.ErrorReply }
  }
  for (const page of [
    '2',
    '9007199254740991',
    '9007199254740993',
    '9223372036854775807',
    '1'.padEnd(31, '0'),
    '9'.repeat(400),
  ]) {
    const { status, reply } = await list(`page=${page}`)
    expect([page.slice(0, 40), status, reply.data, reply.links.next]).toEqual([page.slice(0, 40), 200, [], null])
    // All its digits, and a number that every client can read.
    expect(new URLSearchParams(reply.links.self.split('?')[1]).get('page')).toBe(page)
    expect(reply.page).toBe(Math.min(Number(page), Number.MAX_SAFE_INTEGER))
  }
  const wrong = ['0', '-1', '1.5', 'abc', '1e3', '0x10', '', '%20', '1&page=2', 'NaN', 'Infinity'].map(
    (page) => `page=${page}`,
  )
  for (const query of [...wrong, 'pageSize=0', 'pageSize=501', 'pageSize=-5', 'pageSize=1000000000000']) {
    const { status, reply } = await list(query)
    expect([query, status, reply.error]).toEqual([query, 400, 'validation_failed'])
  }
})
