import * as api from '@carrel/api'
import { array, assert, asyncProperty, constant, integer, oneof, record, shuffledSubarray } from 'fast-check'
import { expect, test } from 'vitest'
import { addBooks, addLibrary, addManySeries } from '../../../test/content.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { startServer } from '../../../test/start-server.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { addMembers, moveTo, listViewerFor, putInOrder, removeMember } from './member-lists.ts'
import { collections } from '../../features/collections/collections.ts'

const viewer: Viewer = {
  userId: '019aa3b2-0000-7000-8000-000000000001',
  rule: { libraries: 'all', ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] },
  deletedLibraries: [],
  seesPaths: true,
}
const listViewer = listViewerFor(collections, viewer, true)

const series = Array.from({ length: 8 }, (_, index) => index)
const one = integer({ min: 0, max: series.length - 1 })
const steps = array(
  oneof(
    record({ kind: constant('add' as const), which: shuffledSubarray(series, { minLength: 1 }) }),
    record({ kind: constant('order' as const), which: shuffledSubarray(series) }),
    record({ kind: constant('remove' as const), which: one }),
    record({ kind: constant('move' as const), which: one, place: integer({ min: 1, max: 10 }) }),
  ),
  { maxLength: 12 },
)

/** It applies each step to a plain list. */
const model = {
  add: (list: readonly number[], which: readonly number[]) => [
    ...list,
    ...which.filter((each) => !list.includes(each)),
  ],
  order: (list: readonly number[], which: readonly number[]) => {
    const free = list.flatMap((each, index) => (which.includes(each) ? [index] : []))
    const ordered = [...list]
    for (const [index, position] of free.entries()) ordered[position] = which[index] ?? -1
    return ordered
  },
  move: (list: readonly number[], which: number, position: number) => {
    const moved = list.filter((each) => each !== which)
    moved.splice(Math.min(position, list.length) - 1, 0, which)
    return moved
  },
}

test('CAT-8 however members are added, moved, ordered and removed, each keeps one place of its own', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const library = await addLibrary(db)
  const added = await addManySeries(
    db,
    library,
    series.map((number) => ({ title: `Series ${number}` })),
  )
  for (const each of added) await addBooks(db, each, [{}])
  const ids = added.map(({ id }) => id)
  const idOf = (number: number): string => ids[number] ?? ''
  const { call } = await server.person('editor')
  let number = 0

  await assert(
    asyncProperty(steps, async (taken) => {
      number += 1
      const { id } = bodyOf(await call(api.createCollection, { body: { name: `List ${number}`, ordered: true } }))
      const change = { db, listViewer, now: clock() }
      let expected: readonly number[] = []
      for (const step of taken) {
        if (step.kind === 'add') {
          await addMembers(change, id, step.which.map(idOf))
          expected = model.add(expected, step.which)
        } else if (step.kind === 'order') {
          const which = step.which.filter((each) => expected.includes(each))
          await putInOrder(change, id, which.map(idOf))
          expected = model.order(expected, which)
        } else if (expected.includes(step.which)) {
          const itemId = idOf(step.which)
          if (step.kind === 'remove') await removeMember(change, id, itemId)
          else await moveTo(change, id, { itemId, rank: step.place })
          const { which } = step
          expected =
            step.kind === 'remove' ? expected.filter((each) => each !== which) : model.move(expected, which, step.place)
        }
      }
      const rows = await db.read
        .selectFrom('collection_series')
        .select(['series_id', 'position'])
        .where('collection_id', '=', id)
        .orderBy('position')
        .execute()
      expect(rows.map(({ series_id }) => ids.indexOf(series_id))).toEqual(expected)
      expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
    }),
    { numRuns: 15 },
  )
})

test('CAT-8 a thousand members are put in order by one write, and one is moved among them by another', async () => {
  await using server = await startServer()
  const { db, clock } = server.context
  const library = await addLibrary(db)
  const titles = Array.from({ length: 1000 }, (_, index) => ({ title: `Series ${index}`, book_count: 1 }))
  const ids = (await addManySeries(db, library, titles)).map(({ id }) => id)
  const { call } = await server.person('editor')
  const { id } = bodyOf(await call(api.createCollection, { body: { name: 'Long', ordered: true } }))
  const change = { db, listViewer, now: clock() }
  await addMembers(change, id, ids)
  const writes = () =>
    server.logLines.filter(({ msg, sql }) => msg === 'Statement' && /update "collection_series"/.test(String(sql)))
      .length
  const before = writes()

  await putInOrder(change, id, ids.toReversed())
  expect(writes() - before).toBe(1)
  await moveTo(change, id, { itemId: ids[0] ?? '', rank: 1 })
  expect(writes() - before).toBe(2)
  const { data } = bodyOf(await call(api.listSeriesOfCollection, { params: { id }, query: { pageSize: 2 } }))
  expect(data.map((each) => each.id)).toEqual([ids[0], ids[999]])
})
