import type { BulkEditItem } from '@carrel/api'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany } from '../../../database/many.ts'
import { dialectOf } from '../../../database/transaction.ts'
import type { Paging } from '../../../platform/paging.ts'
import type { Entity } from '../../../catalogue/metadata/metadata.ts'
import { showsBooks, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import type { EditingTables } from '../table.ts'

export type ItemRow = Selectable<EditingTables['bulk_edit_item']>

/** Ids come from a client: it drops those that this viewer does not see. */
export const selectVisibleIds = async (
  db: ReadDb,
  viewer: Viewer,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows =
    entity === 'series'
      ? await db.selectFrom('series').select('id').where('id', 'in', ids).where(visibleTo(viewer, 'series')).execute()
      : await db
          .selectFrom('book')
          .select('id')
          .where('id', 'in', ids)
          .where('state', '<>', 'hidden')
          .where(visibleTo(viewer, 'book'))
          .execute()
  return new Set(rows.map(({ id }) => id))
}

interface Matching {
  readonly entity: Entity
  readonly condition: RawBuilder<boolean>
  readonly text: RawBuilder<boolean> | undefined
  readonly limit: number
}

/** The filter means what it means in a list, so that a change reaches exactly what the list showed. */
export const selectMatchingIds = async (
  db: ReadDb,
  viewer: Viewer,
  { entity, condition, text = sql<boolean>`true`, limit }: Matching,
): Promise<string[]> => {
  const rows =
    entity === 'series'
      ? await db
          .selectFrom('series')
          .select('series.id')
          .where('series.book_count', '>', sql.lit(0))
          .where(visibleTo(viewer, 'series'))
          .where(showsBooks(viewer))
          .where(condition)
          .where(text)
          .orderBy('series.id')
          .limit(limit)
          .execute()
      : await db
          .selectFrom('book')
          .select('book.id')
          .where('book.state', '=', sql.lit('present'))
          .where(visibleTo(viewer, 'book'))
          .where(condition)
          .where(text)
          .orderBy('book.id')
          .limit(limit)
          .execute()
  return rows.map(({ id }) => id)
}

export const insertBulkEdit = async (db: WriteDb, row: Insertable<EditingTables['bulk_edit']>): Promise<void> => {
  await db.insertInto('bulk_edit').values(row).execute()
}

/** With how its task is doing; without the ids, which may be many. */
export const selectBulkEdit = (db: ReadDb, id: string) =>
  db
    .selectFrom('bulk_edit')
    .leftJoin('task', 'task.id', 'bulk_edit.task_id')
    .select(['bulk_edit.id', 'bulk_edit.user_id', 'bulk_edit.entity', 'bulk_edit.status', 'bulk_edit.task_id'])
    .select(['bulk_edit.matched', 'bulk_edit.done', 'bulk_edit.changed', 'bulk_edit.unchanged', 'bulk_edit.failed'])
    .select(['bulk_edit.skipped_locked', 'bulk_edit.undone', 'bulk_edit.conflicts', 'bulk_edit.turned_back'])
    .select(['bulk_edit.created_at', 'bulk_edit.completed_at', 'task.status as task_status'])
    .where('bulk_edit.id', '=', id)
    .executeTakeFirst()

export const selectWork = (db: ReadDb, id: string) =>
  db.selectFrom('bulk_edit').select(['entity', 'user_id', 'edit', 'ids']).where('id', '=', id).executeTakeFirst()

/** Nobody else goes on with it meanwhile. */
export const lockBulkEdit = (db: WriteDb, id: string) =>
  db
    .selectFrom('bulk_edit')
    .select(['status', 'done', 'turned_back', 'changed', 'unchanged', 'skipped_locked', 'failed'])
    .select(['undone', 'conflicts', 'matched'])
    .where('id', '=', id)
    .modifyEnd(dialectOf(db).lockedRows('bulk_edit'))
    .executeTakeFirst()

export const updateBulkEdit = async (
  db: WriteDb,
  id: string,
  changes: Updateable<EditingTables['bulk_edit']>,
): Promise<void> => {
  await db.updateTable('bulk_edit').set(changes).where('id', '=', id).execute()
}

export const insertItems = (db: WriteDb, rows: readonly ItemRow[]): Promise<void> =>
  insertMany(db, 'bulk_edit_item', rows)

export const selectItemsFrom = (db: ReadDb, bulkEditId: string, from: number, limit: number): Promise<ItemRow[]> =>
  db
    .selectFrom('bulk_edit_item')
    .selectAll()
    .where('bulk_edit_id', '=', bulkEditId)
    .where('place', '>=', from)
    .orderBy('place')
    .limit(limit)
    .execute()

export const updateConflicts = (
  db: WriteDb,
  rows: readonly Pick<ItemRow, 'bulk_edit_id' | 'place' | 'conflicts'>[],
): Promise<void> =>
  updateMany(
    db,
    'bulk_edit_item',
    { keys: { bulk_edit_id: 'text', place: 'integer' }, columns: { conflicts: 'text' } },
    rows,
  )

const visibleItems = (db: ReadDb, viewer: Viewer, { id, entity }: { id: string; entity: Entity }) =>
  db
    .selectFrom('bulk_edit_item')
    .where('bulk_edit_id', '=', id)
    .where(({ exists, selectFrom }) =>
      entity === 'series'
        ? exists(
            selectFrom('series')
              .select('series.id')
              .whereRef('series.id', '=', 'bulk_edit_item.entity_id')
              .where(visibleTo(viewer, 'series')),
          )
        : exists(
            selectFrom('book')
              .select('book.id')
              .whereRef('book.id', '=', 'bulk_edit_item.entity_id')
              .where('book.state', '<>', 'hidden')
              .where(visibleTo(viewer, 'book')),
          ),
    )

export const countItems = async (db: ReadDb, viewer: Viewer, of: { id: string; entity: Entity }): Promise<number> => {
  const { count } = await visibleItems(db, viewer, of)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectItems = async (
  db: ReadDb,
  viewer: Viewer,
  of: { id: string; entity: Entity },
  { limit, offset }: Paging,
): Promise<BulkEditItem[]> => {
  const rows = await visibleItems(db, viewer, of)
    .selectAll('bulk_edit_item')
    .orderBy('place')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ entity_id, outcome, skipped, change_id, conflicts }) => ({
    id: entity_id,
    outcome,
    skippedFields: JSON.parse(skipped) as string[],
    historyId: change_id,
    conflicts: JSON.parse(conflicts) as string[],
  }))
}

export const selectOldBulkEdit = async (db: ReadDb, before: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('bulk_edit')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const deleteSomeItems = async (db: WriteDb, bulkEditId: string, limit: number): Promise<number> => {
  const rows = await selectItemsFrom(db, bulkEditId, 0, limit)
  const positions = rows.map(({ place }) => place)
  if (positions.length > 0)
    await db
      .deleteFrom('bulk_edit_item')
      .where('bulk_edit_id', '=', bulkEditId)
      .where('place', 'in', positions)
      .execute()
  return positions.length
}

export const deleteBulkEdit = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('bulk_edit').where('id', '=', id).execute()
}
