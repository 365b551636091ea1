import type { ReadDb, WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { showEach } from './choose-cover.ts'
import { automatic, type CoverRow, type Entity, selectCoverChoices, selectCoversOf, upsertCovers } from './queries.ts'
import { coverLock, locksIn } from './record-covers.ts'

/** A cover that people or plugins have given: nobody finds it in the files of a library. */
export interface GivenCover extends Pick<CoverRow, 'source' | 'page' | 'width' | 'height' | 'placeholder' | 'tone'> {
  readonly contentHash: string
  readonly at: string
  readonly isShown: boolean
}

/** It returns what was given for each book or series, from the first to the last. */
export const selectGivenCovers = async (
  db: ReadDb,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly GivenCover[]>> => {
  const rows = (await selectCoversOf(db, entity, ids)).filter(({ source }) => !automatic.includes(source))
  const bySubject = Map.groupBy(rows, ({ entity_id }) => entity_id)
  return new Map([...bySubject].map(([id, each]) => [id, each.map(givenIn)]))
}

const givenIn = (row: Awaited<ReturnType<typeof selectCoversOf>>[number]): GivenCover => {
  const { source, page, width, height, placeholder, tone, content_hash: contentHash, created_at: at } = row
  return { source, page, width, height, placeholder, tone, contentHash, at, isShown: row.id === row.shown_id }
}

/** It keeps those for which nobody has given or chosen a cover here. */
export const selectWithoutGiven = async (
  db: WriteDb,
  entity: Entity,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const given = await selectGivenCovers(db, entity, ids)
  const choices = await selectCoverChoices(db, entity, ids)
  const free = choices.filter(({ id, locks }) => !given.has(id) && !locksIn(locks).includes(coverLock))
  return new Set(free.map(({ id }) => id))
}

/** Their pictures are in the store already. Whether the shown one is locked is said where other locks are. */
export const giveCovers = async (
  db: WriteDb,
  entity: Entity,
  covers: ReadonlyMap<string, readonly GivenCover[]>,
  now: Date,
): Promise<void> => {
  if (covers.size === 0) return
  const given = [...covers].flatMap(([id, each]) =>
    each.map(({ contentHash: content_hash, at: created_at, isShown, ...told }) => {
      const of = { id: newId(now.getTime()), entity, entity_id: id, by_user_id: null }
      return { row: { ...told, ...of, content_hash, created_at }, isShown }
    }),
  )
  await upsertCovers(
    db,
    given.map(({ row }) => row),
  )
  const shown = new Map(given.flatMap(({ row, isShown }) => (isShown ? [[row.entity_id, row]] : [])))
  const choices = await selectCoverChoices(db, entity, [...covers.keys()])
  const chosen = choices.flatMap(({ id, locks }) => {
    const cover = shown.get(id)
    return cover ? [{ id, cover, locks: locksIn(locks) }] : []
  })
  if (chosen.length > 0) await showEach(db, entity, chosen, now)
}
