import type { WriteDb } from '../../database/database.ts'
import { show, showAutomatic, withLock } from './choose-cover.ts'
import { type Entity, selectCover, selectCoverChoices, selectCovers } from './queries.ts'
import { coverLock, locksIn } from './record-covers.ts'

interface Covered {
  readonly id: string
  readonly cover_id: string | null
  readonly locks: string
}

export interface CarriedCovers {
  /** It was the cover of the one that stays. */
  readonly shown: Pick<Covered, 'cover_id' | 'locks'>
}

/**
 * A cover that was chosen for one of those that become part of another is shown for that one, if none was chosen for it.
 * No rule can say this: which picture is shown is a column of the book or series itself, and is decided anew once the
 * covers have gone over.
 */
export const carryCoversOver = async (
  db: WriteDb,
  kind: Entity,
  { from, into }: { readonly from: readonly Covered[]; readonly into: Covered },
  now: Date,
): Promise<CarriedCovers> => {
  const covers = new Map((await selectCovers(db, into.id)).map((cover) => [cover.id, cover]))
  const [cover] = from.flatMap(({ cover_id }) => covers.get(cover_id ?? '') ?? [])
  const isFree = (kind === 'book' || into.cover_id === null) && !locksIn(into.locks).includes(coverLock)
  if (cover && isFree) await show(db, { kind, id: into.id }, { cover, locks: withLock(into.locks) }, now)
  return { shown: { cover_id: into.cover_id, locks: into.locks } }
}

/** Each shows its own again, but for those that have been removed since. */
export const giveCoversBack = async (
  db: WriteDb,
  kind: Entity,
  { carried: { shown }, intoId, fromIds }: { carried: CarriedCovers; intoId: string; fromIds: readonly string[] },
  now: Date,
): Promise<void> => {
  const choices = await selectCoverChoices(db, kind, [intoId, ...fromIds])
  for (const { id, cover_id, locks } of choices) {
    if (cover_id === null || (await selectCover(db, id, cover_id))) continue
    const earlier = id === intoId ? await selectCover(db, id, shown.cover_id ?? '') : undefined
    if (earlier) await show(db, { kind, id }, { cover: earlier, locks: locksIn(shown.locks) }, now)
    else await showAutomatic(db, { kind, id }, locks, now)
  }
}
