import { sql } from 'kysely'
import type { ReadDb } from '../../../../database/database.ts'
import { listedTo, seesTermOfSeries, type Viewer } from '../../../../catalogue/visibility/visibility.ts'
import type { Figures } from '../../table.ts'
import { inOrderOf, isEmpty, ofShown, rowsOf, shownColumns } from '../queries.ts'
import type { Plan, Stretch } from '../window.ts'

export type TermSum = Pick<Figures, (typeof shownColumns)[number]> & { readonly name: string }

/** Who did one of these for a book is who people name when they speak of it. */
const makingRoles = ['', 'author', 'co_author', 'writer', 'artist', 'illustrator', 'penciller', 'penciler']

const termsOf = {
  genre: { subject: 'series', content: 'series', link: 'series_term', owner: 'series_id', roles: undefined },
  person: { subject: 'book', content: 'book', link: 'book_term', owner: 'book_id', roles: makingRoles },
} as const

/** What was read by its genres, or by who made it: only what stands in the lists of the viewer tells of them. */
export const selectTermSums = async (
  db: ReadDb,
  viewer: Viewer,
  plan: Plan,
  { kind, limit }: { readonly kind: keyof typeof termsOf; readonly limit: number },
): Promise<readonly TermSum[]> => {
  if (isEmpty(plan)) return []
  const { subject, content, link, owner, roles } = termsOf[kind]
  const { tables, rows: parts } = rowsOf(plan, [subject])
  const column = (name: string) => sql.ref(`${link}.${name}`)
  const inRole = roles ? sql` and lower(${column('role')}) in (${sql.join(roles)})` : sql``
  // A series has some genres only from books which not everybody sees.
  const isSeen = kind === 'genre' ? seesTermOfSeries(viewer) : sql`true`
  const figures = sql.join(shownColumns.map((name) => sql.ref(`amount.${name}`)))
  // Crossed, so that SQLite begins with what was read, and asks of each whether it is listed instead of looking for it among
  // all that are. Whoever wrote and drew a book is named once.
  const isListed = sql`(select case when ${listedTo(viewer, content)} then 1 else 0 end
    from ${sql.table(content)} where ${sql.ref(`${content}.id`)} = amount.subject_id) = 1`
  const { rows } = await sql<TermSum>`
    with ${sql.join(tables)},
    amount as (select subject_id, ${ofShown.summed} from (${parts}) as part group by subject_id)
    select term.name, ${ofShown.summed} from (
      select distinct ${column('term_id')}, amount.subject_id, ${figures}
      from amount cross join ${sql.table(link)}
      where ${column(owner)} = amount.subject_id${inRole} and ${isSeen} and ${isListed}) as credit
    cross join term
    where term.id = credit.term_id and term.kind = ${kind}
    group by term.id, term.name, term.sort_key
    order by ${inOrderOf('time')}, term.sort_key, term.id
    limit ${limit}`.execute(db)
  return rows
}

/** The first or the last book that was read to its end in a window, of those in the lists of the viewer. */
export const selectFinishedBook = (
  db: ReadDb,
  viewer: Viewer,
  { from, to }: Stretch,
  which: 'first' | 'last',
): Promise<{ readonly id: string; readonly startedAt: string } | undefined> => {
  const direction = which === 'first' ? 'asc' : 'desc'
  return db
    .selectFrom('reading_session')
    .innerJoin('book', 'book.id', 'reading_session.book_id')
    .select(['book.id', 'reading_session.started_at as startedAt'])
    .where('reading_session.user_id', '=', viewer.userId)
    .where('reading_session.started_at', '>=', from)
    .where('reading_session.started_at', '<', to)
    .where('reading_session.completions', '>', 0)
    .where(listedTo(viewer, 'book'))
    .orderBy('reading_session.started_at', direction)
    .orderBy('reading_session.id', direction)
    .limit(1)
    .executeTakeFirst()
}
