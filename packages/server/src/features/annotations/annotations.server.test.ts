import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { unknownId } from '../../../test/contract/inputs.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { insertMany } from '../../database/many.ts'
import { newId } from '../../platform/ids.ts'
import { carryOver } from '../../database/carry-over.ts'
import { markRules } from './annotations.ts'

let server: TestServer
let bookId: string
let otherId: string
beforeAll(async () => {
  server = await startServer()
  const { db } = server.context
  const library = await addLibrary(db)
  const [novel, other] = await addManySeries(db, library, [
    { title: 'Moby *Dick*' },
    { title: 'Walden', age_rating: 18 },
  ])
  const of = async (series: typeof novel, age: number) =>
    series ? await addBooks(db, series, [{ age_rating: age }]) : []
  bookId = (await of(novel, 6))[0] ?? ''
  otherId = (await of(other, 18))[0] ?? ''
})
afterAll(() => server[Symbol.asyncDispose]())

/** The locator has fields we do not know, which are kept. */
const locatorAt = (totalProgression?: number): api.ReadiumLocator => {
  const progression = totalProgression === undefined ? {} : { totalProgression }
  const locator = {
    href: 'a/b.xhtml',
    type: 'application/xhtml+xml',
    locations: { ...progression, fragments: ['p3'] },
    text: { highlight: 'x' },
  }
  return locator
}
const mark = ({ call }: Person, at: number | undefined, more: Partial<api.NewAnnotation> = {}, id = bookId) =>
  call(api.createAnnotation, { params: { id }, body: { locator: locatorAt(at), ...more } })
const marksOf = async ({ call }: Person, id = bookId) =>
  bodyOf(await call(api.listAnnotations, { params: { id } })).data
const exported = async ({ accessToken }: Person, format: string) => {
  const headers = { authorization: `Bearer ${accessToken}` }
  const reply = await fetch(`${server.url}/api/v1/user/annotations?format=${format}`, { headers })
  return {
    type: reply.headers.get('content-type'),
    disposition: reply.headers.get('content-disposition'),
    text: await reply.text(),
  }
}

test('C17 annotations keep their locator as it was, stand in the order of the book, and change', async () => {
  const reader = await server.person('reader')
  const words = { quote: 'Call me Ishmael.', before: 'a', after: 'b', colour: '#ffee00', note: 'so' }
  const created = await mark(reader, 0.7, words)
  expect(created.status).toBe(201)
  const one = bodyOf(created)
  expect(one).toEqual({
    id: expect.any(String),
    locator: locatorAt(0.7),
    ...words,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  const plain = bodyOf(await mark(reader, 0.2))
  expect(plain).toMatchObject({ quote: '', before: '', after: '', colour: 'yellow', note: '' })
  const nowhere = bodyOf(await mark(reader, undefined))
  expect((await marksOf(reader)).map(({ id }) => id)).toEqual([plain.id, one.id, nowhere.id])

  const params = { id: bookId, annotationId: one.id }
  const patch = (body: api.AnnotationPatch, headers: Record<string, string> = {}) =>
    reader.call(api.updateAnnotation, { params, body }, { headers })
  const changed = await patch({ note: 'or not', locator: locatorAt(0.1) })
  expect(bodyOf(changed)).toMatchObject({ note: 'or not', quote: words.quote, locator: locatorAt(0.1) })
  expect((await marksOf(reader)).map(({ id }) => id)).toEqual([one.id, plain.id, nowhere.id])
  expect(bodyOf(await patch({ colour: 'blue' }, { 'if-match': changed.headers.get('etag') ?? '' })).colour).toBe('blue')
  expect(errorOf(await patch({ colour: 'red' }, { 'if-match': changed.headers.get('etag') ?? '' }))).toMatchObject({
    error: 'precondition_failed',
  })
  for (const colour of ['', 'url(x)', '#FFF'])
    expect(errorOf(await patch({ colour }))).toMatchObject({ error: 'validation_failed' })
  const fat = { ...locatorAt(0.1), title: 'x'.repeat(api.locatorBytesMax) }
  expect(errorOf(await patch({ locator: fat }))).toMatchObject({ details: [{ path: '/locator' }] })

  const remove = () => reader.call(api.deleteAnnotation, { params })
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  expect(errorOf(await patch({ note: '' }))).toMatchObject({ error: 'not_found' })
})

test('C17 bookmarks are put into a book, noted on, moved and taken out', async () => {
  const reader = await server.person('reader')
  const put = (at: number, note?: string) =>
    reader.call(api.createBookmark, {
      params: { id: bookId },
      body: { locator: locatorAt(at), ...(note !== undefined && { note }) },
    })
  const later = bodyOf(await put(0.9, 'The end'))
  const sooner = bodyOf(await put(0.1))
  expect(sooner.note).toBe('')
  const listed = async () => bodyOf(await reader.call(api.listBookmarks, { params: { id: bookId } }))
  expect((await listed()).data).toEqual([sooner, later])
  const params = { id: bookId, bookmarkId: later.id }
  bodyOf(await reader.call(api.updateBookmark, { params, body: { locator: locatorAt(0.05) } }))
  expect((await listed()).data.map(({ note }) => note)).toEqual(['The end', ''])
  expect((await reader.call(api.deleteBookmark, { params })).status).toBe(204)
  expect((await listed()).total).toBe(1)
  expect(await marksOf(reader)).toEqual([])
})

test('HTTP-3 nobody finds what others have marked, nor their own in what they do not see', async () => {
  const reader = await server.person('reader')
  const other = await server.person('reader')
  const mine = bodyOf(await mark(reader, 0.5, { quote: 'Mine' }))
  bodyOf(await mark(reader, 0.5, { quote: 'Grown up' }, otherId))
  expect(await marksOf(other)).toEqual([])
  const params = { id: bookId, annotationId: mine.id }
  expect((await other.call(api.updateAnnotation, { params, body: { note: 'x' } })).status).toBe(404)
  expect((await other.call(api.deleteAnnotation, { params })).status).toBe(404)
  expect((await other.call(api.listAnnotations, { params: { id: unknownId } })).status).toBe(404)
  expect((await reader.call(api.deleteAnnotation, { params: { ...params, id: otherId } })).status).toBe(404)
  expect(JSON.parse((await exported(other, 'json')).text)).toEqual({ annotations: [] })
  expect((await exported(reader, 'json')).text).toContain('Grown up')

  const admin = await server.person('admin')
  const access = { ageCeiling: 12, includeUnrated: false }
  bodyOf(await admin.call(api.updateUser, { params: { id: reader.id }, body: { access } }))
  expect((await reader.call(api.listAnnotations, { params: { id: otherId } })).status).toBe(404)
  for (const format of ['json', 'md']) {
    const { text } = await exported(reader, format)
    expect([text.includes('Mine'), text.includes('Grown up'), text.includes('Walden')]).toEqual([true, false, false])
  }
})

test('C17 all annotations leave as JSON and as a text, in which quotes are no markup and notes are as they were written', async () => {
  const reader = await server.person('reader')
  const quote = 'First <b>line</b>\n# second'
  const marked = bodyOf(await mark(reader, 0.25, { quote, note: 'See [here](javascript:x)' }))
  bodyOf(await mark(reader, 0.5, {}, otherId))
  const { db } = server.context
  const one = await db.read.selectFrom('annotation').selectAll().where('id', '=', marked.id).executeTakeFirstOrThrow()
  const more = Array.from({ length: 210 }, (_, index) => ({ ...one, id: newId(), place: 0.75, note: `no. ${index}` }))
  await db.write((db) => insertMany(db, 'annotation', more))

  const json = await exported(reader, 'json')
  expect([json.type, json.disposition]).toEqual([
    'application/json; charset=utf-8',
    expect.stringContaining('annotations.json'),
  ])
  const { annotations } = JSON.parse(json.text) as { annotations: api.ExportedAnnotation[] }
  expect(annotations).toHaveLength(212)
  expect(new Set(annotations.map(({ id }) => id)).size).toBe(212)
  expect(annotations.find(({ id }) => id === marked.id)).toEqual({
    ...marked,
    book: expect.objectContaining({ id: bookId, seriesTitle: 'Moby *Dick*' }),
  })
  const { text, type } = await exported(reader, 'md')
  expect(type).toBe('text/markdown; charset=utf-8')
  expect(text).toContain('# Moby \\*Dick\\* 1\n')
  expect(text).toContain('> First \\<b\\>line\\</b\\>\n> \\# second\n')
  expect(text).toContain('See [here](javascript:x)')
})

test('what was marked in a book stands in the one it has become part of', async () => {
  const reader = await server.person('reader')
  const { id } = bodyOf(await mark(reader, 0.5, {}, otherId))
  const merging = { fromIds: [otherId], intoId: bookId, now: new Date() }
  await server.context.db.write(async (db) => {
    for (const rule of markRules) await carryOver(db, rule, merging)
  })
  expect((await marksOf(reader)).map((each) => each.id)).toEqual([id])
})
