import type { BookDto, ListAnswer, ListedReadList, MissingEntry, ReadListDto } from '@carrel/api'
import {
  changeMembers,
  type ListAtAGlance,
  type ListChange,
  type ListViewer,
  requireList,
  updateList,
} from '../../catalogue/member-lists/member-lists.ts'
import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { readLists } from './kind.ts'
import { countMissing, deleteMissing, selectMissing } from './queries.ts'

export { entryRule } from './merge-rules.ts'
export { reservePositions, type ListPosition, releasePositions } from './import/reserved-positions.ts'
export { fillWaitingIn } from './import/fill-waiting.ts'
export { type ListMatches, matchReadList } from './import/match-list.ts'
export { readLists } from './kind.ts'

// Places kept for what is not there yet

export const listMissing = async (
  db: ReadDb,
  listViewer: ListViewer,
  id: string,
  paging: Paging,
): Promise<ListAnswer<MissingEntry>> => {
  await requireList(db, listViewer, id)
  const total = await countMissing(db, id)
  return { total, data: paging.offset < total ? await selectMissing(db, id, paging) : [] }
}

export const removeMissing = (change: ListChange, id: string, entryId: string): Promise<undefined> =>
  changeMembers(change, id, async (db) => {
    if (!(await deleteMissing(db, id, entryId))) throw notFound('missing entry of this read list')
    await updateList(db, readLists, id, { updated_at: change.now.toISOString() })
    return undefined
  })

/** What comes next is named, so that a page can say it. */
export const toListed = (list: ReadListDto, { covers, readCount, next }: ListAtAGlance<BookDto>): ListedReadList => ({
  ...list,
  covers,
  readCount,
  next: next && nameOf(next),
})

const nameOf = ({
  id,
  title,
  seriesName,
  number,
  volume,
  chapter,
  oneShot,
}: BookDto): NonNullable<ListedReadList['next']> => ({ id, title, seriesName, number, volume, chapter, oneShot })
