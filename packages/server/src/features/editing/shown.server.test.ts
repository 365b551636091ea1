import { rename } from 'node:fs/promises'
import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { comic, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { startServer } from '../../../test/start-server.ts'
import { saveLayers } from '../../catalogue/metadata/metadata.ts'
import { refresh } from '../../catalogue/shown/shown.ts'

const server = await startServer()
afterAll(() => server[Symbol.asyncDispose]())
const { db, clock } = server.context
const editor = await server.person('editor')
const child = await server.person('editor', { access: { ageCeiling: 12, includeUnrated: true } })
const admin = await server.person('admin')
const library = await addLibrary(db)

const newSeries = async (title: string) => {
  const series = await addSeries(db, library, { title })
  const [bookId = ''] = await addBooks(db, series, [{}, {}])
  return { id: series.id, bookId }
}
const editSeries = async (id: string, body: api.SeriesMetadataPatch) =>
  bodyOf(await editor.call(api.editSeriesMetadata, { params: { id }, body }))
const editBook = async (id: string, body: api.BookMetadataPatch) =>
  bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body }))
/** It gives a series what a file beside its books would say of it. */
const sidecarSays = (id: string, fields: object): Promise<unknown> =>
  db.write(async (db) => {
    await saveLayers(db, [{ entityId: id, source: 'sidecar:series.json', fields }], clock())
    await refresh(db, { series: [id] }, clock())
  })
const termsOf = (id: string) =>
  db.read
    .selectFrom('series_term')
    .innerJoin('term', 'term.id', 'series_term.term_id')
    .select(['term.kind', 'term.name', 'series_term.role'])
    .where('series_id', '=', id)
    .orderBy('term.kind')
    .orderBy('series_term.place')
    .execute()

test('CAT-2 W8 W9 a new rating hides a book and its series from those it is too high for, at once', async () => {
  const { id, bookId } = await newSeries('Rated')
  const seen = async () => [
    (await child.call(api.readSeriesMetadata, { params: { id } })).status,
    (await child.call(api.readBookMetadata, { params: { id: bookId } })).status,
    (await child.call(api.editBookMetadata, { params: { id: bookId }, body: { title: 'x' } })).status,
    (await child.call(api.listSeriesMetadataHistory, { params: { id } })).status,
    (await child.call(api.readRenderedBookMetadata, { params: { id: bookId } })).status,
  ]
  expect(await seen()).toEqual([200, 200, 200, 200, 200])
  await editBook(bookId, { ageRating: 18 })
  expect(await seen()).toEqual([404, 404, 404, 404, 404])
  const events = await db.read.selectFrom('event').select(['type', 'age_rating']).orderBy('id').execute()
  expect(events.slice(-6).map(({ type, age_rating }) => [type, age_rating])).toEqual([
    ['book_deleted', null],
    ['book_created', 18],
    ['book_updated', 18],
    ['series_deleted', null],
    ['series_created', 18],
    ['series_metadata_updated', 18],
  ])
  await editSeries(id, { ageRating: 6 })
  expect((await seen()).slice(0, 2)).toEqual([200, 404])
  const rows = await db.read.selectFrom('book').select('age_rating').where('series_id', '=', id).execute()
  expect(rows.map(({ age_rating }) => String(age_rating)).sort()).toEqual(['18', '6'])
})

test('CAT-2 what things are looked up by follows what is shown; names that fold to the same are one', async () => {
  const { id } = await newSeries('Terms')
  const { id: other } = await newSeries('Other terms')
  await editSeries(id, {
    genres: ['Café noir', 'cafe NOIR', '!!!'],
    authors: [{ name: 'Ann', role: 'writer' }, { name: 'ann', role: 'inker' }, { name: 'Bo' }],
  })
  await editSeries(other, { genres: ['CAFÉ-NOIR'] })
  expect(await termsOf(id)).toEqual([
    { kind: 'genre', name: 'Café noir', role: '' },
    { kind: 'genre', name: '!!!', role: '' },
    { kind: 'person', name: 'Ann', role: 'writer' },
    { kind: 'person', name: 'Ann', role: 'inker' },
    { kind: 'person', name: 'Bo', role: '' },
  ])
  const genres = bodyOf(await editor.call(api.listGenres, { query: { q: 'cafe' } }))
  expect(genres.data).toMatchObject([{ name: 'Café noir', seriesCount: 2, bookCount: 0 }])
  await editSeries(id, { genres: null, authors: [] })
  expect(await termsOf(id)).toEqual([])
  expect(bodyOf(await editor.call(api.listGenres, { query: { q: 'CAFÉ' } })).data).toMatchObject([{ seriesCount: 1 }])
  await editSeries(other, { genres: [] })
  expect(bodyOf(await editor.call(api.listGenres, { query: { q: 'cafe' } })).total).toBe(0)
})

test('CAT-2 ids of other services are told apart by service; ratings are averaged', async () => {
  const { id } = await newSeries('Known elsewhere')
  await sidecarSays(id, {
    externalIds: [
      { source: 'anilist', id: '1' },
      { source: 'mal', id: '2' },
    ],
  })
  const edited = await editSeries(id, {
    externalIds: [
      { source: 'mal', id: null },
      { source: 'mangadex', id: 'x', url: 'https://example.org/x' },
    ],
    externalRatings: [
      { source: 'a', rating: 80 },
      { source: 'b', rating: 90, votes: 10 },
    ],
    externalLinks: [{ source: 'Here', url: 'https://example.org', externalId: 'x' }],
    alternateTitles: [{ label: 'ja', title: '題' }],
  })
  expect(edited).toMatchObject({
    externalIds: [
      { source: 'mangadex', id: 'x', url: 'https://example.org/x' },
      { source: 'anilist', id: '1' },
    ],
    externalLinks: [{ source: 'Here', url: 'https://example.org', externalId: 'x' }],
    alternateTitles: [{ label: 'ja', title: '題' }],
  })
  const rows = await db.read
    .selectFrom('external_id')
    .select(['entity', 'source', 'external_id'])
    .where('entity_id', '=', id)
    .orderBy('source')
    .execute()
  expect(rows.map((row) => Object.values(row).join())).toEqual(['series,anilist,1', 'series,mangadex,x'])
  const row = await db.read.selectFrom('series').select('external_rating').where('id', '=', id).executeTakeFirst()
  expect(row?.external_rating).toBe(85)
  expect((await editSeries(id, { externalIds: null })).externalIds).toEqual([])
})

test('F5 CAT-2 the title of a context and of a template is the name that is shown, of series and books that nothing names', async () => {
  const series = await addSeries(db, library, { title: 'Named by its folder' })
  const [bookId = ''] = await addBooks(db, series, [{ title: 'Named by its file' }])
  const params = { id: series.id }
  expect(bodyOf(await editor.call(api.readSeriesMetadata, { params })).title).toBeNull()
  expect(bodyOf(await editor.call(api.readSeriesMetadataContext, { params })).title).toBe('Named by its folder')
  const { title } = bodyOf(await editor.call(api.readBook, { params: { id: bookId } }))
  const context = bodyOf(await editor.call(api.readBookMetadataContext, { params: { id: bookId } }))
  expect([context.metadata.title, context.series.metadata.title]).toEqual([title, 'Named by its folder'])
  const template = '{{metadata.title}} / {{series.metadata.title}}'
  const render = async (of: object) =>
    bodyOf(await editor.call(api.previewTemplate, { body: { template, ...of } })).text
  expect(await render({ bookId })).toBe(`${title} / Named by its folder`)
  expect(await render({ seriesId: series.id })).toBe('Named by its folder / ')
  expect(bodyOf(await editor.call(api.readBook, { params: { id: bookId } })).externalRatings).toEqual([])
})

test('C13 what people call a book goes before its file, however the library is set, and a lock holds what it is called', async () => {
  await db.write((db) =>
    db
      .updateTable('library')
      .set({ title_from: 'filename', numbering: 'filename' })
      .where('id', '=', library.id)
      .execute(),
  )
  const series = await addSeries(db, library, { title: 'Named' })
  const [bookId = ''] = await addBooks(db, series, [{ fileName: 'Named v03.cbz' }])
  await db.write((db) => refresh(db, { books: [bookId], isEdit: true }, clock()))
  const named = async () => {
    const { title, number, volume, metadata } = bodyOf(await editor.call(api.readBook, { params: { id: bookId } }))
    return [title, number, volume, metadata.title]
  }
  const [ofFile] = await named()
  await editBook(bookId, { title: 'Mine', volume: 7, number: null })
  expect(await named()).toEqual(['Mine', 7, 7, 'Mine'])
  await editBook(bookId, { titleLock: true })
  expect((await editor.call(api.takeBackBookField, { params: { id: bookId, field: 'title' } })).status).toBe(204)
  expect((await named())[0]).toBe('Mine')
  await editBook(bookId, { titleLock: false })
  expect((await named())[0]).toBe(ofFile)
  await editBook(bookId, { titleLock: true })
  await db.write((db) => db.updateTable('file').set({ name: 'Else v04.cbz' }).where('book_id', '=', bookId).execute())
  await db.write((db) => refresh(db, { books: [bookId], isEdit: true }, clock()))
  expect((await named())[0]).toBe(ofFile)
})

test('CAT-2 LIB-5 what people say of a book goes with it into another series', async () => {
  await using folder = await libraryFolder()
  await folder.write('One/1.cbz', comic({ seed: 91, comicInfo: comicInfoXml({ Title: 'Of the file', Tags: 'a' }) }))
  await folder.write('One/2.cbz', comic({ seed: 92 }))
  const libraryId = await addLibraryOn(server, { roots: [folder.path], name: 'Moved' })
  await scanNow(server, libraryId)
  const book = (await booksOf(server, libraryId)).get('One/1.cbz')
  await editBook(book?.id ?? '', { title: 'Mine', bookType: 'comic' })
  await folder.write('Two/3.cbz', comic({ seed: 93 }))
  await rename(folder.in('One/1.cbz'), folder.in('Two/renamed.cbz'))
  await scanNow(server, libraryId)
  const moved = (await booksOf(server, libraryId)).get('Two/renamed.cbz')
  expect([moved?.id, moved?.series_title, moved?.title, moved?.book_type]).toEqual([book?.id, 'Two', 'Mine', 'comic'])
  expect(bodyOf(await editor.call(api.readBookMetadata, { params: { id: moved?.id ?? '' } })).tags).toEqual(['a'])
})

test('CAT-3 custom metadata is any object within its bounds, and is shown by the template', async () => {
  const { id, bookId } = await newSeries('Custom')
  const customMetadata = { shelf: 'B4', __proto__x: [1, { deep: null }] }
  expect((await editSeries(id, { customMetadata, customMetadataLock: true })).customMetadata).toEqual(customMetadata)
  const refused = async (value: Record<string, unknown>) =>
    errorOf(await editor.call(api.editSeriesMetadata, { params: { id }, body: { customMetadata: value } })).error
  let deep: Record<string, unknown> = {}
  for (let level = 0; level < 30; level += 1) deep = { deep }
  expect([await refused(deep), await refused({ long: 'x'.repeat(65_536) })]).toEqual([
    'validation_failed',
    'validation_failed',
  ])

  const preview = (body: { template: string; seriesId?: string; bookId?: string }) =>
    admin.call(api.previewTemplate, { body })
  const template =
    '{{customMetadata.shelf}}{{series.customMetadata.shelf}} {{#if (exists bookId)}}book{{else}}{{bookCount}}{{/if}}'
  expect(bodyOf(await preview({ template, seriesId: id }))).toEqual({ text: 'B4 2', truncated: false })
  expect(bodyOf(await preview({ template, bookId }))).toEqual({ text: 'B4 book', truncated: false })
  const { error = '', text } = bodyOf(await preview({ template: '{{#if', bookId }))
  expect([text, error.includes('Parse error')]).toEqual(['', true])
  expect(errorOf(await preview({ template })).error).toBe('validation_failed')
  // Who writes custom metadata may try how it looks; what everybody gets is a setting.
  expect((await editor.call(api.previewTemplate, { body: { template, seriesId: id } })).status).toBe(200)
  const reader = await server.person('reader')
  expect((await reader.call(api.previewTemplate, { body: { template, seriesId: id } })).status).toBe(403)
  const rendered = async () => bodyOf(await child.call(api.readRenderedSeriesMetadata, { params: { id } }))
  expect(await rendered()).toEqual({ text: '', truncated: false })
  const key = 'display.custom_metadata_template'
  bodyOf(
    await admin.call(api.saveSetting, {
      params: { key },
      body: { value: '**{{metadata.title}}** {{customMetadata.shelf}}' },
    }),
  )
  await editSeries(id, { title: 'Custom' })
  expect(await rendered()).toEqual({ text: '**Custom** B4', truncated: false })
})
