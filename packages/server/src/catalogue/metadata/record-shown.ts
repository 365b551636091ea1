import { isDeepStrictEqual } from 'node:util'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { upsertTerms } from '../terms/terms.ts'
import type { BookShown, Entity, SeriesShown } from './fields.ts'
import { type ChangeToStore, storeChanges } from './history.ts'
import { deleteExternalIds, insertExternalIds, selectExternalIds } from './queries.ts'
import { recordOf } from './records.ts'

export interface NewlyShown {
  readonly id: string
  /** JSON, as it was kept. */
  readonly before: string
  readonly after: string
  /** Whose new words these are, when what was shown before had been known for good. */
  readonly source?: string | undefined
  /** What is kept of it may be anything. */
  readonly isInDoubt?: boolean
}

/** What follows where something else is shown of books or series than before: what they are looked up by, and the history. */
export const recordShown = async (
  db: WriteDb,
  entity: Entity,
  shown: readonly NewlyShown[],
  now: Date,
): Promise<void> => {
  const changed = shown
    .filter(({ before, after, isInDoubt }) => isInDoubt || before !== after)
    .map((each) => ({ ...each, was: shownIn(each.before), is: shownIn(each.after) }))
  if (changed.length === 0) return
  const differ = (...fields: readonly (keyof Shown)[]) =>
    changed.filter(({ was, is, isInDoubt }) => isInDoubt || fields.some((field) => !isSame(was[field], is[field])))
  await upsertTerms(
    db,
    entity,
    differ('genres', 'tags', 'authors').map(({ id, was, is, isInDoubt }) => ({
      id,
      fields: is,
      hadAny: isInDoubt || hasTerms(was),
    })),
    now,
  )
  await keepExternalIds(db, entity, differ('externalIds'))
  await storeChanges(db, changed.flatMap(rereadOf(entity, now)))
}

type Shown = Pick<SeriesShown & BookShown, 'genres' | 'tags' | 'authors' | 'externalIds'>
const shownIn = (metadata: string): Shown => (metadata === '{}' ? {} : (JSON.parse(metadata) as Shown))

/** A list that is not there is an empty one. */
const isSame = (one: readonly unknown[] = [], other: readonly unknown[] = []): boolean =>
  one === other || (one.length === 0 && other.length === 0) || isDeepStrictEqual(one, other)

const hasTerms = ({ genres = [], tags = [], authors = [] }: Shown): boolean =>
  genres.length + tags.length + authors.length > 0

const keepExternalIds = async (
  db: WriteDb,
  entity: Entity,
  shown: readonly (Pick<NewlyShown, 'id' | 'isInDoubt'> & { readonly was: Shown; readonly is: Shown })[],
): Promise<void> => {
  await deleteExternalIds(
    db,
    shown.filter(({ was, isInDoubt }) => isInDoubt || (was.externalIds ?? []).length > 0).map(({ id }) => id),
  )
  await insertExternalIds(
    db,
    shown.flatMap(({ id, is }) => idRows(entity, id, is)),
  )
}

const idRows = (entity: Entity, id: string, { externalIds = [] }: Shown) =>
  externalIds.map((each) => ({
    entity_id: id,
    entity,
    source: each.source,
    external_id: each.id,
    url: each.url ?? null,
  }))

/** It returns the entities whose stored ids differ from the ids that are shown. `metadata` is what is shown, as JSON. */
export const selectOtherIds = async (
  db: ReadDb,
  shown: readonly { readonly id: string; readonly metadata: string }[],
): Promise<readonly string[]> => {
  const rows = await selectExternalIds(
    db,
    shown.map(({ id }) => id),
  )
  const rowsByEntity = Map.groupBy(rows, ({ entity_id }) => entity_id)
  const wordsOf = (ids: readonly { readonly source: string; readonly external_id: string | null }[]): string =>
    [...new Set(ids.map(({ source, external_id }) => `${source} ${external_id}`))].sort().join('\n')
  return shown
    .filter(
      ({ id, metadata }) => wordsOf(idRows('series', id, shownIn(metadata))) !== wordsOf(rowsByEntity.get(id) ?? []),
    )
    .map(({ id }) => id)
}

const rereadOf =
  (entity: Entity, now: Date) =>
  ({ id, before, after, source }: NewlyShown): ChangeToStore[] => {
    if (source === undefined) return []
    const [was, is] = [before, after].map((metadata) => recordOf(entity, { metadata, locks: '[]' }))
    const changes = differences(was ?? {}, is ?? {})
    return changes.length === 0
      ? []
      : [{ entityId: id, at: now.toISOString(), by: null, source, reason: 'scan', changes, words: {} }]
  }

/** Field by field, as the contract has them. */
export const differences = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { field: string; before: unknown; after: unknown }[] =>
  Object.keys(after)
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
