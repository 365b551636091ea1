import type { ReadDb } from '../../../../database/database.ts'
import { acceptableWords, bringWords, countUnsaid, takeWordsBack } from '../../../editing/editing.ts'
import { freshAmong, keyOf } from '../../links.ts'
import { deleteLinks, insertLinks } from '../../queries.ts'
import type { SourceKind, SourceValues } from '../../records.ts'
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
    const { fresh, words, refused } = await freshWords(db, run.kind, saidOf(entity, matched, records), entity)
    if (fresh.length === 0) return { counts: {} }
    const { lines, saidHere } = await bringWords(db, { entity, words }, { by: run.by_user_id, now })
    const keys = fresh.map(({ key }) => key)
    await insertLinks(
      db,
      keys.map((key) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
    )
    const done: WordsDone = { lines: Object.fromEntries(lines), keys }
    return {
      ...(keys.length > 0 && { done }),
      counts: countsOf({
        [countOf(entity)]: lines.size,
        metadataSaidHere: saidHere,
        metadataRefused: refused,
      }),
    }
  },
  foresee: async (db, { kind, now, [entity === 'book' ? 'books' : 'series']: matched }, records) => {
    const { words } = await freshWords(db, kind, saidOf(entity, matched, records), entity)
    return countsOf({ [countOf(entity)]: await countUnsaid(db, { entity, words }, now) })
  },
  undo: async (db, { run, now }, { lines, keys }: WordsDone) => {
    await takeWordsBack(db, { entity, lines: new Map(Object.entries(lines)) }, { by: run.by_user_id, now })
    await deleteLinks(db, run.kind, keys)
  },
})

type Entity = 'series' | 'book'

const countOf = (entity: Entity): string => (entity === 'book' ? 'metadataOfBooks' : 'metadataOfSeries')

interface WordsOfEntry {
  readonly ours: string
  readonly field: string
  readonly value: unknown
  readonly key: string
}

const saidOf = (
  entity: Entity,
  matched: ReadonlyMap<string, string>,
  records: readonly { readonly id: string; readonly metadata: SourceValues }[],
): readonly WordsOfEntry[] =>
  records.flatMap(({ id, metadata }) => {
    const ours = matched.get(id)
    if (ours === undefined) return []
    return Object.entries(heldFast(metadata)).map(([field, value]) => ({
      ours,
      field,
      value,
      key: keyOf(`${entity} word`, id, field, JSON.stringify(value)),
    }))
  })

const freshWords = async (db: ReadDb, kind: SourceKind, said: readonly WordsOfEntry[], entity: Entity) => {
  const fresh = await freshAmong(db, kind, said)
  const words = new Map<string, Readonly<Record<string, unknown>>>()
  let refused = 0
  for (const [ours, own] of Map.groupBy(fresh, (each) => each.ours)) {
    const accepted = acceptableWords(entity, Object.fromEntries(own.map(({ field, value }) => [field, value])))
    refused += accepted.refused.length
    words.set(ours, accepted.patch)
  }
  return { fresh, words, refused }
}

const heldFast = (metadata: SourceValues): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(metadata).flatMap(([field, { value, locked }]) => (locked ? [[field, value]] : [])))

export const wordsOfSeries = wordsOf('series')
export const wordsOfBooks = wordsOf('book')
