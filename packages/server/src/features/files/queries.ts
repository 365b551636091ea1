import { sql } from 'kysely'
import { oneShotColumns } from '../../catalogue/one-shots/one-shots.ts'
import type { ReadDb } from '../../database/database.ts'
import {
  shownOfOneSeries,
  showsBooks,
  sightOf,
  tellsSeries,
  type Viewer,
  visibleTo,
} from '../../catalogue/visibility/visibility.ts'

export const selectSeriesTitle = async (db: ReadDb, viewer: Viewer, id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('series')
    .select(shownOfOneSeries<string>(viewer, 'title').as('title'))
    .where('id', '=', id)
    .where(visibleTo(viewer, 'series'))
    .where(showsBooks(viewer))
    .executeTakeFirst()
  return row?.title
}

/** The names of books are made of these. */
const namedBooks = (db: ReadDb, viewer: Viewer) =>
  db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .innerJoin('library', 'library.id', 'book.library_id')
    .innerJoin('file', 'file.book_id', 'book.id')
    .select(['book.title', 'book.number', 'book.volume', 'book.chapter'])
    .select(
      sql<string>`case when ${tellsSeries(viewer)} then ${shownOfOneSeries(viewer, 'title')} else '' end`.as(
        'seriesName',
      ),
    )
    .select(oneShotColumns(sightOf(viewer)))
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))

export const selectNamed = (db: ReadDb, viewer: Viewer, id: string) =>
  namedBooks(db, viewer).where('book.id', '=', id).executeTakeFirst()

/** The files of books that a viewer may see. */
const files = (db: ReadDb, viewer: Viewer) =>
  namedBooks(db, viewer)
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .select([
      'book.id',
      'book.format',
      'book.analysed',
      'book.updated_at',
      'series.updated_at as series_updated_at',
      'file.analysis',
      'file.root_id',
      'file.folder',
      'file.name',
      'file.size',
      'file.modified_us',
      'file.is_folder',
      'library_root.path as root_path',
      'library_root.status as root_status',
    ])
    .where('file.state', '=', sql.lit('present'))

/** The files come in the order of the series. */
export const selectFilesOfSeries = (db: ReadDb, viewer: Viewer, seriesId: string, limit: number) =>
  files(db, viewer)
    .where('book.series_id', '=', seriesId)
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(limit)
    .execute()

/** The files come in the order of the read list. */
export const selectFilesOfReadList = (db: ReadDb, viewer: Viewer, readListId: string, limit: number) =>
  files(db, viewer)
    .innerJoin('read_list_book', 'read_list_book.book_id', 'book.id')
    .where('read_list_book.read_list_id', '=', readListId)
    .orderBy('read_list_book.position')
    .orderBy('book.id')
    .limit(limit)
    .execute()

export type FileRow = Awaited<ReturnType<typeof selectFilesOfSeries>>[number]

/** What is written into the files of books. */
export const selectToEmbed = (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select([
      'book.id',
      'book.metadata',
      'book.number',
      'book.number_text',
      'book.volume',
      'book.chapter',
      'book.age_rating',
      'book.page_count',
      'series.book_count',
    ])
    .select([
      sql<string>`case when ${tellsSeries(viewer)} then ${shownOfOneSeries(viewer, 'title')} else '' end`.as(
        'series_title',
      ),
      sql<string>`case when ${tellsSeries(viewer)} then ${shownOfOneSeries(viewer, 'metadata')} else '{}' end`.as(
        'series_metadata',
      ),
    ])
    .where('book.id', 'in', ids)
    .execute()

export type RowToEmbed = Awaited<ReturnType<typeof selectToEmbed>>[number]
