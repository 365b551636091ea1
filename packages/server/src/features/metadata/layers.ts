import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { selectLayers } from './queries.ts'

/** What one source says of a book or a series: its own fields and no more. */
export interface Layer<Fields> {
  readonly source: string
  readonly fields: Fields
}

export interface LayerToSave {
  readonly entityId: string
  readonly source: string
  readonly fields: object
  readonly byUserId?: string | null
}

/** Each replaces what the same source has said before, and nothing else. */
export const saveLayers = (db: WriteDb, layers: readonly LayerToSave[], now: Date): Promise<void> =>
  insertMany(
    db,
    'metadata_layer',
    layers.map(({ entityId, source, fields, byUserId = null }) => ({
      entity_id: entityId,
      source,
      fields: JSON.stringify(fields),
      at: now.toISOString(),
      by_user_id: byUserId,
    })),
    { keys: ['entity_id', 'source'], sets: ['fields', 'at', 'by_user_id'] },
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

/** Somebody's word first, then plugins, then what lies beside the file, then the file, then its name. */
const priorities = ['user', 'plugin:', 'sidecar:', 'file:comicinfo', 'file:opf', 'file:pdf', 'file:', 'path'] as const

const priorityOf = (source: string): number => {
  const at = priorities.findIndex((each) => source.startsWith(each))
  return at < 0 ? priorities.length : at
}

/** What is shown: of each field the value of the first source that has one. */
export const shownFields = <Fields extends object>(layers: readonly Layer<Fields>[]): Partial<Fields> => {
  const ordered = [...layers].sort((one, other) => priorityOf(other.source) - priorityOf(one.source))
  return Object.assign({}, ...ordered.map(({ fields }) => fields)) as Partial<Fields>
}
