import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { RawBuilder } from 'kysely'
import type { ServerEvent, Permission } from '@carrel/api'
import { isDeepStrictEqual } from 'node:util'
import { type Announcement, announce, type Audience, type AudienceCondition } from '../../events/outbox.ts'
import { selectBookLabels, selectLabelsAmong, selectSeriesLabels } from './queries.ts'

type SeriesNews = 'series_created' | 'series_updated' | 'series_deleted'
type BookNews = 'book_created' | 'book_updated' | 'book_deleted' | 'book_restored'

/** To those who may see them as they are now. */
export const announceSeries = async (
  db: WriteDb,
  type: SeriesNews,
  seriesIds: Iterable<string>,
  now: Date,
): Promise<void> => {
  const series = await selectSeriesLabels(db, [...new Set(seriesIds)])
  const news = series.map(({ id, libraryId, content }) => ({
    event: { type, seriesId: id, libraryId },
    to: { libraryId, content },
  }))
  await announce(db, news, now)
}

export const announceBooks = async (
  db: WriteDb,
  type: BookNews,
  bookIds: readonly string[],
  now: Date,
): Promise<void> => {
  const books = await selectBookLabels(db, bookIds)
  const news = books.map(({ id, seriesId, libraryId, ...labels }) => ({
    event: { type, bookId: id, seriesId, libraryId },
    to: { libraryId, ...labels },
  }))
  await announce(db, news, now)
}

/** That books or series look different now. */
export const announceCovers = async (
  db: WriteDb,
  entityType: 'book' | 'series',
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  const aboutOne = { type: 'cover_updated', entityType } as const
  const newsOfBooks = async (): Promise<Announcement[]> =>
    (await selectBookLabels(db, ids)).map(({ id, seriesId, libraryId, ...labels }) => ({
      event: { ...aboutOne, entityId: id, libraryId, seriesId },
      to: { libraryId, ...labels },
    }))
  const newsOfSeries = async (): Promise<Announcement[]> =>
    (await selectSeriesLabels(db, ids)).map(({ id, libraryId, content }) => ({
      event: { ...aboutOne, entityId: id, libraryId },
      to: { libraryId, content },
    }))
  await announce(db, await (entityType === 'book' ? newsOfBooks : newsOfSeries)(), now)
}

interface ChangeEvents {
  readonly updated: ServerEvent
  readonly deleted: ServerEvent
  readonly created: ServerEvent
}

/**
 * Whoever loses sight of something by what has changed hears that it is gone, whoever gains it that it is there, and all
 * others who see it that it is another (pins W8).
 */
export const announcementsOfChange = (
  { updated, deleted, created }: ChangeEvents,
  { before, after }: { readonly before: Audience; readonly after: Audience },
): Announcement[] =>
  isDeepStrictEqual(before, after)
    ? [{ event: updated, to: after }]
    : [
        { event: deleted, to: { ...before, audiences: [{ of: [after], isSeen: false }] } },
        { event: created, to: { ...after, audiences: [{ of: [before], isSeen: false }] } },
        { event: updated, to: { ...after, audiences: [{ of: [before], isSeen: true }] } },
      ]

export interface Edit {
  readonly id: string
  /** The fields have the names of the contract. */
  readonly fields: readonly string[]
  readonly ageRatingBefore: number | null
}

export const announceEdits = async (
  db: WriteDb,
  entity: 'series' | 'book',
  edits: readonly Edit[],
  now: Date,
): Promise<void> => {
  const labels = await (entity === 'series' ? labelsOfSeries : labelsOfBooks)(
    db,
    edits.map(({ id }) => id),
  )
  const news = edits.flatMap(({ id, fields, ageRatingBefore }): Announcement[] => {
    const label = labels.get(id)
    if (!label) return []
    const { events, ...after } = label
    const before = { ...after, content: { ...after.content, ageRating: ageRatingBefore } }
    const updated = { ...events.updated, fields: [...fields] }
    return announcementsOfChange({ ...events, updated }, { before, after })
  })
  await announce(db, news, now)
}

const labelsOfSeries = async (db: WriteDb, ids: readonly string[]) =>
  new Map(
    (await selectSeriesLabels(db, ids)).map(({ id, libraryId, content }) => {
      const about = { seriesId: id, libraryId }
      const events = {
        updated: { type: 'series_metadata_updated', ...about },
        deleted: { type: 'series_deleted', ...about },
        created: { type: 'series_created', ...about },
      } as const
      return [id, { libraryId, content, events }]
    }),
  )

const labelsOfBooks = async (db: WriteDb, ids: readonly string[]) =>
  new Map(
    (await selectBookLabels(db, ids)).map(({ id, seriesId, libraryId, ...labels }) => {
      const about = { bookId: id, seriesId, libraryId }
      const events = {
        updated: { type: 'book_updated', ...about },
        deleted: { type: 'book_deleted', ...about },
        created: { type: 'book_created', ...about },
      } as const
      return [id, { libraryId, ...labels, events }]
    }),
  )

/** Who sees something in a list, worked out of what is in it. */
export interface ListAudiences {
  /** These audiences are of what stands in lists. */
  readonly shown: readonly Audience[]
  /** With what is missing for a while, which those who may change a list have to do with too. */
  readonly all: readonly Audience[]
}

export const selectAudiences = async (
  db: ReadDb,
  content: 'book' | 'series',
  ids: RawBuilder<unknown>,
): Promise<ListAudiences> => ({
  shown: await selectLabelsAmong(db, content, ids, ['present']),
  all: await selectLabelsAmong(db, content, ids, ['present', 'missing']),
})

interface ListChange {
  readonly events: ChangeEvents
  /** Undefined: it was not there yet, or is there no longer. */
  readonly before: ListAudiences | undefined
  readonly after: ListAudiences | undefined
  readonly mayRead: Permission
  readonly mayChange: Permission
}

/**
 * To those who see something in a list, before or after: each hears what it is for them. One without anything in it has
 * changed for those who can fill it.
 */
export const announcementsOfList = ({ events, before, after, mayRead, mayChange }: ListChange): Announcement[] => {
  const change = [
    { event: events.deleted, from: true, to: false },
    { event: events.created, from: false, to: true },
    { event: events.updated, from: true, to: true },
  ]
  const were = before?.shown ?? []
  const are = after?.shown ?? []
  const isEmpty = (audiences: ListAudiences | undefined): boolean =>
    audiences !== undefined && audiences.all.length === 0
  const toReaders = change.flatMap(({ event, from, to }): Announcement[] =>
    (from && were.length === 0) || (to && are.length === 0)
      ? []
      : [{ event, to: { permission: mayRead, audiences: [conditionOf(were, from), conditionOf(are, to)].flat() } }],
  )
  if (toReaders.length > 0) return toReaders
  const event = before === undefined ? events.created : after === undefined ? events.deleted : events.updated
  const { all } = after ?? before ?? { all: [] }
  return isEmpty(before) || isEmpty(after)
    ? [{ event, to: { permission: mayChange } }]
    : [{ event, to: { permission: mayChange, audiences: [{ of: all, isSeen: true }] } }]
}

const conditionOf = (of: readonly Audience[], isSeen: boolean): readonly AudienceCondition[] =>
  of.length === 0 ? [] : [{ of, isSeen }]
