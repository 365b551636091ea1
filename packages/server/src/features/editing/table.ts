import type { BulkEdit, BulkEditItem } from '@carrel/api'

export interface EditingTables {
  /** A change of many series or books at once. Its status is that of its task, as long as it has not come to its end. */
  bulk_edit: {
    id: string
    user_id: string
    entity: 'series' | 'book'
    status: BulkEdit['status']
    task_id: string | null
    /** JSON: what is to be changed. */
    edit: string
    /** JSON: the ids it is to be changed of, in order. */
    ids: string
    matched: number
    /** How many have been dealt with. */
    done: number
    /** How many have been looked at again to take them back. */
    turned_back: number
    changed: number
    unchanged: number
    skipped_locked: number
    failed: number
    undone: number
    conflicts: number
    created_at: string
    completed_at: string | null
  }
  bulk_edit_item: {
    bulk_edit_id: string
    place: number
    entity_id: string
    outcome: BulkEditItem['outcome']
    /** JSON: the fields that were locked. */
    skipped: string
    /** JSON: the fields that had changed again when it was undone. */
    conflicts: string
    change_id: string | null
  }
}
