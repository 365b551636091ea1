import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Entity } from './fields.ts'
import { forgetLayers, selectLayersFrom } from './queries.ts'

/** What one source says of one field. Null: that there is nothing. */
export interface Word {
  readonly value: unknown
  readonly at: string
  readonly by: string | null
}

/** Sources that are written field by field. `lock` holds what was shown when a field was locked. */
export type SpokenSource = 'user' | 'lock'
const spokenSources: readonly SpokenSource[] = ['user', 'lock']

type Spoken = Readonly<Record<string, Word>>
/** By what fields are called in the layers. */
export type Words = Readonly<Record<SpokenSource, Spoken>>

type Said = Readonly<Record<string, { readonly at: string; readonly by: string | null }>>

/** Of every entity there is an answer. */
export const readWords = async (
  db: ReadDb,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Words>> => {
  const rows = Map.groupBy(await selectLayersFrom(db, ids, spokenSources), ({ entity_id }) => entity_id)
  return new Map(
    ids.map((id) => {
      const own = rows.get(id) ?? []
      const wordsOf = (source: SpokenSource) =>
        spokenIn(
          entity,
          own.find((row) => row.source === source),
        )
      return [id, { user: wordsOf('user'), lock: wordsOf('lock') }]
    }),
  )
}

interface SpokenRow {
  readonly fields: string
  readonly said: string | null
  readonly at: string
  readonly by_user_id: string | null
}

export const spokenIn = (entity: Entity, row: SpokenRow | undefined): Spoken => {
  if (!row) return {}
  const parsed = JSON.parse(row.fields) as Record<string, unknown>
  const fields = (entity === 'book' ? (parsed['book'] ?? {}) : parsed) as Record<string, unknown>
  const said = JSON.parse(row.said ?? '{}') as Said
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      { value, at: said[field]?.at ?? row.at, by: said[field]?.by ?? null },
    ]),
  )
}

/** A source that has nothing left to say is gone. */
export const saveWords = async (
  db: WriteDb,
  entity: Entity,
  words: ReadonlyMap<string, Words>,
  { by, now }: { readonly by: string | null; readonly now: Date },
): Promise<void> => {
  const all = [...words].flatMap(([entityId, each]) =>
    spokenSources.map((source) => ({ entityId, source, spoken: Object.entries(each[source]) })),
  )
  await forgetLayers(
    db,
    all.filter(({ spoken }) => spoken.length === 0),
  )
  const rows = all
    .filter(({ spoken }) => spoken.length > 0)
    .map(({ entityId, source, spoken }) => {
      const fields = Object.fromEntries(spoken.map(([field, { value }]) => [field, value]))
      return {
        entity_id: entityId,
        source,
        fields: JSON.stringify(entity === 'book' ? { book: fields } : fields),
        said: JSON.stringify(Object.fromEntries(spoken.map(([field, { at, by: who }]) => [field, { at, by: who }]))),
        at: now.toISOString(),
        by_user_id: by,
      }
    })
  await insertMany(db, 'metadata_layer', rows, {
    keys: ['entity_id', 'source'],
    sets: ['fields', 'said', 'at', 'by_user_id'],
  })
}
