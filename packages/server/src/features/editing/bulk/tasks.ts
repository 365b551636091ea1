import { Type } from 'typebox'
import type { WriteDb } from '../../../database/database.ts'
import { defineCleanUp } from '../../../tasks/clean-up.ts'
import { defineTask, type TaskContext } from '../../../tasks/define-task.ts'
import {
  type Entity,
  inContract,
  type StoredChange,
  readChanges,
  setUndoneBy,
} from '../../../catalogue/metadata/metadata.ts'
import { changeMetadata, readStates } from '../change-metadata.ts'
import { undone } from '../words-of.ts'
import { decideBulk, type BulkPatch } from './decide-bulk.ts'
import {
  deleteBulkEdit,
  deleteSomeItems,
  insertItems,
  type ItemRow,
  lockBulkEdit,
  selectItemsFrom,
  selectOldBulkEdit,
  selectWork,
  updateBulkEdit,
  updateConflicts,
} from './queries.ts'

const Payload = Type.Object({ bulkEditId: Type.String() })
const hour = 60 * 60 * 1000
const day = 24 * hour
const keptDays = 90
const deletedAtOnce = 500

/** Others wait while a batch is written (pins W1): it is made as large as is done in this time. */
const batchMs = 8
const batchMax = 100

/** Answers how many were dealt with, none at the end. */
type Batch = (db: WriteDb, size: number) => Promise<number>

const inBatches = async ({ write, signal, progress }: TaskContext, matched: number, batch: Batch): Promise<number> => {
  let [size, total] = [5, 0]
  for (;;) {
    signal.throwIfAborted()
    const { dealtWith, took } = await write(async (db) => {
      const startedAt = performance.now()
      return { dealtWith: await batch(db, size), took: performance.now() - startedAt }
    })
    if (dealtWith === 0) return total
    total += dealtWith
    progress({ current: Math.min(total, matched), total: matched, message: null })
    size = Math.max(1, Math.min(batchMax, size * 2, Math.floor((dealtWith * batchMs) / Math.max(took, 0.1))))
  }
}

interface Work {
  readonly bulkEditId: string
  readonly entity: Entity
  readonly userId: string
  readonly clock: () => Date
}

const workOf = (bulkEditId: string, row: { entity: Entity; user_id: string }, clock: () => Date): Work => ({
  bulkEditId,
  entity: row.entity,
  userId: row.user_id,
  clock,
})

/** Goes on where it was left: what has been dealt with stands in the same transaction as what came of it. */
export const editMany = defineTask(Payload, {
  type: 'bulk_edit',
  priority: 300,
  endsWithinMs: 6 * hour,
  key: ({ bulkEditId }) => bulkEditId,
  run: async ({ bulkEditId }, context) => {
    const row = await selectWork(context.db.read, bulkEditId)
    if (!row) return { result: { skipped: 'The bulk edit is gone.' } }
    const ids = JSON.parse(row.ids) as string[]
    const edit = JSON.parse(row.edit) as BulkPatch
    const work = workOf(bulkEditId, row, context.clock)
    const items = await inBatches(context, ids.length, (db, size) => editBatch(db, work, { ids, edit }, size))
    await context.finish(async (db) => {
      const now = await lockBulkEdit(db, bulkEditId)
      if (now?.done === now?.matched)
        await updateBulkEdit(db, bulkEditId, { status: 'completed', completed_at: context.clock().toISOString() })
      return { result: { bulkEditId, edited: items }, items }
    })
    return undefined
  },
})

const editBatch = async (
  db: WriteDb,
  { bulkEditId, entity, userId, clock }: Work,
  { ids, edit }: { readonly ids: readonly string[]; readonly edit: BulkPatch },
  size: number,
): Promise<number> => {
  const row = await lockBulkEdit(db, bulkEditId)
  if (!row || (row.status !== 'pending' && row.status !== 'processing')) return 0
  const part = ids.slice(row.done, row.done + size)
  if (part.length === 0) return 0
  const now = clock()
  const subjects = await readStates(db, entity, part, now)
  const decide = decideBulk(edit, { by: userId, at: now.toISOString() })
  const decided = new Map([...subjects].map(([id, { state }]) => [id, decide(state)]))
  const lines = await changeMetadata(
    db,
    entity,
    { subjects, decide: (id) => (state) => decided.get(id)?.words ?? state.words },
    { by: userId, reason: 'bulk', now },
  )
  const items = part.map((id, index): ItemRow => {
    const { skipped = [], isTooLong = true } = decided.get(id) ?? {}
    const changeId = lines.get(id)?.id ?? null
    const outcome = isTooLong ? 'failed' : changeId === null ? 'unchanged' : 'changed'
    return {
      bulk_edit_id: bulkEditId,
      place: row.done + index,
      entity_id: id,
      outcome,
      skipped: JSON.stringify(skipped),
      conflicts: '[]',
      change_id: changeId,
    }
  })
  await insertItems(db, items)
  const count = (is: (item: ItemRow) => boolean): number => items.filter(is).length
  await updateBulkEdit(db, bulkEditId, {
    status: 'processing',
    done: row.done + part.length,
    changed: row.changed + count(({ outcome }) => outcome === 'changed'),
    unchanged: row.unchanged + count(({ outcome }) => outcome === 'unchanged'),
    failed: row.failed + count(({ outcome }) => outcome === 'failed'),
    skipped_locked: row.skipped_locked + count(({ skipped }) => skipped !== '[]'),
  })
  return part.length
}

/** Takes back what a bulk edit has changed, however far it had come. */
export const undoMany = defineTask(Payload, {
  type: 'undo_bulk_edit',
  priority: 300,
  endsWithinMs: 6 * hour,
  key: ({ bulkEditId }) => bulkEditId,
  run: async ({ bulkEditId }, context) => {
    const row = await selectWork(context.db.read, bulkEditId)
    if (!row) return { result: { skipped: 'The bulk edit is gone.' } }
    const work = workOf(bulkEditId, row, context.clock)
    const { length } = JSON.parse(row.ids) as string[]
    const items = await inBatches(context, length, (db, size) => undoBatch(db, work, size))
    await context.finish(async (db) => {
      await updateBulkEdit(db, bulkEditId, { status: 'undone', completed_at: context.clock().toISOString() })
      return { result: { bulkEditId, undone: items }, items }
    })
    return undefined
  },
})

const undoBatch = async (db: WriteDb, { bulkEditId, entity, userId, clock }: Work, size: number): Promise<number> => {
  const row = await lockBulkEdit(db, bulkEditId)
  if (!row) return 0
  const items = await selectItemsFrom(db, bulkEditId, row.turned_back, size)
  if (items.length === 0) return 0
  const now = clock()
  const speaker = { by: userId, at: now.toISOString() }
  const changes = await readChanges(
    db,
    items.flatMap(({ change_id }) => change_id ?? []),
  )
  const turns = new Map(
    changes.map((change) => [change.entityId, { change, ...undone(change, { force: false, speaker }) }]),
  )
  const subjects = await readStates(db, entity, [...turns.keys()], now)
  const conflicts = new Map(
    [...subjects].map(([id, { state }]) => [id, turns.get(id)?.conflicts(state) ?? []] as const),
  )
  const lines = await changeMetadata(
    db,
    entity,
    { subjects, decide: (id) => turns.get(id)?.decide ?? (({ words }) => words) },
    { by: userId, reason: 'undo', now },
  )
  await setUndoneBy(
    db,
    [...lines.values()].flatMap(({ id, entityId }) => undoneOf(turns.get(entityId)?.change, id)),
  )
  const inConflict = items.filter(({ entity_id }) => (conflicts.get(entity_id) ?? []).length > 0)
  await updateConflicts(
    db,
    inConflict.map(({ bulk_edit_id, place, entity_id }) => ({
      bulk_edit_id,
      place,
      conflicts: JSON.stringify((conflicts.get(entity_id) ?? []).map((field) => inContract(entity, field))),
    })),
  )
  await updateBulkEdit(db, bulkEditId, {
    turned_back: row.turned_back + items.length,
    undone: row.undone + lines.size,
    conflicts: row.conflicts + inConflict.length,
  })
  return items.length
}

const undoneOf = (change: StoredChange | undefined, undoneBy: string) => (change ? [{ change, undoneBy }] : [])

/** The history of each series and book stays; what is forgotten is that it was done for many at once. */
export const cleanUpBulkEdits = defineCleanUp('cleanup_bulk_edits', async ({ db, write, signal }, now) => {
  if (!now) return undefined
  const before = new Date(now.getTime() - keptDays * day).toISOString()
  for (let removed = 0; ; removed += 1) {
    const id = await selectOldBulkEdit(db.read, before)
    if (id === undefined) return { bulkEdits: removed }
    while ((await write((db) => deleteSomeItems(db, id, deletedAtOnce))) > 0) signal.throwIfAborted()
    await write((db) => deleteBulkEdit(db, id))
  }
})
