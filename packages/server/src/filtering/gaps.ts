import { type RawBuilder, sql } from 'kysely'

/** Numbers further apart than this are dates or codes, and nothing is missing between them. */
const longestRun = 10_000

/** The whole number of a book that has a number or a chapter, if it is one of the series' order. */
export const numberedUnit = sql<number | null>`case when book.is_special = 0
  and (book.chapter is not null or book.number_text is not null)
  and book.number >= 1 and book.number = round(book.number) then book.number end`

/** The volume of a book that is a whole volume. */
export const volumeUnit = sql<number | null>`case when book.is_special = 0 and book.chapter is null
  and book.number_text is null and book.volume >= 1 then book.volume end`

/** Which whole numbers there are of a series: how many different ones, from which to which. */
export interface NumberRun {
  readonly owned: number
  readonly first: number | null
  readonly last: number | null
}

/** Which numbers there should be: all up to the total if somebody says one that can be true, else those in between. */
export const expectedIn = ({ owned, first, last }: NumberRun, total: number | null): { from: number; to: number } => {
  if (owned === 0 || first === null || last === null) return { from: 1, to: 0 }
  if (total !== null && total >= last && total <= longestRun) return { from: 1, to: total }
  return last - first < longestRun ? { from: first, to: last } : { from: first, to: first + owned - 1 }
}

export const missingIn = (run: NumberRun, total: number | null): number => {
  const { from, to } = expectedIn(run, total)
  return to - from + 1 - run.owned
}

interface SqlRun {
  readonly unit: RawBuilder<number | null>
  readonly total: RawBuilder<number | null>
}

/** The same as `missingIn` over some books, in SQL. */
export const missingAmong = ({ unit, total }: SqlRun): RawBuilder<number> => {
  const owned = sql`count(distinct ${unit})`
  return sql`(case when ${owned} = 0 then 0
    when ${total} >= max(${unit}) and ${total} <= ${sql.lit(longestRun)} then ${total} - ${owned}
    when max(${unit}) - min(${unit}) < ${sql.lit(longestRun)} then max(${unit}) - min(${unit}) + 1 - ${owned}
    else 0 end)`
}
