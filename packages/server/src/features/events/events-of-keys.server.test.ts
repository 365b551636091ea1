import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { openStream } from '../../../test/event-stream.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../test/reading-content.ts'
import { startServer } from '../../../test/start-server.ts'
import { announce } from '../../events/outbox.ts'

test('A11 EVT-3 a key without progress:read does not hear of its owner’s reading, at our stream and at that of the door', async () => {
  await using server = await startServer({ env: { CARREL_SETTING_COMPAT_ENABLED: 'true' } })
  const owner = await server.person('admin')
  const shelf = await addShelf(server.context.db)
  const [id = ''] = await addBooksTo(server.context.db, shelf, 1)
  const permissions = api.permissions.filter((each) => each !== 'progress:read')
  const { key } = bodyOf(await owner.call(api.createApiKey, { body: { name: 'Deaf', permissions } }))
  const bearer = { authorization: `Bearer ${owner.accessToken}` }
  await using full = await openStream(server.url, bearer)
  await using deaf = await openStream(server.url, { 'x-api-key': key })
  await using door = await openStream(server.url, { 'x-api-key': key }, '/komga/sse/v1/events')
  await full.first('connected')

  bodyOf(await owner.call(api.saveProgress, { params: { id }, body: { currentPage: 2 } }))
  // It is told when it is counted.
  await full.first('progress_updated')
  const at = server.context.clock()
  const { libraryId } = shelf
  await server.context.db.write((db) => announce(db, [{ event: { type: 'library_updated', libraryId }, to: {} }], at))

  await full.first('library_updated')
  await deaf.first('library_updated')
  await door.first('LibraryChanged')
  expect(full.ofType('progress_updated')).toHaveLength(1)
  expect(deaf.ofType('progress_updated')).toEqual([])
  expect(door.ofType('ReadProgressChanged')).toEqual([])
})
