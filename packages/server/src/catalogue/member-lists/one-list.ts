import type { ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { notFound } from '../../platform/errors.ts'
import { type ListAudiences, announcementsOfList, selectAudiences } from '../visibility/visibility.ts'
import { countAutomaticOnes, isAutomatic } from './automatic.ts'
import type { CountedList, ListKind, ListRow, ListViewer } from './kind.ts'
import { itemsOf, selectList } from './queries.ts'

/** One that exists for this viewer, with the number of members they see in it. */
export const requireList = async (db: ReadDb, listViewer: ListViewer, id: string): Promise<CountedList> => {
  const [counted] = await countAutomaticOnes(db, listViewer, [await requireCountedList(db, listViewer, id)])
  if (!counted || (isAutomatic(counted) && counted.member_count === 0 && !listViewer.mayChange))
    throw notFound(listViewer.kind.name)
  return counted
}

/** The same inside of a transaction, where nothing is looked through: what fulfils a condition is not counted. */
export const requireCountedList = async (db: ReadDb, listViewer: ListViewer, id: string): Promise<CountedList> => {
  const row = await selectList(db, listViewer, id)
  if (!row) throw notFound(listViewer.kind.name)
  return row
}

export const readList = async <List>(db: ReadDb, listViewer: ListViewer<List>, id: string): Promise<List> =>
  listViewer.kind.toList(await requireList(db, listViewer, id), listViewer)

/** It announces that another cover stands for the list. */
export const announceOtherPicture = async (db: WriteDb, listViewer: ListViewer, id: string, now: Date): Promise<void> =>
  announceSame(db, listViewer.kind, await requireCountedList(db, listViewer, id), now)

/**
 * It returns who sees something in a list as it is now. For an automatic one that is unknown without checking each
 * user.
 */
export const readAudiences = async (db: WriteDb, kind: ListKind, row: Pick<ListRow, 'id' | 'condition'>) =>
  isAutomatic(row) ? { shown: [], all: [] } : selectAudiences(db, kind.content, itemsOf(kind, row.id))

/** It holds the list before and after; undefined where it does not exist. */
interface Change {
  readonly before: ListAudiences | undefined
  readonly after: ListAudiences | undefined
}

/** Changes of an automatic list are announced only to those who may change it: they see it whatever is in it. */
export const announceList = (
  db: WriteDb,
  { events, mayRead, mayChange }: ListKind,
  id: string,
  { before, after, now }: Change & { readonly now: Date },
): Promise<void> => announce(db, announcementsOfList({ events: events(id), before, after, mayRead, mayChange }), now)

/** It announces a change of a list in which stands what stood there before. */
export const announceSame = async (
  db: WriteDb,
  kind: ListKind,
  row: Pick<ListRow, 'id' | 'condition'>,
  now: Date,
): Promise<void> => {
  const audiences = await readAudiences(db, kind, row)
  await announceList(db, kind, row.id, { before: audiences, after: audiences, now })
}
