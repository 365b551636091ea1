import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'

const server = await startServer()
afterAll(() => server[Symbol.asyncDispose]())
const { db } = server.context
const editor = await server.person('editor')
const other = await server.person('editor')
const library = await addLibrary(db)

const newSeries = async (title: string) => {
  const series = await addSeries(db, library, { title })
  const [bookId = ''] = await addBooks(db, series, [{}])
  return { id: series.id, bookId }
}
const patch = (id: string, body: api.SeriesMetadataPatch) =>
  editor.call(api.editSeriesMetadata, { params: { id }, body })
const historyOf = async (id: string) =>
  bodyOf(await editor.call(api.listSeriesMetadataHistory, { params: { id } })).data

test('CAT-2 C13 what somebody says is shown, listed, put in order and told to others', async () => {
  const { id } = await newSeries('Zebra')
  const body = { title: ' A new name ', genres: ['Action', 'drama'], ageRating: 12, year: 2003 }
  const edited = bodyOf(await patch(id, body))

  expect(edited).toMatchObject({ title: 'A new name', genres: ['Action', 'drama'], ageRating: 12, titleLock: false })
  expect(bodyOf(await other.call(api.readSeries, { params: { id } }))).toMatchObject({
    title: 'A new name',
    year: 2003,
    metadata: { genres: ['Action', 'drama'] },
  })
  const row = await db.read.selectFrom('series').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.age_rating, row.sort_key.slice(0, 5)]).toEqual([12, 'a new'])
  const [change] = await historyOf(id)
  expect(change).toMatchObject({ reason: 'edit', source: 'user', by: { id: editor.id }, undoneBy: null })
  expect(change?.changes).toContainEqual({ field: 'genres', before: [], after: ['Action', 'drama'] })
  const events = await db.read.selectFrom('event').select(['type', 'data', 'age_rating']).orderBy('id').execute()
  expect(events.slice(-3).map(({ type, age_rating }) => [type, age_rating])).toEqual([
    ['series_deleted', null],
    ['series_created', 12],
    ['series_metadata_updated', 12],
  ])
  expect(errorOf(await patch(id, { language: 'no such language' })).error).toBe('validation_failed')
})

test('C13 W2 a day that its month does not have is refused, by hand and in bulk', async () => {
  const { bookId: id } = await newSeries('Almanac')
  const edit = (body: object) => editor.call(api.editBookMetadata, { params: { id }, body })
  expect(bodyOf(await edit({ year: 2024, month: 2, day: 29 }))).toMatchObject({ month: 2, day: 29 })
  expect(errorOf(await edit({ year: 2026, month: 2, day: 29 }))).toMatchObject({
    error: 'validation_failed',
    details: [{ path: '/day', message: 'This month has 28 days.' }],
  })
  const bulk = { target: { ids: [id] }, patch: { month: 4, day: 31 } }
  expect(errorOf(await editor.call(api.bulkEditBooks, { body: bulk })).error).toBe('validation_failed')
})

test('HTTP-6 of two editors at once If-Match lets one through', async () => {
  const { id } = await newSeries('Two at once')
  const { headers } = await editor.call(api.readSeriesMetadata, { params: { id } })
  const attempt = (who: typeof editor, publisher: string) =>
    server.callWith({ authorization: `Bearer ${who.accessToken}`, 'if-match': headers.get('etag') ?? '' })(
      api.editSeriesMetadata,
      { params: { id }, body: { publisher } },
    )
  const outcomes = await Promise.all([attempt(editor, 'One'), attempt(other, 'Other')])

  expect(outcomes.map(({ status }) => String(status)).sort()).toEqual(['200', '412'])
  expect(await historyOf(id)).toHaveLength(1)
})

test('C13 null says that there is nothing; taking it back lets others speak; a lock holds what is shown', async () => {
  await using folder = await libraryFolder()
  const write = (publisher: string) =>
    folder.write(
      'Saga/1.cbz',
      comic({
        seed: 7,
        comicInfo: comicInfoXml({ Series: 'Saga', Publisher: publisher, Tags: 'war, space' }),
      }),
    )
  await write('Image')
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const book = (await booksOf(server, libraryId)).get('Saga/1.cbz')
  const { id, series_id: seriesId = '' } = book ?? { id: '' }
  const shown = async () => bodyOf(await editor.call(api.readSeriesMetadata, { params: { id: seriesId } }))
  const takeBack = () => editor.call(api.takeBackSeriesField, { params: { id: seriesId, field: 'publisher' } })
  expect(await shown()).toMatchObject({ title: 'Saga', publisher: 'Image' })
  expect(await historyOf(seriesId)).toEqual([])

  expect(bodyOf(await patch(seriesId, { publisher: null })).publisher).toBeNull()
  await write('Image Comics')
  await scanNow(server, libraryId)
  expect((await shown()).publisher).toBeNull()
  const sources = bodyOf(await editor.call(api.readSeriesMetadataSources, { params: { id: seriesId } }))
  expect(sources.fields['publisher']).toMatchObject({
    shown: 'user',
    locked: false,
    values: [
      { source: 'user', value: null, by: { id: editor.id, username: editor.username } },
      { source: 'file:comicinfo', value: 'Image Comics', by: null },
    ],
  })
  expect((await takeBack()).status).toBe(204)
  expect((await shown()).publisher).toBe('Image Comics')

  bodyOf(await patch(seriesId, { publisherLock: true }))
  bodyOf(
    await editor.call(api.editBookMetadata, {
      params: { id },
      body: { genres: ['Kept'], title: 'Mine', number: '7.5' },
    }),
  )
  await write('Somebody else')
  await scanNow(server, libraryId)
  expect(await shown()).toMatchObject({ publisher: 'Image Comics', publisherLock: true })
  const after = bodyOf(await editor.call(api.readBook, { params: { id } }))
  expect(after).toMatchObject({ title: 'Mine', number: 7.5, metadata: { genres: ['Kept'], tags: ['war', 'space'] } })

  await folder.write(
    'Saga/1.cbz',
    comic({ seed: 7, comicInfo: comicInfoXml({ Series: 'Saga', Publisher: 'Somebody else', Tags: 'war' }) }),
  )
  await scanNow(server, libraryId)
  expect(bodyOf(await editor.call(api.readBookMetadata, { params: { id } }))).toMatchObject({
    title: 'Mine',
    genres: ['Kept'],
    tags: ['war'],
  })
  const [newest] = bodyOf(await editor.call(api.listBookMetadataHistory, { params: { id } })).data
  expect(newest).toMatchObject({
    reason: 'scan',
    source: 'file:comicinfo',
    by: null,
    changes: [{ field: 'tags', before: ['war', 'space'], after: ['war'] }],
  })
  const undone = bodyOf(
    await editor.call(api.undoBookMetadata, { params: { id }, body: { historyId: newest?.id ?? '' } }),
  )
  expect(undone).toMatchObject({ conflicts: [], metadata: { tags: ['war', 'space'], title: 'Mine' } })
  expect((await shown()).publisher).toBe('Image Comics')
  bodyOf(await patch(seriesId, { publisherLock: false }))
  expect((await shown()).publisher).toBe('Somebody else')
})
