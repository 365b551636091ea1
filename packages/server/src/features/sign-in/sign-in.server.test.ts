import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { startServer, testPassword } from '../../../test/start-server.ts'

test('AUTH-1 C2 signing in answers tokens, the user and the cookie of the web app', async () => {
  await using server = await startServer()
  const ana = await server.person('reader', { username: 'Ana', email: 'ana@example.org' })

  const byName = await server.call(api.login, {
    body: { username: 'ana', password: testPassword, deviceName: 'Tablet' },
  })
  const byEmail = await server.call(api.login, { body: { username: 'ANA@example.org', password: testPassword } })

  expect(byName).toMatchObject({
    status: 200,
    body: {
      tokenType: 'Bearer',
      expiresIn: 3600,
      user: { id: ana.id, username: 'Ana', role: 'reader', timeZone: 'UTC' },
    },
  })
  expect(byEmail.status).toBe(200)
  expect(byName.headers.get('set-cookie')).toMatch(
    /^carrel_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})
