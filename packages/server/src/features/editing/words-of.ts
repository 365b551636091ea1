import { isDeepStrictEqual } from 'node:util'
import { bookLockable, lockOf, seriesLockable } from '@carrel/api'
import {
  type ChangedWords,
  type Entity,
  inContract,
  inLayers,
  type StoredChange,
  recordOf,
  type ServiceId,
  type SpokenSource,
  type Word,
  type LayersBySource,
} from '../../catalogue/metadata/metadata.ts'
import type { SubjectRow } from './queries.ts'

/** What somebody decides is worked out from what was said, and nothing else. */
export type Decide = (state: State) => LayersBySource

/** What is said of a book or a series field by field. All that is locked has a word in `lock`. */
export interface State {
  readonly entity: Entity
  readonly words: LayersBySource
  /** All that is shown, as the contract has it. */
  readonly record: Readonly<Record<string, unknown>>
  /** By what a field is called in the layers; null: nothing is shown. */
  shown(field: string): unknown
}

export interface Speaker {
  readonly by: string | null
  readonly at: string
}

/** It has no value that a layer could hold: it is only ever locked. */
export const coverField = 'cover'

export const stateOf = (entity: Entity, row: SubjectRow, words: LayersBySource, at: string): State => {
  const metadata = JSON.parse(row.metadata) as Record<string, unknown>
  const shown = (field: string): unknown => row.names[field] ?? metadata[field] ?? null
  const locked = (JSON.parse(row.locks) as string[]).map(inLayers)
  const lock = Object.fromEntries(
    locked.map((field) => [
      field,
      words.lock[field] ?? { value: field === coverField ? null : shown(field), at, by: null },
    ]),
  )
  return { entity, words: { ...words, lock }, record: recordOf(entity, row), shown }
}

/** It returns the locks in the form that the row of the book or the series keeps them in. */
export const locksIn = (entity: Entity, { lock }: LayersBySource): string =>
  JSON.stringify(
    Object.keys(lock)
      .map((field) => inContract(entity, field))
      .sort(),
  )

const fieldOfLock: Readonly<Record<Entity, ReadonlyMap<string, string>>> = {
  series: new Map(seriesLockable.map((field) => [lockOf(field), inLayers(field)])),
  book: new Map(bookLockable.map((field) => [lockOf(field), inLayers(field)])),
}

type Patch = Readonly<Record<string, unknown>>

/** Values and locks, side by side as they are shown. A field is locked with the value it is given at the same time. */
export const patched =
  (patch: Patch, speaker: Speaker): Decide =>
  ({ entity, words, shown }) => {
    const user = { ...words.user }
    const lock = { ...words.lock }
    const locks = fieldOfLock[entity]
    for (const [name, value] of Object.entries(patch)) {
      const field = inLayers(name)
      if (locks.has(name) || saysTheSame(user[field], { value })) continue
      user[field] = { value, ...speaker }
    }
    for (const [name, isLocked] of Object.entries(patch)) {
      const field = locks.get(name)
      if (field === undefined) continue
      if (isLocked !== true) delete lock[field]
      else lock[field] ??= { value: valueToLock(field, user[field], shown), ...speaker }
    }
    return { ...words, user, lock }
  }

const valueToLock = (field: string, word: Word | undefined, shown: State['shown']): unknown =>
  field === coverField ? null : word ? word.value : shown(field)

/** The field stands afterwards as if people had never said anything of it. */
export const takenBack =
  (field: string): Decide =>
  ({ words }) => {
    const { [inLayers(field)]: _, ...user } = words.user
    return { ...words, user }
  }

const sourcesIn = (words: object): SpokenSource[] => Object.keys(words) as SpokenSource[]

/** Only what differs. */
export const changedFields = (before: LayersBySource, after: Partial<LayersBySource>): ChangedWords => {
  const changed = sourcesIn(after).map((source) => {
    const [earlier, later] = [before[source] ?? {}, after[source] ?? {}]
    const fields = [...new Set([...Object.keys(earlier), ...Object.keys(later)])]
    const entries = fields
      .filter((field) => !saysTheSame(earlier[field], later[field]))
      .map((field) => {
        const [was, is] = [earlier[field], later[field]]
        return [field, { ...(was && { before: was }), ...(is && { after: is }) }] as const
      })
    return [source, Object.fromEntries(entries)] as const
  })
  return Object.fromEntries(changed.filter(([, fields]) => Object.keys(fields).length > 0))
}

export const fieldsIn = (changed: ChangedWords): string[] => [
  ...new Set(Object.values(changed).flatMap((fields) => Object.keys(fields ?? {}))),
]

const saysTheSame = (one: Pick<Word, 'value'> | undefined, other: Pick<Word, 'value'> | undefined): boolean =>
  (one === undefined) === (other === undefined) && isDeepStrictEqual(one?.value, other?.value)

interface UndoOptions {
  readonly force: boolean
  readonly speaker: Speaker
}

/** What a change made of the words is turned back, field by field; what has changed again since is a conflict. */
export const undone = (
  change: StoredChange,
  { force, speaker }: UndoOptions,
): { readonly decide: Decide; readonly conflicts: (state: State) => readonly string[] } => {
  const conflicts = (state: State): readonly string[] =>
    force ? [] : allFields(change, state).filter((field) => isInConflict(change, state, field))
  const decide: Decide = (state) => {
    const conflicting = new Set(conflicts(state))
    const fields = allFields(change, state).filter((field) => !conflicting.has(field))
    return change.reason === 'scan'
      ? wordsAsBefore(change, state, { fields, speaker })
      : turnedBack(change, state, fields)
  }
  return { decide, conflicts }
}

/** By their names in the layers. */
const allFields = ({ reason, changes, words }: StoredChange, { entity }: State): readonly string[] =>
  reason === 'scan'
    ? changes
        .map(({ field }) => field)
        .filter((field) => !fieldOfLock[entity].has(field))
        .map(inLayers)
    : fieldsIn(words)

const isInConflict = ({ reason, changes, words }: StoredChange, state: State, field: string): boolean => {
  if (reason === 'scan') {
    const change = changes.find((each) => inLayers(each.field) === field)
    const now = state.record[change?.field ?? '']
    return !isDeepStrictEqual(now, change?.after) && !isDeepStrictEqual(now, change?.before)
  }
  return sourcesIn(words).some((source) => {
    const changed = words[source]?.[field]
    const now = state.words[source]?.[field]
    return changed !== undefined && !saysTheSame(now, changed.after) && !saysTheSame(now, changed.before)
  })
}

const turnedBack = ({ words }: StoredChange, state: State, fields: readonly string[]): LayersBySource => {
  const turned = sourcesIn(words).map((source) => {
    const now = { ...state.words[source] }
    for (const field of fields) {
      const changed = words[source]?.[field]
      if (!changed || saysTheSame(now[field], changed.before)) continue
      if (changed.before) now[field] = changed.before
      else delete now[field]
    }
    return [source, now] as const
  })
  return { ...state.words, ...Object.fromEntries(turned) }
}

/** A file cannot be made to say something else: somebody's own word is what was shown before it did. */
const wordsAsBefore = (
  { changes }: StoredChange,
  { words, shown, record }: State,
  { fields, speaker }: { readonly fields: readonly string[]; readonly speaker: Speaker },
): LayersBySource => {
  const user = { ...words.user }
  for (const { field, before } of changes) {
    const name = inLayers(field)
    if (!fields.includes(name) || isDeepStrictEqual(record[field], before)) continue
    const value = name === 'externalIds' ? idsAsBefore(before, shown(name)) : before
    user[name] = { value, ...speaker }
  }
  return { ...words, user }
}

/** Services that nobody knew an id of before are said to have none. */
const idsAsBefore = (before: unknown, now: unknown): ServiceId[] => {
  const [was, is] = [before, now].map((ids) => (ids ?? []) as readonly ServiceId[])
  const oldSources = new Set(was?.map(({ source }) => source))
  const gone = new Set(is?.map(({ source }) => source).filter((source) => !oldSources.has(source)))
  return [...(was ?? []), ...[...gone].map((source) => ({ source, id: null }))]
}
