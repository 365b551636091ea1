import { sql } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
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

/** What is said of them, which covers they were given, and where people have put them. */
const changedSince = (db: ReadDb, entity: Entity, since: string) =>
  db
    .selectFrom(entity)
    .select(`${entity}.id`)
    .where(`${entity}.updated_at`, '>=', since)
    .union(
      db.selectFrom('cover').select('entity_id as id').where('entity', '=', entity).where('created_at', '>=', since),
    )
    .union(
      db
        .selectFrom('series_override')
        .select(({ ref }) =>
          ref(entity === 'book' ? 'book_id' : 'series_id')
            .$notNull()
            .as('id'),
        )
        .where('at', '>=', since)
        .where(entity === 'book' ? 'book_id' : 'series_id', 'is not', null),
    )

/** Some of the present books, in the order of their ids. */
export const selectBooksAfter = (db: ReadDb, { libraryId, since }: Scope, after: string, limit: number) =>
  presentBooks(db)
    .select(['book.id', 'book.series_id', 'library.id as library_id', 'library.name as library'])
    .select(['library_root.path as root', 'library_root.position', 'file.folder', 'file.name', 'file.content_hash'])
    // All have an id; the index of the books of a library, as that of its series, is for those who say so.
    .where('book.id', '>', sql.lit(''))
    .where('book.id', '>', after)
    .$if(libraryId !== undefined, (query) => query.where('book.library_id', '=', libraryId ?? ''))
    .$if(since !== undefined, (query) => query.where('book.id', 'in', changedSince(db, 'book', since ?? '')))
    .orderBy('book.id')
    .limit(limit)
    .execute()

export const selectSeriesAfter = (db: ReadDb, { libraryId, since }: Scope, after: string, limit: number) =>
  db
    .selectFrom('series')
    .innerJoin('library', 'library.id', 'series.library_id')
    .select(['series.id', 'series.path', 'series.key', 'series.name', 'library.id as library_id'])
    .select('library.name as library')
    .where('series.id', '>', sql.lit(''))
    .where('series.id', '>', after)
    .where('series.book_count', '>', 0)
    .where('library.deleted_at', 'is', null)
    .$if(libraryId !== undefined, (query) => query.where('series.library_id', '=', libraryId ?? ''))
    .$if(since !== undefined, (query) => query.where('series.id', 'in', changedSince(db, 'series', since ?? '')))
    .orderBy('series.id')
    .limit(limit)
    .execute()

/** The first books of each series by their places, so many and no more; those that people have put there come last. */
export const selectBooksOfSeries = async (db: ReadDb, seriesIds: readonly string[], each: number) => {
  const ranked = presentBooks(db)
    .leftJoin('series_override as override', (join) =>
      join.onRef('override.book_id', '=', 'book.id').onRef('override.series_id', '=', 'book.series_id'),
    )
    .select(['book.id', 'book.series_id', 'book.library_id', 'library_root.path as root', 'file.folder', 'file.name'])
    .select(['file.content_hash', 'override.id as override_id'])
    .select(
      sql<number>`row_number() over (partition by book.series_id
        order by case when override.id is null then 0 else 1 end, book.position_key, book.id)`.as('place'),
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
export const selectBooksAt = (db: ReadDb, locations: readonly BookLocation[], libraryId: string | undefined) => {
  const hashes = [...new Set(locations.flatMap(({ contentHash }) => contentHash ?? []))]
  const names = [...new Set(locations.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))]
  return presentBooks(db)
    .select(['book.id', 'book.series_id', 'book.library_id', 'library_root.path as root', 'file.folder', 'file.name'])
    .select('file.content_hash')
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

export type LocatedBook = Awaited<ReturnType<typeof selectBooksAt>>[number]

// Where people have put books

/** It returns which of these books stand where somebody has put them. */
export const selectPutByHand = (db: ReadDb, bookIds: readonly string[]) =>
  db
    .selectFrom('series_override as override')
    .innerJoin('book', (join) =>
      join.onRef('book.id', '=', 'override.book_id').onRef('book.series_id', '=', 'override.series_id'),
    )
    .select(['book.id', 'override.series_id', 'override.at'])
    .where('override.book_id', 'in', bookIds)
    .execute()

export const selectFollowedFolders = (db: ReadDb, seriesIds: readonly string[]) =>
  db
    .selectFrom('series_override')
    .select(['series_id', 'folder', 'at'])
    .where('series_id', 'in', seriesIds)
    .where('folder', 'is not', null)
    .orderBy('folder')
    .execute()

/** Libraries in which people have merged series: what lies in the folder of one is in another since. */
export const selectLibrariesWithMerges = async (db: ReadDb): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('series_merge')
    .select('library_id')
    .distinct()
    .where('by_user_id', 'is not', null)
    .execute()
  return new Set(rows.map(({ library_id }) => library_id))
}

/** Whether people have said anything of the books and series of a library. */
export const hasWords = async (db: ReadDb, libraryId: string): Promise<boolean> => {
  const layersOf = (entity: 'book' | 'series') =>
    db
      .selectFrom(entity)
      .innerJoin('metadata_layer', 'metadata_layer.entity_id', `${entity}.id`)
      .select(`${entity}.id`)
      .where(`${entity}.library_id`, '=', libraryId)
      .where('metadata_layer.source', 'in', ['user', 'lock'])
      .limit(1)
      .executeTakeFirst()
  return (await layersOf('series')) !== undefined || (await layersOf('book')) !== undefined
}
