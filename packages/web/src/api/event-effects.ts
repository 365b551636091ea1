import type { EventType } from '@carrel/api'
import type { QueryTarget } from './queries.ts'

/** These come with an event besides its type; which of them depends on the type. */
export interface Happening {
  readonly type: string
  /** Null for a book whose series is hidden. */
  readonly seriesId?: string | null
  readonly bookId?: string
  readonly libraryId?: string
  readonly taskId?: string
  readonly status?: string
}

/** A word of an address, such as `series` in `/api/v1/series/{id}/books`. */
type Area = string

const books: readonly Area[] = [
  'books',
  'series',
  'followed-series',
  'reading-status',
  'libraries',
  'collections',
  'readlists',
  'search',
  'home',
  'want-to-read',
  'progress',
]
const content: readonly Area[] = [...books, 'genres', 'tags', 'people', 'duplicates', 'book-errors', 'matches']
const scans: readonly Area[] = ['scans', 'scan-status', 'held-changes', 'tasks', 'metrics']
const users: readonly Area[] = ['users', 'access-groups', 'user', 'auth']
const nothing: readonly Area[] = []

/** An event makes those reads stale whose address contains one of these words. */
const effects: Readonly<Record<EventType, readonly Area[]>> = {
  library_created: content,
  library_updated: content,
  library_deleted: content,
  library_unavailable: ['libraries', ...scans],
  series_created: content,
  series_updated: content,
  series_deleted: content,
  series_metadata_updated: content,
  series_merged: content,
  book_created: content,
  book_updated: content,
  book_deleted: content,
  book_restored: content,
  cover_updated: books,
  collection_created: ['collections'],
  collection_updated: ['collections'],
  collection_deleted: ['collections'],
  read_list_created: ['readlists'],
  read_list_updated: ['readlists'],
  read_list_deleted: ['readlists'],
  progress_updated: [...books, 'reading-stats', 'devices'],
  preset_created: ['filter-presets'],
  preset_updated: ['filter-presets'],
  preset_deleted: ['filter-presets'],
  task_progress: ['tasks', 'imports', 'metrics', 'bulk-edits', 'scans', 'scan-status', 'book-errors', 'jobs'],
  scan_progress: ['scans', 'scan-status'],
  scan_held: [...scans, 'libraries'],
  duplicates_updated: ['duplicates'],
  plugin_created: ['plugins'],
  plugin_updated: ['plugins'],
  plugin_enabled: ['plugins'],
  plugin_disabled: ['plugins'],
  plugin_deleted: ['plugins'],
  recommendations_updated: ['recommendations', 'plugins'],
  setting_updated: ['settings'],
  user_created: users,
  user_updated: users,
  user_deleted: users,
  release_announced: ['home', 'releases'],
  notification: ['notifications', 'home', 'problems'],
}

export const makesOld = (happening: Happening, { name, id }: QueryTarget): boolean => {
  const areas = happening.type in effects ? effects[happening.type as EventType] : nothing
  const words = name.split('/')
  if (!words.some((word) => areas.includes(word))) return false
  // A read of one book, series or library is stale only when the event is about that one.
  if (id === undefined) return true
  // What belongs to one that is gone could only be answered by that; its own page asks, and says so.
  if (happening.type.endsWith('_deleted') && idsOf(happening).includes(id) && !name.endsWith('/{id}')) return false
  // A task that is of no library is no scan.
  if (name.includes('/libraries/{id}') && (happening.libraryId !== undefined || happening.type === 'task_progress')) {
    return id === happening.libraryId
  }
  if (name.includes('/series/{id}') && happening.seriesId !== undefined) return id === happening.seriesId
  if (name.includes('/books/{id}') && happening.bookId !== undefined && !name.endsWith('/adjacent')) {
    return id === happening.bookId
  }
  return true
}

const idsOf = ({ seriesId, bookId, libraryId }: Happening): readonly (string | null | undefined)[] => [
  bookId,
  // An event of a book names its series and library too, and these stay.
  ...(bookId === undefined ? [seriesId] : []),
  ...(bookId === undefined && seriesId === undefined ? [libraryId] : []),
]
