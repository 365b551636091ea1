import * as api from '@carrel/api'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries, addSeries } from '../../../../test/content.ts'
import { bodyOf, errorOf } from '../../../../test/outcome.ts'
import { startServer } from '../../../../test/start-server.ts'
import { workOn } from '../../../../test/work.ts'
import { cancelTask } from '../../../tasks/queue.ts'
import { editMany, undoMany } from './tasks.ts'

const server = await startServer()
afterAll(() => server[Symbol.asyncDispose]())
const { db, clock } = server.context
const { call, id: editorId } = await server.person('editor')
const library = await addLibrary(db)

let titles = 0
const shelf = async (count: number, more: { age_rating?: number } = {}) => {
  const all = await addManySeries(
    db,
    library,
    Array.from({ length: count }, () => ({ ...more, title: `Work ${(titles += 1)}` })),
  )
  const [first] = all
  if (first) await addBooks(db, first, [{}])
  await db.write((db) =>
    db
      .updateTable('series')
      .set({ book_count: 1 })
      .where(
        'id',
        'in',
        all.map(({ id }) => id),
      )
      .execute(),
  )
  return all.map(({ id }) => id)
}

/** Works until nothing is left to do. */
const settle = async (id: string): Promise<api.BulkEdit> => {
  await using _ = workOn(server, [editMany, undoMany])
  return await ended(id)
}
const ended = async (id: string): Promise<api.BulkEdit> => {
  for (;;) {
    const failed = await db.read.selectFrom('task').select('last_error').where('last_error', 'is not', null).execute()
    if (failed[0]) throw new Error(failed[0].last_error ?? '')
    const edit = bodyOf(await call(api.readBulkEdit, { params: { id } }))
    if (!['pending', 'processing', 'undoing'].includes(edit.status)) return edit
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const start = async (body: api.SeriesBulkEdit) => bodyOf(await call(api.bulkEditSeries, { body }))
const metadataOf = async (id: string) => bodyOf(await call(api.readSeriesMetadata, { params: { id } }))
const undo = (id: string) => call(api.undoBulkEdit, { params: { id } })

test('C13 lists gain and lose what is said, what is locked is left alone, and all of it is undone', async () => {
  const ids = await shelf(3)
  const [one = '', two = '', three = ''] = ids
  bodyOf(await call(api.editSeriesMetadata, { params: { id: one }, body: { tags: ['Old', 'keep'] } }))
  bodyOf(await call(api.editSeriesMetadata, { params: { id: two }, body: { tags: ['old'], tagsLock: true } }))
  const body = {
    target: { ids },
    patch: { publisher: 'Both' },
    add: { tags: ['new', 'KEEP'] },
    remove: { tags: ['OLD'] },
  }

  const planned = await call(api.bulkEditSeries, { body: { ...body, dryRun: true } })
  expect([planned.status, bodyOf(planned)]).toMatchObject([200, { matched: 3, wouldChange: 3, skippedLocked: 1 }])
  expect(bodyOf(planned).sample?.[0]?.changes).toContainEqual({
    field: 'tags',
    before: ['Old', 'keep'],
    after: ['keep', 'new'],
  })
  expect((await metadataOf(one)).publisher).toBeNull()

  const accepted = await call(api.bulkEditSeries, { body })
  expect([accepted.status, bodyOf(accepted).matched]).toEqual([202, 3])
  const { bulkEditId = '' } = bodyOf(accepted)
  expect(await settle(bulkEditId)).toMatchObject({ status: 'completed', changed: 3, unchanged: 0, skippedLocked: 1 })
  expect([(await metadataOf(one)).tags, (await metadataOf(two)).tags, (await metadataOf(three)).tags]).toEqual([
    ['keep', 'new'],
    ['old'],
    ['new', 'KEEP'],
  ])
  const { data } = bodyOf(await call(api.listBulkEditItems, { params: { id: bulkEditId } }))
  expect(data.map(({ id, skippedFields }) => [id, skippedFields])).toEqual([
    [one, []],
    [two, ['tags']],
    [three, []],
  ])
  const [line] = bodyOf(await call(api.listSeriesMetadataHistory, { params: { id: one } })).data
  expect(line).toMatchObject({ id: data[0]?.historyId, reason: 'bulk', by: { id: editorId } })

  bodyOf(await call(api.editSeriesMetadata, { params: { id: three }, body: { publisher: 'Since' } }))
  expect((await undo(bulkEditId)).status).toBe(202)
  expect(await settle(bulkEditId)).toMatchObject({ status: 'undone', undone: 3, conflicts: 1 })
  expect(await metadataOf(one)).toMatchObject({ publisher: null, tags: ['Old', 'keep'] })
  expect(await metadataOf(three)).toMatchObject({ publisher: 'Since', tags: [] })
  expect(errorOf(await undo(bulkEditId))).toMatchObject({ error: 'conflict' })
})

test('C13 HTTP-3 only what the editor sees is edited, and only they see what became of it', async () => {
  const [visible = '', hidden = ''] = [...(await shelf(1, { age_rating: 6 })), ...(await shelf(1, { age_rating: 18 }))]
  const limited = await server.person('editor', { access: { ageCeiling: 12 } })
  const body = { target: { ids: [visible, hidden] }, patch: { publisher: 'Seen' } }
  const { matched, bulkEditId = '' } = bodyOf(await limited.call(api.bulkEditSeries, { body }))
  expect(matched).toBe(1)
  expect((await call(api.readBulkEdit, { params: { id: bulkEditId } })).status).toBe(404)
  expect((await call(api.listBulkEditItems, { params: { id: bulkEditId } })).status).toBe(404)
  {
    await using _ = workOn(server, [editMany])
    for (;;) {
      const edit = bodyOf(await limited.call(api.readBulkEdit, { params: { id: bulkEditId } }))
      if (edit.status === 'completed') break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  expect((await metadataOf(hidden)).publisher).toBeNull()
  bodyOf(await call(api.editSeriesMetadata, { params: { id: visible }, body: { ageRating: 18 } }))
  expect(bodyOf(await limited.call(api.listBulkEditItems, { params: { id: bulkEditId } })).total).toBe(0)

  const condition = { condition: { publisher: { operator: 'is', value: 'Seen' } } } as const
  const all = { target: { ...condition, except: [hidden] }, patch: { imprint: 'x' }, dryRun: true }
  expect(bodyOf(await call(api.bulkEditSeries, { body: all })).matched).toBe(1)
  expect(bodyOf(await limited.call(api.bulkEditSeries, { body: all })).matched).toBe(0)
  const { title } = bodyOf(await call(api.readSeries, { params: { id: visible } }))
  for (const [fullTextSearch, count] of [
    [title, 1],
    ['zzyzx', 0],
  ] as const) {
    const target = { ...condition, fullTextSearch, except: [hidden] }
    expect(bodyOf(await call(api.bulkEditSeries, { body: { ...all, target } })).matched).toBe(count)
  }
  for (const target of [{}, { ids: [visible], condition: { allOf: [] } }, { condition: { nothing: 1 } }])
    expect(errorOf(await call(api.bulkEditSeries, { body: { ...all, target } as api.SeriesBulkEdit })).error).toBe(
      'validation_failed',
    )
})

test('C13 a bulk edit of thousands that is cancelled half way is undone as far as it came; one that is handed on is finished once', async () => {
  const ids = await shelf(2500)
  const { bulkEditId = '', taskId = '' } = await start({ target: { ids }, add: { genres: ['Action'] } })
  const untilSome = async () => {
    for (;;) {
      const { changed } = bodyOf(await call(api.readBulkEdit, { params: { id: bulkEditId } }))
      if (changed > 0) return changed
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  {
    // Its worker is stopped in the middle, and another goes on.
    await using _ = workOn(server, [editMany])
    await untilSome()
  }
  {
    await using _ = workOn(server, [editMany])
    await untilSome()
    await db.write((db) => cancelTask(db, taskId, clock()))
    await ended(bulkEditId)
  }
  const left = bodyOf(await call(api.readBulkEdit, { params: { id: bulkEditId } }))
  expect(left.status).toBe('cancelled')
  const changed = async () => {
    const rows = await db.read
      .selectFrom('series')
      .select('id')
      .where('id', 'in', ids)
      .where('metadata', 'like', '%Action%')
      .execute()
    return rows.length
  }
  const lines = await db.read.selectFrom('metadata_change').select('id').where('entity_id', 'in', ids).execute()
  expect([await changed(), lines.length]).toEqual([left.changed, left.changed])
  expect(left.changed).toBeLessThan(ids.length)

  bodyOf(await undo(bulkEditId))
  expect(await settle(bulkEditId)).toMatchObject({ status: 'undone', undone: left.changed, conflicts: 0 })
  expect(await changed()).toBe(0)
  const terms = await db.read.selectFrom('series_term').select('series_id').where('series_id', 'in', ids).execute()
  expect(terms).toEqual([])
})

test('C13 many books at once', async () => {
  const series = await addSeries(db, library, { title: 'Of books' })
  const ids = await addBooks(db, series, [{}, {}, {}])
  const body = {
    target: { ids },
    patch: { bookType: 'manga' as const },
    add: { authors: [{ name: 'Ada', role: 'writer' }] },
  }
  const { bulkEditId = '' } = bodyOf(await call(api.bulkEditBooks, { body }))
  expect(await settle(bulkEditId)).toMatchObject({ status: 'completed', changed: 3 })
  const people = bodyOf(await call(api.listPeople, { query: { q: 'ADÁ' } })).data
  expect(people).toMatchObject([{ name: 'Ada', bookCount: 3, seriesCount: 0 }])
  const rows = await db.read.selectFrom('book').select('book_type').where('id', 'in', ids).execute()
  expect(rows.map(({ book_type }) => book_type)).toEqual(['manga', 'manga', 'manga'])
})
