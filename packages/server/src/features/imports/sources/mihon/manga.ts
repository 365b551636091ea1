import type { ExternalId } from '../../../../formats/book-format.ts'
import { cleanUrl } from '../../../../formats/metadata/clean-text.ts'
import { type ForeignRecord, recordLimits } from '../../records.ts'
import type { PassedOver } from '../counted-rows.ts'
import { elsewhere } from '../elsewhere.ts'
import { numberText } from '../numbers.ts'
import { nowhere, onPage } from '../positions.ts'
import { instantOf, textOf } from '../values.ts'
import { onePerson } from '../one-person.ts'
import type { Chapter, Manga, Tracking } from './backup.ts'

/** The same work may be there from several sources. */
export const idOf = ({ source, url }: Manga): string => `${source} ${url}`

export function* recordsOf(manga: Manga, passed: PassedOver): Generator<ForeignRecord> {
  const series = idOf(manga)
  const title = textOf(manga.title)
  if (title === null || series.length > recordLimits.line) {
    passed.add('series without a title, or with an endless address', 'invalid', series)
    return
  }
  countPassed(manga, title, passed)
  yield {
    type: 'series',
    id: series,
    library: null,
    title,
    otherTitles: [],
    folder: null,
    isOneShot: false,
    labels: [],
    metadata: elsewhere({
      externalIds: manga.tracking.flatMap((each) => externalIdOf(each, title, passed)),
      links: [],
    }),
  }
  const rating = ratingOf(manga.tracking, title, passed)
  const review = textOf(manga.notes, recordLimits.prose)
  if (rating !== null || review !== null)
    yield { type: 'rating', user: onePerson.id, of: { series }, rating, review, at: null }
  const seen = new Set<string>()
  for (const chapter of manga.chapters) {
    const book = `${series} ${chapter.url}`
    if (book.length > recordLimits.line || seen.has(book))
      passed.add('chapters that are there twice, or with an endless address', 'invalid', title)
    else yield* recordsOfChapter({ manga, chapter, book, title })
    seen.add(book)
  }
}

const countPassed = (manga: Manga, title: string, passed: PassedOver): void => {
  if (manga.hasDescription)
    passed.add('descriptions and genres of series, from the sites they came from', 'not_a_persons_word')
  if (manga.isFavourite) passed.add('marks of being in the library of the app', 'no_such_thing')
  if (manga.excludedScanlators > 0) passed.add('excluded groups of translators', 'no_such_thing', title)
}

/** Numbers of trackers. The rest are servers of one's own, whose ids mean nothing here. */
const trackers: Readonly<Record<string, { readonly source: string; readonly scale: number }>> = {
  1: { source: 'myanimelist', scale: 10 },
  2: { source: 'anilist', scale: 100 },
  3: { source: 'kitsu', scale: 10 },
  4: { source: 'shikimori', scale: 10 },
  5: { source: 'bangumi', scale: 10 },
  7: { source: 'mangaupdates', scale: 10 },
}

const externalIdOf = (
  { tracker, mediaId, url }: Tracking,
  title: string,
  passed: PassedOver,
): readonly ExternalId[] => {
  const source = trackers[String(tracker)]?.source
  passed.add('what trackers know of chapters read, status and dates', 'no_such_thing')
  if (source !== undefined && mediaId > 0n) return [{ source, id: String(mediaId), url: cleanUrl(url) }]
  passed.add('ids at trackers that are not known here', 'no_such_thing', title)
  return []
}

/** Each tracker has a scale of its own. Of several the finest says it most exactly. */
const ratingOf = (tracking: readonly Tracking[], title: string, passed: PassedOver): number | null => {
  const ratings = tracking.flatMap(({ tracker, score }) => {
    const scale = trackers[String(tracker)]?.scale
    if (!(score > 0)) return []
    if (scale !== undefined && score <= scale)
      return [{ scale, rating: Math.max(1, Math.round((score * 100) / scale)) }]
    passed.add('scores of no known scale', 'unreadable', title)
    return []
  })
  return ratings.toSorted((a, b) => b.scale - a.scale)[0]?.rating ?? null
}

interface OneChapter {
  readonly manga: Manga
  readonly chapter: Chapter
  readonly book: string
  readonly title: string
}

const pagesMax = 10_000_000n
const yearMs = 366n * 86_400_000n

/** 0 is how a time says that there is none. */
const timeOf = (milliseconds: bigint): string | null => (milliseconds > 0n ? instantOf(milliseconds) : null)

function* recordsOfChapter({ manga, chapter, book, title }: OneChapter): Generator<ForeignRecord> {
  const series = idOf(manga)
  yield {
    type: 'book',
    id: book,
    series,
    library: null,
    path: null,
    size: null,
    hashes: [],
    seriesTitle: title,
    ...numbersOf(chapter),
    title: textOf(chapter.name),
    pages: null,
    isDeleted: false,
    metadata: {},
  }
  const of = { user: onePerson.id, book }
  const history = manga.history.get(chapter.url)
  const openedAt = history === undefined ? null : timeOf(history.lastRead)
  // The last page is counted from 0; "mark as read" leaves 0 there, and so does a look at the first page alone.
  const page = chapter.lastPageRead > 0n && chapter.lastPageRead < pagesMax ? Number(chapter.lastPageRead) + 1 : null
  const isOpened = page !== null || openedAt !== null
  const position = chapter.isRead ? nowhere : onPage(page ?? 1)
  if (chapter.isRead || isOpened) {
    // A chapter is changed as it is read: where there is no history, that is the time.
    const at = openedAt ?? timeOf(chapter.modifiedAt * 1000n)
    const isCompleted = chapter.isRead
    yield {
      type: 'progress',
      ...of,
      position,
      pages: null,
      isCompleted,
      startedAt: null,
      at,
      completedAt: isCompleted ? at : null,
    }
  }
  if (history !== undefined && openedAt !== null && history.readMs > 0n && history.readMs < yearMs)
    yield {
      type: 'session',
      id: book,
      ...of,
      kind: chapter.isRead ? 'completed' : 'progress',
      position,
      pages: null,
      startedAt: timeOf(history.lastRead - history.readMs),
      at: openedAt,
      activeMs: Number(history.readMs),
      pagesRead: null,
      device: null,
    }
  if (chapter.isBookmarked) yield { type: 'bookmark', ...of, position: onPage(1), note: null, at: null }
}

/** −1 is how a chapter says that it has no number; what sites call a volume has one in its name alone. */
const numbersOf = ({ number, name }: Chapter): { number: string | null; volume: string | null } => {
  const volume = /(?<!\p{L})vol(?:ume)?\.?\s*(\d{1,5}(?:\.\d{1,3})?)/iu.exec(name.slice(0, 500))?.[1]
  return {
    number: number >= 0 && number < 1_000_000 ? numberText(number) : null,
    volume: volume === undefined ? null : numberText(Number(volume)),
  }
}
