import type { MissingEntry, ReadListDto } from '@carrel/api'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { contains, escapedLike } from '../../database/dialects/dialect.ts'
import { insertMany } from '../../database/many.ts'
import { moveItem, nextPosition, type Places, rearrange } from '../../database/places.ts'
import { isOneOf as isAmong } from '../../filtering/filtering.ts'
import { newId } from '../../platform/ids.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { nameKey } from '../../platform/sort-key.ts'
import { bookColumns, type ListedBook } from '../../catalogue/lists/lists.ts'
import { listedTo, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { ReadListTables } from './table.ts'

export type ReadListRow = Selectable<ReadListTables['read_list']>
/** The counts are those of one viewer. */
export type CountedReadList = ReadListRow & {
  readonly book_count: number
  /** When something was last said of it, or a member that they see came, left or was moved. */
  readonly changed_at: string
}
export type EntryRow = Selectable<ReadListTables['read_list_book']>

/** It is a viewer of read lists. A viewer who may change them sees those without books too. */
export interface Onlooker {
  readonly viewer: Viewer
  readonly mayChange: boolean
}

export type ReadListOrder = Order<'name' | 'createdAt' | 'updatedAt'>
export type MemberOrder = Order<'manual' | 'release' | 'title' | 'added'>

const columnOf = {
  name: 'read_list.sort_key',
  createdAt: 'read_list.created_at',
  updatedAt: 'changed_at',
} as const

const members = sql`from read_list_book inner join book on book.id = read_list_book.book_id
  where read_list_book.read_list_id = read_list.id`

/**
 * One with nothing to see does not exist (pins W9), unless it has no books and the onlooker may give it some. For them
 * what is missing for a while counts too: they must be able to clear away what nothing stands in any more.
 */
const existsFor = ({ viewer, mayChange }: Onlooker): RawBuilder<boolean> =>
  mayChange
    ? sql<boolean>`(exists (select 1 ${members} and book.state <> 'hidden' and ${visibleTo(viewer, 'book')})
        or not exists (select 1 from read_list_book
          where read_list_book.read_list_id = read_list.id and read_list_book.book_id is not null))`
    : sql<boolean>`exists (select 1 ${members} and ${listedTo(viewer, 'book')})`

export interface ReadListFilter {
  /** Only lists that hold this book count. */
  readonly bookId?: string | undefined
  /** A part of its name. */
  readonly search?: string | undefined
}

const readLists = (db: ReadDb, onlooker: Onlooker, { bookId, search }: ReadListFilter) =>
  db
    .selectFrom('read_list')
    .where(existsFor(onlooker))
    .$if(search !== undefined, (query) =>
      query.where(escapedLike(sql`read_list.name_key`, contains(nameKey(search ?? '')))),
    )
    .$if(bookId !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (select 1 from read_list_book
          where read_list_book.read_list_id = read_list.id and read_list_book.book_id = ${bookId})`,
      ),
    )

const counted = (viewer: Viewer) =>
  sql<number>`(select count(*) ${members} and ${listedTo(viewer, 'book')})`.as('book_count')

/** Changes of hidden members do not count (HTTP-3). */
const changed = (viewer: Viewer) =>
  sql<string>`coalesce((select read_list_book_change.changed_at
    from read_list_book_change inner join book on book.id = read_list_book_change.book_id
    where read_list_book_change.read_list_id = read_list.id and read_list_book_change.changed_at > read_list.updated_at
      and ${listedTo(viewer, 'book')}
    order by read_list_book_change.changed_at desc limit 1), read_list.updated_at)`.as('changed_at')

export const countReadLists = async (db: ReadDb, onlooker: Onlooker, wanted: ReadListFilter): Promise<number> => {
  const { count } = await readLists(db, onlooker, wanted)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectReadLists = async (
  db: ReadDb,
  onlooker: Onlooker,
  wanted: ReadListFilter,
  { order: { field, direction }, paging: { limit, offset } }: { order: ReadListOrder; paging: Paging },
): Promise<ReadListDto[]> => {
  const rows = await readLists(db, onlooker, wanted)
    .selectAll('read_list')
    .select([counted(onlooker.viewer), changed(onlooker.viewer)])
    .orderBy(columnOf[field], direction)
    .orderBy('read_list.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toReadList)
}

export const selectReadList = (db: ReadDb, onlooker: Onlooker, id: string): Promise<CountedReadList | undefined> =>
  readLists(db, onlooker, {})
    .selectAll('read_list')
    .select([counted(onlooker.viewer), changed(onlooker.viewer)])
    .where('read_list.id', '=', id)
    .executeTakeFirst()

export const nameIsTaken = async (db: ReadDb, name: string, exceptId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('read_list')
    .select('id')
    .where('name_key', '=', nameKey(name))
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

/** False when the name is taken. */
export const insertReadList = async (db: WriteDb, row: ReadListRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('read_list')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** It makes transactions that change one list follow one another, where the database would let them overlap. */
export const lockReadList = async (db: WriteDb, id: string): Promise<void> => {
  await db
    .updateTable('read_list')
    .set(({ ref }) => ({ id: ref('id') }))
    .where('id', '=', id)
    .execute()
}

export const updateReadList = async (
  db: WriteDb,
  id: string,
  changes: Partial<Omit<ReadListRow, 'id' | 'created_at'>>,
): Promise<void> => {
  await db.updateTable('read_list').set(changes).where('id', '=', id).execute()
}

export const deleteReadList = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('read_list').where('id', '=', id).execute()
}

// Books in a list

const memberColumn = {
  manual: 'read_list_book.position',
  added: 'read_list_book.added_at',
  title: 'book.sort_key',
  release: 'book.released',
} as const

const shown = (db: ReadDb, viewer: Viewer, readListId: string) =>
  db
    .selectFrom('read_list_book')
    .innerJoin('book', 'book.id', 'read_list_book.book_id')
    .where('read_list_book.read_list_id', '=', readListId)
    .where(listedTo(viewer, 'book'))

export const selectMembers = (
  db: ReadDb,
  viewer: Viewer,
  readListId: string,
  {
    order: { field, direction },
    paging: { limit, offset },
  }: { order: MemberOrder; paging: Pick<Paging, 'limit' | 'offset'> },
): Promise<ListedBook[]> =>
  shown(db, viewer, readListId)
    .select(bookColumns)
    .orderBy(memberColumn[field], (order) => (direction === 'asc' ? order.asc().nullsLast() : order.desc().nullsLast()))
    .orderBy('book.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()

/** Undefined: it is not in the list, for this viewer. Null: it is the first, or the last. */
export const selectNeighbours = async (
  db: ReadDb,
  viewer: Viewer,
  { id, ordered }: Pick<ReadListRow, 'id' | 'ordered'>,
  bookId: string,
): Promise<{ prev: ListedBook | null; next: ListedBook | null } | undefined> => {
  const column = memberColumn[ordered === 1 ? 'manual' : 'title']
  const here = await shown(db, viewer, id)
    .select(sql<string | number>`${sql.ref(column)}`.as('place'))
    .where('book.id', '=', bookId)
    .executeTakeFirst()
  if (!here) return undefined
  const beside = async (direction: 'asc' | 'desc'): Promise<ListedBook | null> => {
    const sign = sql.raw(direction === 'asc' ? '>' : '<')
    const row = await shown(db, viewer, id)
      .select(bookColumns)
      .where(sql<boolean>`(${sql.ref(column)}, book.id) ${sign} (${here.place}, ${bookId})`)
      .orderBy(column, direction)
      .orderBy('book.id', direction)
      .limit(1)
      .executeTakeFirst()
    return row ?? null
  }
  return { prev: await beside('desc'), next: await beside('asc') }
}

const places = { table: 'read_list_book', list: 'read_list_id', item: 'book_id' } as const satisfies Places

/** The count includes entries whose book is still missing. */
export const countEntries = async (db: ReadDb, readListId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('read_list_book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('read_list_id', '=', readListId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertMembers = async (
  db: WriteDb,
  readListId: string,
  bookIds: readonly string[],
  now: Date,
): Promise<void> => {
  const first = await nextPosition(db, places, readListId)
  const rows = bookIds.map((book_id, index) => ({
    id: newId(now.getTime()),
    read_list_id: readListId,
    book_id,
    position: first + index,
    added_at: now.toISOString(),
    wanted_series: null,
    wanted_series_key: null,
    wanted_number: null,
    wanted_volume: null,
    wanted_year: null,
  }))
  await insertMany(db, 'read_list_book', rows, 'is left as it is')
  await noteJoined(db, readListId, now.toISOString())
}

export const insertEntries = (db: WriteDb, rows: readonly EntryRow[]): Promise<void> =>
  insertMany(db, 'read_list_book', rows)

/** It records the books that were added at this time. */
const noteJoined = async (db: WriteDb, id: string, at: string): Promise<void> => {
  await sql`insert into read_list_book_change (read_list_id, book_id, changed_at)
    select read_list_id, book_id, added_at from read_list_book
    where read_list_id = ${id} and added_at = ${at} and book_id is not null
    on conflict (read_list_id, book_id) do update set changed_at = excluded.changed_at`.execute(db)
}

/** It records the books that were moved or removed. */
const noteChanged = (db: WriteDb, id: string, bookIds: readonly string[], at: string): Promise<void> =>
  insertMany(
    db,
    'read_list_book_change',
    bookIds.map((book_id) => ({ read_list_id: id, book_id, changed_at: at })),
    { keys: ['read_list_id', 'book_id'], sets: ['changed_at'] },
  )

/** It returns the first that is not in it. */
export const orderMembers = async (
  db: WriteDb,
  id: string,
  bookIds: readonly string[],
  at: string,
): Promise<string | undefined> => {
  const { stranger, moved } = await rearrange(db, places, id, bookIds)
  await noteChanged(db, id, moved, at)
  return stranger
}

/**
 * It reads the position of a book, and of the book that a viewer sees at some position; the last one, beyond the end.
 */
export const selectPositions = async (
  db: ReadDb,
  viewer: Viewer,
  readListId: string,
  { bookId, place }: { bookId: string; place: number },
): Promise<{ from: number; to: number } | undefined> => {
  const positions = shown(db, viewer, readListId).select('read_list_book.position')
  const moved = await positions.where('book.id', '=', bookId).executeTakeFirst()
  if (!moved) return undefined
  const inPlace = await positions
    .orderBy('read_list_book.position')
    .limit(1)
    .offset(place - 1)
    .executeTakeFirst()
  const last = inPlace ?? (await positions.orderBy('read_list_book.position', 'desc').limit(1).executeTakeFirst())
  return { from: moved.position, to: last?.position ?? moved.position }
}

export const moveMember = async (
  db: WriteDb,
  id: string,
  { bookId, from, to }: { bookId: string; from: number; to: number },
  at: string,
): Promise<void> => {
  if (from === to) return
  await moveItem(db, places, id, { itemId: bookId, from, to })
  await noteChanged(db, id, [bookId], at)
}

export const deleteMember = async (db: WriteDb, id: string, bookId: string, at: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('read_list_book')
    .where('read_list_id', '=', id)
    .where('book_id', '=', bookId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await noteChanged(db, id, [bookId], at)
  return true
}

/** It deletes all entries this viewer sees except these; positions of missing books stay. */
export const deleteOtherMembers = async (
  db: WriteDb,
  viewer: Viewer,
  readListId: string,
  { bookIds, at }: { readonly bookIds: readonly string[]; readonly at: string },
): Promise<void> => {
  const left = await db
    .deleteFrom('read_list_book')
    .where('read_list_id', '=', readListId)
    .where(sql<boolean>`not ${isAmong(sql`read_list_book.book_id`, bookIds)}`)
    .where('book_id', 'in', ({ selectFrom }) =>
      selectFrom('book').select('book.id').where('book.state', '<>', 'hidden').where(visibleTo(viewer, 'book')),
    )
    .returning('book_id')
    .execute()
  await noteChanged(
    db,
    readListId,
    left.flatMap((row) => row.book_id ?? []),
    at,
  )
}

/** The ids of all books in it, as a part of another statement. */
export const booksOf = (id: string): RawBuilder<unknown> =>
  sql`select read_list_book.book_id from read_list_book
    where read_list_book.read_list_id = ${id} and read_list_book.book_id is not null`

// Places kept for what is not there yet

export const selectMissing = async (
  db: ReadDb,
  readListId: string,
  { limit, offset }: Paging,
): Promise<MissingEntry[]> => {
  const rows = await db
    .selectFrom('read_list_book')
    .selectAll()
    .where('read_list_id', '=', readListId)
    .where('book_id', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    series: row.wanted_series ?? '',
    number: row.wanted_number,
    volume: row.wanted_volume,
    year: row.wanted_year,
    addedAt: row.added_at,
  }))
}

export const countMissing = async (db: ReadDb, readListId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('read_list_book')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('read_list_id', '=', readListId)
    .where('book_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteMissing = async (db: WriteDb, readListId: string, entryId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('read_list_book')
    .where('read_list_id', '=', readListId)
    .where('id', '=', entryId)
    .where('book_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export const toReadList = (row: CountedReadList): ReadListDto => ({
  id: row.id,
  name: row.name,
  summary: row.summary,
  ordered: row.ordered === 1,
  bookCount: row.book_count,
  createdAt: row.created_at,
  updatedAt: row.changed_at,
})
