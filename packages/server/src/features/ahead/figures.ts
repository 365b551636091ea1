import type { ReadingAhead } from '@carrel/api'
import { readerOf, type Viewer } from '../../catalogue/visibility/visibility.ts'
import type { Database } from '../../database/database.ts'
import { countUpToNow, pacesOf } from '../reading/reading.ts'
import { type AheadOfFormat, selectAhead, type Within } from './queries.ts'

/** How far somebody is in all of these books, and how long the rest takes them. */
export const readFigures = async (
  db: Database,
  viewer: Viewer,
  within: Within,
  now: Date,
): Promise<Omit<ReadingAhead, 'next'>> => {
  const formats: readonly AheadOfFormat[] = await selectAhead(db.readSlowly, viewer, within)
  const sum = (figure: 'books' | 'read'): number => formats.reduce((total, each) => total + each[figure], 0)
  const times = formats.flatMap(({ last_read_at }) => last_read_at ?? [])
  return {
    read: sum('read'),
    of: sum('books'),
    timeLeftMs: await timeFor(db, viewer, formats, now),
    lastReadAt: times.toSorted().at(-1) ?? null,
  }
}

/** Null where some of it is of a format whose pace is not known: the rest alone would promise too little. */
const timeFor = async (
  db: Database,
  viewer: Viewer,
  formats: readonly AheadOfFormat[],
  now: Date,
): Promise<number | null> => {
  const unread = formats.filter(({ pages_left, without_pages }) => pages_left > 0 || without_pages > 0)
  if (unread.length === 0) return 0
  if (unread.some(({ without_pages }) => without_pages > 0)) return null
  const userId = readerOf(viewer)
  // A key may not tell how its owner reads.
  if (userId !== viewer.userId) return null
  await countUpToNow(db, userId, now)
  const paces = await pacesOf(db.readSlowly, userId, now)
  const times = unread.map(({ format, pages_left }) => {
    const pace = paces.get(format)
    return pace === undefined ? undefined : (pace.ms / pace.pages) * pages_left
  })
  const measured = times.filter((each) => each !== undefined)
  return measured.length < times.length ? null : Math.round(measured.reduce((total, each) => total + each, 0))
}
