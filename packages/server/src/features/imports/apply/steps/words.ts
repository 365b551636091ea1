import { acceptableWords, bringWords, takeWordsBack } from '../../../editing/editing.ts'
import { keyOf } from '../../links.ts'
import { deleteLinks, insertLinks, selectLinks } from '../../queries.ts'
import type { SourceValues } from '../../records.ts'
import type { Step } from '../step.ts'
import { countsOf } from '../step.ts'

interface WordsDone {
  readonly lines: Readonly<Record<string, string>>
  readonly keys: readonly string[]
}

/** A person has said it, or has held it fast: the rest is said by files, as it was to the other server. */
const wordsOf = (entity: 'series' | 'book'): Step<'series' | 'book'> => ({
  name: `words of ${entity === 'book' ? 'books' : 'series'}`,
  part: 'metadata',
  reads: entity,
  atOnce: 25,
  take: async (db, { run, now, [entity === 'book' ? 'books' : 'series']: matched }, records) => {
    const toWrite = records.flatMap(({ id, metadata }) => {
      const ours = matched.get(id)
      const values = heldFast(metadata)
      return ours === undefined || Object.keys(values).length === 0 ? [] : [{ id, ours, values }]
    })
    if (toWrite.length === 0) return { counts: {} }
    const keyed = toWrite.flatMap(({ id, ours, values }) =>
      Object.entries(values).map(([field, value]) => ({
        ours,
        field,
        value,
        key: keyOf(`${entity} word`, id, field, JSON.stringify(value)),
      })),
    )
    const links = await selectLinks(
      db,
      run.kind,
      keyed.map(({ key }) => key),
    )
    const fresh = keyed.filter(({ key }) => !links.has(key))
    const words = new Map<string, Readonly<Record<string, unknown>>>()
    let refused = 0
    for (const [ours, own] of Map.groupBy(fresh, (each) => each.ours)) {
      const accepted = acceptableWords(entity, Object.fromEntries(own.map(({ field, value }) => [field, value])))
      refused += accepted.refused.length
      words.set(ours, accepted.patch)
    }
    const { lines, saidHere } = await bringWords(db, { entity, words }, { by: run.by_user_id, now })
    const keys = [...new Set(fresh.map(({ key }) => key))]
    await insertLinks(
      db,
      keys.map((key) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
    )
    const done: WordsDone = { lines: Object.fromEntries(lines), keys }
    return {
      ...(keys.length > 0 && { done }),
      counts: countsOf({
        [entity === 'book' ? 'metadataOfBooks' : 'metadataOfSeries']: lines.size,
        metadataSaidHere: saidHere,
        metadataRefused: refused,
      }),
    }
  },
  undo: async (db, { run, now }, { lines, keys }: WordsDone) => {
    await takeWordsBack(db, { entity, lines: new Map(Object.entries(lines)) }, { by: run.by_user_id, now })
    await deleteLinks(db, run.kind, keys)
  },
})

const heldFast = (metadata: SourceValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(metadata).flatMap(([field, { value, locked }]) => (locked ? [[field, value]] : [])))

export const wordsOfSeries = wordsOf('series')
export const wordsOfBooks = wordsOf('book')
