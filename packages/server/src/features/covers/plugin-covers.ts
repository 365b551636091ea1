import type { WriteDb } from '../../database/database.ts'
import type { MadeCover } from '../../decoders/cover.ts'
import { newId } from '../../platform/ids.ts'
import { type Entitled, show, showAutomatic } from './choose-cover.ts'
import { type CoverRow, deleteCoverRows, selectCoverChoices, selectCovers, upsertCovers } from './queries.ts'
import { coverLock, locksIn, toRow } from './record-covers.ts'

type StoredCover = Pick<MadeCover, 'width' | 'height' | 'placeholder' | 'tone'> & { readonly contentHash: string }

/**
 * A plugin's cover is shown unless somebody has chosen one. A plugin has one cover of each book or series. It returns
 * the names of pictures that may not be needed any more; undefined when there is no such book or series any more.
 */
export const showPluginCover = async (
  db: WriteDb,
  entity: Entitled,
  { source, cover }: { readonly source: string; readonly cover: StoredCover },
  now: Date,
): Promise<readonly string[] | undefined> => {
  const [choice] = await selectCoverChoices(db, entity.kind, [entity.id])
  if (!choice) return undefined
  const before = (await selectCovers(db, entity.id)).find((each) => each.source === source)
  const row: CoverRow = {
    ...toRow(entity.kind, entity.id, { ...cover, source, page: null }, now),
    id: before?.id ?? newId(now.getTime()),
  }
  await upsertCovers(db, [row])
  const locks = locksIn(choice.locks)
  if (!locks.includes(coverLock)) await show(db, entity, { cover: row, locks }, now)
  return before ? [before.content_hash] : []
}

/** A plugin's cover is removed; the former one comes back. */
export const forgetPluginCovers = async (
  db: WriteDb,
  entity: Entitled,
  source: string,
  now: Date,
): Promise<readonly string[]> => {
  const [choice] = await selectCoverChoices(db, entity.kind, [entity.id])
  const own = (await selectCovers(db, entity.id)).filter((each) => each.source === source)
  if (!choice || own.length === 0) return []
  await deleteCoverRows(
    db,
    own.map(({ id }) => id),
  )
  if (own.some(({ id }) => id === choice.cover_id)) await showAutomatic(db, entity, choice.locks, now)
  return own.map(({ content_hash }) => content_hash)
}
