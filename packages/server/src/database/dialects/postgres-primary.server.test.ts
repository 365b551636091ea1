import { sql } from 'kysely'
import { expect } from 'vitest'
import { startServer } from '../../../test/start-server.ts'
import { testOn } from '../../../test/test-database.ts'

testOn('postgres', 'P-12 a connection on which a change was refused is not used again', async () => {
  await using server = await startServer()
  const { write } = server.context.db
  // As on a server that has begun to follow another: the connection stays, and changes nothing any more.
  await write((db) => sql`set session characteristics as transaction read only`.execute(db))
  const change = () => write((db) => sql`update revision set value = value where name = 'settings'`.execute(db))

  await expect(change()).rejects.toMatchObject({ code: 'unavailable' })
  await change()
})
