import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { signIn } from '../../../test/failed-sign-ins.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer, testPassword, type TestServer } from '../../../test/start-server.ts'

const newPassword = 'brass-kettle-at-dawn'

/** What happens once a password has been checked, and before anything is made of that. */
const afterNextCheck = ({ context: { passwords } }: TestServer, work: () => Promise<unknown>): void => {
  const { verify } = passwords
  Object.assign(passwords, {
    verify: async (...given: Parameters<typeof verify>) => {
      Object.assign(passwords, { verify })
      const matches = await verify(...given)
      await work()
      return matches
    },
  })
}

test.each([{ password: newPassword }, { isActive: false }])(
  'AUTH-2 AUTH-5 whoever signs in while %j comes true is not signed in',
  async (body) => {
    await using server = await startServer()
    const [admin, reader] = [await server.person('admin'), await server.person('reader')]
    afterNextCheck(server, async () => bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body })))

    expect((await signIn(server, reader.username)).status).toBe(401)
  },
)

test('AUTH-2 whoever changes their password with one that was replaced meanwhile changes nothing', async () => {
  await using server = await startServer()
  const [admin, reader] = [await server.person('admin'), await server.person('reader')]
  const change = { body: { password: newPassword }, params: { id: reader.id } }
  afterNextCheck(server, async () => bodyOf(await admin.call(api.updateUser, change)))

  const changed = await reader.call(api.changePassword, {
    body: { currentPassword: testPassword, newPassword: 'lantern-under-the-stairs' },
  })

  expect(errorOf(changed)).toMatchObject({ error: 'not_allowed', reason: 'password_wrong' })
  expect((await signIn(server, reader.username, { password: newPassword })).status).toBe(200)
})
