import {
  bookOrders,
  type ServerEvent,
  type FilterPresetDto,
  type NewFilterPreset,
  presetNameMax,
  presetsMax,
  seriesOrders,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { requireCondition } from '../../filtering/filtering.ts'
import { AppError, full, invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { nameKey, sortKey } from '../../platform/text/sort-key.ts'
import { seesLibrary } from '../../catalogue/entries/entries.ts'
import { lockUser } from '../../database/lock-user.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  countPresets,
  deletePreset,
  insertPreset,
  nameIsTaken,
  type PresetRow,
  selectPreset,
  updatePreset,
} from './queries.ts'

export { selectPresets as listPresets } from './queries.ts'

export const readPreset = async (db: ReadDb, viewer: Viewer, id: string): Promise<FilterPresetDto> => {
  const preset = await selectPreset(db, viewer, id)
  if (!preset) throw notFound('filter preset')
  return preset
}

export const createPreset = (
  db: Database,
  viewer: Viewer,
  input: NewFilterPreset,
  now: Date,
): Promise<FilterPresetDto> => {
  const columns = columnsOf(input)
  return db.write(async (db) => {
    const at = now.toISOString()
    const preset = { id: newId(now.getTime()), user_id: viewer.userId, ...columns, created_at: at, updated_at: at }
    await lockUser(db, viewer.userId)
    await requireLibraryAndName(db, viewer, preset)
    if ((await countPresets(db, viewer.userId)) >= presetsMax)
      throw full(presetsMax, `You have ${presetsMax} filter presets already. Delete one first.`)
    await insertPreset(db, preset)
    await announcePreset(db, viewer, { type: 'preset_created', presetId: preset.id }, now)
    return readPreset(db, viewer, preset.id)
  })
}

export const replacePreset = (
  db: Database,
  viewer: Viewer,
  id: string,
  { input, now, expectMatch }: { input: NewFilterPreset; now: Date; expectMatch: (current: FilterPresetDto) => void },
): Promise<FilterPresetDto> => {
  const columns = columnsOf(input)
  return db.write(async (db) => {
    await lockUser(db, viewer.userId)
    const current = await readPreset(db, viewer, id)
    expectMatch(current)
    for (const field of ['scope', 'target'] as const)
      if (input[field] !== current[field])
        throw invalid(`/${field}`, `The ${field} of a preset stays ${current[field]}. Create another one instead.`)
    const preset = {
      id,
      user_id: viewer.userId,
      ...columns,
      created_at: current.createdAt,
      updated_at: now.toISOString(),
    }
    await requireLibraryAndName(db, viewer, preset)
    await updatePreset(db, preset)
    await announcePreset(db, viewer, { type: 'preset_updated', presetId: id }, now)
    return readPreset(db, viewer, id)
  })
}

export const removePreset = (
  db: Database,
  viewer: Viewer,
  id: string,
  { now, expectMatch }: { now: Date; expectMatch: (current: FilterPresetDto) => void },
): Promise<undefined> =>
  db.write(async (db) => {
    expectMatch(await readPreset(db, viewer, id))
    await deletePreset(db, id)
    await announcePreset(db, viewer, { type: 'preset_deleted', presetId: id }, now)
    return undefined
  })

/**
 * In the transaction of whoever brings it, for a reader who sees everything. It returns its id; undefined where it cannot be
 * one of theirs: they have one of this name, or as many as they may, or it filters by what there is not.
 */
export const bringPreset = async (
  db: WriteDb,
  viewer: Viewer,
  input: NewFilterPreset,
  now: Date,
): Promise<string | undefined> => {
  const columns = columnsIfSound(input)
  if (!columns) return undefined
  const at = now.toISOString()
  const preset = { id: newId(now.getTime()), user_id: viewer.userId, ...columns, created_at: at, updated_at: at }
  await lockUser(db, viewer.userId)
  if ((await nameIsTaken(db, preset)) || (await countPresets(db, viewer.userId)) >= presetsMax) return undefined
  await insertPreset(db, preset)
  await announcePreset(db, viewer, { type: 'preset_created', presetId: preset.id }, now)
  return preset.id
}

/** One that was changed since stays. */
export const takePresetBack = async (db: WriteDb, viewer: Viewer, id: string, now: Date): Promise<void> => {
  const preset = await selectPreset(db, viewer, id)
  if (!preset || preset.updatedAt !== preset.createdAt) return
  await deletePreset(db, id)
  await announcePreset(db, viewer, { type: 'preset_deleted', presetId: id }, now)
}

const columnsIfSound = (input: NewFilterPreset) => {
  try {
    return columnsOf(input)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

const columnsOf = ({
  scope,
  target,
  condition,
  query = null,
  sort = null,
  libraryId = null,
  ...input
}: NewFilterPreset) => {
  const name = cleanName(input.name, '/name')
  if ([...name].length > presetNameMax)
    throw invalid('/name', `The name is longer than ${presetNameMax} characters.`, {
      reason: 'text_long',
      values: { most: presetNameMax },
    })
  requireCondition(target, condition, '/condition')
  requireOrder(target, sort)
  return {
    name,
    name_key: nameKey(name),
    sort_key: sortKey(name),
    scope,
    target,
    condition: JSON.stringify(condition),
    query,
    sort,
    library_id: libraryId,
  }
}

const requireLibraryAndName = async (db: ReadDb, viewer: Viewer, preset: PresetRow): Promise<void> => {
  const { library_id, name } = preset
  if (library_id !== null && !(await seesLibrary(db, viewer, library_id)))
    throw invalid('/libraryId', `There is no library ${library_id}.`, { reason: 'gone_by_now' })
  if (await nameIsTaken(db, preset)) throw nameTaken(name, `You already have a preset named "${name}" there.`)
}

const announcePreset = (db: WriteDb, { userId }: Viewer, event: ServerEvent, now: Date): Promise<void> =>
  announce(db, [{ event, to: { userId } }], now)

/** The orders of the list that a preset filters. */
const requireOrder = (target: NewFilterPreset['target'], sort: string | null): void => {
  const fields = Object.keys(target === 'series' ? seriesOrders : bookOrders)
  const orders = fields.flatMap((field) => [`${field},asc`, `${field},desc`])
  if (sort !== null && !orders.includes(sort)) throw invalid('/sort', `The sort must be one of ${orders.join(', ')}.`)
}
