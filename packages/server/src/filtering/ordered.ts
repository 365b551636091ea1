import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely'

/** Rows of a list that an index has in its order: those of one library, those that have a value, those that have none. */
export interface Part {
  /** With the table of the list under its own name. */
  readonly from: RawBuilder<unknown>
  readonly where: readonly RawBuilder<unknown>[]
  /** The id as it stands in the table that is in order, where that is another one. */
  readonly id?: RawBuilder<unknown>
  /** What the rows are in order of, before their ids: a number, texts, or both. */
  readonly number?: RawBuilder<unknown>
  readonly texts?: readonly RawBuilder<unknown>[]
}

/** Parts of one rank are merged; those of the next stand behind all of them. */
export type Ranks = readonly (readonly Part[])[]

export interface Cut {
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

export interface OrderedPage {
  /** The rows of the page, with their `id` and what they are in order of. */
  readonly page: AliasedRawBuilder<{ id: string }, 'page'>
  /** The same order again, for whatever they are joined with. */
  readonly order: RawBuilder<unknown>
}

type Table = 'series' | 'book'

/** One page of a list, as a table to select from. Undefined: there is nothing to select. */
export const orderedPage = (table: Table, ranks: Ranks, { direction, limit, offset }: Cut): OrderedPage | undefined => {
  const parts = ranks.flatMap((rank, place) => rank.map((part) => ({ part, place })))
  const [first] = parts
  if (!first) return undefined
  const columns = columnsOf(parts.map(({ part }) => part))
  const way = sql.raw(direction)
  const order = sql`${sql.join([sql`page.rank`, ...[...columns, 'id'].map((name) => sql`${sql.ref(`page.${name}`)} ${way}`)])}`
  const look: Look = { table, columns, way }
  if (parts.length === 1) {
    const whole = partOf(look, first, sql`limit ${limit} offset ${offset}`)
    return { page: sql<{ id: string }>`(${whole})`.as('page'), order }
  }
  // Merged are no more rows of each part than the page can need: left to itself PostgreSQL would read all and sort.
  const cut = parts.map((each) => sql`select * from (${partOf(look, each, sql`limit ${offset + limit}`)}) as page`)
  const page = sql<{ id: string }>`(select page.* from (${sql.join(cut, sql` union all `)}) as page
    order by ${order} limit ${limit} offset ${offset})`
  return { page: page.as('page'), order }
}

interface Look {
  readonly table: Table
  readonly columns: readonly string[]
  readonly way: RawBuilder<unknown>
}

/** Those of all parts: a union has the same for each. */
const columnsOf = (parts: readonly Part[]): string[] => {
  const texts = Math.max(...parts.map((part) => part.texts?.length ?? 0))
  return [
    ...(parts.some((part) => part.number) ? ['number'] : []),
    ...Array.from({ length: texts }, (_, index) => `text${index}`),
  ]
}

const partOf = (
  { table, columns, way }: Look,
  { part, place }: { part: Part; place: number },
  end: RawBuilder<unknown>,
) => {
  const { from, where, number, texts = [], id = sql.ref(`${table}.id`) } = part
  const selected = columns.map((name) => {
    const key = name === 'number' ? number : texts[Number(name.slice(4))]
    const absent = name === 'number' ? sql`cast(null as double precision)` : sql`cast(null as text)`
    return sql`${key ?? absent} as ${sql.id(name)}`
  })
  const keys = [...(number ? [number] : []), ...texts, id]
  return sql`select ${sql.join([sql`${id} as id`, sql`${sql.lit(place)} as rank`, ...selected])} from ${from}
    where ${sql.join(where, sql` and `)}
    order by ${sql.join(keys.map((key) => sql`${key} ${way}`))} ${end}`
}

/** Those that have a value in its order, then those that have none. */
export const nullsLast = (part: Part, key: RawBuilder<unknown>, kind: 'number' | 'text'): Ranks => {
  const keyed = kind === 'number' ? { number: key } : { texts: [key] }
  return [
    [{ ...part, ...keyed, where: [...part.where, sql`${key} is not null`] }],
    [{ ...part, ...keyed, where: [...part.where, sql`${key} is null`] }],
  ]
}

/** The end of an id is chance, and has an index in each library. */
const chanceOf = (table: Table) => sql`substr(${sql.ref(`${table}.id`)}, 25)`

/** From some place on to the end, and then what is before it. */
export const shuffled = (
  table: Table,
  part: Part,
  { from, direction }: { from: string; direction: Cut['direction'] },
): Ranks => {
  const chance = chanceOf(table)
  const ranks = [sql`${chance} >= ${from}`, sql`${chance} < ${from}`].map((where) => [
    { ...part, texts: [chance], where: [...part.where, where] },
  ])
  return direction === 'asc' ? ranks : ranks.toReversed()
}

/** The ranks of several lists merged into one. */
export const merged = (lists: readonly Ranks[]): Ranks => {
  const ranks = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: ranks }, (_, place) => lists.flatMap((list) => list[place] ?? []))
}
