import {
  type BookBulkEdit,
  type BulkAccepted,
  type BulkEdit,
  type BulkEditItem,
  type Permission,
  bulkMatchesMax,
  type ListAnswer,
  lockOf,
  type SeriesBulkEdit,
} from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { compileCondition, requireCondition } from '../../../filtering/filtering.ts'
import type { Caller } from '../../../http/caller.ts'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Paging } from '../../../platform/paging.ts'
import { enqueue } from '../../../tasks/queue.ts'
import { type Entity, inContract } from '../../../catalogue/metadata/metadata.ts'
import { type SearchSource, textMatch } from '../../../catalogue/search-index/search-index.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { readStatesOnly } from '../change-metadata.ts'
import { cleanPatch } from '../clean-patch.ts'
import { changedFields, type State } from '../words-of.ts'
import { decideBulk, type BulkPatch } from './decide-bulk.ts'
import {
  countItems,
  insertBulkEdit,
  selectBulkEdit,
  selectItems,
  selectMatchingIds,
  selectVisibleIds,
  updateBulkEdit,
} from './queries.ts'
import { editMany, undoMany } from './tasks.ts'

interface BulkEditRequest {
  readonly entity: Entity
  readonly body: SeriesBulkEdit | BookBulkEdit
}

/** What is asked for many is done in the background; the set is fixed here. A dry run changes nothing. */
export const startBulkEdit = async (
  source: SearchSource,
  viewer: Viewer,
  { entity, body }: BulkEditRequest,
  now: Date,
): Promise<BulkAccepted> => {
  const { db } = source
  const edit = cleanEdit(body)
  const ids = await idsOf(source, viewer, { entity, body })
  if (body.dryRun) return planned(db.readSlowly, { entity, ids, edit }, { viewer, now })
  const id = newId(now.getTime())
  const taskId = await db.write(async (db) => {
    const { taskId } = await enqueue(db, editMany, { bulkEditId: id }, { now })
    await insertBulkEdit(db, {
      ...untouched,
      id,
      user_id: viewer.userId,
      entity,
      task_id: taskId,
      edit: JSON.stringify(edit),
      ids: JSON.stringify(ids),
      matched: ids.length,
      created_at: now.toISOString(),
    })
    return taskId
  })
  return { matched: ids.length, taskId, bulkEditId: id }
}

const untouched = {
  status: 'pending',
  done: 0,
  turned_back: 0,
  changed: 0,
  unchanged: 0,
  skipped_locked: 0,
  failed: 0,
  undone: 0,
  conflicts: 0,
  completed_at: null,
} as const

const cleanEdit = ({ patch = {}, add = {}, remove = {} }: BulkEditRequest['body']): BulkPatch => {
  const edit = { patch: cleanPatch({ ...patch }), add: cleanPatch({ ...add }), remove: cleanPatch({ ...remove }) }
  if (Object.values(edit).every((part) => Object.keys(part).length === 0))
    throw invalid('/patch', 'There is nothing to change: give patch, add or remove.')
  return edit
}

const idsOf = async (
  source: SearchSource,
  viewer: Viewer,
  { entity, body: { target } }: BulkEditRequest,
): Promise<readonly string[]> => {
  const db = source.db.readSlowly
  const { ids, condition, fullTextSearch, except = [] } = target
  const isByContent = condition !== undefined || fullTextSearch !== undefined
  if ((ids !== undefined) === isByContent)
    throw invalid('/target', 'Give either ids, or a condition, a text to find, or both.')
  const left = new Set(except)
  if (ids !== undefined) {
    const requested = [...new Set(ids)].filter((id) => !left.has(id))
    const visible = await selectVisibleIds(db, viewer, entity, requested)
    return requested.filter((id) => visible.has(id))
  }
  const over = entity === 'series' ? 'series' : 'books'
  const checked = requireCondition(over, condition ?? { allOf: [] }, '/target/condition')
  const text = await textMatch(source, viewer, entity, fullTextSearch)
  const matching = await selectMatchingIds(db, viewer, {
    entity,
    condition: compileCondition(checked, { target: over, viewer }),
    text: text?.where,
    limit: bulkMatchesMax + left.size + 1,
  })
  const remaining = matching.filter((id) => !left.has(id))
  if (remaining.length <= bulkMatchesMax) return remaining
  throw invalid('/target', `More than ${bulkMatchesMax} match: narrow it down, and edit them in parts.`, {
    reason: 'too_many',
    values: { most: bulkMatchesMax },
  })
}

// What would become of it

const plannedAtOnce = 100
const sampleMax = 20

interface Plan {
  readonly entity: Entity
  readonly ids: readonly string[]
  readonly edit: BulkPatch
}

const planned = async (
  db: ReadDb,
  { entity, ids, edit }: Plan,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
): Promise<BulkAccepted> => {
  const decide = decideBulk(edit, { by: viewer.userId, at: now.toISOString() })
  const sample: NonNullable<BulkAccepted['sample']> = []
  let [wouldChange, skippedLocked] = [0, 0]
  for (let from = 0; from < ids.length; from += plannedAtOnce) {
    const part = ids.slice(from, from + plannedAtOnce)
    const states = await readStatesOnly(db, entity, part, now)
    for (const id of part) {
      const state = states.get(id)
      // Forgotten between two statements.
      if (!state) continue
      const { words, skipped } = decide(state)
      const changes = plannedChanges(state, changedFields(state.words, words))
      if (skipped.length > 0) skippedLocked += 1
      if (changes.length === 0) continue
      wouldChange += 1
      if (sample.length < sampleMax) sample.push({ id, changes })
    }
  }
  return { matched: ids.length, wouldChange, skippedLocked, sample }
}

const plannedChanges = ({ entity, record }: State, { user = {}, lock = {} }: ReturnType<typeof changedFields>) => [
  ...Object.entries(user).map(([name, { after }]) => {
    const field = inContract(entity, name)
    return { field, before: record[field] ?? null, after: after?.value ?? null }
  }),
  ...Object.entries(lock).map(([name, { before, after }]) => ({
    field: lockOf(inContract(entity, name)),
    before: before !== undefined,
    after: after !== undefined,
  })),
]

// What has become of it

/** Whoever has made it, and nobody else. */
const requireBulkEdit = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectBulkEdit(db, id)
  if (!row || row.user_id !== viewer.userId) throw notFound('bulk edit')
  const hasEnded = row.task_status === 'failed' || row.task_status === 'cancelled'
  const isGoingOn = row.status === 'pending' || row.status === 'processing' || row.status === 'undoing'
  return { ...row, status: hasEnded && isGoingOn ? row.task_status : row.status }
}

export const readBulkEdit = async (db: ReadDb, viewer: Viewer, id: string): Promise<BulkEdit> => {
  const row = await requireBulkEdit(db, viewer, id)
  return {
    id,
    entity: row.entity,
    status: row.status as BulkEdit['status'],
    taskId: row.task_id,
    matched: row.matched,
    changed: row.changed,
    unchanged: row.unchanged,
    skippedLocked: row.skipped_locked,
    failed: row.failed,
    undone: row.undone,
    conflicts: row.conflicts,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

export const listBulkEditItems = async (
  { read, readSlowly }: Database,
  viewer: Viewer,
  id: string,
  paging: Paging,
): Promise<ListAnswer<BulkEditItem>> => {
  const of = await requireBulkEdit(read, viewer, id)
  const total = await countItems(readSlowly, viewer, of)
  return { total, data: paging.offset < total ? await selectItems(readSlowly, viewer, of, paging) : [] }
}

export const undoBulkEdit = async (
  db: Database,
  { caller, viewer }: { readonly caller: Caller; readonly viewer: Viewer },
  id: string,
  now: Date,
): Promise<{ taskId: string }> => {
  // Whoever may edit neither is told so before anything is looked up.
  requireOneOf(caller, ['series:write', 'books:write'])
  return db.write(async (db) => {
    const { status, entity } = await requireBulkEdit(db, viewer, id)
    requireOneOf(caller, [entity === 'series' ? 'series:write' : 'books:write'])
    if (status === 'undone')
      throw new AppError('conflict', 'This has been undone already.', { reason: 'undone_already' })
    if (status !== 'completed' && status !== 'failed' && status !== 'cancelled')
      throw new AppError('conflict', `This is ${status}: cancel its task first, or wait for its end.`, {
        reason: 'running_already',
      })
    const { taskId } = await enqueue(db, undoMany, { bulkEditId: id }, { now })
    await updateBulkEdit(db, id, { status: 'undoing', task_id: taskId })
    return { taskId }
  })
}

const requireOneOf = ({ permissions }: Caller, needed: readonly Permission[]): void => {
  if (!needed.some((permission) => permissions.has(permission)))
    throw new AppError('not_allowed', `This needs the permission ${needed.join(' or ')}.`)
}
