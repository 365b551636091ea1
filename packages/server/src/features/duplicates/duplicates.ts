import type { GoingSeries } from '../../catalogue/listeners/listeners.ts'
import {
  type BookMatchType,
  duplicateMembersMax,
  type ListDuplicatesResponse,
  type ListSeriesDuplicatesResponse,
  type SeriesMatchType,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { pagingOf } from '../../platform/paging.ts'
import { enqueue } from '../../tasks/queue.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { announceDuplicates } from './detection/announce.ts'
import {
  countBookGroups,
  countSeriesGroups,
  deleteFromGroups,
  selectBookGroups,
  selectBookMembers,
  selectLibrariesOfMembers,
  selectMemberIds,
  selectSeriesGroups,
  selectSeriesMembers,
  updateDismissed,
} from './queries.ts'
import { findDuplicates } from './tasks.ts'

export { announceDuplicates } from './detection/announce.ts'
export { hasUncompared } from './detection/queries.ts'
export { findDuplicates } from './tasks.ts'

interface Question<MatchType> {
  readonly matchType?: MatchType | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

const pageSizeUsual = 500

const pagingIn = ({ page = 1, pageSize = pageSizeUsual }: Question<unknown>) => pagingOf(page, pageSize)

const plus = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

export const listSeriesDuplicates = async (
  { readSlowly }: Pick<Database, 'readSlowly'>,
  viewer: Viewer,
  question: Question<SeriesMatchType>,
): Promise<ListSeriesDuplicatesResponse> => {
  const { matchType } = question
  const paging = pagingIn(question)
  const { groups, members } = await countSeriesGroups(readSlowly, viewer, matchType)
  const totalGroups = plus(Object.values(groups))
  const rows = paging.offset < totalGroups ? await selectSeriesGroups(readSlowly, viewer, matchType, paging) : []
  const ids = rows.map(({ id }) => id)
  const seriesMembers = await selectSeriesMembers(readSlowly, viewer, ids, duplicateMembersMax)
  const membersOf = Map.groupBy(seriesMembers, ({ group_id }) => group_id)
  return {
    duplicates: rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      duplicateCount: row.members,
      libraryId: row.match_type === 'title' ? row.scope : null,
      matchKey: row.key,
      matchType: row.match_type as SeriesMatchType,
      members: (membersOf.get(row.id) ?? []).map((member) => ({
        id: member.id,
        libraryId: member.library_id,
        libraryName: member.library_name,
        title: member.title,
        bookCount: member.books,
        updatedAt: member.updated_at,
      })),
    })),
    externalIdGroups: groups['external_id'] ?? 0,
    titleGroups: groups['title'] ?? 0,
    totalDuplicateSeries: members,
    totalGroups,
  }
}

export const listBookDuplicates = async (
  { readSlowly }: Pick<Database, 'readSlowly'>,
  viewer: Viewer,
  question: Question<BookMatchType>,
): Promise<ListDuplicatesResponse> => {
  const { matchType } = question
  const paging = pagingIn(question)
  const { groups, members } = await countBookGroups(readSlowly, viewer, matchType)
  const totalGroups = plus(Object.values(groups))
  const rows = paging.offset < totalGroups ? await selectBookGroups(readSlowly, viewer, matchType, paging) : []
  const ids = rows.map(({ id }) => id)
  const bookMembers = await selectBookMembers(readSlowly, viewer, ids, duplicateMembersMax)
  const membersOf = Map.groupBy(bookMembers, ({ group_id }) => group_id)
  const duplicates = rows.map((row) => {
    const shown = membersOf.get(row.id) ?? []
    return {
      id: row.id,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      duplicateCount: row.members,
      bookIds: shown.map(({ id }) => id),
      fileHash: row.key,
      matchType: row.match_type as BookMatchType,
      members: shown.map((member) => ({
        id: member.id,
        title: member.title,
        seriesId: member.series_id,
        seriesTitle: member.series_title ?? '',
        number: member.number,
        volume: member.volume,
        chapter: member.chapter,
        libraryId: member.library_id,
        libraryName: member.library_name,
        fileFormat: member.format,
        fileSize: member.size,
        pageCount: member.page_count,
      })),
    }
  })
  return { duplicates, totalDuplicateBooks: members, totalGroups }
}

/** Everywhere; the one that waits or runs already, if there is one. */
export const startFindingDuplicates = (db: Database, now: Date): Promise<{ taskId: string }> =>
  db.write(async (db) => {
    const { taskId } = await enqueue(db, findDuplicates, {}, { now })
    return { taskId }
  })

/** It searches among the series of a library that has grown. The call belongs in the transaction that adds them. */
export const findDuplicatesIn = (db: WriteDb, libraryId: string, now: Date): Promise<unknown> =>
  enqueue(db, findDuplicates, { libraryId }, { now })

interface Dismissal {
  readonly of: 'series' | 'book'
  readonly groupId: string
  /** `false` withdraws the dismissal. */
  readonly dismissed: boolean
  readonly now: Date
}

/** Remembered until the members are others. */
export const dismissDuplicates = (
  db: Database,
  viewer: Viewer,
  { of, groupId, dismissed, now }: Dismissal,
): Promise<undefined> =>
  db.write(async (db) => {
    const members = await requireMembers(db, viewer, of, groupId)
    await updateDismissed(db, viewer, { of, groupId, dismissed })
    await announceDuplicates(db, await selectLibrariesOfMembers(db, of, members), now)
    return undefined
  })

/** The group must exist for this viewer (pins W9). */
export const requireMembers = async (
  db: ReadDb,
  viewer: Viewer,
  of: 'series' | 'book',
  groupId: string,
): Promise<readonly string[]> => {
  const members = await selectMemberIds(db, viewer, of, groupId)
  if (members.length < 2) throw notFound('group of duplicates')
  return members
}

/** Series that are about to be no more. Before they go. */
export const leaveGroups = async (db: WriteDb, series: readonly GoingSeries[], now: Date): Promise<void> => {
  await deleteFromGroups(
    db,
    series.map(({ id }) => id),
  )
  const libraryIds = series.map(({ libraryId }) => libraryId)
  await announceDuplicates(db, [...new Set(libraryIds)], now)
}
