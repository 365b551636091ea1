import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Entity } from './fields.ts'
import { forgetLayers, selectSpokenLayers, upsertSpokenLayers } from './queries.ts'

/** What one source says of one field. Null: that there is nothing. */
export interface Word {
  readonly value: unknown
  readonly at: string
  readonly by: string | null
}

export type PluginSource = `plugin:${string}`
/** Sources that are written field by field. `lock` holds what was shown when a field was locked. */
export type SpokenSource = 'user' | 'lock' | PluginSource

export type Spoken = Readonly<Record<string, Word>>
/** By what fields are called in the layers. */
export interface LayersBySource {
  readonly user: Spoken
  readonly lock: Spoken
  readonly [plugin: PluginSource]: Spoken
}

type FieldOrigins = Readonly<Record<string, { readonly at: string; readonly by: string | null }>>

/** The answer has an entry for every entity. */
export const readSpokenLayers = async (
  db: ReadDb,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LayersBySource>> => {
  const rows = Map.groupBy(await selectSpokenLayers(db, ids), ({ entity_id }) => entity_id)
  return new Map(
    ids.map((id) => {
      const bySource = (rows.get(id) ?? []).map((row) => [row.source, spokenIn(entity, row)] as const)
      return [id, { user: {}, lock: {}, ...Object.fromEntries(bySource) }]
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
  const origins = JSON.parse(row.said ?? '{}') as FieldOrigins
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      { value, at: origins[field]?.at ?? row.at, by: origins[field]?.by ?? null },
    ]),
  )
}

/** It writes the layers of the sources that are given, and deletes a layer that has nothing left to say. */
export const saveSpokenLayers = async (
  db: WriteDb,
  entity: Entity,
  words: ReadonlyMap<string, Partial<LayersBySource>>,
  { by, now }: { readonly by: string | null; readonly now: Date },
): Promise<void> => {
  const all = [...words].flatMap(([entityId, each]) =>
    Object.entries(each).map(([source, spoken]) => ({ entityId, source, spoken: Object.entries(spoken ?? {}) })),
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
  await upsertSpokenLayers(db, rows)
}
