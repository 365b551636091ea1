import { sql } from 'kysely'
import { membersMax } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany } from '../../../database/many.ts'
import { isOneOf } from '../../../filtering/filtering.ts'
import { newId } from '../../../platform/ids.ts'
import type { ListKind } from '../kind.ts'
import type { MemberListTables, NamedList } from '../table.ts'

export type ListClaimRow = MemberListTables['list_claim']
export type ListToFollow = MemberListTables['list_to_follow']

// What files say

export const selectListClaims = async (db: ReadDb, bookIds: readonly string[]): Promise<readonly ListClaimRow[]> =>
  bookIds.length === 0
    ? []
    : db
        .selectFrom('list_claim')
        .selectAll()
        .where(isOneOf(sql`book_id`, bookIds))
        .execute()

export const replaceListClaims = async (
  db: WriteDb,
  bookIds: readonly string[],
  rows: readonly ListClaimRow[],
): Promise<void> => {
  if (bookIds.length === 0) return
  await db
    .deleteFrom('list_claim')
    .where(isOneOf(sql`book_id`, bookIds))
    .execute()
  await insertMany(db, 'list_claim', rows)
}

export type ListName = Pick<ListClaimRow, 'list' | 'name_key'>

interface NamesPage {
  readonly after: ListName | undefined
  readonly limit: number
}

/** The names that files of a library give lists, a part at a time in the order of their keys. */
export const selectNamesIn = (db: ReadDb, libraryId: string, { after, limit }: NamesPage): Promise<ListName[]> =>
  db
    .selectFrom('list_claim')
    .select(['list', 'name_key'])
    .distinct()
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('book')
          .select('book.id')
          .whereRef('book.id', '=', 'list_claim.book_id')
          .where('book.library_id', '=', libraryId),
      ),
    )
    .where(after ? sql<boolean>`(list, name_key) > (${after.list}, ${after.name_key})` : sql<boolean>`true`)
    .orderBy('list')
    .orderBy('name_key')
    .limit(limit)
    .execute()

/** The names of all lists that follow files, in the same order. */
export const selectNamesFollowed = (db: ReadDb, { after, limit }: NamesPage): Promise<ListName[]> =>
  db
    .selectFrom('read_list')
    .select([sql<NamedList>`'read_list'`.as('list'), sql<string>`files_key`.as('name_key')])
    .where('follows_files', '=', 1)
    .unionAll(({ selectFrom }) =>
      selectFrom('collection')
        .select([sql<NamedList>`'collection'`.as('list'), sql<string>`files_key`.as('name_key')])
        .where('follows_files', '=', 1),
    )
    .$call((names) => db.selectFrom(names.as('followed')).selectAll())
    .where(after ? sql<boolean>`(list, name_key) > (${after.list}, ${after.name_key})` : sql<boolean>`true`)
    .orderBy('list')
    .orderBy('name_key')
    .limit(limit)
    .execute()

// What is to be looked at

export const upsertToFollow = (db: WriteDb, rows: readonly Omit<ListToFollow, 'mark'>[], now: Date): Promise<void> => {
  const mark = newId(now.getTime())
  return insertMany(
    db,
    'list_to_follow',
    rows.map((row) => ({ ...row, mark })),
    { keys: ['kind', 'key'], sets: ['mark'] },
  )
}

/** Lists that files name, as long as any library makes some. They are locked in the same order by everybody. */
const upsertListsOf = async (db: WriteDb, holds: ReturnType<typeof isOneOf>, now: Date): Promise<void> => {
  await sql`insert into list_to_follow (kind, key, mark)
    select distinct list, name_key, cast(${newId(now.getTime())} as text) from list_claim
    where ${holds} and exists (select 1 from library where lists_from_files = 1)
    order by list, name_key
    on conflict (kind, key) do update set mark = excluded.mark`.execute(db)
}

export const upsertListsOfBooks = (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> =>
  upsertListsOf(db, isOneOf(sql`book_id`, bookIds), now)

export const upsertListsOfSeries = (db: WriteDb, seriesIds: readonly string[], now: Date): Promise<void> =>
  upsertListsOf(db, sql`book_id in (select id from book where ${isOneOf(sql`series_id`, seriesIds)})`, now)

/** Only if a file names it. */
export const upsertIfClaimed = (
  db: WriteDb,
  { list, nameKey }: { readonly list: NamedList; readonly nameKey: string },
  now: Date,
): Promise<void> => upsertListsOf(db, sql`list = ${list} and name_key = ${nameKey}`, now)

export const isAnythingToFollow = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('list_to_follow').select('kind').limit(1).executeTakeFirst()) !== undefined

/** Libraries come first: what they name is looked at behind them. */
export const selectToFollow = (db: ReadDb, limit: number): Promise<ListToFollow[]> =>
  db
    .selectFrom('list_to_follow')
    .selectAll()
    .orderBy(sql`case when kind = 'library' then 0 else 1 end`)
    .orderBy('kind')
    .orderBy('key')
    .limit(limit)
    .execute()

/** Unless something has been said meanwhile. */
export const deleteToFollow = async (db: WriteDb, { kind, key, mark }: ListToFollow): Promise<void> => {
  await db
    .deleteFrom('list_to_follow')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('mark', '=', mark)
    .execute()
}

export const makesLists = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('library')
    .select('id')
    .where('id', '=', libraryId)
    .where('lists_from_files', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

// Lists that nobody wants

export const insertDeclined = (db: WriteDb, list: NamedList, nameKey: string, at: string): Promise<void> =>
  insertMany(db, 'declined_list', [{ list, name_key: nameKey, at }], 'is left as it is')

export const isDeclined = async (db: ReadDb, list: NamedList, nameKey: string): Promise<boolean> => {
  const row = await db
    .selectFrom('declined_list')
    .select('at')
    .where('list', '=', list)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
  return row !== undefined
}

export const deleteDeclined = async (db: WriteDb, names: readonly ListName[]): Promise<void> => {
  for (const [list, each] of Map.groupBy(names, (name) => name.list))
    await db
      .deleteFrom('declined_list')
      .where('list', '=', list)
      .where(
        isOneOf(
          sql`name_key`,
          each.map(({ name_key }) => name_key),
        ),
      )
      .execute()
}

// What is in them

export interface NamedMember {
  readonly id: string
  readonly name: string
  /** A file says its number. */
  readonly isNumbered: boolean
}

const claimsThatCount = (db: ReadDb, list: NamedList, nameKey: string) =>
  db
    .selectFrom('list_claim')
    .innerJoin('book', 'book.id', 'list_claim.book_id')
    .innerJoin('series', 'series.id', 'book.series_id')
    .innerJoin('library', 'library.id', 'book.library_id')
    .where('list_claim.list', '=', list)
    .where('list_claim.name_key', '=', nameKey)
    .where('library.lists_from_files', '=', 1)
    .where('library.deleted_at', 'is', null)
    .where('book.state', '<>', 'hidden')

/** In the order they are to have; one more than there may be, if there are as many. */
export const selectNamedMembers = async (
  db: ReadDb,
  { table, content }: Pick<ListKind, 'table' | 'content'>,
  nameKey: string,
): Promise<readonly NamedMember[]> => {
  if (content === 'series') {
    const rows = await claimsThatCount(db, table, nameKey)
      .groupBy(['series.id', 'series.sort_key'])
      .select(({ fn }) => ['series.id', fn.min('list_claim.name').as('name')])
      .orderBy('series.sort_key')
      .orderBy('series.id')
      .limit(membersMax + 1)
      .execute()
    return rows.map((row) => ({ ...row, isNumbered: false }))
  }
  const rows = await claimsThatCount(db, table, nameKey)
    .select(['book.id', 'list_claim.name', 'list_claim.place'])
    .orderBy('list_claim.place', (order) => order.asc().nullsLast())
    .orderBy('series.sort_key')
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(membersMax + 1)
    .execute()
  return rows.map(({ id, name, place }) => ({ id, name, isNumbered: place !== null }))
}

/** Files say enough of it for a list. */
export const isClaimed = async (db: ReadDb, list: NamedList, nameKey: string): Promise<boolean> => {
  const row = await claimsThatCount(db, list, nameKey)
    .select('book.id')
    .$if(list === 'read_list', (claims) => claims.where('list_claim.place', 'is not', null))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface MadeList {
  readonly id: string
  readonly name: string
  readonly follows_files: 0 | 1
}

/** The list that was made of what files call so, be it that it follows them no more. */
export const selectMade = async (db: ReadDb, { table }: ListKind, nameKey: string): Promise<MadeList | undefined> => {
  const { rows } = await sql<MadeList>`select id, name, follows_files from ${sql.table(table)}
    where files_key = ${nameKey}`.execute(db)
  return rows[0]
}

export interface MemberPosition {
  readonly id: string
  readonly position: number
}

/** In their order. A place that is kept for what is not there is none of files. */
export const selectPositions = async (
  db: ReadDb,
  { members }: ListKind,
  listId: string,
): Promise<readonly MemberPosition[]> => {
  const item = sql.ref(members.item)
  const { rows } = await sql<MemberPosition>`select ${item} as id, position from ${sql.table(members.table)}
    where ${sql.ref(members.list)} = ${listId} and ${item} is not null order by position, ${item}`.execute(db)
  return rows
}

interface PositionChanges {
  readonly gone: readonly string[]
  readonly come: readonly MemberPosition[]
  /** They stay, at other places. */
  readonly moved: readonly MemberPosition[]
}

export const changePositions = async (
  db: WriteDb,
  { members: { table, list, item }, hasEntryIds }: ListKind,
  listId: string,
  { gone, come, moved, now }: PositionChanges & { readonly now: Date },
): Promise<void> => {
  if (gone.length > 0)
    await sql`delete from ${sql.table(table)} where ${sql.ref(list)} = ${listId}
      and ${isOneOf(sql.ref(item), gone)}`.execute(db)
  const rowOf = ({ id, position }: MemberPosition) => ({ [list]: listId, [item]: id, position })
  const added = come.map((member) => ({
    ...(hasEntryIds && { id: newId(now.getTime()) }),
    ...rowOf(member),
    added_at: now.toISOString(),
  }))
  await insertMany(db, table, added, 'is left as it is')
  const shape = { keys: { [list]: 'text', [item]: 'text' }, columns: { position: 'integer' } } as const
  await updateMany(db, table, shape, moved.map(rowOf))
}
