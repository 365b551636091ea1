import type { WriteDb } from '../../database/database.ts'
import { show, showAutomatic, withLock } from './choose-cover.ts'
import {
  type Entity,
  giveAddedCovers,
  giveCovers,
  selectAddedCovers,
  selectCover,
  selectCoverChoices,
} from './queries.ts'
import { coverLock, locksIn } from './record-covers.ts'

interface Covered {
  readonly id: string
  readonly cover_id: string | null
  readonly locks: string
}

export interface CarriedCovers {
  readonly moved: readonly { readonly id: string; readonly entity_id: string }[]
  /** It was the cover of the one that stays. */
  readonly shown: Pick<Covered, 'cover_id' | 'locks'>
}

/**
 * It moves covers that people have added to books or series which become part of another; a chosen one becomes the
 * cover of that one, if none was chosen for it.
 */
export const carryCoversOver = async (
  db: WriteDb,
  kind: Entity,
  { from, into }: { readonly from: readonly Covered[]; readonly into: Covered },
  now: Date,
): Promise<CarriedCovers> => {
  const moved = await selectAddedCovers(
    db,
    from.map(({ id }) => id),
  )
  for (const { id } of from) await giveAddedCovers(db, id, into.id)
  const isMoved = (coverId: string | null): boolean => moved.some(({ id }) => id === coverId)
  const chosen = from.find(({ cover_id }) => isMoved(cover_id))
  const isFree = (kind === 'book' || into.cover_id === null) && !locksIn(into.locks).includes(coverLock)
  const cover = chosen && isFree ? await selectCover(db, into.id, chosen.cover_id ?? '') : undefined
  if (cover) await show(db, { kind, id: into.id }, { cover, locks: withLock(into.locks) }, now)
  return { moved, shown: { cover_id: into.cover_id, locks: into.locks } }
}

/** Each has its own again, but for those that have been removed since. */
export const giveCoversBack = async (
  db: WriteDb,
  kind: Entity,
  {
    carried: { moved, shown },
    intoId,
    fromIds,
  }: { carried: CarriedCovers; intoId: string; fromIds: readonly string[] },
  now: Date,
): Promise<void> => {
  for (const [entityId, covers] of Map.groupBy(moved, ({ entity_id }) => entity_id))
    await giveCovers(
      db,
      covers.map(({ id }) => id),
      intoId,
      entityId,
    )
  const choices = await selectCoverChoices(db, kind, [intoId, ...fromIds])
  for (const { id, cover_id, locks } of choices) {
    if (cover_id === null || (await selectCover(db, id, cover_id))) continue
    const earlier = id === intoId ? await selectCover(db, id, shown.cover_id ?? '') : undefined
    if (earlier) await show(db, { kind, id }, { cover: earlier, locks: locksIn(shown.locks) }, now)
    else await showAutomatic(db, { kind, id }, locks, now)
  }
}
