import type { FieldChange, ListAnswer, MetadataChange } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Paging } from '../../platform/paging.ts'
import {
  countChanges,
  insertChanges,
  selectChange,
  selectChanges,
  selectChangesById,
  selectUndoneBy,
  updateUndoneBy,
} from './queries.ts'
import type { SpokenSource, Word } from './spoken-layers.ts'

/** For each field of the layers it holds what a source said before and after; an absent one says nothing at all. */
export type ChangedWords = Readonly<
  Partial<Record<SpokenSource, Readonly<Record<string, { readonly before?: Word; readonly after?: Word }>>>>
>

export interface ChangeToStore {
  readonly id?: string
  readonly entityId: string
  readonly at: string
  readonly by: string | null
  readonly source: string
  readonly reason: MetadataChange['reason']
  readonly changes: readonly FieldChange[]
  readonly words: ChangedWords
}

export const storeChanges = (db: WriteDb, changes: readonly ChangeToStore[]): Promise<void> =>
  insertChanges(
    db,
    changes.map(({ id, entityId, at, by, source, reason, changes: fields, words }) => ({
      id: id ?? newId(Date.parse(at)),
      entity_id: entityId,
      at,
      by_user_id: by,
      source,
      reason,
      changes: JSON.stringify(fields),
      said_before: JSON.stringify(words),
      undone_by: null,
    })),
  )

export const listChanges = async (
  db: ReadDb,
  entityId: string,
  paging: Paging,
): Promise<ListAnswer<MetadataChange>> => {
  const total = await countChanges(db, entityId)
  const rows = paging.offset < total ? await selectChanges(db, entityId, paging) : []
  const data = rows.map(({ id, at, by_user_id, username, source, reason, changes, undone_by }) => ({
    id,
    at,
    by: by_user_id === null || username === null ? null : { id: by_user_id, username },
    source,
    reason,
    changes: JSON.parse(changes) as FieldChange[],
    undoneBy: undone_by,
  }))
  return { total, data }
}

export interface StoredChange {
  readonly id: string
  readonly entityId: string
  readonly reason: MetadataChange['reason']
  readonly changes: readonly FieldChange[]
  readonly words: ChangedWords
  readonly undoneBy: string | null
}

export const readChange = async (db: ReadDb, entityId: string, id: string): Promise<StoredChange | undefined> => {
  const row = await selectChange(db, entityId, id)
  return row && toStoredChange(row)
}

export const readChanges = async (db: ReadDb, ids: readonly string[]): Promise<readonly StoredChange[]> =>
  (await selectChangesById(db, ids)).map(toStoredChange)

const toStoredChange = (row: {
  id: string
  entity_id: string
  reason: MetadataChange['reason']
  changes: string
  said_before: string
  undone_by: string | null
}): StoredChange => ({
  id: row.id,
  entityId: row.entity_id,
  reason: row.reason,
  changes: JSON.parse(row.changes) as FieldChange[],
  words: JSON.parse(row.said_before) as ChangedWords,
  undoneBy: row.undone_by,
})

/** Notes what took changes back. What these had taken back themselves, if they were undoing, holds again. */
export const setUndoneBy = async (
  db: WriteDb,
  undone: readonly { readonly change: Pick<StoredChange, 'id' | 'entityId' | 'reason'>; readonly undoneBy: string }[],
): Promise<void> => {
  const undoing = undone.filter(({ change }) => change.reason === 'undo').map(({ change }) => change)
  const again = await selectUndoneBy(
    db,
    undoing.map(({ entityId }) => entityId),
    undoing.map(({ id }) => id),
  )
  await updateUndoneBy(db, [
    ...undone.map(({ change, undoneBy }) => ({ id: change.id, undone_by: undoneBy })),
    ...again.map((id) => ({ id, undone_by: null })),
  ])
}
