import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import { dialectOf } from '../../database/transaction.ts'
import { slimmest } from '../../decoders/cover-shape.ts'
import type { Fault } from '../../formats/book-format.ts'
import { knownTo, shownOfOneSeries, type Viewer, visibleTo } from '../../catalogue/visibility/visibility.ts'
import type { CoverTables } from './table.ts'

export type CoverRow = Selectable<CoverTables['cover']>
export type Entity = 'book' | 'series'

// Books whose cover is to be made

const subjects = (db: ReadDb) =>
  db
    .selectFrom('book')
    .innerJoin('file', 'file.book_id', 'book.id')
    .innerJoin('library_root', 'library_root.id', 'file.root_id')
    .innerJoin('series', 'series.id', 'book.series_id')
    .innerJoin('library', 'library.id', 'book.library_id')
    .leftJoin('page_index', 'page_index.book_id', 'book.id')
    .select([
      'book.id',
      'book.series_id',
      'book.metadata',
      'book.cover_id',
      'book.cover_version',
      'book.reading_direction',
      'series.reading_direction as series_direction',
      'series.first_book_id',
      'library.reading_direction as library_direction',
      'file.root_id',
      'file.folder',
      'file.name',
      'file.is_folder',
      'file.analysis',
      'library_root.path as root_path',
      'page_index.pages',
    ])
    .where('book.state', '=', sql.lit('present'))
    .where('file.state', '=', sql.lit('present'))

export type SubjectRow = Awaited<ReturnType<ReturnType<typeof subjects>['executeTakeFirstOrThrow']>>

export const selectSubjects = async (db: ReadDb, bookIds: readonly string[]): Promise<SubjectRow[]> =>
  bookIds.length === 0 ? [] : subjects(db).where('book.id', 'in', bookIds).execute()

const queued = (db: ReadDb, rootsAway: readonly string[]) =>
  db
    .selectFrom('cover_wanted')
    // A book without a file is included as well: the task finds that out, and drops it.
    .$if(rootsAway.length > 0, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('file')
              .select('file.id')
              .whereRef('file.book_id', '=', 'cover_wanted.book_id')
              .where('file.root_id', 'in', rootsAway),
          ),
        ),
      ),
    )

export const selectQueued = (
  db: ReadDb,
  limit: number,
  rootsAway: readonly string[] = [],
): Promise<{ book_id: string; tries: number }[]> =>
  queued(db, rootsAway)
    .select(['book_id', 'tries'])
    .orderBy('priority', 'desc')
    .orderBy('at')
    .orderBy('book_id')
    .limit(limit)
    .execute()

export const countQueued = async (db: ReadDb, rootsAway: readonly string[] = []): Promise<number> => {
  const { count } = await queued(db, rootsAway)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Folders in which exactly one book lies, in however many formats, as `root folder`. */
export const selectFoldersWithOneBook = async (
  db: ReadDb,
  rootIds: readonly string[],
  folders: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (folders.length === 0) return new Set()
  const rows = await db
    .selectFrom('file')
    .select(['root_id', 'folder'])
    .where('root_id', 'in', rootIds)
    .where('folder', 'in', folders)
    .where('state', '=', sql.lit('present'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('book_merge').select('book_id').whereRef('book_merge.book_id', '=', 'file.book_id'))),
    )
    .groupBy(['root_id', 'folder'])
    .having(({ fn }) => fn.countAll<number>(), '=', 1)
    .execute()
  return new Set(rows.map(({ root_id, folder }) => `${root_id} ${folder}`))
}

/** Books in the order of their ids, after this one. */
export const selectBooksAfter = async (db: ReadDb, afterId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('id', '>', afterId)
    .where('state', '=', sql.lit('present'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const insertQueued = (db: WriteDb, bookIds: readonly string[], at: string): Promise<void> =>
  insertMany(
    db,
    'cover_wanted',
    bookIds.map((id) => ({ book_id: id, priority: 0, at, tries: 0 })),
    { keys: ['book_id'], sets: ['at', 'tries'] },
  )

export const deleteQueued = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length > 0) await db.deleteFrom('cover_wanted').where('book_id', 'in', bookIds).execute()
}

/** They are tried again after all others. */
export const postponeQueued = (
  db: WriteDb,
  rows: readonly { readonly bookId: string; readonly tries: number }[],
  at: string,
): Promise<void> =>
  updateMany(
    db,
    'cover_wanted',
    { keys: { book_id: 'text' }, columns: { tries: 'integer', at: 'text' } },
    rows.map(({ bookId, tries }) => ({ book_id: bookId, tries, at })),
  )

export const insertFaults = (
  db: WriteDb,
  faults: readonly { readonly bookId: string; readonly fault: Fault }[],
  at: string,
): Promise<void> =>
  insertMany(
    db,
    'cover_fault',
    faults.map(({ bookId, fault: { code, message } }) => ({ book_id: bookId, code, message, at })),
    { keys: ['book_id'], sets: ['code', 'message', 'at'] },
  )

export const deleteFaults = async (db: WriteDb, bookIds: readonly string[]): Promise<void> => {
  if (bookIds.length > 0) await db.deleteFrom('cover_fault').where('book_id', 'in', bookIds).execute()
}

export const hasFault = async (db: ReadDb, bookId: string): Promise<boolean> =>
  (await db.selectFrom('cover_fault').select('book_id').where('book_id', '=', bookId).executeTakeFirst()) !== undefined

// Covers

export const automatic = ['file', 'sidecar']

export const selectAutomatic = async (db: ReadDb, entityIds: readonly string[]): Promise<CoverRow[]> =>
  entityIds.length === 0
    ? []
    : db.selectFrom('cover').selectAll().where('entity_id', 'in', entityIds).where('source', 'in', automatic).execute()

/** It returns those of these covers that a plugin supplied. */
export const selectFromPlugins = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('cover')
    .select('id')
    .where('id', 'in', ids)
    .where('source', 'like', 'plugin:%')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const upsertCovers = (db: WriteDb, rows: readonly Insertable<CoverTables['cover']>[]): Promise<void> =>
  insertMany(db, 'cover', rows, {
    keys: ['id'],
    sets: ['page', 'width', 'height', 'placeholder', 'tone', 'content_hash', 'created_at'],
  })

export const deleteCoverRows = async (db: WriteDb, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('cover').where('id', 'in', ids).execute()
}

/** It returns those of these hashes that some cover still uses. */
export const selectUsedHashes = async (db: ReadDb, hashes: readonly string[]): Promise<ReadonlySet<string>> => {
  if (hashes.length === 0) return new Set()
  const rows = await db.selectFrom('cover').select('content_hash').where('content_hash', 'in', hashes).execute()
  return new Set(rows.map(({ content_hash }) => content_hash))
}

export const selectCovers = (db: ReadDb, entityId: string): Promise<CoverRow[]> =>
  db.selectFrom('cover').selectAll().where('entity_id', '=', entityId).orderBy('created_at').orderBy('id').execute()

/** It returns the covers of these books or series, each with the id of the one that is shown. */
export const selectCoversOf = async (db: ReadDb, entity: Entity, ids: readonly string[]) => {
  if (ids.length === 0) return []
  const shownId = sql<string | null>`(select cover_id from ${sql.table(entity)} where id = cover.entity_id)`
  return db
    .selectFrom('cover')
    .selectAll('cover')
    .select(shownId.as('shown_id'))
    .where('cover.entity_id', 'in', ids)
    .orderBy('cover.created_at')
    .orderBy('cover.id')
    .execute()
}

export const selectCover = (db: ReadDb, entityId: string, coverId: string): Promise<CoverRow | undefined> =>
  db.selectFrom('cover').selectAll().where('id', '=', coverId).where('entity_id', '=', entityId).executeTakeFirst()

/** Nobody else chooses for them before the transaction ends. */
export const selectCoverChoices = (db: WriteDb, entity: Entity, ids: readonly string[]) =>
  db
    .selectFrom(entity)
    .select(['id', 'locks', 'cover_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialectOf(db).lockedRows(entity))
    .execute()

/** The same, to look at. */
export const selectLocks = (db: ReadDb, entity: Entity, ids: readonly string[]) =>
  db.selectFrom(entity).select(['id', 'locks']).where('id', 'in', ids).execute()

/**
 * Covers that were made when only the longer side of a picture was given, of pictures that are not shaped as books are;
 * and the books they are made of.
 */
export const selectNarrowCovers = (db: ReadDb, after: string, limit: number) =>
  db
    .selectFrom('cover')
    .leftJoin('series', 'series.id', 'cover.entity_id')
    .innerJoin('book', (join) =>
      join.on('book.id', '=', ({ fn }) => fn.coalesce('series.first_book_id', 'cover.entity_id')),
    )
    .select([
      'cover.id',
      'cover.entity',
      'cover.entity_id',
      'cover.source',
      'cover.page',
      'cover.content_hash',
      'book.id as book_id',
    ])
    .where('cover.id', '>', after)
    .where(sql<boolean>`(100 * cover.width > ${sql.lit(threadPercent)} * cover.height
      or 100 * cover.height > ${sql.lit(threadPercent)} * cover.width)`)
    .orderBy('cover.id')
    .limit(limit)
    .execute()

export type NarrowCoverRow = Awaited<ReturnType<typeof selectNarrowCovers>>[number]

/** Rounding may make a little of it. */
const threadPercent = Math.ceil(slimmest * 101)

/** Covers whose colours nobody has looked for. */
export const selectUncoloured = (db: ReadDb, after: string, limit: number) =>
  db
    .selectFrom('cover')
    .select(['id', 'content_hash'])
    .where('tone', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

interface Coloured {
  readonly id: string
  readonly content_hash: string
  readonly tone: string
}

/** It leaves out those that have been made anew meanwhile, and returns the covers of books among the rest. */
export const setTones = async (db: WriteDb, covers: readonly Coloured[]) => {
  const toneOf = new Map(covers.map((cover) => [`${cover.id} ${cover.content_hash}`, cover.tone]))
  const uncoloured = await db
    .selectFrom('cover')
    .select(['id', 'content_hash', 'entity', 'entity_id'])
    .where('tone', 'is', null)
    .where(
      'id',
      'in',
      covers.map(({ id }) => id),
    )
    .execute()
  const rows = uncoloured.flatMap((row) => {
    const tone = toneOf.get(`${row.id} ${row.content_hash}`)
    return tone === undefined ? [] : [{ ...row, tone }]
  })
  await updateMany(
    db,
    'cover',
    { keys: { id: 'text' }, columns: { tone: 'text' } },
    rows.map(({ id, tone }) => ({ id, tone })),
  )
  return rows.filter(({ entity }) => entity === 'book')
}

const pictured = ['book', 'series', 'collection', 'read_list'] as const

/** It deletes covers whose owner is gone. */
export const deleteOrphans = async (db: WriteDb, limit: number): Promise<string[]> => {
  const orphans = await db
    .selectFrom('cover')
    .select('id')
    .where(({ and, not, exists, selectFrom, ref }) =>
      and(
        pictured.map((table) =>
          not(
            exists(
              selectFrom(table)
                .select(sql.lit(1).as('one'))
                .where(sql.ref(`${table}.id`), '=', ref('cover.entity_id')),
            ),
          ),
        ),
      ),
    )
    .limit(limit)
    .execute()
  if (orphans.length === 0) return []
  const ids = orphans.map(({ id }) => id)
  const rows = await db.deleteFrom('cover').where('id', 'in', ids).returning('content_hash').execute()
  return rows.map(({ content_hash }) => content_hash)
}

// Covers of lists

export const selectListCover = async (db: ReadDb, listId: string): Promise<string | undefined> => {
  const row = await db.selectFrom('list_cover').select('cover_id').where('list_id', '=', listId).executeTakeFirst()
  return row?.cover_id
}

export const upsertListCover = (db: WriteDb, listId: string, coverId: string): Promise<void> =>
  insertMany(db, 'list_cover', [{ list_id: listId, cover_id: coverId }], { keys: ['list_id'], sets: ['cover_id'] })

// The rest of this file reads what viewers see.

export interface Pictured {
  readonly id: string
  readonly title: string
  readonly locks: string
  readonly coverId: string | null
  readonly coverVersion: number
  readonly contentHash: string | null
}

/** It finds missing books too: what is known of them stays. */
export const selectPicturedBook = (db: ReadDb, viewer: Viewer, id: string): Promise<Pictured | undefined> =>
  db
    .selectFrom('book')
    .leftJoin('cover', 'cover.id', 'book.cover_id')
    .select([
      'book.id',
      'book.title',
      'book.locks',
      'book.cover_id as coverId',
      'book.cover_version as coverVersion',
      'cover.content_hash as contentHash',
    ])
    .where('book.id', '=', id)
    .where('book.state', '<>', 'hidden')
    .where(visibleTo(viewer, 'book'))
    .executeTakeFirst()

export const selectPicturedSeries = (db: ReadDb, viewer: Viewer, id: string): Promise<Pictured | undefined> =>
  db
    .selectFrom('series')
    .leftJoin('cover', 'cover.id', 'series.cover_id')
    .select([
      'series.id',
      shownOfOneSeries<string>(viewer, 'title').as('title'),
      'series.locks',
      'series.cover_id as coverId',
      'series.cover_version as coverVersion',
      'cover.content_hash as contentHash',
    ])
    .where('series.id', '=', id)
    .where(knownTo(viewer, 'series'))
    .executeTakeFirst()

/** It finds the book whose cover stands for a series when the viewer may not see all of it. */
export const selectFirstVisibleBook = async (
  db: ReadDb,
  viewer: Viewer,
  seriesId: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('book')
    .select('book.id')
    .where('book.series_id', '=', seriesId)
    .where('book.state', '=', sql.lit('present'))
    .where(visibleTo(viewer, 'book'))
    .orderBy('book.position_key')
    .orderBy('book.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
