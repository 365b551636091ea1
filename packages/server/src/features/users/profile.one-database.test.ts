import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { plainRequest } from '../../../test/plain-request.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

/** Each test has its own people, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('AUTH-9 everyone changes their own address, language and time zone; what is absent stays', async () => {
  const ana = await server.person('reader', { email: 'ana@example.org' })
  const before = bodyOf(await ana.call(api.readProfile, {}))
  const change = async (body: api.ProfilePatch) => bodyOf(await ana.call(api.updateProfile, { body }))

  expect(await change({})).toStrictEqual(before)
  expect(await change({ timeZone: 'Europe/Berlin' })).toStrictEqual({ ...before, timeZone: 'Europe/Berlin' })
  expect(await change({ language: 'PT-br' })).toStrictEqual({
    ...before,
    timeZone: 'Europe/Berlin',
    language: 'pt-BR',
  })
  expect(await change({ email: null, language: null })).toStrictEqual({
    ...before,
    email: null,
    timeZone: 'Europe/Berlin',
  })
  expect(await change({ email: 'new@example.org', timeZone: 'UTC' })).toStrictEqual({
    ...before,
    email: 'new@example.org',
  })
  expect(bodyOf(await ana.call(api.readMe, {})).email).toBe('new@example.org')
})

test('AUTH-9 a time zone or language that is none is refused with where', async () => {
  const ana = await server.person('reader')
  const cases: readonly [unknown, string][] = [
    [{ timeZone: 'Mars/Olympus' }, '/timeZone'],
    [{ timeZone: 'Europe/Berlin\n' }, '/timeZone'],
    [{ timeZone: '' }, '/timeZone'],
    [{ timeZone: null }, '/timeZone'],
    [{ timeZone: '../../etc/passwd' }, '/timeZone'],
    [{ language: 'x' }, '/language'],
    [{ language: 'en_US' }, '/language'],
    [{ language: 'not a language' }, '/language'],
    [{ language: 7 }, '/language'],
    [{ email: 'nonsense' }, '/email'],
    [{ role: 'admin' }, '/role'],
    [{ permissions: ['system:admin'] }, '/permissions'],
    [{ id: ana.id }, '/id'],
    [{ username: 'admin' }, '/username'],
    [{ isActive: true }, '/isActive'],
    [{ access: { libraries: 'all' } }, '/access'],
  ]

  for (const [body, path] of cases) {
    const { status, json } = await plainRequest(`${server.url}/api/v1/user`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${ana.accessToken}` },
      body,
    })
    expect([body, status, json]).toMatchObject([body, 400, { error: 'validation_failed', details: [{ path }] }])
  }
  expect(bodyOf(await ana.call(api.readProfile, {}))).toMatchObject({ role: 'reader', timeZone: 'UTC', language: null })
})

test("AUTH-9 another's address is taken, one's own in other letters is not", async () => {
  await server.person('reader', { email: 'ben@example.org' })
  const ana = await server.person('reader', { email: 'lea@example.org' })

  const taken = await ana.call(api.updateProfile, { body: { email: 'BEN@example.org' } })
  const own = await ana.call(api.updateProfile, { body: { email: 'Lea@Example.org' } })

  expect([taken.status, errorOf(taken).error]).toEqual([409, 'already_exists'])
  expect(bodyOf(own).email).toBe('Lea@Example.org')
})

test('HTTP-6 a profile that changed since it was read is not overwritten', async () => {
  const ana = await server.person('reader')
  const etag = (await ana.call(api.readProfile, {})).headers.get('etag') ?? ''
  const change = (language: string) =>
    ana.call(api.updateProfile, { body: { language } }, { headers: { 'if-match': etag } })

  expect((await change('de')).status).toBe(200)
  const refused = await change('fr')

  expect(refused.status).toBe(412)
  expect(bodyOf(await ana.call(api.readProfile, {})).language).toBe('de')
})
