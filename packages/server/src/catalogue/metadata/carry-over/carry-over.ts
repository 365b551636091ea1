import { isDeepStrictEqual } from 'node:util'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { ServiceId } from '../fields.ts'
import { storeChanges } from '../history.ts'
import { readLayers, shownFields } from '../layers.ts'
import { readSpokenLayers, saveSpokenLayers, type Spoken } from '../spoken-layers.ts'
import { selectExternalIdsOf } from './queries.ts'

type Fields = Readonly<Record<string, unknown>>

interface CarryOver {
  readonly fromIds: readonly string[]
  readonly intoId: string
  /** What the series that stays has shown before the books of the others came to it. */
  readonly shownBefore: Fields
  /** What the series that stays is to show whatever its sources say by now. */
  readonly pinned: Fields
  readonly by: string | null
  readonly now: Date
}

/** Said of a series by its name, or decided for all of them together: not taken from one to the other. */
const ownFields: ReadonlySet<string> = new Set(['title', 'titleSort', 'ageRating', 'externalIds'])

/**
 * What people have said of the series that go, where the one that stays has nothing to say; and their ids at services it
 * is not known to. It becomes the users' word, with the merge as its reason: answers the line of the history. In the
 * transaction of the merge, which then refreshes the series. No rule of rows can say this: it is decided field by field
 * within a row, and taken back as words are.
 */
export const carryMetadataOver = async (
  db: WriteDb,
  { fromIds, intoId, shownBefore, pinned, by, now }: CarryOver,
): Promise<string | undefined> => {
  const layers = await readLayers<Fields>(db, [intoId])
  const own = layers.get(intoId) ?? []
  const spokenOf = new Set(own.flatMap(({ fields }) => Object.keys(fields)))
  const spoken = await readSpokenLayers(db, 'series', [intoId, ...fromIds])
  const wordsOf = (id: string): Spoken => spoken.get(id)?.user ?? {}
  const taken = fromIds
    .map(wordsOf)
    .toReversed()
    .flatMap((words) => Object.entries(words).map(([field, { value }]) => [field, value] as const))
    .filter(([field, value]) => value !== null && !spokenOf.has(field) && !ownFields.has(field))
  const before = wordsOf(intoId)
  const newIds = await selectIdsToCarry(db, fromIds, intoId)
  const ownIds = (before['externalIds']?.value ?? []) as readonly ServiceId[]
  const fields: Fields = {
    ...Object.fromEntries(taken),
    ...(newIds.length > 0 && { externalIds: [...ownIds, ...newIds] }),
    ...pinned,
  }
  if (Object.keys(fields).length === 0) return undefined
  const at = now.toISOString()
  const entries = Object.entries(fields).map(([field, value]) => [field, { value, at, by }] as const)
  const user = { ...before, ...Object.fromEntries(entries) }
  await saveSpokenLayers(db, 'series', new Map([[intoId, { user }]]), { by, now })
  const changes = Object.keys(fields)
    .map((field) => ({ field, before: shownBefore[field] ?? null, after: fields[field] ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after))
  const words = Object.fromEntries(
    entries.map(([field, after]) => [field, { ...(before[field] && { before: before[field] }), after }]),
  )
  const id = newId(now.getTime())
  await storeChanges(db, [
    { id, entityId: intoId, at, by, source: 'user', reason: 'merge', changes, words: { user: words } },
  ])
  return id
}

/** Ids at services the series that stays has none of. Their rows follow from what is shown of it. */
const selectIdsToCarry = async (
  db: ReadDb,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly ServiceId[]> => {
  const rows = await selectExternalIdsOf(db, [intoId, ...fromIds])
  const idsOf = (id: string) => rows.filter(({ entity_id }) => entity_id === id)
  const sources = new Set(idsOf(intoId).map(({ source }) => source))
  return fromIds.flatMap((id) => {
    const fresh = idsOf(id).filter(({ source }) => !sources.has(source))
    for (const { source } of fresh) sources.add(source)
    return fresh.map(({ source, external_id, url }) => ({ source, id: external_id, ...(url !== null && { url }) }))
  })
}

/** What is shown of a series, by what its layers call it. */
export const readShown = async (db: ReadDb, entityId: string): Promise<Fields> => {
  const layers = await readLayers<Fields>(db, [entityId])
  return shownFields(layers.get(entityId) ?? []) as Fields
}
