import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany } from '../../../database/many.ts'

type Entity = 'series' | 'book'

interface RatingRow {
  readonly user_id: string
  readonly entity_id: string
  readonly id: string
  readonly rating: number
  readonly notes: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** Ratings of whoever had rated one that went, as they were before and as they were made by the merge. */
export interface CarriedRatings {
  readonly before: readonly RatingRow[]
  readonly after: readonly RatingRow[]
}

/**
 * Each user's latest rating passes to the one that stays; no note is lost. The call belongs in the transaction of the
 * merge.
 */
export const carryRatingsOver = async (
  db: WriteDb,
  entity: Entity,
  fromIds: readonly string[],
  intoId: string,
): Promise<CarriedRatings> => {
  const given = await selectGiven(db, entity, [intoId, ...fromIds])
  const concerned = [...Map.groupBy(given, ({ user_id }) => user_id).values()].filter((rows) =>
    rows.some(({ entity_id }) => entity_id !== intoId),
  )
  const after = concerned.flatMap((rows) => {
    const own = rows.find(({ entity_id }) => entity_id === intoId)
    const newestFirst = rows.toSorted((a, b) =>
      a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0,
    )
    const [newest] = newestFirst
    if (!newest) return []
    const notes = [...new Set(newestFirst.flatMap(({ notes }) => notes ?? []))].join('\n\n')
    return { ...newest, entity_id: intoId, id: own?.id ?? newest.id, notes: notes === '' ? null : notes }
  })
  await deleteRatings(db, entity, fromIds)
  await saveRatings(db, entity, after)
  return { before: concerned.flat(), after }
}

/**
 * It undoes the merge for ratings: each series has its own again; later ratings of the one that stayed stay with it.
 */
export const giveRatingsBack = async (
  db: WriteDb,
  entity: Entity,
  { before, after }: CarriedRatings,
  intoId: string,
): Promise<void> => {
  const carried = new Map(after.map((row) => [row.user_id, row.updated_at]))
  const now = await selectGiven(db, entity, [intoId])
  const untouched = new Set(
    now.filter(({ user_id, updated_at }) => carried.get(user_id) === updated_at).map(({ user_id }) => user_id),
  )
  await deleteRatings(db, entity, [intoId], [...untouched])
  await saveRatings(
    db,
    entity,
    before.filter(({ user_id, entity_id }) => entity_id !== intoId || untouched.has(user_id)),
  )
}

/** The one that stays comes first: of ratings given at one time its own counts. */
const selectGiven = async (db: ReadDb, entity: Entity, ids: readonly string[]): Promise<RatingRow[]> => {
  const { table, of } = tableOf(entity)
  const { rows } = await sql<RatingRow>`
    select user_id, ${sql.ref(of)} as entity_id, id, rating, notes, created_at, updated_at
    from ${sql.table(table)} where ${sql.ref(of)} in (${sql.join(ids)})`.execute(db)
  return rows.sort((a, b) => ids.indexOf(a.entity_id) - ids.indexOf(b.entity_id))
}

const tableOf = (entity: Entity) =>
  entity === 'series'
    ? ({ table: 'series_rating', of: 'series_id' } as const)
    : ({ table: 'book_rating', of: 'book_id' } as const)

const deleteRatings = async (
  db: WriteDb,
  entity: Entity,
  ids: readonly string[],
  userIds?: readonly string[],
): Promise<void> => {
  const { table, of } = tableOf(entity)
  if (userIds?.length === 0) return
  const theirs = userIds ? sql`user_id in (${sql.join(userIds)})` : sql`true`
  await sql`delete from ${sql.table(table)} where ${sql.ref(of)} in (${sql.join(ids)}) and ${theirs}`.execute(db)
}

const saveRatings = async (db: WriteDb, entity: Entity, rows: readonly RatingRow[]): Promise<void> => {
  const sets = ['id', 'rating', 'notes', 'created_at', 'updated_at']
  if (entity === 'series')
    await insertMany(
      db,
      'series_rating',
      rows.map(({ entity_id: series_id, ...row }) => ({ ...row, series_id })),
      { keys: ['user_id', 'series_id'], sets },
    )
  else
    await insertMany(
      db,
      'book_rating',
      rows.map(({ entity_id: book_id, ...row }) => ({ ...row, book_id })),
      { keys: ['user_id', 'book_id'], sets },
    )
}
