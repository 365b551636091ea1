import { type Insertable, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { isNoPart } from '../identity/queries.ts'
import type { Schema } from '../../../database/schema.ts'
import type { Paging } from '../../../platform/paging.ts'
import type { ScanTables } from '../table.ts'

/** Present books with the content of missing ones. Whether somebody has read them, or said something of them, decides. */
export const selectPresentTwins = async (db: ReadDb, missingIds: readonly string[]) => {
  const missingContents = await selectContents(db, missingIds)
  const contents = [...new Set(missingContents.map(({ value }) => value))]
  if (contents.length === 0) return []
  const present = await booksWithContent(db, contents)
    .innerJoin('file', (join) =>
      join.onRef('file.book_id', '=', 'print.book_id').onRef('file.content_hash', '=', 'print.value'),
    )
    .select(['book.id', 'book.library_id', 'book.created_at', 'print.value'])
    .select([hasLog('book.id'), hasWords('book.id').as('has_words')])
    .where('book.state', '=', 'present')
    .execute()
  const missing = await db
    .selectFrom('book')
    .select(['id', 'created_at'])
    .select(hasLog('book.id'))
    .where('book.id', 'in', missingIds)
    .where(isNoPart)
    .execute()
  const lost = new Map(missing.map((book) => [book.id, book]))
  const twinsOf = Map.groupBy(present, ({ value }) => value)
  const pairs = missingContents.flatMap(({ book_id, value }) => {
    const book = lost.get(book_id)
    return book ? (twinsOf.get(value) ?? []).map((twin) => twinRow(book, twin)) : []
  })
  // A book that has had several contents may meet the same one twice.
  return [...new Map(pairs.map((pair) => [pair.missingId + pair.presentId, pair])).values()]
}

type Sided = { readonly id: string; readonly created_at: string; readonly has_log: unknown }

const twinRow = (missing: Sided, present: Sided & { readonly library_id: string; readonly has_words: unknown }) => ({
  missingId: missing.id,
  presentId: present.id,
  libraryId: present.library_id,
  isUsed: Boolean(present.has_log) || Boolean(present.has_words),
  isMereCopy: !missing.has_log && missing.created_at > present.created_at,
})

const hasLog = (bookId: 'book.id') =>
  sql`exists (select 1 from reading_log where reading_log.book_id = ${sql.ref(bookId)})`.as('has_log')

const hasWords = (id: 'book.id' | 'series.id') =>
  sql<boolean>`exists (select 1 from metadata_layer
    where entity_id = ${sql.ref(id)} and source = 'user' and fields <> '{}')`

/** All content these books have ever had. The kind is picked here: asked for it, SQLite goes through all of that kind. */
const selectContents = async (db: ReadDb, bookIds: readonly string[]) => {
  if (bookIds.length === 0) return []
  const rows = await db
    .selectFrom('book_fingerprint')
    .select(['book_id', 'kind', 'value'])
    .where('book_id', 'in', bookIds)
    .execute()
  return rows.filter(({ kind }) => kind === 'content')
}

const booksWithContent = (db: ReadDb, contents: readonly string[]) =>
  db
    .selectFrom('book_fingerprint as print')
    .innerJoin('book', 'book.id', 'print.book_id')
    .where('print.kind', '=', 'content')
    .where('print.value', 'in', contents)

const seriesColumns = ['series.id', 'series.library_id', 'series.key', 'series.name', 'series.path'] as const

/** A series that books have left, and the one that they are in now. */
export interface Succession {
  readonly older: { readonly id: string; readonly library_id: string; readonly key: string }
  readonly newer: Selectable<Pick<Schema['series'], 'id' | 'library_id' | 'key' | 'name' | 'path'>>
  /** By which the newer one is shown or hidden. */
  readonly tagIds: readonly string[]
}

/**
 * It keeps those where the series that was left has no present book any more and fewer missing ones than the other has
 * books, and the other is newer, and nobody has said anything of it. Those with more books come first.
 */
export const selectSuccessions = async (
  db: ReadDb,
  ways: readonly { readonly fromSeriesId: string; readonly toSeriesId: string }[],
): Promise<readonly Succession[]> => {
  if (ways.length === 0) return []
  const fromIds = [...new Set(ways.map(({ fromSeriesId }) => fromSeriesId))]
  const toIds = [...new Set(ways.map(({ toSeriesId }) => toSeriesId))]
  const left = await db
    .selectFrom('series')
    .leftJoin('book', 'book.series_id', 'series.id')
    .select(['series.id', 'series.library_id', 'series.key'])
    .select(({ fn }) => fn.count<number>('book.id').as('missing'))
    .where('series.id', 'in', fromIds)
    .where('series.book_count', '=', 0)
    .where(isNoMergeTarget)
    .groupBy(['series.id', 'series.library_id', 'series.key'])
    .execute()
  const entered = await db
    .selectFrom('series')
    .select([...seriesColumns, 'series.book_count'])
    .where('series.id', 'in', toIds)
    .where('series.locks', '=', '[]')
    .where(({ not }) => not(hasWords('series.id')))
    .where(isNoMergeTarget)
    .execute()
  const tags = await db.selectFrom('series_sharing_tag').selectAll().where('series_id', 'in', toIds).execute()
  const olderOf = new Map(left.map((row) => [row.id, row]))
  const newerOf = new Map(entered.map((row) => [row.id, row]))
  return ways
    .flatMap(({ fromSeriesId, toSeriesId }) => {
      const older = olderOf.get(fromSeriesId)
      const newer = newerOf.get(toSeriesId)
      if (!older || !newer || older.missing >= newer.book_count || newer.id < older.id) return []
      const tagIds = tags.filter(({ series_id }) => series_id === newer.id).map(({ tag_id }) => tag_id)
      return [{ older, newer, tagIds, books: newer.book_count }]
    })
    .toSorted((one, other) => other.books - one.books)
}

const isNoMergeTarget = sql<boolean>`not exists (select 1 from series_merge where into_series_id = series.id)`

/** Books without a file whose content these present ones hold. */
export const selectLostTwins = async (db: ReadDb, presentIds: readonly string[]): Promise<string[]> => {
  const held = presentIds.length === 0 ? [] : await selectHeldContents(db, presentIds)
  if (held.length === 0) return []
  const rows = await booksWithContent(db, held)
    .select('book.id')
    .distinct()
    .where('book.state', 'in', ['missing', 'hidden'])
    .where(isNoPart)
    .execute()
  return rows.map(({ id }) => id)
}

export interface Gone {
  readonly id: string
  readonly missing_since: string | null
}

/** In the order they went missing, which is that of an index. */
export const selectMissingAfter = (
  db: ReadDb,
  libraryId: string,
  after: Gone | undefined,
  limit: number,
): Promise<Gone[]> =>
  db
    .selectFrom('book')
    .select(['id', 'missing_since'])
    .where('library_id', '=', libraryId)
    .where('state', '=', sql.lit('missing'))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(missing_since, id) > (${after?.missing_since}, ${after?.id})`),
    )
    .orderBy('missing_since')
    .orderBy('id')
    .limit(limit)
    .execute()

const selectHeldContents = async (db: ReadDb, bookIds: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('file').select('content_hash').where('book_id', 'in', bookIds).execute()
  return [...new Set(rows.flatMap(({ content_hash }) => content_hash ?? []))]
}

export type TwinRow = Awaited<ReturnType<typeof selectPresentTwins>>[number]

export const insertRelink = async (db: WriteDb, relink: Insertable<ScanTables['relink']>): Promise<void> => {
  await db
    .insertInto('relink')
    .values(relink)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectStates = async (db: ReadDb, ids: readonly string[]) => {
  const rows = await db.selectFrom('book').select(['id', 'state']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, state }) => [id, state]))
}

export const selectHeldFiles = (db: ReadDb, bookIds: readonly string[]) =>
  db
    .selectFrom('file')
    .select(['book_id', 'library_id', 'name', 'is_folder', 'content_hash'])
    .where('book_id', 'in', bookIds)
    .execute()

export const deleteFileOf = async (db: WriteDb, bookId: string): Promise<void> => {
  await db.deleteFrom('file').where('book_id', '=', bookId).execute()
}

export const takeFileOver = async (db: WriteDb, fromBookId: string, toBookId: string): Promise<void> => {
  await db.updateTable('file').set({ book_id: toBookId }).where('book_id', '=', fromBookId).execute()
  await db.deleteFrom('book_fingerprint').where('book_id', '=', fromBookId).execute()
}

export const selectRelinks = (db: ReadDb, libraryId: string, { limit, offset }: Pick<Paging, 'limit' | 'offset'>) =>
  relinks(db, libraryId)
    .innerJoin('file', 'file.book_id', 'relink.present_book_id')
    .select(['relink.id', 'relink.missing_book_id', 'relink.present_book_id', 'relink.at', 'file.folder', 'file.name'])
    .orderBy('relink.at')
    .orderBy('relink.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** It returns what the names of these books are made of. */
export const selectNames = async (db: ReadDb, bookIds: readonly string[]) => {
  if (bookIds.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .select(['book.id', 'book.title', 'series.title as seriesName', 'book.number', 'book.volume', 'book.chapter'])
    .where('book.id', 'in', bookIds)
    .execute()
  return new Map(rows.map(({ id, ...name }) => [id, name]))
}

/** Offers that still stand: one side may have gone or come back meanwhile. */
const relinks = (db: ReadDb, libraryId: string) =>
  db
    .selectFrom('relink')
    .where('relink.library_id', '=', libraryId)
    .where('relink.status', '=', 'offered')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('book')
          .select('book.id')
          .whereRef('book.id', '=', 'relink.missing_book_id')
          .where('book.state', '=', 'missing'),
      ),
    )

export const countRelinks = async (db: ReadDb, libraryId: string): Promise<number> => {
  const { count } = await relinks(db, libraryId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectRelink = (db: ReadDb, id: string) =>
  db.selectFrom('relink').selectAll().where('id', '=', id).executeTakeFirst()

export const updateRelink = async (db: WriteDb, id: string, status: 'offered' | 'refused'): Promise<void> => {
  await db.updateTable('relink').set({ status }).where('id', '=', id).execute()
}

export const deleteRelink = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('relink').where('id', '=', id).execute()
}
