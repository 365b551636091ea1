import { bringMarks, takeMarksBack } from '../../../annotations/annotations.ts'
import type { BookShape } from '../../../reading/reading.ts'
import { bringRatings, takeRatingsBack } from '../../../ratings/ratings.ts'
import { bringWants, takeWantsBack } from '../../../want-to-read/want-to-read.ts'
import { factId, keyOf } from '../../links.ts'
import { locatorOf, needsSpine, placedIn } from '../locators.ts'
import { deleteLinks, insertLinks, selectFirstBooks, selectLinks } from '../../queries.ts'
import type { AnnotationRecord, BookmarkRecord, RatingRecord, Subject } from '../../records.ts'
import type { WriteDb } from '../../../../database/database.ts'
import { type Applying, countsOf, seeingAll, type Step } from '../step.ts'

/** What is brought once is not brought again, even where somebody has removed it since. */
const freshOnes = async <Each extends { readonly key: string }>(
  db: WriteDb,
  { run }: Applying,
  all: readonly Each[],
): Promise<readonly Each[]> => {
  const once = [...new Map(all.map((each) => [each.key, each])).values()]
  const links = await selectLinks(
    db,
    run.kind,
    once.map(({ key }) => key),
  )
  const fresh = once.filter(({ key }) => !links.has(key))
  await insertLinks(
    db,
    fresh.map(({ key }) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
  )
  return fresh
}

const oursOf = (subject: Subject, { series, books }: Applying) => {
  const [kind, id] =
    'series' in subject
      ? (['series', series.get(subject.series)] as const)
      : (['book', books.get(subject.book)] as const)
  return id === undefined ? undefined : { kind, id, theirs: 'series' in subject ? subject.series : subject.book }
}

interface RatingsDone {
  readonly series: readonly string[]
  readonly book: readonly string[]
  readonly keys: readonly string[]
  /** Marks that were made of reviews without a rating; absent in what earlier versions have done. */
  readonly notes?: readonly string[]
}

const at = (time: string | null, now: Date): string => time ?? now.toISOString()

export const ratings: Step<'rating'> = {
  name: 'ratings',
  part: 'ratings',
  reads: 'rating',
  atOnce: 50,
  take: async (db, applying, records) => {
    const { users, now } = applying
    const all = records.flatMap(({ user, of, rating, review, at: time }) => {
      const [userId, ours] = [users.get(user), oursOf(of, applying)]
      if (userId === undefined || !ours || rating === null) return []
      const key = keyOf('rating', user, ours.kind, ours.theirs, String(rating), review ?? '')
      return [{ key, kind: ours.kind, userId, itemId: ours.id, rating, notes: review, at: at(time, now) }]
    })
    const fresh = await freshOnes(db, applying, all)
    const bring = (kind: 'series' | 'book') =>
      bringRatings(
        db,
        kind,
        fresh.filter((each) => each.kind === kind),
        now,
      )
    const told = await takeReviews(db, applying, records)
    const done: RatingsDone = {
      series: await bring('series'),
      book: await bring('book'),
      keys: [...fresh.map(({ key }) => key), ...told.keys],
      notes: told.ids,
    }
    const taken = done.series.length + done.book.length
    return {
      ...(done.keys.length > 0 && { done }),
      counts: countsOf({
        ratings: taken,
        ratingsGivenHere: fresh.length - taken,
        reviewsAsNotes: told.ids.length,
        reviewsWithoutRating: told.left,
      }),
    }
  },
  undo: async (db, { run }, { series, book, keys, notes = [] }: RatingsDone) => {
    await takeRatingsBack(db, 'series', series)
    await takeRatingsBack(db, 'book', book)
    await takeMarksBack(db, 'bookmark', notes)
    await deleteLinks(db, run.kind, keys)
  },
}

/** A review needs a rating here: one without becomes a note at the beginning of the book, or of the first one of the series. */
const takeReviews = async (db: WriteDb, applying: Applying, records: readonly RatingRecord[]) => {
  const reviews = records.flatMap(({ user, of, rating, review, at: time }) => {
    const [userId, ours] = [applying.users.get(user), oursOf(of, applying)]
    return rating !== null || review === null || userId === undefined || !ours
      ? []
      : [{ user, userId, ours, review, time }]
  })
  const firstOf = await selectFirstBooks(
    db,
    reviews.flatMap(({ ours }) => (ours.kind === 'series' ? [ours.id] : [])),
  )
  const notes = reviews.flatMap(({ user, userId, ours, review, time }) => {
    const bookId = ours.kind === 'book' ? ours.id : firstOf.get(ours.id)
    if (bookId === undefined) return []
    const facts = [user, ours.kind, ours.theirs, review]
    const note = { userId, bookId, locator: beginning, note: review.slice(0, noteMax), at: at(time, applying.now) }
    return [{ ...note, key: keyOf('review', ...facts), id: factId('review', ...facts) }]
  })
  const fresh = await freshOnes(db, applying, notes)
  const ids = await bringMarks(db, 'bookmark', fresh)
  return { ids, keys: fresh.map(({ key }) => key), left: reviews.length - notes.length }
}

const noteMax = 20_000
const beginning = { href: '', type: '', locations: { position: 1 } }

interface ListedDone {
  readonly ids: readonly string[]
  readonly keys: readonly string[]
}

export const wants: Step<'want'> = {
  name: 'wants',
  part: 'wants',
  reads: 'want',
  atOnce: 50,
  take: async (db, applying, records) => {
    const { users, now } = applying
    const inOrder = records.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
    const all = inOrder.flatMap(({ user, of, at: time }) => {
      const [userId, ours] = [users.get(user), oursOf(of, applying)]
      if (userId === undefined || !ours) return []
      return [
        {
          key: keyOf('want', user, ours.kind, ours.theirs),
          userId,
          kind: ours.kind,
          itemId: ours.id,
          at: at(time, now),
        },
      ]
    })
    const fresh = await freshOnes(db, applying, all)
    const ids: string[] = []
    for (const [userId, own] of Map.groupBy(fresh, (each) => each.userId))
      ids.push(...(await bringWants(db, seeingAll(userId), own, now)))
    const done: ListedDone = { ids, keys: fresh.map(({ key }) => key) }
    return { ...(fresh.length > 0 && { done }), counts: countsOf({ wants: ids.length }) }
  },
  undo: async (db, { run }, { ids, keys }: ListedDone) => {
    await takeWantsBack(db, ids)
    await deleteLinks(db, run.kind, keys)
  },
}

type MarkRecord = BookmarkRecord | AnnotationRecord
/** Parts of books of ours, as far as they are needed. */
type Spines = ReadonlyMap<string, BookShape['spine']>

const marks = <Type extends 'bookmark' | 'annotation'>(type: Type): Step<Type, Spines> => ({
  name: `${type}s`,
  part: 'bookmarks',
  reads: type,
  atOnce: 50,
  prepare: async ({ books, spineOf }, records) => {
    const spines = new Map<string, BookShape['spine']>()
    for (const { book, position } of records as readonly MarkRecord[]) {
      const [bookId, locator] = [books.get(book), locatorOf(position)]
      if (bookId === undefined || spines.has(bookId) || !locator || !needsSpine(locator)) continue
      spines.set(bookId, await spineOf(bookId))
    }
    return spines
  },
  take: async (db, applying, records, spines) => {
    const { users, books, now } = applying
    const all = (records as readonly MarkRecord[]).flatMap((record) => {
      const { user, book, position, note, at: time } = record
      const [userId, bookId, told] = [users.get(user), books.get(book), locatorOf(position)]
      if (userId === undefined || bookId === undefined || !told) return []
      const words = record.type === 'annotation' ? { quote: record.quote, colour: record.colour } : {}
      // It is known again by what theirs says of the place, whatever the book makes of it.
      const facts = [user, book, JSON.stringify(told), note ?? '', JSON.stringify(words), time ?? '']
      const spine = needsSpine(told) ? spines.get(bookId) : undefined
      const locator = spine ? placedIn(spine, told) : told
      const key = keyOf(type, ...facts)
      return [
        { key, id: factId(type, ...facts), userId, bookId, locator, note: note ?? '', at: at(time, now), ...words },
      ]
    })
    const fresh = await freshOnes(db, applying, all)
    const ids = await bringMarks(db, type, fresh)
    const done: ListedDone = { ids, keys: fresh.map(({ key }) => key) }
    return { ...(fresh.length > 0 && { done }), counts: countsOf({ [`${type}s`]: ids.length }) }
  },
  undo: async (db, { run }, { ids, keys }: ListedDone) => {
    await takeMarksBack(db, type, ids)
    await deleteLinks(db, run.kind, keys)
  },
})

export const bookmarks = marks('bookmark')
export const annotations = marks('annotation')
