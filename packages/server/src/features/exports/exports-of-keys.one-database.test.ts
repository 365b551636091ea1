import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { made } from '../../../test/exporting.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'
import { build, everything, idOf, read } from '../../../test/visible-world.ts'

test('A11 C4 an export that a key asks for holds nothing of its owner’s reading without progress:read', async () => {
  await using server = await startServer()
  await build(server.context.db, everything)
  const owner = await server.person('reader')
  await read(server.context.db, owner.id, everything)
  const rating = { params: { id: idOf('series', 0) }, body: { rating: 80, notes: 'Mine alone.' } }
  bodyOf(await owner.call(api.saveSeriesRating, rating))
  const permissions = api.permissionsOfRole.reader.filter((each) => each !== 'progress:read')
  const { key } = bodyOf(await owner.call(api.createApiKey, { body: { name: 'Catalogue', permissions } }))
  const call = server.callWith({ 'x-api-key': key })
  const fetched = (id: string, headers: Record<string, string>) =>
    fetch(`${server.url}/api/v1/user/exports/series/${id}/download`, { headers })

  // The reader's private data is refused by name.
  const { fields, bookFields } = bodyOf(await call(api.readExportFields, {}))
  const own = fields.filter(({ userSpecific }) => userSpecific).map(({ key }) => key as api.SeriesExportField)
  const ownOfBooks = bookFields.filter(({ userSpecific }) => userSpecific).map(({ key }) => key as api.BookExportField)
  expect([own.length, ownOfBooks.length]).toEqual([5, 8])
  for (const field of own)
    expect(errorOf(await call(api.createSeriesExport, { body: { format: 'json', fields: [field] } }))).toMatchObject({
      error: 'not_allowed',
      message: 'This needs the permission progress:read.',
    })
  for (const field of ownOfBooks) {
    const body: api.CreateSeriesExportRequest = { format: 'json', exportType: 'books', bookFields: [field] }
    expect((await call(api.createSeriesExport, { body })).status).toBe(403)
  }

  // A condition on it finds what it finds for somebody who has read nothing.
  const condition = { readStatus: { operator: 'isNot', value: 'unread' } } as const
  const request = { body: { format: 'json', condition } } as const
  const ofKey = bodyOf(await call(api.createSeriesExport, request))
  expect((await made(server, owner, ofKey.id)).rowCount).toBe(0)
  expect(await (await fetched(ofKey.id, { 'x-api-key': key })).json()).toEqual([])
  const ofOwner = bodyOf(await owner.call(api.createSeriesExport, request))
  expect((await made(server, owner, ofOwner.id)).rowCount).toBeGreaterThan(0)

  // An export made by the owner is for the owner.
  expect((await fetched(ofOwner.id, { 'x-api-key': key })).status).toBe(409)
  const notes = bodyOf(
    await owner.call(api.createSeriesExport, { body: { format: 'json', fields: ['user_notes', 'progress'] } }),
  )
  await made(server, owner, notes.id)
  expect((await fetched(notes.id, { 'x-api-key': key })).status).toBe(403)
  const bearer = { authorization: `Bearer ${owner.accessToken}` }
  expect(await (await fetched(notes.id, bearer)).text()).toContain('Mine alone.')
  expect((await fetched(ofOwner.id, bearer)).status).toBe(200)
  // An export made by the key holds nothing that its owner may not see.
  expect((await fetched(ofKey.id, bearer)).status).toBe(200)
  expect((await call(api.removeSeriesExport, { params: { id: ofKey.id } })).status).toBe(204)
})
