import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { insertMany } from '../../../../database/many.ts'
import type { SeriesTables } from '../../table.ts'

/** What decides who sees a series, and what it is known by. */
export const selectForMerge = async (db: ReadDb, ids: readonly string[]) => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .select(['id', 'library_id', 'key', 'name', 'title', 'book_count', 'own_age_rating', 'age_rating', 'cover_id'])
    .select(['metadata', 'locks', 'said_age_rating'])
    .where('id', 'in', ids)
    .execute()
  const tags = await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', ids).execute()
  const tagsOf = Map.groupBy(tags, ({ series_id }) => series_id)
  return rows.map((row) => ({ ...row, tagIds: (tagsOf.get(row.id) ?? []).map(({ tag_id }) => tag_id).sort() }))
}

export type SeriesToMerge = Awaited<ReturnType<typeof selectForMerge>>[number]

/** Others that change them come before or after, where the database lets them overlap. */
export const lockForMerge = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('series')
    .set(({ ref }) => ({ key: ref('key') }))
    .where('id', 'in', ids)
    .execute()
}

interface Merge {
  readonly from: readonly SeriesToMerge[]
  readonly into: SeriesToMerge
  readonly by: string | null
  readonly at: string
}

/** Whatever was one of these by its key is the one that stays from now on, that one's own files too (LIB-2). */
export const insertMerges = async (db: WriteDb, { from, into, by, at }: Merge): Promise<void> => {
  const ids = from.map(({ id }) => id)
  await db.updateTable('series_merge').set({ into_series_id: into.id }).where('into_series_id', 'in', ids).execute()
  await insertMany(
    db,
    'series_merge',
    [into, ...from].map(({ id, library_id, key }) => ({
      library_id,
      key,
      into_series_id: into.id,
      at,
      by_user_id: by,
      part_id: id,
    })),
    { keys: ['library_id', 'key'], sets: ['into_series_id'] },
  )
}

type KeyRow = Selectable<SeriesTables['series_merge']>

/** What was part of these before they become part of another one. */
export const selectKeysOfParts = (db: ReadDb, seriesIds: readonly string[]): Promise<KeyRow[]> =>
  db.selectFrom('series_merge').selectAll().where('into_series_id', 'in', seriesIds).execute()

interface Returning {
  readonly intoId: string
  readonly fromIds: readonly string[]
  /** The keys come from `selectKeysOfParts`. */
  readonly earlier: readonly KeyRow[]
}

/** Each part of a series is part of what it was part of before, or a series of its own; by whatever key it goes now. */
export const returnKeys = async (db: WriteDb, { intoId, fromIds, earlier }: Returning): Promise<void> => {
  for (const seriesId of fromIds) {
    const own = earlier.filter((row) => row.into_series_id === seriesId)
    const parts = [seriesId, ...own.flatMap(({ part_id }) => part_id ?? [])]
    const keys = own.map(({ key }) => key)
    await db
      .updateTable('series_merge')
      .set({ into_series_id: seriesId })
      .where('into_series_id', '=', intoId)
      .where(({ eb, or }) => or([eb('part_id', 'in', parts), ...(keys.length > 0 ? [eb('key', 'in', keys)] : [])]))
      .execute()
  }
}

/** Whether the grouping knows another series by one of these keys by now. */
export const areKeysTaken = async (
  db: ReadDb,
  series: readonly { readonly library_id: string; readonly key: string }[],
): Promise<boolean> => {
  const [first] = series
  if (!first) return false
  const row = await db
    .selectFrom('series')
    .select('id')
    .where('library_id', '=', first.library_id)
    .where(
      'key',
      'in',
      series.map(({ key }) => key),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const selectWhole = (db: ReadDb, ids: readonly string[]): Promise<Selectable<SeriesTables['series']>[]> =>
  db.selectFrom('series').selectAll().where('id', 'in', ids).orderBy('id').execute()

export const selectMergedKeys = async (
  db: ReadDb,
  libraryId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('series_merge')
    .select(['key', 'into_series_id'])
    .where('library_id', '=', libraryId)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ key, into_series_id }) => [key, into_series_id]))
}

/** It returns what each of these keys has been made part of, and by whom; keys of what has stayed are left out. */
export const selectMergesOf = async (db: ReadDb, libraryId: string, keys: readonly string[]) =>
  keys.length === 0
    ? []
    : db
        .selectFrom('series_merge')
        .select(['key', 'into_series_id', 'at', 'by_user_id'])
        .where('library_id', '=', libraryId)
        .where('key', 'in', keys)
        .where((eb) => eb.or([eb('part_id', 'is', null), eb('part_id', '<>', eb.ref('into_series_id'))]))
        .execute()

/** It forgets these merged keys, and those by which a scan has made these series of several. */
export const deleteMergedKeys = async (
  db: WriteDb,
  libraryId: string,
  { keys, intoIds = [] }: { readonly keys: readonly string[]; readonly intoIds?: readonly string[] },
): Promise<void> => {
  if (keys.length === 0) return
  await db
    .deleteFrom('series_merge')
    .where('library_id', '=', libraryId)
    .where(({ eb, or, and }) =>
      or([
        eb('key', 'in', keys),
        ...(intoIds.length > 0 ? [and([eb('into_series_id', 'in', intoIds), eb('by_user_id', 'is', null)])] : []),
      ]),
    )
    .execute()
}

/** Series of a library that others have become part of. */
export const selectMergeTargets = async (db: ReadDb, libraryId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('series_merge')
    .select('into_series_id')
    .distinct()
    .where('library_id', '=', libraryId)
    .execute()
  return rows.map(({ into_series_id }) => into_series_id)
}

/** It returns the keys that a series has already. */
export const selectExistingKeys = async (
  db: ReadDb,
  libraryId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set()
  const ofSeries = db.selectFrom('series').select('key').where('library_id', '=', libraryId).where('key', 'in', keys)
  const rows = await ofSeries
    .union(db.selectFrom('series_merge').select('key').where('library_id', '=', libraryId).where('key', 'in', keys))
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export interface Rename {
  readonly seriesId: string
  readonly oldKey: string
  readonly newKey: string
  readonly name: string
  readonly path: string | null
}

/** A part of a merged series goes by another key now; the series by another name, if that part gave it its own. */
export const insertRenames = async (
  db: WriteDb,
  libraryId: string,
  renames: readonly Rename[],
  at: string,
): Promise<void> => {
  const oldKeys = renames.map(({ oldKey }) => oldKey)
  const merges = await db
    .selectFrom('series_merge')
    .select(['key', 'part_id'])
    .where('library_id', '=', libraryId)
    .where('key', 'in', oldKeys)
    .execute()
  const partOf = new Map(merges.map(({ key, part_id }) => [key, part_id]))
  await insertMany(
    db,
    'series_merge',
    renames.map(({ oldKey, newKey, seriesId }) => ({
      library_id: libraryId,
      key: newKey,
      into_series_id: seriesId,
      at,
      by_user_id: null,
      part_id: partOf.get(oldKey) ?? null,
    })),
    'is left as it is',
  )
  for (const { seriesId, oldKey, newKey, name, path } of renames)
    await db
      .updateTable('series')
      .set({ key: newKey, name, path })
      .where('id', '=', seriesId)
      .where('key', '=', oldKey)
      .execute()
}

export const insertSharingTags = (db: WriteDb, seriesId: string, tagIds: readonly string[]): Promise<void> =>
  insertMany(
    db,
    'series_sharing_tag',
    tagIds.map((tag_id) => ({ series_id: seriesId, tag_id })),
    'is left as it is',
  )
