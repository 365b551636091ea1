import { type RawBuilder, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { contains, escapedLike } from '../../database/dialects/dialect.ts'
import { insertMany } from '../../database/many.ts'
import { moveItem, nextPosition, rearrange } from '../../database/positions.ts'
import { isOneOf } from '../../filtering/filtering.ts'
import { newId } from '../../platform/ids.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { knownTo, listedTo } from '../visibility/visibility.ts'
import type { CountedList, ListKind, ListRow, ListViewer } from './kind.ts'

export type ListOrder = Order<'name' | 'createdAt' | 'updatedAt'>
export type MemberOrder = Order<'manual' | 'title' | 'added' | 'year' | 'release'>

/** The names that stand in every statement about lists of a kind. */
export const namesOf = ({ table, content, members }: ListKind) => ({
  list: sql.table(table),
  listId: sql.ref(`${table}.id`),
  member: sql.table(members.table),
  ofList: sql.ref(`${members.table}.${members.list}`),
  itemId: sql.ref(`${members.table}.${members.item}`),
  position: sql.ref(`${members.table}.position`),
  content: sql.table(content),
  contentId: sql.ref<string>(`${content}.id`),
})

const joined = (kind: ListKind) => {
  const { member, content, contentId, itemId } = namesOf(kind)
  return sql`from ${member} inner join ${content} on ${contentId} = ${itemId}`
}

const membersOfEach = (kind: ListKind) => sql`${joined(kind)} where ${namesOf(kind).ofList} = ${namesOf(kind).listId}`

/** The members of one list that this viewer sees. */
const shownIn = ({ kind, viewer }: ListViewer, id: string) =>
  sql`${joined(kind)} where ${namesOf(kind).ofList} = ${id} and ${listedTo(viewer, kind.content)}`

const ways = { asc: sql`asc`, desc: sql`desc` } as const

const rowOf = async <Row>(query: RawBuilder<Row>, db: ReadDb): Promise<Row | undefined> =>
  (await query.execute(db)).rows[0]

const countOf = async (db: ReadDb, from: RawBuilder<unknown>): Promise<number> =>
  (await rowOf(sql<{ count: number }>`select count(*) as count ${from}`, db))?.count ?? 0

const idsOf = async (db: ReadDb, query: RawBuilder<{ id: string }>): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ id }) => id)

// Lists

/**
 * One with nothing to see does not exist (pins W9), unless it is empty and the viewer may fill it. For them what is
 * missing for a while counts too: they must be able to clear away what nothing stands in any more.
 */
const holdsSomething = ({ kind, viewer, mayChange }: ListViewer): RawBuilder<boolean> => {
  const { member, ofList, listId, itemId } = namesOf(kind)
  return mayChange
    ? sql`(exists (select 1 ${membersOfEach(kind)} and ${knownTo(viewer, kind.content)})
        or not exists (select 1 from ${member} where ${ofList} = ${listId} and ${itemId} is not null))`
    : sql`exists (select 1 ${membersOfEach(kind)} and ${listedTo(viewer, kind.content)})`
}

const existsFor = (listViewer: ListViewer, fulfilled: readonly string[]): RawBuilder<boolean> => {
  const { kind, mayChange } = listViewer
  if (!kind.isAutomatic) return holdsSomething(listViewer)
  const isFulfilled = mayChange ? sql`true` : isOneOf(namesOf(kind).listId, fulfilled)
  return sql`(case when ${sql.ref(`${kind.table}.condition`)} is null
    then ${holdsSomething(listViewer)} else ${isFulfilled} end)`
}

export interface ListFilter {
  /** Automatic lists in which this viewer sees something; they see all if they may change them. */
  readonly fulfilled: readonly string[]
  /** A part of its name. */
  readonly search?: string | undefined
  /** Only lists that hold this count, by hand or because it fulfils their condition. */
  readonly holding?: { readonly itemId: string; readonly automaticIds: readonly string[] }
}

const lists = (listViewer: ListViewer, { fulfilled, holding, search }: ListFilter) => {
  const { kind } = listViewer
  const { list, listId, member, ofList, itemId } = namesOf(kind)
  const conditions = [existsFor(listViewer, fulfilled)]
  if (search !== undefined) conditions.push(escapedLike(sql.ref(`${kind.table}.name_key`), contains(nameKey(search))))
  if (holding)
    conditions.push(sql`(${isOneOf(listId, holding.automaticIds)} or exists (select 1 from ${member}
      where ${ofList} = ${listId} and ${itemId} = ${holding.itemId}))`)
  return sql`from ${list} where ${sql.join(conditions, sql` and `)}`
}

/** It counts the members added by hand; those that fulfil a condition are counted by `selectFiguresOfFulfilling`. */
const counted = ({ kind, viewer }: ListViewer) =>
  sql`(select count(*) ${membersOfEach(kind)} and ${listedTo(viewer, kind.content)}) as member_count`

/** Changes of hidden members do not count (HTTP-3). */
const changed = ({ kind, viewer }: ListViewer) => {
  const { listId, content, contentId } = namesOf(kind)
  const [at, updated] = [sql.ref(`${kind.changes}.changed_at`), sql.ref(`${kind.table}.updated_at`)]
  const [ofList, itemId] = [kind.members.list, kind.members.item].map((name) => sql.ref(`${kind.changes}.${name}`))
  return sql`coalesce((select ${at} from ${sql.table(kind.changes)} inner join ${content} on ${contentId} = ${itemId}
    where ${ofList} = ${listId} and ${at} > ${updated} and ${listedTo(viewer, kind.content)}
    order by ${at} desc limit 1), ${updated}) as changed_at`
}

const rows = (listViewer: ListViewer, filter: ListFilter) =>
  sql`select ${namesOf(listViewer.kind).list}.*, ${counted(listViewer)}, ${changed(listViewer)} ${lists(listViewer, filter)}`

export const countLists = (db: ReadDb, listViewer: ListViewer, filter: ListFilter): Promise<number> =>
  countOf(db, lists(listViewer, filter))

const listColumn = { name: 'sort_key', createdAt: 'created_at', updatedAt: 'changed_at' } as const

export const selectLists = async (
  db: ReadDb,
  listViewer: ListViewer,
  filter: ListFilter,
  { order: { field, direction }, paging: { limit, offset } }: { order: ListOrder; paging: Paging },
): Promise<readonly CountedList[]> => {
  const way = ways[direction]
  const query = sql<CountedList>`${rows(listViewer, filter)}
    order by ${sql.ref(listColumn[field])} ${way}, id ${way} limit ${limit} offset ${offset}`
  return (await query.execute(db)).rows
}

/** One that may turn out not to exist: an automatic one in which there is nothing. */
export const selectList = (db: ReadDb, listViewer: ListViewer, id: string): Promise<CountedList | undefined> =>
  rowOf(sql`${rows(listViewer, { fulfilled: [id] })} and ${namesOf(listViewer.kind).listId} = ${id}`, db)

/** It reads the conditions of all automatic lists, or of those among these. */
export const selectConditions = async (
  db: ReadDb,
  { table, isAutomatic }: ListKind,
  ids?: readonly string[],
): Promise<readonly Pick<ListRow, 'id' | 'condition'>[]> => {
  if (!isAutomatic) return []
  const { rows } = await sql<Pick<ListRow, 'id' | 'condition'>>`select id, condition from ${sql.table(table)}
    where condition is not null and ${ids ? isOneOf(sql`id`, ids) : sql`true`} order by id`.execute(db)
  return rows
}

export const isNameTaken = async (db: ReadDb, { table }: ListKind, name: string, exceptId = ''): Promise<boolean> =>
  (await countOf(db, sql`from ${sql.table(table)} where name_key = ${nameKey(name)} and id <> ${exceptId}`)) > 0

/** False when the name is taken. */
export const insertList = async (db: WriteDb, { table }: ListKind, row: ListRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** It makes transactions that change one list follow one another, where the database would let them overlap. */
export const lockLists = async (db: WriteDb, { table }: ListKind, ids: readonly string[]): Promise<void> => {
  await sql`update ${sql.table(table)} set id = id where id in (${sql.join(ids)})`.execute(db)
}

export const updateList = async (
  db: WriteDb,
  { table }: ListKind,
  id: string,
  changes: Partial<Omit<ListRow, 'id' | 'created_at'>>,
): Promise<void> => {
  await db.updateTable(table).set(changes).where('id', '=', id).execute()
}

export const deleteList = async (db: WriteDb, { table }: ListKind, id: string): Promise<void> => {
  await db.deleteFrom(table).where('id', '=', id).execute()
}

// What fulfils a condition

export interface Fulfilling {
  readonly id: string
  /** The condition refers to the table of the content. */
  readonly holds: RawBuilder<boolean>
}

export interface Fulfilled {
  readonly count: number
  readonly firstIds: readonly string[]
}

/** It counts what fulfils each of these conditions, and tells the first of it by title, in one statement. */
export const selectFiguresOfFulfilling = async (
  db: ReadDb,
  { kind, viewer }: ListViewer,
  conditions: readonly Fulfilling[],
  firstMax: number,
): Promise<ReadonlyMap<string, Fulfilled>> => {
  const { content, contentId } = namesOf(kind)
  const order = sql`${sql.ref(`${kind.content}.sort_key`)} nulls last, ${contentId}`
  const parts = conditions.flatMap(({ id, holds }) => {
    const ofList = sql`cast(${id} as text)`
    const fulfilling = sql`from ${content} where ${listedTo(viewer, kind.content)} and ${holds}`
    const counted = sql`select ${ofList} as id, count(*) as figure, cast(null as text) as item_id ${fulfilling}`
    const first = sql`select * from (select ${ofList} as id, row_number() over (order by ${order}) as figure,
      ${contentId} as item_id ${fulfilling} order by ${order} limit ${firstMax}) as first`
    return firstMax === 0 ? [counted] : [counted, first]
  })
  const query = sql<{ id: string; figure: number; item_id: string | null }>`${sql.join(parts, sql` union all `)}`
  const ofEach = Map.groupBy((await query.execute(db)).rows, ({ id }) => id)
  return new Map(
    [...ofEach].map(([id, rows]) => {
      const ranked = rows.filter(({ item_id }) => item_id !== null).sort((one, other) => one.figure - other.figure)
      const count = rows.find(({ item_id }) => item_id === null)?.figure ?? 0
      return [id, { count, firstIds: ranked.flatMap(({ item_id }) => item_id ?? []) }]
    }),
  )
}

/** It returns the conditions that something fulfils, or this. */
export const selectFulfilled = (
  db: ReadDb,
  { kind, viewer }: Pick<ListViewer, 'kind' | 'viewer'>,
  conditions: readonly Fulfilling[],
  itemId?: string,
): Promise<string[]> => {
  const { content, contentId } = namesOf(kind)
  const isThis = itemId === undefined ? sql`true` : sql`${contentId} = ${itemId}`
  const selects = conditions.map(
    ({ id, holds }) => sql`select cast(${id} as text) as id where exists (select 1 from ${content}
      where ${isThis} and ${listedTo(viewer, kind.content)} and ${holds})`,
  )
  return idsOf(db, sql`${sql.join(selects, sql` union all `)}`)
}

// Members

interface MembersPage {
  readonly order: MemberOrder
  readonly paging: Pick<Paging, 'limit' | 'offset'>
  /** Only those of which this holds: it refers to the table of the content. */
  readonly where?: RawBuilder<boolean> | undefined
}

const narrowedBy = ({ where }: Pick<MembersPage, 'where'>) => (where === undefined ? sql`` : sql` and ${where}`)

const memberColumn = ({ members, content }: ListKind, { field }: Pick<MemberOrder, 'field'>): string =>
  ({
    manual: `${members.table}.position`,
    added: `${members.table}.added_at`,
    title: `${content}.sort_key`,
    year: `${content}.year`,
    release: `${content}.released`,
  })[field]

const inOrder = ({ content }: ListKind, column: string, { order: { direction }, paging }: MembersPage) => {
  const way = ways[direction]
  return sql`order by ${sql.ref(column)} ${way} nulls last, ${sql.ref(`${content}.id`)} ${way}
    limit ${paging.limit} offset ${paging.offset}`
}

/** Some of the members of a list, as what stands in a statement behind its columns. */
export const someMembers = (listViewer: ListViewer, id: string, page: MembersPage): RawBuilder<unknown> => {
  const { kind } = listViewer
  return sql`${shownIn(listViewer, id)}${narrowedBy(page)} ${inOrder(kind, memberColumn(kind, page.order), page)}`
}

/** The same of what fulfils a condition. */
export const someFulfilling = (
  { kind, viewer }: ListViewer,
  holds: RawBuilder<boolean>,
  page: MembersPage,
): RawBuilder<unknown> => {
  const { content } = kind
  const column = page.order.field === 'added' ? `${content}.created_at` : memberColumn(kind, page.order)
  return sql`from ${sql.table(content)} where ${listedTo(viewer, content)} and ${holds}${narrowedBy(page)}
    ${inOrder(kind, column, page)}`
}

export const these = (kind: ListKind, ids: readonly string[]): RawBuilder<unknown> =>
  sql`from ${sql.table(kind.content)} where ${isOneOf(namesOf(kind).contentId, ids)}`

export const selectIds = (db: ReadDb, kind: ListKind, behind: RawBuilder<unknown>): Promise<string[]> =>
  idsOf(db, idsBehind(kind, behind))

/** The ids of members, as a part of another statement. */
export const idsBehind = (kind: ListKind, behind: RawBuilder<unknown>): RawBuilder<{ id: string }> =>
  sql`select ${namesOf(kind).contentId} ${behind}`

export interface Neighbours {
  readonly prev: string | undefined
  readonly next: string | undefined
}

/** Undefined: it is not in the list, for this viewer. */
export const selectNeighbours = async (
  db: ReadDb,
  listViewer: ListViewer,
  { id, ordered }: Pick<ListRow, 'id' | 'ordered'>,
  itemId: string,
): Promise<Neighbours | undefined> => {
  const { contentId } = namesOf(listViewer.kind)
  const column = sql.ref(memberColumn(listViewer.kind, { field: ordered === 1 ? 'manual' : 'title' }))
  const shown = shownIn(listViewer, id)
  const here = await rowOf(
    sql<{ position: string | number }>`select ${column} as position ${shown} and ${contentId} = ${itemId}`,
    db,
  )
  if (!here) return undefined
  const beside = async (direction: 'asc' | 'desc'): Promise<string | undefined> => {
    const [way, sign] = direction === 'asc' ? [ways.asc, sql`>`] : [ways.desc, sql`<`]
    const [firstId] = await selectIds(
      db,
      listViewer.kind,
      sql`${shown} and (${column}, ${contentId}) ${sign} (${here.position}, ${itemId})
        order by ${column} ${way}, ${contentId} ${way} limit 1`,
    )
    return firstId
  }
  return { prev: await beside('desc'), next: await beside('asc') }
}

/** The count includes what is still missing. */
export const countMembers = (db: ReadDb, { members }: ListKind, id: string): Promise<number> =>
  countOf(db, sql`from ${sql.table(members.table)} where ${sql.ref(members.list)} = ${id}`)

export const insertMembers = async (
  db: WriteDb,
  { members, changes, hasEntryIds }: ListKind,
  id: string,
  { itemIds, now }: { readonly itemIds: readonly string[]; readonly now: Date },
): Promise<void> => {
  const { table, list, item } = members
  const first = await nextPosition(db, members, id)
  const at = now.toISOString()
  const rows = itemIds.map((itemId, index) => ({
    ...(hasEntryIds && { id: newId(now.getTime()) }),
    [list]: id,
    [item]: itemId,
    position: first + index,
    added_at: at,
  }))
  await insertMany(db, table, rows, 'is left as it is')
  const [ofList, itemId] = [sql.ref(list), sql.ref(item)]
  // Whatever was added at this time has come.
  await sql`insert into ${sql.table(changes)} (${ofList}, ${itemId}, changed_at)
    select ${ofList}, ${itemId}, added_at from ${sql.table(table)}
    where ${ofList} = ${id} and added_at = ${at} and ${itemId} is not null
    on conflict (${ofList}, ${itemId}) do update set changed_at = excluded.changed_at`.execute(db)
}

/** It records what came, was moved or removed. */
export const recordChanges = (
  db: WriteDb,
  { members: { list, item }, changes }: ListKind,
  entries: readonly { readonly listId: string; readonly itemId: string }[],
  at: string,
): Promise<void> =>
  insertMany(
    db,
    changes,
    entries.map(({ listId, itemId }) => ({ [list]: listId, [item]: itemId, changed_at: at })),
    { keys: [list, item], sets: ['changed_at'] },
  )

const recordChanged = (db: WriteDb, kind: ListKind, listId: string, { itemIds, at }: ChangedMembers): Promise<void> =>
  recordChanges(
    db,
    kind,
    itemIds.map((itemId) => ({ listId, itemId })),
    at,
  )

interface ChangedMembers {
  readonly itemIds: readonly string[]
  readonly at: string
}

/** It returns the first that is not in it. */
export const orderMembers = async (
  db: WriteDb,
  kind: ListKind,
  id: string,
  { itemIds, at }: ChangedMembers,
): Promise<string | undefined> => {
  const { stranger, moved } = await rearrange(db, kind.members, id, itemIds)
  await recordChanged(db, kind, id, { itemIds: moved, at })
  return stranger
}

/** It moves a member to where another one stands that the viewer sees, the last one beyond the end; false: it is not in the list. */
export const moveMember = async (
  db: WriteDb,
  listViewer: ListViewer,
  id: string,
  { itemId, rank, at }: { readonly itemId: string; readonly rank: number; readonly at: string },
): Promise<boolean> => {
  const { kind } = listViewer
  const { position, contentId } = namesOf(kind)
  const positions = sql<{ position: number }>`select ${position} as position ${shownIn(listViewer, id)}`
  const moved = await rowOf(sql<{ position: number }>`${positions} and ${contentId} = ${itemId}`, db)
  if (!moved) return false
  const there =
    (await rowOf(sql<{ position: number }>`${positions} order by ${position} limit 1 offset ${rank - 1}`, db)) ??
    (await rowOf(sql<{ position: number }>`${positions} order by ${position} desc limit 1`, db))
  const [from, to] = [moved.position, there?.position ?? moved.position]
  if (from === to) return true
  await moveItem(db, kind.members, id, { itemId, from, to })
  await recordChanged(db, kind, id, { itemIds: [itemId], at })
  return true
}

/** It deletes the members that a condition over them leaves, and returns them. */
const deleteMembers = async (
  db: WriteDb,
  kind: ListKind,
  id: string,
  { holds, at }: { readonly holds: RawBuilder<boolean>; readonly at: string },
): Promise<readonly string[]> => {
  const { ofList } = namesOf(kind)
  const itemIds = await idsOf(
    db,
    sql`delete from ${sql.table(kind.members.table)} where ${ofList} = ${id} and ${holds} returning ${sql.ref(kind.members.item)} as id`,
  )
  await recordChanged(db, kind, id, { itemIds, at })
  return itemIds
}

export const deleteMember = async (
  db: WriteDb,
  kind: ListKind,
  id: string,
  { itemId, at }: { readonly itemId: string; readonly at: string },
): Promise<boolean> =>
  (await deleteMembers(db, kind, id, { holds: sql`${namesOf(kind).itemId} = ${itemId}`, at })).length > 0

/** It deletes all members this viewer sees except these; places of missing ones stay. */
export const deleteOtherMembers = async (
  db: WriteDb,
  { kind, viewer }: ListViewer,
  id: string,
  { itemIds, at }: ChangedMembers,
): Promise<void> => {
  const { itemId, content, contentId } = namesOf(kind)
  const holds = sql<boolean>`not ${isOneOf(itemId, itemIds)}
    and ${itemId} in (select ${contentId} from ${content} where ${knownTo(viewer, kind.content)})`
  await deleteMembers(db, kind, id, { holds, at })
}

/** It returns which of these are members of the list. */
export const selectMembersAmong = async (
  db: ReadDb,
  kind: ListKind,
  id: string,
  itemIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { member, ofList, itemId } = namesOf(kind)
  const ids = sql<{
    id: string
  }>`select ${itemId} as id from ${member} where ${ofList} = ${id} and ${isOneOf(itemId, itemIds)}`
  return new Set(await idsOf(db, ids))
}

/** The ids of all that is in it, as a part of another statement. */
export const itemsOf = (kind: ListKind, id: string): RawBuilder<unknown> => {
  const { member, ofList, itemId } = namesOf(kind)
  return sql`select ${itemId} from ${member} where ${ofList} = ${id} and ${itemId} is not null`
}
