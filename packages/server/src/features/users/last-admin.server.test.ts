import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const activeAdmins = async ({ context }: TestServer): Promise<number> => {
  const rows = await context.db.read
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .execute()
  return rows.length
}

const demotions = {
  demote: (by: Person, id: string) => by.call(api.updateUser, { params: { id }, body: { role: 'reader' } }),
  deactivate: (by: Person, id: string) => by.call(api.updateUser, { params: { id }, body: { isActive: false } }),
  delete: (by: Person, id: string) => by.call(api.deleteUser, { params: { id } }),
}

test('AUTH-9 the last administrator cannot be demoted, deactivated or deleted', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const inactive = await server.person('admin')
  await server.person('editor')
  await admin.call(api.updateUser, { params: { id: inactive.id }, body: { isActive: false } })

  for (const attempt of Object.values(demotions)) {
    const refused = await attempt(admin, admin.id)
    expect([refused.status, errorOf(refused).error]).toEqual([409, 'conflict'])
  }
  const both = await admin.call(api.updateUser, { params: { id: admin.id }, body: { role: 'editor', isActive: false } })

  expect(both.status).toBe(409)
  expect(bodyOf(await admin.call(api.readUser, { params: { id: admin.id } }))).toMatchObject({
    role: 'admin',
    isActive: true,
  })
})

test('AUTH-9 what leaves the last administrator one is allowed', async () => {
  await using server = await startServer()
  const admin = await server.person('admin')
  const params = { id: admin.id }

  const changed = await admin.call(api.updateUser, {
    params,
    body: { role: 'admin', isActive: true, username: 'chief', permissions: ['tasks:read'] },
  })

  expect(bodyOf(changed)).toMatchObject({ username: 'chief', role: 'admin', isActive: true })
})

test('AUTH-9 with another administrator each of them can go, and then the other cannot', async () => {
  for (const attempt of Object.values(demotions)) {
    await using server = await startServer()
    const [first, second] = [await server.person('admin'), await server.person('admin')]

    expect((await attempt(first, second.id)).ok).toBe(true)
    expect((await attempt(first, first.id)).status).toBe(409)
  }
})

test('AUTH-9 two administrators who turn on each other at the same moment leave one', async () => {
  await using server = await startServer()
  const [first, second] = [await server.person('admin'), await server.person('admin')]
  const keeper = await server.person('reader')
  const attempts = Object.values(demotions)
  const restore = async (): Promise<[Person, Person]> => {
    await server.context.db.write((db) => db.deleteFrom('user').where('id', '!=', keeper.id).execute())
    return [await server.person('admin'), await server.person('admin')]
  }
  let pair: [Person, Person] = [first, second]

  for (let round = 0; round < 20; round += 1) {
    const [ana, ben] = pair
    const attempt = attempts[round % attempts.length] ?? demotions.demote
    const outcomes = await Promise.all([attempt(ana, ben.id), attempt(ben, ana.id)])

    expect(await activeAdmins(server)).toBe(1)
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    pair = await restore()
  }
})

test('AUTH-9 two administrators who turn on each other on two nodes leave one', async () => {
  await using first = await startServer()
  await using second = await startServer({ address: first.context.config.database })
  const attempts = Object.values(demotions)

  for (let round = 0; round < 20; round += 1) {
    const [ana, ben] = [await first.person('admin'), await first.person('admin')]
    const benElsewhere = { ...ben, call: second.callWith({ authorization: `Bearer ${ben.accessToken}` }) }
    const attempt = attempts[round % attempts.length] ?? demotions.demote
    await Promise.all([attempt(ana, ben.id), attempt(benElsewhere, ana.id)])

    expect(await activeAdmins(first)).toBe(1)
    await first.context.db.write((db) => db.deleteFrom('user').execute())
  }
})
