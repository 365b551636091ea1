import { sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { BookLocation } from './document.ts'

const presentBooks = (db: ReadDb) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .innerJoin('library', 'library.id', 'book.library_id')
    .where('book.state', '=', sql.lit('present'))
    .where('file.state', '=', sql.lit('present'))
    .where('library.deleted_at', 'is', null)

/** Which books and series are meant. */
export interface Scope {
  /** Absent: those of all libraries. */
  readonly libraryId?: string
  /** Only what has changed since then. */
  readonly since?: string
}

/** Some of the present books, in the order of their ids. */
export const selectBooksAfter = (db: ReadDb, { libraryId, since }: Scope, after: string, limit: number) =>
  presentBooks(db)
    .select(['book.id', 'library.id as library_id', 'library.name as library', 'library_root.path as root'])
    .select(['library_root.position', 'file.folder', 'file.name', 'file.content_hash'])
    .where('book.id', '>', after)
    .$if(libraryId !== undefined, (query) => query.where('book.library_id', '=', libraryId ?? ''))
    .$if(since !== undefined, (query) => query.where('book.updated_at', '>=', since ?? ''))
    .orderBy('book.id')
    .limit(limit)
    .execute()

export const selectSeriesAfter = (db: ReadDb, { libraryId, since }: Scope, after: string, limit: number) =>
  db
    .selectFrom('series')
    .innerJoin('library', 'library.id', 'series.library_id')
    .select(['series.id', 'series.path', 'library.id as library_id', 'library.name as library'])
    .where('series.id', '>', after)
    .where('series.book_count', '>', 0)
    .where('library.deleted_at', 'is', null)
    .$if(libraryId !== undefined, (query) => query.where('series.library_id', '=', libraryId ?? ''))
    .$if(since !== undefined, (query) => query.where('series.updated_at', '>=', since ?? ''))
    .orderBy('series.id')
    .limit(limit)
    .execute()

/** The first books of each series by their places, so many and no more. */
export const selectBooksOfSeries = async (db: ReadDb, seriesIds: readonly string[], each: number) => {
  const ranked = presentBooks(db)
    .select(['book.series_id', 'library_root.path as root', 'file.folder', 'file.name', 'file.content_hash'])
    .select(
      sql<number>`row_number() over (partition by book.series_id order by book.position_key, book.id)`.as('place'),
    )
    .where('book.series_id', 'in', seriesIds)
  return db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', each)
    .orderBy('series_id')
    .orderBy('place')
    .execute()
}

/** Books that lie at one of these places, or have the content of one. */
export const selectBooksAt = (db: ReadDb, places: readonly BookLocation[], libraryId: string | undefined) => {
  const hashes = [...new Set(places.flatMap(({ contentHash }) => contentHash ?? []))]
  const names = [...new Set(places.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))]
  return presentBooks(db)
    .select(['book.id', 'book.series_id', 'library_root.path as root', 'file.folder', 'file.name', 'file.content_hash'])
    .where((eb) =>
      eb.or([eb('file.name', 'in', names), ...(hashes.length === 0 ? [] : [eb('file.content_hash', 'in', hashes)])]),
    )
    .$if(libraryId !== undefined, (query) => query.where('book.library_id', '=', libraryId ?? ''))
    .orderBy('book.id')
    .limit(placesMax)
    .execute()
}

/** Names such as `01.cbz` are those of many: what is beyond these is found by nobody. */
const placesMax = 20_000

export type FoundBook = Awaited<ReturnType<typeof selectBooksAt>>[number]

/** Whether people have said anything of the books and series of a library. */
export const hasWords = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const said = (entity: 'book' | 'series') =>
    db
      .selectFrom(entity)
      .innerJoin('metadata_layer', 'metadata_layer.entity_id', `${entity}.id`)
      .select(`${entity}.id`)
      .where(`${entity}.library_id`, '=', libraryId)
      .where('metadata_layer.source', 'in', ['user', 'lock'])
      .limit(1)
      .executeTakeFirst()
  return (await said('series')) !== undefined || (await said('book')) !== undefined
}
