import type { FilterPresetDto } from '@carrel/api'
import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { type Viewer, visibleLibraries } from '../../catalogue/visibility/visibility.ts'
import type { FilterPresetTables } from './table.ts'

export type PresetRow = Selectable<FilterPresetTables['filter_preset']>

export interface PresetFilter {
  readonly scope?: PresetRow['scope'] | undefined
  readonly target?: PresetRow['target'] | undefined
  readonly libraryId?: string | undefined
}

/** Presets of libraries that their owner no longer sees are hidden until they see them again (HTTP-3). */
const presets = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('filter_preset')
    .leftJoin('library', 'library.id', 'filter_preset.library_id')
    .selectAll('filter_preset')
    .where('filter_preset.user_id', '=', viewer.userId)
    .where(sql<boolean>`(filter_preset.library_id is null or ${visibleLibraries(viewer)})`)

export const selectPresets = async (
  db: ReadDb,
  viewer: Viewer,
  { scope, target, libraryId }: PresetFilter,
): Promise<FilterPresetDto[]> => {
  const rows = await presets(db, viewer)
    .$if(scope !== undefined, (query) => query.where('filter_preset.scope', '=', scope ?? 'list'))
    .$if(target !== undefined, (query) => query.where('filter_preset.target', '=', target ?? 'series'))
    .$if(libraryId !== undefined, (query) => query.where('filter_preset.library_id', '=', libraryId ?? ''))
    .orderBy('filter_preset.sort_key')
    .orderBy('filter_preset.id')
    .execute()
  return rows.map(toPreset)
}

export const selectPreset = async (db: ReadDb, viewer: Viewer, id: string): Promise<FilterPresetDto | undefined> => {
  const row = await presets(db, viewer).where('filter_preset.id', '=', id).executeTakeFirst()
  return row && toPreset(row)
}

export const countPresets = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('filter_preset')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** It looks for another preset with this name in the same place. */
export const nameIsTaken = async (db: ReadDb, preset: PresetRow): Promise<boolean> => {
  const { id, user_id, scope, target, name_key, library_id } = preset
  const row = await db
    .selectFrom('filter_preset')
    .select('id')
    .where('user_id', '=', user_id)
    .where('scope', '=', scope)
    .where('target', '=', target)
    .where('name_key', '=', name_key)
    .where(({ eb }) => (library_id === null ? eb('library_id', 'is', null) : eb('library_id', '=', library_id)))
    .where('id', '<>', id)
    .executeTakeFirst()
  return row !== undefined
}

export const insertPreset = async (db: WriteDb, preset: PresetRow): Promise<void> => {
  await db.insertInto('filter_preset').values(preset).execute()
}

export const updatePreset = async (db: WriteDb, { id, ...preset }: PresetRow): Promise<void> => {
  await db.updateTable('filter_preset').set(preset).where('id', '=', id).execute()
}

export const deletePreset = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('filter_preset').where('id', '=', id).execute()
}

const toPreset = (row: PresetRow): FilterPresetDto => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  target: row.target,
  condition: JSON.parse(row.condition) as FilterPresetDto['condition'],
  query: row.query,
  sort: row.sort,
  libraryId: row.library_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
