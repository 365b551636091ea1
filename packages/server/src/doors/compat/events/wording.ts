import type { Fact } from '@carrel/api'
import type { Wording } from '../../../events/render.ts'
import type { Spelling } from '../spelling.ts'

/** Sent at once and every fifteen seconds: they take a quiet stream for a dead one. */
export const heartbeat = ':heartbeat\n\n'

/** Our facts in the words of these applications. What they have no word for they do not hear. */
export const compatWording = ({ name, outId }: Spelling): Wording => ({
  key: `compat ${name}`,
  ofFact: ({ data, user_id }) =>
    wordsOf(JSON.parse(data) as Fact, user_id)
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

const wordsOf = (fact: Fact, userId: string | null): (readonly [event: string, fields: Fields])[] => {
  switch (fact.type) {
    case 'library_created':
      return [['LibraryAdded', { libraryId: fact.libraryId }]]
    case 'library_updated':
    case 'library_unavailable':
      return [['LibraryChanged', { libraryId: fact.libraryId }]]
    case 'library_deleted':
      return [['LibraryDeleted', { libraryId: fact.libraryId }]]
    case 'series_created':
    case 'series_updated':
    case 'series_metadata_updated':
    case 'series_deleted':
      return [[seriesEvents[fact.type], { seriesId: fact.seriesId, libraryId: fact.libraryId }]]
    case 'series_merged': {
      const { seriesId, libraryId, mergedIds } = fact
      const gone = mergedIds.map((id) => ['SeriesDeleted', { seriesId: id, libraryId }] as const)
      return [['SeriesChanged', { seriesId, libraryId }], ...gone]
    }
    case 'book_created':
    case 'book_restored':
    case 'book_updated':
    case 'book_deleted': {
      const { bookId, seriesId, libraryId } = fact
      return [[bookEvents[fact.type], { bookId, seriesId, libraryId }]]
    }
    case 'progress_updated':
      return [['ReadProgressChanged', { bookId: fact.bookId, userId: userId ?? '' }]]
    case 'cover_updated':
      return coverWords(fact)
    case 'collection_created':
    case 'collection_updated':
    case 'collection_deleted':
      return [[listEvents[fact.type], { collectionId: fact.collectionId, seriesIds: [] }]]
    case 'read_list_created':
    case 'read_list_updated':
    case 'read_list_deleted':
      return [[listEvents[fact.type], { readListId: fact.readListId, bookIds: [] }]]
    default:
      return []
  }
}

const coverWords = ({ entityType, entityId }: Extract<Fact, { type: 'cover_updated' }>) => {
  if (entityType === 'series') return [['ThumbnailSeriesAdded', { seriesId: entityId, selected: true }] as const]
  if (entityType !== 'book') return []
  return [['ThumbnailBookAdded', { bookId: entityId, seriesId: '', selected: true }] as const]
}

const seriesEvents = {
  series_created: 'SeriesAdded',
  series_updated: 'SeriesChanged',
  series_metadata_updated: 'SeriesChanged',
  series_deleted: 'SeriesDeleted',
} as const
const bookEvents = {
  book_created: 'BookAdded',
  book_restored: 'BookAdded',
  book_updated: 'BookChanged',
  book_deleted: 'BookDeleted',
} as const
const listEvents = {
  collection_created: 'CollectionAdded',
  collection_updated: 'CollectionChanged',
  collection_deleted: 'CollectionDeleted',
  read_list_created: 'ReadListAdded',
  read_list_updated: 'ReadListChanged',
  read_list_deleted: 'ReadListDeleted',
} as const
