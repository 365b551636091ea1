import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Lists name who has written a series or a book: it stands in the row, where a page of a list finds it without looking through all people. */
export const writersBesideTitles: Migration = {
  version: 60,
  name: 'writers beside titles',
  run: async (db, { text }) => {
    for (const entity of ['series', 'book'] as const) {
      await db.schema.alterTable(entity).addColumn('writers', text).execute()
      const link = sql.table(`${entity}_term`)
      const owner = sql.ref(`link.${entity}_id`)
      await sql`
        update ${sql.table(entity)} set writers = named.writers
        from (
          select id, string_agg(name, ${sql.lit('\u001f')} order by place, name) as writers
          from (
            select ${owner} as id, term.name, min(link.place) as place
            from term join ${link} as link on link.term_id = term.id
            where term.kind = 'person' and lower(link.role) in ('author', 'co_author', 'writer', '')
            group by ${owner}, term.name) as each_one
          group by id) as named
        where named.id = ${sql.ref(`${entity}.id`)}`.execute(db)
    }
  },
}
