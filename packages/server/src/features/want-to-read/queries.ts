import type { WantToReadEntryDto, WantToReadOrder } from '@carrel/api'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import { nextPosition, type OrderedTable, rearrange } from '../../database/positions.ts'
import type { Paging } from '../../platform/paging.ts'
import { knownTo, listedTo, shownOfOneSeries, tellsSeries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { WantToReadTables } from './table.ts'

type EntryRow = Selectable<WantToReadTables['want_to_read']>
type Kind = 'series' | 'book'

const ordered = { table: 'want_to_read', list: 'user_id', item: 'id' } as const satisfies OrderedTable

const entries = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('want_to_read')
    .leftJoin('series', 'series.id', 'want_to_read.series_id')
    .leftJoin('book', 'book.id', 'want_to_read.book_id')
    .where('want_to_read.user_id', '=', viewer.userId).where(sql<boolean>`case when want_to_read.book_id is null
      then ${listedTo(viewer, 'series')} else ${listedTo(viewer, 'book')} end`)

const columnOf = { series: 'want_to_read.series_id', book: 'want_to_read.book_id' } as const

const entriesOf = (db: ReadDb, viewer: Viewer, kind: Kind | undefined) =>
  entries(db, viewer).$if(kind !== undefined, (query) => query.where(columnOf[kind ?? 'book'], 'is not', null))

const shown = ['want_to_read.id', 'want_to_read.series_id', 'want_to_read.book_id', 'want_to_read.added_at'] as const
const names = ['book.title as book_title', 'book.number', 'book.volume', 'book.chapter'] as const

type ShownRow = Pick<EntryRow, 'id' | 'series_id' | 'book_id' | 'added_at'> & {
  readonly series_title: string | null
  readonly book_title: string | null
  readonly series_of_book_title: string | null
  readonly number: number | null
  readonly volume: number | null
  readonly chapter: number | null
}

const orders = {
  custom: ['want_to_read.position', 'asc'],
  newest: ['want_to_read.added_at', 'desc'],
  oldest: ['want_to_read.added_at', 'asc'],
} as const

const shownEntries = (db: ReadDb, viewer: Viewer, kind?: Kind) =>
  entriesOf(db, viewer, kind)
    .leftJoin('series as series_of_book', (join) =>
      join.onRef('series_of_book.id', '=', 'book.series_id').on(tellsSeries(viewer, 'series_of_book')),
    )
    .select([...shown, ...names])
    .select([
      shownOfOneSeries<string | null>(viewer, 'title').as('series_title'),
      shownOfOneSeries<string | null>(viewer, 'title', 'series_of_book').as('series_of_book_title'),
    ])

export const selectEntries = async (
  db: ReadDb,
  viewer: Viewer,
  sort: WantToReadOrder,
  { limit, offset, kind }: Paging & { readonly kind?: Kind | undefined },
): Promise<WantToReadEntryDto[]> => {
  const [column, direction] = orders[sort]
  const rows = await shownEntries(db, viewer, kind)
    .orderBy(column, direction)
    .orderBy('want_to_read.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toEntry)
}

export const countEntries = async (db: ReadDb, viewer: Viewer, kind?: Kind): Promise<number> => {
  const { count } = await entriesOf(db, viewer, kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Hidden ones too: as many as are kept. */
export const countKept = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('want_to_read')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const selectEntry = async (
  db: ReadDb,
  viewer: Viewer,
  kind: Kind,
  id: string,
): Promise<WantToReadEntryDto | undefined> => {
  const row = await shownEntries(db, viewer).where(columnOf[kind], '=', id).executeTakeFirst()
  return row && toEntry(row)
}

/** It returns those of these that the viewer sees, and which of them they want to read already. */
export const selectCandidates = async (
  db: ReadDb,
  viewer: Viewer,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly isListed: boolean }>> => {
  if (ids.length === 0) return new Map()
  const isListed = (column: RawBuilder<unknown>) => sql<number>`case when exists (select 1 from want_to_read
    where want_to_read.user_id = ${viewer.userId} and ${sql.ref(columnOf[kind])} = ${column}) then 1 else 0 end`
  const id = sql.ref<string>(`${kind}.id`)
  const { rows } = await sql<{ id: string; listed: number }>`
    select ${id} as id, ${isListed(id)} as listed from ${sql.table(kind)}
    where ${id} in (${sql.join(ids)}) and ${knownTo(viewer, kind)}`.execute(db)
  return new Map(rows.map((row) => [row.id, { isListed: row.listed === 1 }]))
}

export const selectNextPosition = (db: ReadDb, userId: string): Promise<number> => nextPosition(db, ordered, userId)

export const insertEntries = (db: WriteDb, rows: readonly EntryRow[]): Promise<void> =>
  insertMany(db, 'want_to_read', rows)

/** It returns the first that is no entry of theirs. */
export const orderEntries = (db: WriteDb, userId: string, ids: readonly string[]): Promise<string | undefined> =>
  rearrange(db, ordered, userId, ids).then(({ stranger }) => stranger)

export const deleteEntry = async (db: WriteDb, userId: string, kind: Kind, id: string): Promise<void> => {
  await db.deleteFrom('want_to_read').where('user_id', '=', userId).where(columnOf[kind], '=', id).execute()
}

const toEntry = (row: ShownRow): WantToReadEntryDto => ({
  id: row.id,
  itemType: row.book_id === null ? 'series' : 'book',
  seriesId: row.series_id,
  bookId: row.book_id,
  title: row.series_title ?? row.book_title ?? '',
  seriesName: row.series_of_book_title,
  number: row.number,
  volume: row.volume,
  chapter: row.chapter,
  addedAt: row.added_at,
})

export const deleteEntries = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('want_to_read').where('id', 'in', ids).execute()
}
