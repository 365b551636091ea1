import { type Selectable, sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import type { Schema } from '../../database/schema.ts'
import { bookColumns, type ListedBook, type ListedSeries, seriesColumns } from '../lists/lists.ts'
import { knownTo, type Viewer, visibleLibraries, visibleTo } from '../visibility/visibility.ts'

type BookRow = Selectable<Schema['book']>
type SeriesRow = Selectable<Schema['series']>
type LibraryRow = Selectable<Schema['library']>

/** All of a viewer on which it depends what they see. */
type Sight = Pick<Viewer, 'rule' | 'deletedLibraries' | 'seesPaths'>

const sightOf = ({ rule, deletedLibraries, seesPaths }: Viewer): Sight => ({ rule, deletedLibraries, seesPaths })
const viewerWith = (sight: Sight): Viewer => ({ userId: '', ...sight })

const bookWithId = cachedStatement(
  (db, { id }, sight: Sight) =>
    db
      .selectFrom('book')
      .select([...bookColumns, 'book.metadata', 'book.locks'])
      .where('book.id', '=', id)
      .where('book.state', '<>', 'hidden')
      .where(visibleTo(viewerWith(sight), 'book')),
  ['id'],
)

/** Also one that is missing; one of a deleted library does not exist. */
export const selectBook = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<(ListedBook & Pick<BookRow, 'metadata' | 'locks'>) | undefined> =>
  (await bookWithId(db, { id }, sightOf(viewer)))[0]

const seriesWithId = cachedStatement(
  (db, { id }, sight: Sight) =>
    db
      .selectFrom('series')
      .select([...seriesColumns, 'series.metadata', 'series.locks'])
      .where('series.id', '=', id)
      .where(knownTo(viewerWith(sight), 'series')),
  ['id'],
)

export const selectSeries = async (
  db: ReadDb,
  viewer: Viewer,
  id: string,
): Promise<(ListedSeries & Pick<SeriesRow, 'metadata' | 'locks'>) | undefined> =>
  (await seriesWithId(db, { id }, sightOf(viewer)))[0]

/** What is shown of these series, as far as they are seen in part, to somebody with this ceiling. */
export const selectParts = (db: ReadDb, seriesIds: readonly string[], ceiling: number) =>
  db
    .selectFrom('series_in_part')
    .selectAll()
    .where('series_id', 'in', seriesIds)
    .where('from_rating', '<=', ceiling)
    .where('below_rating', '>', ceiling)
    .execute()

const visibleIds =
  (content: 'book' | 'series') =>
  async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    if (ids.length === 0) return new Set()
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(content)}
      where id in (${sql.join(ids)}) and ${knownTo(viewer, content)}`.execute(db)
    return new Set(rows.map(({ id }) => id))
  }

/** It returns which of these books the viewer may see, be their files missing or not. */
export const visibleBookIds = visibleIds('book')
/** It returns which of these series the viewer may see. */
export const visibleSeriesIds = visibleIds('series')

export const selectVisibleLibrary = (db: ReadDb, viewer: Viewer, id: string): Promise<LibraryRow | undefined> =>
  db
    .selectFrom('library')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleLibraries(viewer))
    .executeTakeFirst()
