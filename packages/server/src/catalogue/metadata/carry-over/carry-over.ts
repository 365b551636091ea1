import { isDeepStrictEqual } from 'node:util'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { readLayers, shownFields } from '../layers.ts'
import {
  deleteExternalIdsOf,
  insertExternalIds,
  insertMerge,
  saveUserLayer,
  selectExternalIdsOf,
  selectUserLayers,
} from './queries.ts'

type Fields = Readonly<Record<string, unknown>>

interface CarryOver {
  readonly fromIds: readonly string[]
  readonly intoId: string
  /** What the series that stays is to show whatever its sources say by now. */
  readonly pinned: Fields
  readonly by: string | null
  readonly now: Date
}

/** Said of a series by its name, or decided for all of them together: not taken from one to the other. */
const ownFields: ReadonlySet<string> = new Set(['title', 'titleSort', 'ageRating', 'externalIds'])

interface ExternalIdRow {
  readonly source: string
  readonly id: string | null
  readonly url?: string | null
}

/**
 * What people have said of the series that go, where the one that stays has nothing to say; and their ids at services it
 * is not known to. It becomes the users' word, with the merge as its reason: answers the line of the history. In the
 * transaction of the merge.
 */
export const carryMetadataOver = async (
  db: WriteDb,
  { fromIds, intoId, pinned, by, now }: CarryOver,
): Promise<string | undefined> => {
  const layers = await readLayers<Fields>(db, [intoId])
  const own = layers.get(intoId) ?? []
  const spokenOf = new Set(own.flatMap(({ fields }) => Object.keys(fields)))
  const spoken = await selectUserLayers(db, [intoId, ...fromIds])
  const wordsOf = (id: string): Fields =>
    JSON.parse(spoken.find(({ entity_id }) => entity_id === id)?.fields ?? '{}') as Fields
  const taken = fromIds
    .map(wordsOf)
    .toReversed()
    .flatMap((words) => Object.entries(words))
    .filter(([field, value]) => value !== null && !spokenOf.has(field) && !ownFields.has(field))
  const before = wordsOf(intoId)
  const newIds = await carryIdsOver(db, fromIds, intoId)
  const ownIds = (before['externalIds'] ?? []) as readonly ExternalIdRow[]
  const fields: Fields = {
    ...Object.fromEntries(taken),
    ...(newIds.length > 0 && { externalIds: [...ownIds, ...newIds] }),
    ...pinned,
  }
  if (Object.keys(fields).length === 0) return undefined
  const at = now.toISOString()
  const originsBefore = JSON.parse(spoken.find(({ entity_id }) => entity_id === intoId)?.said ?? '{}') as Fields
  const origins = { ...originsBefore, ...Object.fromEntries(Object.keys(fields).map((field) => [field, { at, by }])) }
  await saveUserLayer(db, { entityId: intoId, fields: { ...before, ...fields }, origins, at, by })
  const shown = shownFields(own) as Fields
  const changes = Object.keys(fields)
    .map((field) => ({ field, before: shown[field] ?? null, after: fields[field] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
  const words = Object.fromEntries(
    Object.keys(fields).map((field) => [
      field,
      { ...wordOf(before, originsBefore, field), after: { value: fields[field], at, by } },
    ]),
  )
  const id = newId(now.getTime())
  await insertMerge(db, { id, entityId: intoId, at, by, changes, words: { user: words } })
  return id
}

const wordOf = (before: Fields, origins: Fields, field: string): object =>
  field in before ? { before: { value: before[field], ...(origins[field] as object | undefined) } } : {}

/** Ids at services the series that stays has none of; those of the others are forgotten. */
const carryIdsOver = async (
  db: WriteDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly ExternalIdRow[]> => {
  const rows = await selectExternalIdsOf(db, [intoId, ...fromIds])
  const idsOf = (id: string) => rows.filter(({ entity_id }) => entity_id === id)
  const known = new Set(idsOf(intoId).map(({ source }) => source))
  const added = fromIds.flatMap((id) => {
    const fresh = idsOf(id).filter(({ source }) => !known.has(source))
    for (const { source } of fresh) known.add(source)
    return fresh
  })
  await deleteExternalIdsOf(db, fromIds)
  await insertExternalIds(
    db,
    added.map((row) => ({ ...row, entity_id: intoId })),
  )
  return added.map(({ source, external_id, url }) => ({ source, id: external_id, ...(url !== null && { url }) }))
}

/** What is shown of a series, by what its layers call it. */
export const readShown = async (db: ReadDb, entityId: string): Promise<Fields> => {
  const layers = await readLayers<Fields>(db, [entityId])
  return shownFields(layers.get(entityId) ?? []) as Fields
}
