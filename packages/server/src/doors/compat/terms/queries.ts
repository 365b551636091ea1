import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '../../../database/database.ts'
import { contains, escapedLike } from '../../../database/dialects/dialect.ts'
import { listedTo, seesTermOfSeries, shownOfSeries, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import { fold } from '../../../platform/text/sort-key.ts'

/** Only names on these series or books count; without a value all names count. */
export interface Within {
  /** The condition refers to the table `series`. */
  readonly series: RawBuilder<boolean> | undefined
  /** The condition refers to the table `book`. */
  readonly books: RawBuilder<boolean> | undefined
  readonly search: string | undefined
}

type Part = 'series' | 'book'

/** A series has some terms only from books which not everybody sees. */
const isSeen = (viewer: Viewer, part: Part): RawBuilder<unknown> =>
  part === 'series' ? seesTermOfSeries(viewer) : sql`true`

const listed = (viewer: Viewer, part: Part, { series, books }: Within): RawBuilder<unknown> => {
  const narrowed = part === 'series' ? series : books
  return narrowed ? sql`${listedTo(viewer, part)} and ${narrowed}` : listedTo(viewer, part)
}

/** A term that stands on something this viewer sees of that kind. */
const standsOn = (viewer: Viewer, part: Part, within: Within): RawBuilder<unknown> => {
  const link = sql.table(`${part}_term`)
  return sql`exists (select 1 from ${link} inner join ${sql.table(part)}
      on ${sql.ref(`${part}.id`)} = ${sql.ref(`${part}_term.${part}_id`)}
    where ${sql.ref(`${part}_term.term_id`)} = term.id and ${isSeen(viewer, part)} and ${listed(viewer, part, within)})`
}

const searched = (column: RawBuilder<unknown>, search: string | undefined): RawBuilder<unknown> => {
  if (search === undefined) return sql`true`
  const part = fold(search)
  return part === '' ? sql`false` : escapedLike(column, contains(part))
}

export type TermKind = 'genre' | 'tag' | 'person'

export interface TermQuery {
  readonly kind: TermKind
  readonly parts: readonly Part[]
  readonly within: Within
}

export const selectTerms = async (
  db: ReadDb,
  viewer: Viewer,
  { kind, parts, within }: TermQuery,
  limit: number,
): Promise<{ id: string; name: string }[]> => {
  const stands = sql.join(
    parts.map((part) => standsOn(viewer, part, within)),
    sql` or `,
  )
  const { rows } = await sql<{ id: string; name: string }>`
    select term.id, term.name from term
    where term.kind = ${sql.lit(kind)} and ${searched(sql`term.key`, within.search)} and (${stands})
    order by term.sort_key, term.id limit ${limit}`.execute(db)
  return rows
}

/** It reads the roles of people in what this viewer sees; of all people, or of these. */
export const selectRoles = async (
  db: ReadDb,
  viewer: Viewer,
  within: Within,
  termIds: readonly string[] | undefined,
): Promise<{ term_id: string; role: string }[]> => {
  // The keys of an object, because both databases have a `json_each` for those and only one of them for lists.
  const people =
    termIds === undefined
      ? sql`select term.id as term_id from term where term.kind = 'person'`
      : sql`select json_each.key as term_id from json_each(${JSON.stringify(Object.fromEntries(termIds.map((id) => [id, 1])))})`
  const { rows } = await sql<{ term_id: string; role: string }>`
    with recursive ${rolesOn('series', people)}, ${rolesOn('book', people)}
    select term_id, role from (
      ${standing(viewer, 'series', within)} union ${standing(viewer, 'book', within)}
    ) as pair order by role, term_id`.execute(db)
  return termIds === undefined ? [...new Map(rows.map((row) => [row.role, row])).values()] : rows
}

/** The roles of each, one step through the index for each of them, however much there is that they stand on. */
const rolesOn = (part: Part, people: RawBuilder<unknown>): RawBuilder<unknown> => {
  const link = sql.table(`${part}_term`)
  const first = (of: string, after: RawBuilder<unknown>) => sql`(select ${link}.role from ${link}
    where ${link}.term_id = ${sql.ref(`${of}.term_id`)} and ${after} order by ${link}.role limit 1)`
  const roles = sql.table(`${part}_role`)
  return sql`${roles} (term_id, role) as (
    select person.term_id, ${first('person', sql`true`)} from (${people}) as person
    union all
    select ${roles}.term_id, ${first(`${part}_role`, sql`${link}.role > ${roles}.role`)} from ${roles}
      where ${roles}.role is not null)`
}

/** Only names on something this viewer sees count. */
const standing = (viewer: Viewer, part: Part, within: Within): RawBuilder<unknown> => {
  const link = sql.table(`${part}_term`)
  const roles = sql.table(`${part}_role`)
  // No `exists`: PostgreSQL would read everything there is to join it. `cross join`: SQLite takes this way and no other.
  return sql`select ${roles}.term_id, ${roles}.role from ${roles} where ${roles}.role is not null and 1 = (
    select 1 from ${link} cross join ${sql.table(part)}
    where ${link}.term_id = ${roles}.term_id and ${link}.role = ${roles}.role
      and ${sql.ref(`${part}.id`)} = ${sql.ref(`${part}_term.${part}_id`)} and ${isSeen(viewer, part)}
      and ${listed(viewer, part, within)} limit 1)`
}

/** A name spelled in several ways is still one name. */
export const selectSpelled = async (
  db: ReadDb,
  viewer: Viewer,
  column: 'publisher' | 'language',
  { within, limit }: { within: Within; limit: number },
): Promise<string[]> => {
  const text = shownOfSeries(viewer, `${column}_text`)
  const { rows } = await sql<{ name: string }>`
    select min(${shownOfSeries(viewer, column)}) as name from series
    where ${text} is not null and ${searched(text, within.search)} and ${listed(viewer, 'series', within)}
    group by ${text} order by ${text} limit ${limit}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Null: there are series without one. */
export const selectAgeRatings = async (db: ReadDb, viewer: Viewer, within: Within): Promise<(number | null)[]> => {
  const { rows } = await sql<{ rating: number | null }>`
    select distinct series.own_age_rating as rating from series where ${listed(viewer, 'series', within)}
    order by rating`.execute(db)
  return rows.map(({ rating }) => rating)
}

/** The year of a series is that of its first book that this viewer sees. */
export const selectFirstYears = async (db: ReadDb, viewer: Viewer, within: Within): Promise<string[]> => {
  const series =
    within.series === undefined
      ? sql`true`
      : sql`book.series_id in (select series.id from series where ${listed(viewer, 'series', within)})`
  const { rows } = await sql<{ year: string }>`
    select distinct substr(first, 1, 4) as year from (
      select min(book.released) as first from book
      where ${listedTo(viewer, 'book')} and ${series} group by book.series_id
    ) as begun where first is not null order by year desc`.execute(db)
  return rows.map(({ year }) => year)
}

export const selectSharingTags = async (db: ReadDb, viewer: Viewer, within: Within): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select sharing_tag.name from sharing_tag
    where ${searched(sql`sharing_tag.name_text`, within.search)} and exists (
      select 1 from series_sharing_tag inner join series on series.id = series_sharing_tag.series_id
      where series_sharing_tag.tag_id = sharing_tag.id and ${listed(viewer, 'series', within)})
    order by sharing_tag.sort_key, sharing_tag.id`.execute(db)
  return rows.map(({ name }) => name)
}
