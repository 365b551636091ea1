import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { bodyOf } from '../packages/server/test/outcome.ts'
import { signIn, startCarrel, testPassword, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { newDatabase } from '../packages/server/test/smoke/postgres-of-file.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell, times } from '../packages/server/test/smoke/torture.ts'

const claims = 50

test('I13 of fifty who claim the server at once one is its administrator, on SQLite and over two nodes of PostgreSQL', async () => {
  const rounds = times(1, 20, 4)
  let winners = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const database of ['sqlite', 'postgres'] as const) {
      await using one = await temporaryFolder()
      await using two = await temporaryFolder()
      const env = {
        ...withoutWorker,
        CARREL_RATE_LIMIT_ENABLED: 'false',
        ...(database === 'postgres' && { CARREL_DATABASE_URL: await newDatabase() }),
      }
      await using first = await startCarrel({ cwd: one.path, env })
      await using second = database === 'postgres' ? await startCarrel({ cwd: two.path, env }) : first

      const outcomes = await Promise.all(
        Array.from({ length: claims }, (_, index) =>
          (index % 2 === 0 ? first : second).call(api.setUp, {
            body: { username: `user-${index}`, password: testPassword },
          }),
        ),
      )

      const statuses = outcomes.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(1)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      const winner = statuses.indexOf(201)
      const { call } = await signIn(second, `user-${winner}`)
      const users = bodyOf(await call(api.listUsers, {}))
      expect(users.data.map(({ username, role }) => [username, role])).toEqual([[`user-${winner}`, 'admin']])
      winners += 1
    }
  }
  tell({
    id: 'I13',
    what: `${claims} claims at once, one of which wins`,
    tries: rounds * 2,
    lost: rounds * 2 - winners,
  })
})
