import type { ExternalIdDto, ReadingStatus, SeriesDto, SeriesMetadata } from '@carrel/api'
import { type LibraryEntry, limits } from '@carrel/plugin-sdk/protocol'
import type { ReadDb } from '../../../database/database.ts'
import { cutText } from '../../../platform/text/cut-text.ts'
import { externalIdsIn, metadataOfSeries } from '../../../catalogue/metadata/metadata.ts'
import { showSeriesById } from '../../series/series.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import {
  type ReadingTimes,
  selectCandidateIds,
  selectStoredMetadata,
  selectRatings,
  selectReadingTimes,
  selectTermsOfBooks,
  selectTouchedIds,
  type TermOfBooks,
} from './queries.ts'

/** These are the latest series somebody has read, rated, wanted or noted anything about. */
const touchedMax = 2000
/** These are the newest series they have not touched, up to what a plugin takes. */
const candidatesMax = limits.libraryEntries - touchedMax
const atOnce = 250
/** With everything else in the message it stays below what a line may carry. */
const bytesMax = 24 * 1024 * 1024

const listMax = 60
const summaryMax = 1000

interface LibraryOptions {
  /** The entries then have what the protocol calls `metadata`. */
  readonly isFull: boolean
  readonly signal: AbortSignal
}

/** A plugin gets this of somebody's library: what they see, what they have read of it, and not their notes. */
export const gatherLibrary = async (
  db: ReadDb,
  viewer: Viewer,
  { isFull, signal }: LibraryOptions,
): Promise<LibraryEntry[]> => {
  const touched = await selectTouchedIds(db, viewer, touchedMax)
  const touchedIds = new Set(touched)
  const newest = await selectCandidateIds(db, viewer, touchedMax + candidatesMax)
  const candidates = newest.filter((id) => !touchedIds.has(id)).slice(0, candidatesMax)
  const entries: LibraryEntry[] = []
  let bytes = 0
  for (const { ids, isTouched } of [...parts(touched, true), ...parts(candidates, false)]) {
    signal.throwIfAborted()
    for (const entry of await entriesOf(db, viewer, { ids, isTouched, isFull })) {
      bytes += Buffer.byteLength(JSON.stringify(entry))
      if (bytes > bytesMax) return entries
      entries.push(entry)
    }
  }
  return entries
}

interface Part {
  readonly ids: readonly string[]
  readonly isTouched: boolean
}

const parts = (ids: readonly string[], isTouched: boolean): Part[] =>
  Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, index) => ({
    ids: ids.slice(index * atOnce, (index + 1) * atOnce),
    isTouched,
  }))

/** The same number of statements, however many they are. */
const entriesOf = async (
  db: ReadDb,
  viewer: Viewer,
  { ids, isTouched, isFull }: Part & Pick<LibraryOptions, 'isFull'>,
): Promise<LibraryEntry[]> => {
  const shown = await showSeriesById(db, viewer, ids)
  const metadataById = await selectStoredMetadata(db, ids)
  const terms = await selectTermsOfBooks(db, viewer, ids, isFull ? ['person', 'tag'] : ['tag'])
  const times = isTouched ? await selectReadingTimes(db, viewer, ids) : new Map<string, ReadingTimes>()
  const ratings = isTouched ? await selectRatings(db, viewer.userId, ids) : new Map<string, number>()
  return shown.flatMap((series) => {
    const row = metadataById.get(series.id)
    if (!row) return []
    const metadata = metadataOfSeries(row)
    const ofBooks = terms.get(series.id) ?? []
    return [
      {
        ...baseOf(series, metadata, ofBooks),
        externalIds: externalIdsIn(row.metadata).slice(0, listMax).map(toExternalId),
        ...readingOf(series, times.get(series.id)),
        ...definite({ userRating: ratings.get(series.id) }),
        ...(isFull && { metadata: fullOf(metadata, ofBooks) }),
      },
    ]
  })
}

const baseOf = (series: SeriesDto, metadata: SeriesMetadata, ofBooks: readonly TermOfBooks[]) => ({
  seriesId: series.id,
  title: series.title,
  alternateTitles: metadata.alternateTitles.slice(0, listMax).map(({ title }) => title),
  genres: metadata.genres.slice(0, listMax),
  // Files say it of books; of series people do, and plugins.
  tags: (metadata.tags.length > 0 ? metadata.tags : namesOf(ofBooks, 'tag')).slice(0, listMax),
  ...definite({
    year: series.year,
    status: metadata.status,
    totalVolumeCount: metadata.totalVolumeCount,
    totalChapterCount: metadata.totalChapterCount,
  }),
})

const namesOf = (terms: readonly TermOfBooks[], requestedKind: TermOfBooks['kind']): string[] =>
  terms.filter(({ kind }) => kind === requestedKind).map(({ name }) => name)

/** Plugins that were written for this protocol look for `api:anilist`. */
const toExternalId = ({ source, id, url }: ExternalIdDto) => ({
  source: source.includes(':') ? source : `api:${source}`,
  externalId: id,
  ...definite({ externalUrl: url }),
})

const statusNames = {
  reading: 'reading',
  paused: 'on_hold',
  dropped: 'dropped',
  planned: 'plan_to_read',
  finished: 'completed',
} as const satisfies Record<ReadingStatus, string>

const readingOf = (series: SeriesDto, times: ReadingTimes | undefined) => {
  const { bookCount, unreadCount, readingStatus, wantToRead } = series
  const isDone = bookCount > 0 && unreadCount === 0
  const isBegun = times !== undefined || unreadCount < bookCount
  const outcome = isDone ? 'completed' : isBegun ? 'reading' : wantToRead ? 'plan_to_read' : 'unread'
  const status = readingStatus === null ? outcome : statusNames[readingStatus]
  return {
    readingStatus: status,
    booksRead: bookCount - unreadCount,
    booksOwned: bookCount,
    ...definite({
      startedAt: times?.started_at,
      lastReadAt: times?.last_read_at,
      completedAt: status === 'completed' ? times?.completed_at : undefined,
    }),
  }
}

const fullOf = (metadata: SeriesMetadata, terms: readonly TermOfBooks[]) => {
  const own = metadata.authors.map(({ name, role }) => ({ name, ...definite({ role }) }))
  const ofBooks = terms
    .filter(({ kind }) => kind === 'person')
    .map(({ name, role }) => ({ name, ...(role !== '' && { role }) }))
  return {
    // Nobody has made a series, only its books.
    authors: (own.length > 0 ? own : ofBooks).slice(0, listMax),
    ...definite({
      summary: metadata.summary === null ? null : cutText(metadata.summary, summaryMax),
      publisher: metadata.publisher,
      imprint: metadata.imprint,
      language: metadata.language,
      ageRating: metadata.ageRating,
      readingDirection: metadata.readingDirection,
    }),
  }
}

type Definite<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** Unknown fields are left out. */
const definite = <Fields extends object>(fields: Fields): Definite<Fields> =>
  // Nothing is left that is null or undefined.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Definite<Fields>
