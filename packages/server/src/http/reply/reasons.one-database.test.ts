import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'

test('HTTP-2 a refusal says its reason as a word, with the names that belong into the sentence', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  await admin.call(api.createSharingTag, { body: { name: 'Kids' } })

  const taken = errorOf(await admin.call(api.createSharingTag, { body: { name: 'Kids' } }))
  expect(taken).toMatchObject({ error: 'already_exists', reason: 'name_taken', values: { name: 'Kids' } })

  const path = '/there/is/no/such/folder'
  const missing = errorOf(await admin.call(api.createLibrary, { body: { name: 'Comics', roots: [path] } }))
  expect(missing).toMatchObject({ error: 'validation_failed', reason: 'path_missing', values: { path } })
})

test('HTTP-2 a field that is refused says why as a word, with its bounds', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const short = errorOf(
    await admin.call(api.createUser, { body: { username: 'ana', password: 'short', role: 'reader' } }),
  )
  expect(short).toMatchObject({
    error: 'validation_failed',
    reason: 'text_short',
    values: { least: expect.any(Number) },
    details: [{ path: '/password' }],
  })
  const params = { key: 'rate_limit.anonymous_rps' }
  expect(errorOf(await admin.call(api.saveSetting, { params, body: { value: -1 } }))).toMatchObject({
    reason: 'number_low',
    values: { least: expect.any(Number) },
  })
  expect(errorOf(await admin.call(api.updateProfile, { body: { timeZone: 'Nowhere/Land' } }))).toMatchObject({
    reason: 'time_zone_unknown',
    details: [{ path: '/timeZone' }],
  })
})

test('HTTP-2 what nobody has a word for says its sentence alone', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const refused = errorOf(await admin.call(api.readUser, { params: { id: '019aa3b2-6c7e-7000-8000-000000000009' } }))
  expect(refused).toMatchObject({ error: 'not_found', message: 'There is no such user.' })
  expect(refused).not.toHaveProperty('reason')
})
