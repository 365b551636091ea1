import type { ServerEvent, EventType } from '@carrel/api'
import type { Wording } from '../../../events/render.ts'
import type { Spelling } from '../spelling.ts'

/** It is sent at once and every fifteen seconds: the applications take a quiet stream for a dead one. */
export const heartbeat = ':heartbeat\n\n'

/** Our events in the words of these applications. What they have no word for they do not hear. */
export const compatWording = ({ name, outId }: Spelling): Wording => ({
  key: `compat ${name}`,
  ofEvent: ({ data, user_id }) =>
    wordsOf(JSON.parse(data) as ServerEvent, user_id)
      .map(([event, fields]) => `event: ${event}\ndata: ${JSON.stringify(spelled(fields, outId))}\n\n`)
      .join(''),
  ofStream: () => '',
})

type Fields = Readonly<Record<string, string | boolean | null | readonly string[]>>

const spelled = (fields: Fields, outId: Spelling['outId']): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      key.endsWith('Id') && typeof value === 'string' ? outId(value) : value,
    ]),
  )

type EventWording = readonly (readonly [event: string, fields: Fields])[]
type AboutBook = Extract<ServerEvent, { type: 'book_created' }>
type AboutSeries = Extract<ServerEvent, { type: 'series_created' }>

const library =
  (event: string) =>
  ({ libraryId }: { readonly libraryId: string }): EventWording => [[event, { libraryId }]]
const series =
  (event: string) =>
  ({ seriesId, libraryId }: Omit<AboutSeries, 'type'>): EventWording => [[event, { seriesId, libraryId }]]
const book =
  (event: string) =>
  ({ bookId, seriesId, libraryId }: Omit<AboutBook, 'type'>): EventWording => [
    [event, { bookId, seriesId: seriesId ?? '', libraryId }],
  ]
// The entries of a list are not sent: the list may hold some that the user must not see. The applications read it
// again.
const collection =
  (event: string) =>
  ({ collectionId }: { readonly collectionId: string }): EventWording => [[event, { collectionId, seriesIds: [] }]]
const readList =
  (event: string) =>
  ({ readListId }: { readonly readListId: string }): EventWording => [[event, { readListId, bookIds: [] }]]

const words: {
  readonly [Type in EventType]?: (event: Extract<ServerEvent, { type: Type }>, userId: string | null) => EventWording
} = {
  library_created: library('LibraryAdded'),
  library_updated: library('LibraryChanged'),
  library_unavailable: library('LibraryChanged'),
  library_deleted: library('LibraryDeleted'),
  series_created: series('SeriesAdded'),
  series_updated: series('SeriesChanged'),
  series_metadata_updated: series('SeriesChanged'),
  series_deleted: series('SeriesDeleted'),
  series_merged: ({ seriesId, libraryId, mergedIds }) => [
    ['SeriesChanged', { seriesId, libraryId }],
    ...mergedIds.map((id) => ['SeriesDeleted', { seriesId: id, libraryId }] as const),
  ],
  book_created: book('BookAdded'),
  book_restored: book('BookAdded'),
  book_updated: book('BookChanged'),
  book_deleted: book('BookDeleted'),
  progress_updated: ({ bookId, seriesId, isUnread, marksSeries }, reader) => {
    const what = isUnread ? 'Deleted' : 'Changed'
    const userId = reader ?? ''
    const ofBook = [`ReadProgress${what}`, { bookId, userId }] as const
    return marksSeries ? [ofBook, [`ReadProgressSeries${what}`, { seriesId, userId }]] : [ofBook]
  },
  cover_updated: ({ entityType, entityId, seriesId }) => coverWords(entityType, entityId, seriesId),
  collection_created: collection('CollectionAdded'),
  collection_updated: collection('CollectionChanged'),
  collection_deleted: collection('CollectionDeleted'),
  read_list_created: readList('ReadListAdded'),
  read_list_updated: readList('ReadListChanged'),
  read_list_deleted: readList('ReadListDeleted'),
}

const coverWords = (kind: string, id: string, seriesId: string | null | undefined): EventWording => {
  if (kind === 'series') return [['ThumbnailSeriesAdded', { seriesId: id, selected: true }]]
  return kind === 'book' ? [['ThumbnailBookAdded', { bookId: id, seriesId: seriesId ?? '', selected: true }]] : []
}

const wordsOf = (event: ServerEvent, userId: string | null): EventWording => {
  // Each function stands under the name of the events it takes.
  const say = words[event.type] as ((event: ServerEvent, userId: string | null) => EventWording) | undefined
  return say?.(event, userId) ?? []
}
