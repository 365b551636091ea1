import { type Kysely, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { type Migration, schemaChange } from './migration.ts'

export const figuresOfLong: Migration = {
  name: 'figures of many years without all books and series of them',
  run: async (db, dialect) => {
    const { integer } = dialect
    const { createIndex } = schemaChange(db, dialect)
    await sql`alter table reading_sitting add column begins ${integer} not null default 0`.execute(db)
    await sql`alter table reading_figure add column begun ${integer} not null default 0`.execute(db)
    await createIndex('reading_figure_again', 'reading_figure', ['user_id', 'scale', 'start', 'subject_id'], {
      where: `subject = 'book' and begun = 0`,
    })
    await createIndex(
      'reading_figure_of_series',
      'reading_figure',
      ['user_id', 'series_id', 'subject', 'scale', 'start', 'subject_id'],
      { where: `series_id <> ''` },
    )
    for (const column of ['pages', 'completions'])
      await createIndex(`reading_figure_by_${column}`, 'reading_figure', ['user_id', column], {
        where: `scale = 'ever'`,
      })
    await sql`create index reading_figure_by_time on reading_figure (user_id, (measured_ms + inferred_ms))
      where scale = 'ever'`.execute(db)
    await countAnew(db)
  },
}

/** Until a task has made the sums again, figures are worked out from the sittings. */
export const countAnew = async (db: Kysely<unknown>): Promise<void> => {
  await sql`update reading_sitting set begins = 1 where not exists (
    select 1 from reading_sitting as earlier
    where earlier.user_id = reading_sitting.user_id and earlier.book_id = reading_sitting.book_id
      and (earlier.started_at, earlier.id) < (reading_sitting.started_at, reading_sitting.id))`.execute(db)
  const at = new Date().toISOString()
  const { rows } = await sql<{ user_id: string }>`update figure_zone set built_start = '', built_id = ''
    returning user_id`.execute(db)
  for (const { user_id: userId } of rows) {
    const key = `recount_reading_figures ${userId}`
    await sql`insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions,
        fence, created_at, scheduled_for)
      select ${newId()}, 'recount_reading_figures', ${key}, ${JSON.stringify({ userId })}, 'pending', 1, 60, 0, 3, 0, 0,
        ${at}, ${at}
      where not exists (select 1 from task where key = ${key} and status in ('pending', 'processing'))`.execute(db)
  }
}
