import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'
import type { Cursor } from './cursors.ts'

/** Rows of a list that an index has in its order: those of one library, those that have a value, those that have none. */
export interface RankSource {
  /** The table of the list goes by its own name. */
  readonly from: RawBuilder<unknown>
  readonly where: readonly RawBuilder<unknown>[]
  /** The id as it stands in the table that is in order, where that is another one. */
  readonly id?: RawBuilder<unknown>
  /** Rows are ordered by these, before their ids: a number, texts, or both. */
  readonly number?: RawBuilder<unknown>
  readonly texts?: readonly RawBuilder<unknown>[]
  /** This many ranks of one table narrow the search for a cursor where no index has all ranks as columns. */
  readonly leading?: number
}

/** Parts of one rank are merged; those of the next stand behind all of them. */
export type Ranks = readonly (readonly RankSource[])[]

export interface Cut {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  /** It counts the whole list: what is nearer to its end is counted from there. */
  readonly total: number
  /** It lies outside the page. */
  readonly near?: Cursor | undefined
}

export interface OrderedPage {
  /** The rows of the page, with their `id` and what they are in order of. */
  readonly page: AliasedRawBuilder<RankedRow, 'page'>
  /** The order of the list, for whatever they are joined with. */
  readonly order: RawBuilder<unknown>
}

export interface RankedRow {
  readonly id: string
  readonly rank: number
}

/** A row of an ordered page that was read with all its columns. */
export const cursorAt = (offset: number, row: RankedRow | undefined): Cursor | undefined =>
  row && { offset, rank: row.rank, values: { ...row } }

type Table = 'series' | 'book'

/** The best is what stands first when it is sorted downwards. */
export const sqlDirectionOf = ({ field, direction }: { field: string; direction: Direction }): Direction =>
  field === 'relevance' ? opposite[direction] : direction

/** One page of a list, as a table to select from. Undefined: there is nothing to select. */
export const orderedPage = (table: Table, ranks: Ranks, cut: Cut): OrderedPage | undefined => {
  const filled = ranks.filter((rank) => rank.length > 0)
  if (filled.length === 0) return undefined
  const columns = columnsOf(filled.flat())
  const { limit, near } = cut
  const { isReversed, offset } = startOf(cut)
  const direction = isReversed ? opposite[cut.direction] : cut.direction
  const ranked = filled
    .map((parts, rank) => ({ parts, rank }))
    .filter(({ rank }) => near === undefined || (isReversed ? rank <= near.rank : rank >= near.rank))
  const rankDirection = isReversed ? 'desc' : 'asc'
  const query: OrderedListQuery = { table, columns, direction, limit, offset, rankDirection, near }
  const page = pageOf(query, isReversed ? ranked.toReversed() : ranked)
  return {
    page: sql<RankedRow>`(${page})`.as('page'),
    order: orderOf(columns, { rank: 'asc', rest: cut.direction }),
  }
}

/** It says from which side the list is read, and how many rows are skipped. */
const startOf = ({ offset, limit, total, near }: Cut): { isReversed: boolean; offset: number } => {
  if (near && near.offset <= offset) return { isReversed: false, offset: offset - near.offset }
  if (near) return { isReversed: true, offset: near.offset - (offset + limit - 1) }
  if (offset > total / 2) return { isReversed: true, offset: Math.max(0, total - offset - limit) }
  return { isReversed: false, offset }
}

type Direction = Cut['direction']
const opposite = { asc: 'desc', desc: 'asc' } as const

interface OrderedListQuery {
  readonly table: Table
  readonly columns: readonly string[]
  readonly direction: Direction
  readonly rankDirection: Direction
  readonly limit: number
  readonly offset: number
  readonly near: Cursor | undefined
}

interface RankedParts {
  readonly parts: readonly RankSource[]
  readonly rank: number
}

const orderOf = (columns: readonly string[], { rank, rest }: { rank: Direction; rest: Direction }) =>
  sql.join([
    sql`page.rank ${sql.raw(rank)}`,
    ...[...columns, 'id'].map((name) => sql`${sql.ref(`page.${name}`)} ${sql.raw(rest)}`),
  ])

/** Up to this many rows, skipping them twice costs less than counting them. */
const countedFrom = 1000

const pageOf = (query: OrderedListQuery, ranks: readonly RankedParts[]): RawBuilder<unknown> => {
  const { limit, offset } = query
  const singles = ranks.flatMap(({ parts: [part, ...others], rank }) =>
    part && others.length === 0 ? [{ part, rank }] : [],
  )
  const [first, second] = singles
  if (first && ranks.length === 1 && singles.length === 1)
    return selectRank(query, first, sql`limit ${limit} offset ${offset}`)
  if (first && second && ranks.length === 2 && singles.length === 2 && offset >= countedFrom)
    return oneAfterTheOther(query, first, second)
  return mergedPage(query, ranks)
}

/** Merged are no more rows of each part than the page can need: left to itself PostgreSQL would read all and sort. */
const mergedPage = (query: OrderedListQuery, ranks: readonly RankedParts[]): RawBuilder<unknown> => {
  const { columns, direction, rankDirection, limit, offset } = query
  const cuts = ranks.flatMap(({ parts, rank }) =>
    parts.map((part) => asSubquery(selectRank(query, { part, rank }, sql`limit ${offset + limit}`))),
  )
  return sql`select page.* from (${sql.join(cuts, sql` union all `)}) as page
    order by ${orderOf(columns, { rank: rankDirection, rest: direction })} limit ${limit} offset ${offset}`
}

/** Far down: how much of the page is in the first rank follows from how many rows that has. */
const oneAfterTheOther = (query: OrderedListQuery, first: RankedPart, second: RankedPart): RawBuilder<unknown> => {
  const { limit, offset } = query
  const { from } = first.part
  const where = [...first.part.where, ...boundsOf(query, first)]
  const inFirst = sql`(select count(*) from (select 1 from ${from}
    where ${sql.join(where, sql` and `)} limit ${offset + limit}) as counted)`
  const [end, start] = [sql`cast(${offset + limit} as bigint)`, sql`cast(${offset} as bigint)`]
  const most = sql`cast(${limit} as bigint)`
  const left = sql`(select case when n <= ${start} then ${most} else ${end} - n end from (select ${inFirst} as n) as counted)`
  const skipped = sql`(select case when n <= ${start} then ${start} - n else 0 end from (select ${inFirst} as n) as counted)`
  const parts = [
    asSubquery(selectRank(query, first, sql`limit ${limit} offset ${offset}`)),
    asSubquery(selectRank(query, second, sql`limit ${left} offset ${skipped}`)),
  ]
  return sql.join(parts, sql` union all `)
}

const asSubquery = (part: RawBuilder<unknown>): RawBuilder<unknown> => sql`select * from (${part}) as page`

/** The columns are those of all parts: a union has the same for each. */
const columnsOf = (parts: readonly RankSource[]): string[] => {
  const texts = Math.max(...parts.map((part) => part.texts?.length ?? 0))
  return [
    ...(parts.some((part) => part.number) ? ['number'] : []),
    ...Array.from({ length: texts }, (_, index) => `text${index}`),
  ]
}

interface RankedPart {
  readonly part: RankSource
  readonly rank: number
}

const selectRank = (query: OrderedListQuery, { part, rank }: RankedPart, end: RawBuilder<unknown>) => {
  const { table, columns, direction } = query
  const { from, number, texts = [], id = sql.ref(`${table}.id`) } = part
  const where = [...part.where, ...boundsOf(query, { part, rank })]
  const selected = columns.map((name) => {
    const key = name === 'number' ? number : texts[Number(name.slice(4))]
    const absent = name === 'number' ? sql`cast(null as double precision)` : sql`cast(null as text)`
    return sql`${key ?? absent} as ${sql.id(name)}`
  })
  const keys = [...(number ? [number] : []), ...texts, id]
  const way = sql.raw(direction)
  return sql`select ${sql.join([sql`${id} as id`, sql`${sql.lit(rank)} as rank`, ...selected])} from ${from}
    where ${sql.join(where, sql` and `)}
    order by ${sql.join(keys.map((key) => sql`${key} ${way}`))} ${end}`
}

/** It limits the rank of the cursor to what is on this side of it, including the cursor. */
const boundsOf = ({ table, direction, near }: OrderedListQuery, { part, rank }: RankedPart): RawBuilder<unknown>[] => {
  if (near?.rank !== rank) return []
  const { number, texts = [], leading, id = sql.ref(`${table}.id`) } = part
  const sign = sql.raw(direction === 'asc' ? '>=' : '<=')
  const keys = [
    ...(number ? [{ key: number, value: near.values.number }] : []),
    ...texts.map((key, index) => ({ key, value: near.values[`text${index}`] })),
    { key: id, value: near.values.id },
  ]
  // When one of the keys has no value, none of its rank has.
  const compared = keys.filter(({ value }) => value !== null)
  const bound = (some: readonly { key: RawBuilder<unknown>; value: unknown }[]) =>
    sql`(${sql.join(some.map(({ key }) => key))}) ${sign} (${sql.join(some.map(({ value }) => value))})`
  return leading ? [bound(compared.slice(0, leading)), bound(compared)] : [bound(compared)]
}

/** Rows with a value in its order come first, then those without one. */
export const nullsLast = (part: RankSource, key: RawBuilder<unknown>, kind: 'number' | 'text'): Ranks => {
  const keyed = kind === 'number' ? { number: key } : { texts: [key] }
  return [
    [{ ...part, ...keyed, where: [...part.where, sql`${key} is not null`] }],
    [{ ...part, ...keyed, where: [...part.where, sql`${key} is null`] }],
  ]
}

/** The end of an id is chance, and has an index in each library. */
const chanceOf = (table: Table) => sql`substr(${sql.ref(`${table}.id`)}, 25)`

/** The list runs from some place to its end, and then from its start to that place. */
export const shuffled = (
  table: Table,
  part: RankSource,
  { from, direction }: { from: string; direction: Cut['direction'] },
): Ranks => {
  const chance = chanceOf(table)
  const ranks = [sql`${chance} >= ${from}`, sql`${chance} < ${from}`].map((where) => [
    { ...part, texts: [chance], leading: 1, where: [...part.where, where] },
  ])
  return direction === 'asc' ? ranks : ranks.toReversed()
}

/** The ranks of several lists merged into one. */
export const merged = (lists: readonly Ranks[]): Ranks => {
  const ranks = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: ranks }, (_, rank) => lists.flatMap((list) => list[rank] ?? []))
}
