import { assert, asyncProperty, constantFrom } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../src/catalogue/visibility/visibility.ts'
import {
  type Condition,
  compileCondition,
  requireCondition,
  type EvaluationMode,
} from '../../src/filtering/filtering.ts'
import { newId } from '../../src/platform/ids.ts'
import { startServer, type TestServer } from '../start-server.ts'
import { conditions } from './arbitrary.ts'
import { plainly } from './plain.ts'
import { buildWorld, type World } from './world.ts'

let server: TestServer
let world: World
let userId: string

beforeAll(async () => {
  server = await startServer()
  userId = (await server.person('reader')).id
  world = await buildWorld(server.context.db, userId)
})
afterAll(() => server[Symbol.asyncDispose]())

const everything = { libraries: 'all' as const, ageCeiling: null, includeUnrated: false, allowTags: [], denyTags: [] }

const viewers = (): Viewer[] => {
  const viewer = { userId, rule: everything, deletedLibraries: [], seesPaths: true }
  return [
    viewer,
    { ...viewer, seesPaths: false },
    { ...viewer, rule: { ...everything, ageCeiling: 12 } },
    { ...viewer, rule: { ...everything, ageCeiling: 6, includeUnrated: true } },
    { ...viewer, userId: newId() },
  ]
}

for (const target of ['series', 'books'] as const) {
  test(`CAT-4 W10 a condition over ${target} holds in SQL where it holds when it is evaluated plainly`, async () => {
    const table = target === 'series' ? 'series' : 'book'
    const choices = { libraryIds: world.libraryIds, seriesIds: world.series.map(({ id }) => id) }
    const entries = world[target]
    const db = server.context.db.read
    let held = 0

    await assert(
      asyncProperty(conditions(target, choices), constantFrom(...viewers()), async (json, viewer) => {
        const condition = requireCondition(target, json, '/condition')
        const fitting = (way: EvaluationMode, tested: Condition = condition) =>
          db.selectFrom(table).select('id').where(compileCondition(tested, { target, viewer, way })).execute()
        const rows = await fitting({ terms: 'forAllRows', texts: 'with the rest' })
        const walked = await fitting({ terms: 'forEachRow', texts: 'with the rest' })
        const apart = await fitting({ terms: 'forAllRows', texts: 'apart' })
        const both = await fitting({ terms: 'forEachRow', texts: 'apart' })
        const others = await fitting({ terms: 'forAllRows', texts: 'apart' }, { not: condition } as Condition)
        const isTheirs = viewer.userId === userId
        const plain = entries.filter(({ plain }) => {
          const seen = plain(viewer)
          const own = isTheirs
            ? seen
            : { ...seen, readStatus: 'unread', ...(target === 'series' && { hasUserRating: false, userRating: null }) }
          return plainly(json, own, target)
        })
        expect(rows.map(({ id }) => id).sort()).toEqual(plain.map(({ id }) => id).sort())
        expect(walked.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
        expect(apart.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
        expect(both.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id).sort())
        expect(rows.length + others.length).toBe(entries.length)
        held += rows.length > 0 && others.length > 0 ? 1 : 0
      }),
      { numRuns: 400 },
    )
    expect(held).toBeGreaterThan(100)
  })
}
