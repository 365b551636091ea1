import {
  bookEditable,
  type EditableBookMetadata,
  type EditableSeriesMetadata,
  type ListAnswer,
  type MetadataChange,
  type MetadataSources,
  seriesEditable,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { derivedInPart, requireEntity } from '../../catalogue/entries/entries.ts'
import {
  type Entity,
  deleteChanges,
  inContract,
  inLayers,
  listChanges,
  readChange,
  readSources,
  recordOf,
  setUndoneBy,
} from '../../catalogue/metadata/metadata.ts'
import { type UndoneChange, listenersOf, type UndoRequest } from '../../catalogue/listeners/listeners.ts'
import { withBooksBehind } from '../../catalogue/shown/shown.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { changeMetadata, readStates, readStatesOnly } from './change-metadata.ts'
import { cleanPatch } from './clean-patch.ts'
import { selectSubjects } from './queries.ts'
import { type Decide, patched, type State, takenBack, undone } from './words-of.ts'

export { changeMetadata, readStates, readStatesOnly, type Subject } from './change-metadata.ts'
export { acceptableWords } from './acceptable-words.ts'
export type { Decide, State } from './words-of.ts'

interface Records {
  series: EditableSeriesMetadata
  book: EditableBookMetadata
}

/** Who edits what, and when. */
export interface Editor {
  readonly viewer: Viewer
  readonly now: Date
  /** Refuses when the record has changed since the editor has read it. */
  readonly expectMatch: (current: unknown) => void
  /** What they have read, when that is not the metadata. */
  readonly readRecord?: (db: ReadDb) => Promise<unknown>
  /** What else a change had done, to be undone with it: told the line of the history, answers what has to stay. */
  readonly undoAlong?: (db: WriteDb, undoneBy: string | undefined) => Promise<readonly string[]>
}

export const readMetadata = async <E extends Entity>(
  db: ReadDb,
  viewer: Viewer,
  entity: E,
  id: string,
): Promise<Records[E]> => recordOf(entity, await requireEntity(db, viewer, entity, id)) as Records[E]

export const listHistory = async (
  { readSlowly, read }: Database,
  viewer: Viewer,
  { entity, id }: { readonly entity: Entity; readonly id: string },
  paging: Paging,
): Promise<ListAnswer<MetadataChange>> => {
  await requireEntity(read, viewer, entity, id)
  // What was shown of it before came from all its books: nothing is told of it to somebody who does not see all of them.
  if (entity === 'series' && (await derivedInPart(read, viewer, id)) !== undefined) return { total: 0, data: [] }
  return listChanges(readSlowly, id, paging)
}

export const listSources = async (db: ReadDb, viewer: Viewer, entity: Entity, id: string): Promise<MetadataSources> => {
  const row = await requireEntity(db, viewer, entity, id)
  const derived = entity === 'series' ? await derivedInPart(db, viewer, id) : undefined
  const sources = await readSources(db, entity, id, { ...row, derived })
  return entity === 'series' ? withBooksBehind(db, viewer, id, sources) : sources
}

/** One that exists for this editor and is as they have last seen it; nobody else changes it before the end. */
const openForEdit = async (
  db: WriteDb,
  { entity, id }: { readonly entity: Entity; readonly id: string },
  { viewer, now, expectMatch, readRecord }: Editor,
) => {
  await requireEntity(db, viewer, entity, id)
  const subjects = await readStates(db, entity, [id], now)
  expectMatch(await (readRecord ? readRecord(db) : readMetadata(db, viewer, entity, id)))
  return subjects
}

const change = <E extends Entity>(
  db: Database,
  { entity, id }: { readonly entity: E; readonly id: string },
  decide: (by: { readonly by: string; readonly at: string }) => Decide,
  editor: Editor,
): Promise<Records[E]> =>
  db.write(async (db) => {
    const { viewer, now } = editor
    const subjects = await openForEdit(db, { entity, id }, editor)
    const decided = decide({ by: viewer.userId, at: now.toISOString() })
    await changeMetadata(db, entity, { subjects, decide: () => decided }, { by: viewer.userId, reason: 'edit', now })
    return readAsWritten(db, entity, id)
  })

/** An editor who hides something from themselves, with its rating, is told what has become of it all the same. */
const readAsWritten = async <E extends Entity>(db: WriteDb, entity: E, id: string): Promise<Records[E]> => {
  const [row] = await selectSubjects(db, entity, [id])
  if (!row) throw notFound(entity)
  return recordOf(entity, row) as Records[E]
}

export const editMetadata = <E extends Entity>(
  db: Database,
  of: { readonly entity: E; readonly id: string },
  patch: object,
  editor: Editor,
): Promise<Records[E]> => {
  const clean = cleanPatch(patch)
  return change(db, of, (speaker) => patched({ ...clean }, speaker), editor)
}

/** What is left out is null, but for locks. */
export const replaceMetadata = <E extends Entity>(
  db: Database,
  of: { readonly entity: E; readonly id: string },
  metadata: object,
  editor: Editor,
): Promise<Records[E]> => {
  const fields: readonly string[] = of.entity === 'series' ? seriesEditable : bookEditable
  return editMetadata(db, of, { ...Object.fromEntries(fields.map((field) => [field, null])), ...metadata }, editor)
}

export const takeBackField = async (
  db: Database,
  of: { readonly entity: Entity; readonly id: string },
  field: string,
  editor: Editor,
): Promise<undefined> => {
  const fields: readonly string[] = of.entity === 'series' ? seriesEditable : bookEditable
  if (!fields.includes(field)) throw notFound('field')
  await change(db, of, () => takenBack(field), editor)
  return undefined
}

export const undoChange = <E extends Entity>(
  db: Database,
  { entity, id }: { readonly entity: E; readonly id: string },
  { historyId, force = false }: { readonly historyId: string; readonly force?: boolean | undefined },
  editor: Editor,
): Promise<{ metadata: Records[E]; conflicts: string[]; undoneBy: string | null }> =>
  db.write(async (db) => {
    const { viewer, now, undoAlong } = editor
    const subjects = await openForEdit(db, { entity, id }, editor)
    const taken = await undoByListener(db, { entityId: id, historyId, viewer, now, force })
    if (taken)
      return {
        metadata: await readAsWritten(db, entity, id),
        conflicts: [...taken.conflicts],
        undoneBy: taken.undoneBy,
      }
    const turned = await undoWords(db, { entity, id, subjects, historyId, force }, { by: viewer.userId, now })
    if (!turned) throw notFound('change')
    const alsoInConflict = (await undoAlong?.(db, turned.undoneBy)) ?? []
    return {
      metadata: await readAsWritten(db, entity, id),
      conflicts: [...turned.inConflict.map((field) => inContract(entity, field)), ...alsoInConflict],
      undoneBy: turned.undoneBy ?? null,
    }
  })

/** It takes an act back that is more than words; undefined, where only words are to be taken back. */
const undoByListener = async (db: WriteDb, taking: UndoRequest): Promise<UndoneChange | undefined> => {
  for (const takeBack of listenersOf(db).changeUndone) {
    const taken = await takeBack(db, taking)
    if (taken) return taken
  }
  return undefined
}

interface WordsToUndo {
  readonly entity: Entity
  readonly id: string
  readonly subjects: Awaited<ReturnType<typeof readStates>>
  readonly historyId: string
  readonly force: boolean
}

interface UndoneWords {
  /** What has changed again since and therefore stays. */
  readonly inConflict: readonly string[]
  readonly undoneBy: string | undefined
}

/** Undefined: there is no such change. */
const undoWords = async (
  db: WriteDb,
  { entity, id, subjects, historyId, force }: WordsToUndo,
  { by, now }: ChangeAuthor,
): Promise<UndoneWords | undefined> => {
  const change = await readChange(db, id, historyId)
  const subject = subjects.get(id)
  if (!change || !subject) return undefined
  const { decide, conflicts } = undone(change, { force, speaker: { by, at: now.toISOString() } })
  const inConflict = conflicts(subject.state)
  const lines = await changeMetadata(db, entity, { subjects, decide: () => decide }, { by, reason: 'undo', now })
  await setUndoneBy(
    db,
    [...lines.values()].map(({ id: undoneBy }) => ({ change, undoneBy })),
  )
  return { inConflict, undoneBy: lines.get(id)?.id }
}

// Words that go with what is merged

interface ChangeAuthor {
  /** Null: a scan, which found that books are one, or two. */
  readonly by: string | null
  readonly now: Date
}

/**
 * In the transaction that takes a merge back: what it had said, but for what has been said otherwise since, unless that is
 * forced. It returns these fields.
 */
export const undoMergedWords = async (
  db: WriteDb,
  {
    entity,
    id,
    historyId,
    force = false,
  }: { readonly entity: Entity; readonly id: string; readonly historyId: string; readonly force?: boolean },
  speaking: ChangeAuthor,
): Promise<readonly string[]> => {
  const subjects = await readStates(db, entity, [id], speaking.now)
  const turned = await undoWords(db, { entity, id, subjects, historyId, force }, speaking)
  return (turned?.inConflict ?? []).map((field) => inContract(entity, field))
}

/** Says one thing of several, in a transaction of the caller's. Answers the lines of their histories. */
export const editMany = async (
  db: WriteDb,
  { entity, ids, patch }: { readonly entity: Entity; readonly ids: readonly string[]; readonly patch: object },
  { by, now, reason }: ChangeAuthor & { readonly reason: 'move' | 'split' | 'undo' },
): Promise<ReadonlyMap<string, string>> => {
  const subjects = await readStates(db, entity, ids, now)
  const decide = patched({ ...patch }, { by, at: now.toISOString() })
  const lines = await changeMetadata(db, entity, { subjects, decide: () => decide }, { by, reason, now })
  return new Map([...lines].map(([id, line]) => [id, line.id]))
}

/** By the names of files, or decided for all of them together. */
const notCarried: ReadonlySet<string> = new Set(['title', 'titleSort', 'ageRating'])

/**
 * What people have said of books that become part of another, where nothing is said of that one; and the highest of their
 * age ratings. Answers the line of its history, if there is one.
 */
export const carryWordsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
  { by, now }: ChangeAuthor,
): Promise<string | undefined> => {
  const at = now.toISOString()
  const states = await readStates(db, 'book', [intoId, ...fromIds], now)
  const into = states.get(intoId)
  if (!into) return undefined
  const others = fromIds.flatMap((id) => states.get(id)?.state ?? [])
  const isFree = (field: string): boolean => into.state.words.user[field] === undefined && isNothing(into.state, field)
  const taken = others.toReversed().flatMap(({ words }) =>
    Object.entries(words.user)
      .filter(([field, { value }]) => value !== null && !notCarried.has(field) && isFree(field))
      .map(([field, { value }]) => [field, { value, by, at }] as const),
  )
  const ratings = [into.state, ...others].flatMap((state) => (state.shown('ageRating') as number | null) ?? [])
  const highest = ratings.length === 0 ? null : Math.max(...ratings)
  const isHigher = highest !== null && highest !== into.state.shown('ageRating')
  const addedWords = Object.fromEntries([
    ...taken,
    ...(isHigher ? [['ageRating', { value: highest, by, at }] as const] : []),
  ])
  const lines = await changeMetadata(
    db,
    'book',
    {
      subjects: new Map([[intoId, into]]),
      decide: () => (state) => ({ ...state.words, user: { ...state.words.user, ...addedWords } }),
    },
    { by, reason: 'merge', now },
  )
  return lines.get(intoId)?.id
}

const isNothing = (state: State, field: string): boolean => {
  const shown = state.shown(field)
  return shown === null || (Array.isArray(shown) && shown.length === 0)
}

// Words from another server

/** What people have said there; a field that people have said something of here stays as it is. */
export type BroughtWords = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** In the transaction of whoever brings them. It returns the lines of the histories, and which fields were held here. */
export const bringWords = async (
  db: WriteDb,
  { entity, words }: { readonly entity: Entity; readonly words: BroughtWords },
  { by, now }: ChangeAuthor,
): Promise<{ readonly lines: ReadonlyMap<string, string>; readonly saidHere: number }> => {
  const at = now.toISOString()
  const subjects = await readStates(db, entity, [...words.keys()], now)
  let saidHere = 0
  const decide = (id: string): Decide => {
    const patch = words.get(id) ?? {}
    return (state) => {
      const free = unsaidOf(patch, state)
      saidHere += Object.keys(patch).filter((name) => !name.endsWith('Lock')).length - valuesIn(free)
      return patched(Object.fromEntries(free), { by, at })(state)
    }
  }
  const lines = await changeMetadata(db, entity, { subjects, decide }, { by, reason: 'bulk', now })
  return { lines: new Map([...lines].map(([id, line]) => [id, line.id])), saidHere }
}

/** What nobody has said anything else of here, or held fast. */
const unsaidOf = (
  patch: Readonly<Record<string, unknown>>,
  { words }: State,
): readonly (readonly [string, unknown])[] =>
  Object.entries(patch).filter(([name]) => {
    const field = inLayers(name.replace(/Lock$/, ''))
    return words.user[field] === undefined && words.lock[field] === undefined
  })

/** To how many of them such words would come. */
export const countUnsaid = async (
  db: ReadDb,
  { entity, words }: { readonly entity: Entity; readonly words: BroughtWords },
  now: Date,
): Promise<number> => {
  const states = await readStatesOnly(db, entity, [...words.keys()], now)
  return [...words].filter(([id, patch]) => {
    const state = states.get(id)
    return state !== undefined && unsaidOf(patch, state).length > 0
  }).length
}

const valuesIn = (fields: readonly (readonly [string, unknown])[]): number =>
  fields.filter(([name]) => !name.endsWith('Lock')).length

/** But for what has been said otherwise since. Where nothing is left of them, the history does not tell of them either. */
export const takeWordsBack = async (
  db: WriteDb,
  { entity, lines }: { readonly entity: Entity; readonly lines: ReadonlyMap<string, string> },
  { by, now }: ChangeAuthor,
): Promise<void> => {
  const subjects = await readStates(db, entity, [...lines.keys()], now)
  const unsaid: string[] = []
  for (const [id, historyId] of lines) {
    const subject = subjects.get(id)
    if (!subject) continue
    const turned = await undoWords(
      db,
      { entity, id, subjects: new Map([[id, subject]]), historyId, force: false },
      { by, now },
    )
    if (turned?.inConflict.length !== 0) continue
    unsaid.push(historyId)
    if (turned.undoneBy !== undefined) unsaid.push(turned.undoneBy)
  }
  await deleteChanges(db, unsaid)
}
