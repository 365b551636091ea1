import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record, subarray } from 'fast-check'
import { expect, test } from 'vitest'
import { insertMany } from '../src/database/many.ts'
import { maySee } from '../src/features/access/access.ts'
import { type ViewRule, type Viewer, visibleLibraries, visibleTo } from '../src/catalogue/visibility/visibility.ts'
import { addBooks, addLibrary, addManySeries } from './content.ts'
import { startServer } from './start-server.ts'
import { idOf } from './visible-world.ts'

const tags = [1, 2, 3, 4].map((number) => idOf('tag', number))
const libraries = [1, 2, 3].map((number) => idOf('library', number))
const ratings = [null, 0, 6, 12, 16, 18] as const

const rules = record({
  libraries: oneof(constant('all' as const), subarray(libraries)),
  ageCeiling: constantFrom(...ratings),
  includeUnrated: boolean(),
  allowTags: oneof(constant([]), subarray(tags)),
  denyTags: oneof(constant([]), subarray(tags)),
})

const labels = record({
  library: constantFrom(...libraries),
  rating: constantFrom(...ratings),
  bookRating: constantFrom(...ratings),
  tags: subarray(tags),
})

test('AUTH-7 what a query selects is what an event is told of, for any rule and any labels', async () => {
  await using server = await startServer()
  const { db } = server.context
  const at = '2026-11-01T10:00:00.000Z'
  await db.write((db) =>
    insertMany(
      db,
      'sharing_tag',
      tags.map((id) => ({
        id,
        name: id,
        name_key: id,
        sort_key: id,
        name_text: id,
        description: null,
        created_at: at,
        updated_at: at,
      })),
    ),
  )
  const added = new Map<string, Awaited<ReturnType<typeof addLibrary>>>()
  for (const [number, id] of libraries.entries())
    added.set(id, await addLibrary(db, { id, name: `Library ${number}`, path: `/data/${number}` }))
  const known: {
    seriesId: string
    bookId: string
    libraryId: string
    rating: number | null
    bookRating: number | null
    tags: readonly string[]
  }[] = []

  const grow = async (
    more: readonly { library: string; rating: number | null; bookRating: number | null; tags: string[] }[],
  ) => {
    for (const { library, rating, bookRating, tags } of more) {
      const addedLibrary = added.get(library)
      if (!addedLibrary) continue
      const title = `Series ${known.length}`
      const [series] = await addManySeries(db, addedLibrary, [{ title, age_rating: rating, sharingTags: tags }])
      const [bookId = ''] = series ? await addBooks(db, series, [{ age_rating: bookRating }]) : []
      known.push({ seriesId: series?.id ?? '', bookId, libraryId: library, rating, bookRating, tags })
    }
  }
  const expected = (rule: ViewRule, of: 'series' | 'book') =>
    known
      .filter(({ libraryId, rating, bookRating, tags: sharingTags }) =>
        maySee(rule, { libraryId, content: { ageRating: of === 'series' ? rating : bookRating, sharingTags } }),
      )
      .map(({ seriesId, bookId }) => (of === 'series' ? seriesId : bookId))
      .sort()

  await assert(
    asyncProperty(array(labels, { maxLength: 3 }), array(rules, { minLength: 5, maxLength: 5 }), async (more, some) => {
      await grow(more)
      for (const rule of some) {
        const viewer: Viewer = { userId: '', rule, deletedLibraries: [], seesPaths: false }
        for (const entity of ['series', 'book'] as const) {
          const rows = await db.read
            .selectFrom(entity)
            .select(`${entity}.id`)
            .where(visibleTo(viewer, entity))
            .execute()
          expect(rows.map(({ id }) => id).sort()).toEqual(expected(rule, entity))
        }
        const shown = await db.read.selectFrom('library').select('library.id').where(visibleLibraries(viewer)).execute()
        expect(shown.map(({ id }) => id).sort()).toEqual(libraries.filter((libraryId) => maySee(rule, { libraryId })))
      }
    }),
    { numRuns: 60 },
  )
})
