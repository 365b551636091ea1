import type { CoverDto } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { full, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Media } from '../../platform/media.ts'
import { type Choosing, coversMax, toDto, withoutFault } from './choose-cover.ts'
import type { CoverReading } from './cover-reading.ts'
import {
  type CoverRow,
  deleteCoverRows,
  selectCover,
  selectCovers,
  selectListCover,
  upsertCovers,
  upsertListCover,
} from './queries.ts'
import { toRow } from './record-covers.ts'
import { forgetPictures, coverSizesOf } from './tasks.ts'

/** A collection or a read list, as the feature it belongs to lets it be seen. */
export interface PicturedList {
  readonly kind: 'collection' | 'read_list'
  readonly id: string
  /** It refuses whoever may not see it. */
  readonly requireSeen: (db: ReadDb) => Promise<unknown>
  readonly announceChange: (db: WriteDb, now: Date) => Promise<void>
}

export const listListCovers = async ({ db }: Choosing, { id, requireSeen }: PicturedList): Promise<CoverDto[]> => {
  await requireSeen(db.read)
  const selected = await selectListCover(db.read, id)
  return (await selectCovers(db.read, id)).map((row) => toDto(row, selected ?? null))
}

export const uploadListCover = async (
  context: Choosing,
  list: PicturedList,
  bytes: Buffer,
  { byUserId, isSelected }: { readonly byUserId: string; readonly isSelected: boolean },
): Promise<CoverDto> => {
  const { db, clock, decoders, settings, reading } = context
  await list.requireSeen(db.read)
  const { small, large, ...cover } = await withoutFault(() =>
    decoders.run('cover', { bytes, sizes: coverSizesOf(settings) }, { urgent: true, silenceMaxMs: 20_000 }),
  )
  const contentHash = await reading.store.put({ small, large })
  const now = clock()
  const row: CoverRow = {
    ...toRow(list.kind, list.id, { ...cover, contentHash, source: 'upload', page: null }, now),
    id: newId(now.getTime()),
    by_user_id: byUserId,
  }
  return db.write(async (db) => {
    await list.requireSeen(db)
    if ((await selectCovers(db, list.id)).length >= coversMax)
      throw full(coversMax, `It has ${coversMax} covers already. Delete one first.`)
    await upsertCovers(db, [row])
    if (isSelected) await choose(db, list, row.id, now)
    return toDto(row, isSelected ? row.id : null)
  })
}

const choose = async (db: WriteDb, { id, announceChange }: PicturedList, coverId: string, now: Date): Promise<void> => {
  await upsertListCover(db, id, coverId)
  await announceChange(db, now)
}

export const selectOneOfList = ({ db, clock }: Choosing, list: PicturedList, coverId: string): Promise<undefined> =>
  db.write(async (db) => {
    await list.requireSeen(db)
    if (!(await selectCover(db, list.id, coverId))) throw notFound('cover')
    await choose(db, list, coverId, clock())
    return undefined
  })

/** Without a chosen cover the list shows that of its first entry again. */
export const removeListCover = async (context: Choosing, list: PicturedList, coverId: string): Promise<undefined> => {
  const { db, clock, reading } = context
  const name = await db.write(async (db) => {
    await list.requireSeen(db)
    const cover = await selectCover(db, list.id, coverId)
    if (!cover) throw notFound('cover')
    const isSelected = (await selectListCover(db, list.id)) === coverId
    await deleteCoverRows(db, [coverId])
    if (isSelected) await list.announceChange(db, clock())
    return cover.content_hash
  })
  await forgetPictures(reading.store, db.read, [name])
  return undefined
}

/** It reads the cover chosen for a list that the caller may see, if any. */
export const pictureOfList = async (db: ReadDb, reading: CoverReading, listId: string): Promise<Media | undefined> => {
  const coverId = await selectListCover(db, listId)
  return coverId === undefined ? undefined : reading.one(listId, coverId, {})
}
