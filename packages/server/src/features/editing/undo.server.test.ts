import * as api from '@carrel/api'
import { array, assert, asyncProperty, boolean, constantFrom, integer, oneof, record } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { addBooks, addLibrary, addSeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'
import { saveLayers } from '../../catalogue/metadata/metadata.ts'
import { refresh } from '../../catalogue/shown/shown.ts'

const server = await startServer()
afterAll(() => server[Symbol.asyncDispose]())
const { db, clock } = server.context
const { call } = await server.person('editor')
const library = await addLibrary(db)

const fields = ['publisher', 'tags', 'year', 'title'] as const
const values = {
  publisher: [null, 'One', 'Two'],
  tags: [null, [], ['a'], ['a', 'b']],
  year: [null, 1999, 2003],
  title: [null, 'First', 'Second'],
} as const

type Step =
  | { readonly kind: 'edit'; readonly field: (typeof fields)[number]; readonly value: number }
  | { readonly kind: 'lock'; readonly field: (typeof fields)[number]; readonly isLocked: boolean }
  | { readonly kind: 'take back'; readonly field: (typeof fields)[number] }
  | { readonly kind: 'read'; readonly field: (typeof fields)[number]; readonly value: number }

const steps = oneof(
  record({ kind: constantFrom('edit' as const), field: constantFrom(...fields), value: integer({ min: 0, max: 3 }) }),
  record({ kind: constantFrom('lock' as const), field: constantFrom(...fields), isLocked: boolean() }),
  record({ kind: constantFrom('take back' as const), field: constantFrom(...fields) }),
  record({ kind: constantFrom('read' as const), field: constantFrom(...fields), value: integer({ min: 1, max: 3 }) }),
)

const valueOf = ({ field, value }: { field: (typeof fields)[number]; value: number }) =>
  values[field][value % values[field].length]

let count = 0
const newSeries = async () => {
  count += 1
  const series = await addSeries(db, library, { title: `Series ${count}` })
  await addBooks(db, series, [{}])
  return series.id
}

const apply = async (id: string, file: Record<string, unknown>, step: Step): Promise<void> => {
  const params = { id }
  if (step.kind === 'edit')
    bodyOf(await call(api.editSeriesMetadata, { params, body: { [step.field]: valueOf(step) } }))
  else if (step.kind === 'lock')
    bodyOf(await call(api.editSeriesMetadata, { params, body: { [api.lockOf(step.field)]: step.isLocked } }))
  else if (step.kind === 'take back')
    expect((await call(api.takeBackSeriesField, { params: { id, field: step.field } })).status).toBe(204)
  else {
    const value = valueOf(step)
    if (value === null) delete file[step.field]
    else file[step.field] = value
    await db.write(async (db) => {
      await saveLayers(db, [{ entityId: id, source: 'sidecar:series.json', fields: file }], clock())
      await refresh(db, { series: [id] }, clock())
    })
  }
}

/** All that people have said, and what is locked with which value. */
const wordsOf = async (id: string) => {
  const rows = await db.read
    .selectFrom('metadata_layer')
    .select(['source', 'fields'])
    .where('entity_id', '=', id)
    .where('source', 'in', ['user', 'lock'])
    .orderBy('source')
    .execute()
  const { locks } = await db.read.selectFrom('series').select('locks').where('id', '=', id).executeTakeFirstOrThrow()
  return { locks, words: rows.map(({ source, fields: value }) => [source, JSON.parse(value) as unknown]) }
}
const metadataOf = async (id: string) => bodyOf(await call(api.readSeriesMetadata, { params: { id } }))
const historyOf = async (id: string) =>
  bodyOf(await call(api.listSeriesMetadataHistory, { params: { id }, query: { pageSize: 500 } })).data

test('CAT-2 C13 what was done last is undone exactly, whatever has been read meanwhile, and that is undone too', async () => {
  await assert(
    asyncProperty(array(steps, { minLength: 1, maxLength: 6 }), async (all) => {
      const id = await newSeries()
      const file: Record<string, unknown> = {}
      const stands = [await wordsOf(id)]
      for (const step of all) {
        const before = (await historyOf(id)).filter(({ reason }) => reason === 'edit').length
        await apply(id, file, step)
        const after = (await historyOf(id)).filter(({ reason }) => reason === 'edit').length
        if (after > before) stands.push(await wordsOf(id))
      }
      const last = await metadataOf(id)
      const edits = (await historyOf(id)).filter(({ reason }) => reason === 'edit')
      expect(edits).toHaveLength(stands.length - 1)
      for (const [index, { id: historyId }] of edits.entries()) {
        const { conflicts } = bodyOf(await call(api.undoSeriesMetadata, { params: { id }, body: { historyId } }))
        expect(conflicts).toEqual([])
        expect(await wordsOf(id)).toEqual(stands[stands.length - 2 - index])
      }
      for (const { id: historyId } of (await historyOf(id)).filter(({ reason }) => reason === 'undo'))
        bodyOf(await call(api.undoSeriesMetadata, { params: { id }, body: { historyId } }))
      expect(await wordsOf(id)).toEqual(stands.at(-1))
      expect(await metadataOf(id)).toEqual(last)
    }),
    { numRuns: 12 },
  )
})

test('C13 a field that has changed since stays and is named, unless it is forced', async () => {
  const id = await newSeries()
  const params = { id }
  bodyOf(await call(api.editSeriesMetadata, { params, body: { publisher: 'One', year: 1999 } }))
  const [first] = await historyOf(id)
  bodyOf(await call(api.editSeriesMetadata, { params, body: { publisher: 'Two' } }))
  const body = { historyId: first?.id ?? '' }

  const undone = bodyOf(await call(api.undoSeriesMetadata, { params, body }))
  expect(undone).toMatchObject({ conflicts: ['publisher'], metadata: { publisher: 'Two', year: null } })
  const history = await historyOf(id)
  expect(history.map(({ reason }) => reason)).toEqual(['undo', 'edit', 'edit'])
  expect(history[2]?.undoneBy).toBe(history[0]?.id)
  const forced = bodyOf(await call(api.undoSeriesMetadata, { params, body: { ...body, force: true } }))
  expect(forced).toMatchObject({ conflicts: [], metadata: { publisher: null, year: null } })

  const other = await newSeries()
  expect((await call(api.undoSeriesMetadata, { params: { id: other }, body })).status).toBe(404)
})
