import { isDeepStrictEqual } from 'node:util'
import type { WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { keepTerms } from '../terms/terms.ts'
import type { BookShown, Entity, SeriesShown } from './fields.ts'
import { type ChangeToKeep, keepChanges } from './history.ts'
import { deleteExternalIds } from './queries.ts'
import { recordOf } from './records.ts'

export interface NewlyShown {
  readonly id: string
  /** JSON, as it was kept. */
  readonly before: string
  readonly after: string
  /** Whose new words these are, when what was shown before had been known for good. */
  readonly source?: string | undefined
}

/** What follows where something else is shown of books or series than before: what they are looked up by, and the history. */
export const recordShown = async (
  db: WriteDb,
  entity: Entity,
  shown: readonly NewlyShown[],
  now: Date,
): Promise<void> => {
  const changed = shown
    .filter(({ before, after }) => before !== after)
    .map((each) => ({ ...each, was: shownIn(each.before), is: shownIn(each.after) }))
  if (changed.length === 0) return
  const differ = (...fields: readonly (keyof Shown)[]) =>
    changed.filter(({ was, is }) => fields.some((field) => !isSame(was[field], is[field])))
  await keepTerms(
    db,
    entity,
    differ('genres', 'tags', 'authors').map(({ id, was, is }) => ({ id, said: is, hadAny: hasTerms(was) })),
    now,
  )
  await keepExternalIds(db, entity, differ('externalIds'))
  await keepChanges(db, changed.flatMap(rereadOf(entity, now)))
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
  shown: readonly { readonly id: string; readonly was: Shown; readonly is: Shown }[],
): Promise<void> => {
  await deleteExternalIds(
    db,
    shown.filter(({ was }) => (was.externalIds ?? []).length > 0).map(({ id }) => id),
  )
  const rows = shown.flatMap(({ id, is }) =>
    (is.externalIds ?? []).map((each) => ({
      entity_id: id,
      entity,
      source: each.source,
      external_id: each.id,
      url: each.url ?? null,
    })),
  )
  // A file may name the same id twice.
  await insertMany(db, 'external_id', rows, 'is left as it is')
}

const rereadOf =
  (entity: Entity, now: Date) =>
  ({ id, before, after, source }: NewlyShown): ChangeToKeep[] => {
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
