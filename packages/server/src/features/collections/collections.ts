import type { CollectionDto, ListedCollection, MemberCover, SeriesCondition, SeriesDto } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import { selectListedSeries } from '../../catalogue/lists/lists.ts'
import { conditionsBehind, type ListAtAGlance, type ListKind } from '../../catalogue/member-lists/member-lists.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import { showCoversById, showSeries } from '../series/series.ts'

export { memberRule } from './merge-rules.ts'

export const collections: ListKind<CollectionDto, SeriesDto> = {
  name: 'collection',
  table: 'collection',
  content: 'series',
  members: { table: 'collection_series', list: 'collection_id', item: 'series_id' },
  changes: 'collection_series_change',
  hasEntryIds: false,
  isAutomatic: true,
  isOrdered: false,
  mayRead: 'collections:read',
  mayChange: 'collections:write',
  events: (collectionId) => ({
    created: { type: 'collection_created', collectionId },
    updated: { type: 'collection_updated', collectionId },
    deleted: { type: 'collection_deleted', collectionId },
  }),
  toList: ({ condition = null, ...row }, { mayChange }) => ({
    id: row.id,
    name: row.name,
    summary: row.summary,
    ordered: row.ordered === 1,
    fromFiles: row.files_key !== null,
    followsFiles: row.follows_files === 1,
    automatic: condition !== null,
    // It was checked before it was kept.
    ...(mayChange && { condition: condition === null ? null : (JSON.parse(condition) as SeriesCondition) }),
    seriesCount: row.member_count,
    createdAt: row.created_at,
    updatedAt: row.changed_at,
  }),
  show: async (db, viewer, behind) => showSeries(db, viewer, await selectListedSeries(db, behind)),
}

/** A collection is drawn by its covers alone. */
export const readDrawn = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<readonly MemberCover[]> =>
  (await showCoversById(db, viewer, ids)).map(({ seriesId, ...cover }) => ({ id: seriesId, ...cover }))

export const toListed = (list: CollectionDto, { covers }: ListAtAGlance<MemberCover>): ListedCollection => ({
  ...list,
  covers,
})

/** What the series of the automatic ones among these collections fulfil for this viewer. */
export const collectionsBehind = (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RawBuilder<boolean>>> => conditionsBehind(db, { kind: collections, viewer }, ids)
