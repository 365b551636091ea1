import { Type } from 'typebox'
import { defineTask, type TaskTools } from '../../tasks/define-task.ts'
import { compareDocuments, indexDocuments, newSpellings } from './documents.ts'
import { insertSpellings, searchTargets, type SearchTarget, selectBookIdsOfSeries, selectIdsAfter } from './queries.ts'

/** Looked at together, and written in parts: others wait for each. */
const lookedAtOnce = 500
const documentsAtOnce = 100
const spellingsAtOnce = 2000
const hour = 60 * 60 * 1000

/** The title of a series is one of the things its books are found by. */
export const indexBooksOfSeries = defineTask(Type.Object({ seriesId: Type.String() }), {
  type: 'index_books_of_series',
  priority: 300,
  endsWithinMs: hour,
  key: ({ seriesId }) => seriesId,
  subject: ({ seriesId }) => ({ seriesId }),
  quiet: true,
  run: async ({ seriesId }, tools) => {
    const books = await repair(tools, 'book', (after) =>
      selectBookIdsOfSeries(tools.db.readSlowly, [seriesId], { after, limit: lookedAtOnce }),
    )
    return { result: { books }, items: books }
  },
})

/** Compares what everything is found by with what it should be found by, and puts right what differs. */
export const rebuildSearch = defineTask(Type.Object({}), {
  type: 'rebuild_search',
  priority: 50,
  endsWithinMs: 6 * hour,
  key: () => '',
  startable: {},
  run: async (_, tools) => {
    const repaired: Partial<Record<SearchTarget, number>> = {}
    for (const target of searchTargets)
      repaired[target] = await repair(tools, target, (after) =>
        selectIdsAfter(tools.db.readSlowly, target, after, lookedAtOnce),
      )
    return { result: { repaired }, items: Object.values(repaired).reduce((sum, count) => sum + count, 0) }
  },
})

const repair = async (
  { db, write, signal }: TaskTools,
  target: SearchTarget,
  idsAfter: (after: string) => Promise<string[]>,
): Promise<number> => {
  let repaired = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const ids = await idsAfter(after)
    const { stale, good } = await compareDocuments(db.readSlowly, target, ids)
    for (const part of inParts(stale, documentsAtOnce))
      repaired += await write((db) =>
        indexDocuments(
          db,
          target,
          part.map(({ id }) => id),
        ),
      )
    const unknown = await newSpellings(db.readSlowly, good)
    for (const part of inParts(unknown, spellingsAtOnce)) await write((db) => insertSpellings(db, part))
    after = ids.at(-1) ?? ''
    if (ids.length < lookedAtOnce) return repaired
  }
}

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
