import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { ServiceId } from './fields.ts'
import { selectLayers, upsertLayers } from './queries.ts'

/** What one source says of a book or a series: its own fields and no more. Null says that there is nothing. */
export interface Layer<Fields> {
  readonly source: string
  readonly fields: Fields
}

export interface LayerToSave {
  readonly entityId: string
  readonly source: string
  readonly fields: object
}

/** Each replaces what the same source has said before, and nothing else. */
export const saveLayers = (db: WriteDb, layers: readonly LayerToSave[], now: Date): Promise<void> =>
  upsertLayers(
    db,
    layers.map(({ entityId, source, fields }) => ({
      entity_id: entityId,
      source,
      fields: JSON.stringify(fields),
      at: now.toISOString(),
      by_user_id: null,
    })),
  )

/** The layers of many books or series, in one statement. */
export const readLayers = async <Fields>(
  db: ReadDb,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Layer<Fields>[]>> => {
  const rows = await selectLayers(db, entityIds)
  const layers = rows.map(({ entity_id, source, fields }) => ({
    entityId: entity_id,
    layer: { source, fields: JSON.parse(fields) as Fields },
  }))
  const grouped = Map.groupBy(layers, ({ entityId }) => entityId)
  return new Map([...grouped].map(([id, each]) => [id, each.map(({ layer }) => layer)]))
}

/** Somebody's word first, then what is locked, plugins, what lies beside the file, the file, its name. */
const priorities = [
  'user',
  'lock',
  'plugin:',
  'sidecar:',
  'file:comicinfo',
  'file:opf',
  'file:mobi',
  'file:fb2',
  'file:pdf',
  'file:',
  'path',
] as const

const priorityOf = (source: string): number => {
  const index = priorities.findIndex((each) => source.startsWith(each))
  return index < 0 ? priorities.length : index
}

/** Who goes first, and for two of the same rank always the same. */
export const byPriority = (one: { readonly source: string }, other: { readonly source: string }): number =>
  priorityOf(one.source) - priorityOf(other.source) || (one.source < other.source ? -1 : 1)

/**
 * What is shown: of each field the value of the first source that says something, be it that there is nothing. Ids of
 * other services are told apart by service: one source may know one, another another.
 */
export const shownFields = <Fields extends object>(layers: readonly Layer<Fields>[]): Partial<Fields> => {
  const ordered = layers.length < 2 ? layers : [...layers].sort(byPriority)
  const shown: Record<string, unknown> = {}
  for (let at = ordered.length - 1; at >= 0; at -= 1) Object.assign(shown, ordered[at]?.fields)
  if (shown['externalIds'] !== undefined) shown['externalIds'] = shownIds(ordered)
  for (const field of Object.keys(shown)) if (shown[field] === null) delete shown[field]
  return shown as Partial<Fields>
}

/** Field by field; null: that there is nothing. */
export const fieldsByPeople = <Fields extends object>(
  layers: readonly Layer<Fields>[],
): { readonly [Field in keyof Fields]?: Fields[Field] | null } =>
  layers.find(({ source }) => source === 'user')?.fields ?? {}

const shownIds = (ordered: readonly Layer<object>[]): readonly ServiceId[] => {
  const bySource = new Map<string, readonly ServiceId[]>()
  for (const { fields } of ordered) {
    const { externalIds } = fields as { readonly externalIds?: readonly ServiceId[] | null }
    if (externalIds === null) break
    for (const [source, ids] of Map.groupBy(externalIds ?? [], (each) => each.source))
      if (!bySource.has(source)) bySource.set(source, ids)
  }
  return [...bySource.values()].flat().filter(({ id }) => id !== null)
}
