import type { ReadDb, WriteDb } from '../../database/database.ts'
import { dialectOf } from '../../database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import { dropCarriedRatings, refresh, setLocksOfBooks, setLocksOfSeries } from '../../catalogue/shown/shown.ts'
import {
  type ChangeToStore,
  differences,
  type Entity,
  inContract,
  storeChanges,
  type PluginSource,
  readSpokenLayers,
  recordOf,
  saveSpokenLayers,
  type LayersBySource,
} from '../../catalogue/metadata/metadata.ts'
import { announceEdits, type Edit } from '../../catalogue/visibility/visibility.ts'
import { selectSubjects, type SubjectRow } from './queries.ts'
import { changedFields, coverField, type Decide, fieldsIn, locksIn, type State, stateOf } from './words-of.ts'

/** Who says something, and why. */
export interface Act {
  readonly by: string | null
  /** Absent: people. */
  readonly source?: PluginSource
  readonly reason: ChangeToStore['reason']
  readonly now: Date
}

/** Books or series as they are, kept from being edited by others until the transaction ends. */
export const readStates = async (
  db: WriteDb,
  entity: Entity,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Subject>> => {
  return statesOf(db, entity, await selectSubjects(db, entity, ids, dialectOf(db).lockedRows(entity)), now)
}

/** Reads without locking the rows. */
export const readStatesOnly = async (
  db: ReadDb,
  entity: Entity,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, State>> => {
  const subjects = await statesOf(db, entity, await selectSubjects(db, entity, ids), now)
  return new Map([...subjects].map(([id, { state }]) => [id, state]))
}

const statesOf = async (
  db: ReadDb,
  entity: Entity,
  rows: readonly SubjectRow[],
  now: Date,
): Promise<ReadonlyMap<string, Subject>> => {
  const words = await readSpokenLayers(
    db,
    entity,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { row, state: stateOf(entity, row, words.get(row.id) ?? { user: {}, lock: {} }, now.toISOString()) },
    ]),
  )
}

export interface Subject {
  readonly row: SubjectRow
  readonly state: State
}

interface Changed {
  readonly before: Subject
  readonly words: LayersBySource
}

/**
 * The one way in which people and plugins say something of books and series: their words and locks are kept, what is
 * shown follows with all that depends on it, the history has a line for each, and whoever may see them hears of it.
 * Answers the lines of the history; those whose words stay as they are have none.
 */
export const changeMetadata = async (
  db: WriteDb,
  entity: Entity,
  { subjects, decide }: { readonly subjects: ReadonlyMap<string, Subject>; readonly decide: (id: string) => Decide },
  act: Act,
): Promise<ReadonlyMap<string, ChangeToStore & { readonly id: string }>> => {
  const changed = [...subjects].flatMap(([id, before]): Changed[] => {
    const words = decide(id)(before.state)
    return fieldsIn(changedFields(before.state.words, words)).length === 0 ? [] : [{ before, words }]
  })
  if (changed.length === 0) return new Map()
  const ids = changed.map(({ before }) => before.row.id)
  await keepWords(db, entity, changed, act)
  if (entity === 'series') await dropCarriedRatings(db, ratedAnew(changed))
  const touched = entity === 'series' ? { wordsOfSeries: ids } : { books: ids }
  await refresh(db, { ...touched, isEdit: true }, act.now)
  const after = new Map((await selectSubjects(db, entity, ids)).map((row) => [row.id, row]))
  const lines = changed.flatMap(({ before, words }) => {
    const row = after.get(before.row.id)
    return row ? [{ before: before.row, after: row, line: lineOf(entity, { before, words }, row, act) }] : []
  })
  await storeChanges(
    db,
    lines.map(({ line }) => line),
  )
  await announce(db, entity, lines, act.now)
  return new Map(lines.map(({ line }) => [line.entityId, line]))
}

/** It returns the ones of which people say another age than before, or none any more. */
const ratedAnew = (changed: readonly Changed[]): string[] =>
  changed
    .filter(({ before, words }) => changedFields(before.state.words, words).user?.['ageRating'] !== undefined)
    .map(({ before }) => before.row.id)

const keepWords = async (db: WriteDb, entity: Entity, changed: readonly Changed[], { by, now }: Act): Promise<void> => {
  const words = changed.map(({ before, words: { user, lock, ...plugins } }) => {
    const { [coverField]: _, ...held } = lock
    const changed = Object.entries(plugins).filter(([source]) => source in changedFields(before.state.words, plugins))
    return [before.row.id, { user, lock: held, ...Object.fromEntries(changed) }] as const
  })
  await saveSpokenLayers(db, entity, new Map(words), { by, now })
  const locks = changed
    .map(({ before, words: each }) => ({ id: before.row.id, locks: locksIn(entity, each), was: before.row.locks }))
    .filter((each) => each.locks !== each.was)
    .map(({ id, locks: each }) => ({ id, locks: each }))
  await (entity === 'series' ? setLocksOfSeries : setLocksOfBooks)(db, locks)
}

const lineOf = (
  entity: Entity,
  { before, words }: Changed,
  after: SubjectRow,
  { by, source, reason, now }: Act,
): ChangeToStore & { readonly id: string } => {
  const changedWords = changedFields(before.state.words, words)
  const [was, is] = [before.state.record, recordOf(entity, after) as Readonly<Record<string, unknown>>]
  const changes = differences(was, is)
  const otherChanges = fieldsIn(changedWords)
    .map((field) => inContract(entity, field))
    .filter((field) => field in is && !changes.some((each) => each.field === field))
    .map((field) => ({ field, before: was[field] ?? null, after: is[field] ?? null }))
  return {
    id: newId(now.getTime()),
    entityId: before.row.id,
    at: now.toISOString(),
    by,
    source: source ?? 'user',
    reason,
    changes: [...changes, ...otherChanges],
    words: changedWords,
  }
}

interface Line {
  readonly before: SubjectRow
  readonly after: SubjectRow
  readonly line: ChangeToStore
}

const announce = async (db: WriteDb, entity: Entity, lines: readonly Line[], now: Date): Promise<void> => {
  const edits = lines.map(({ before, line }) => ({
    id: before.id,
    fields: line.changes.map(({ field }) => field),
    ageRatingBefore: before.ageRating,
  }))
  await announceEdits(db, entity, edits, now)
  if (entity === 'series') return
  // A series without a rating of its own follows its books.
  const series = new Map<string, Edit>()
  for (const { before, after } of lines)
    if (before.seriesId === after.seriesId && before.seriesAgeRating !== after.seriesAgeRating)
      series.set(before.seriesId, {
        id: before.seriesId,
        fields: ['ageRating'],
        ageRatingBefore: before.seriesAgeRating,
      })
  await announceEdits(db, 'series', [...series.values()], now)
}
