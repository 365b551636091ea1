import { bringMarks, placeMarks, selectWithoutPart, takeMarksBack } from '../../../annotations/annotations.ts'
import type { BookShape } from '../../../reading/reading.ts'
import { bringRatings, takeRatingsBack } from '../../../ratings/ratings.ts'
import { bringWants, takeWantsBack } from '../../../want-to-read/want-to-read.ts'
import { factId, freshAmong, keyOf } from '../../links.ts'
import { type OwnedItem, selectRated, selectWanted } from '../../matching/queries.ts'
import { locatorOf, needsSpine, placedIn } from '../locators.ts'
import { deleteLinks, insertLinks, selectFirstBooks } from '../../queries.ts'
import type { AnnotationRecord, BookmarkRecord, RatingRecord, Subject, WantRecord } from '../../records.ts'
import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { type Applying, countsOf, type Foreseeing, seeingAll, type Step } from '../step.ts'

/** What is brought once is not brought again, even where somebody has removed it since. */
const freshOnes = async <Each extends { readonly key: string }>(
  db: WriteDb,
  { run }: Applying,
  all: readonly Each[],
): Promise<readonly Each[]> => {
  const fresh = await freshAmong(db, run.kind, all)
  await insertLinks(
    db,
    fresh.map(({ key }) => ({ kind: run.kind, key, ours: '', import_id: run.id, held: null })),
  )
  return fresh
}

type Matched = Pick<Applying, 'series' | 'books'>

const oursOf = (subject: Subject, { series, books }: Matched) => {
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
    const all = ratingsIn(records, applying).flatMap((each) => {
      const userId = users.get(each.user)
      return userId === undefined ? [] : [{ ...each, userId, at: at(each.time, now) }]
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
  foresee: async (db, foreseeing, records) => {
    const { kind: server, users } = foreseeing
    const isHere = ({ user }: { readonly user: string }): boolean => users.has(user)
    const fresh = await freshAmong(db, server, ratingsIn(records, foreseeing).filter(isHere))
    const reviews = await freshAmong(db, server, reviewsIn(records, foreseeing).filter(isHere))
    const firstOf = await firstBooks(db, reviews)
    return countsOf({
      ratings:
        (await countUnowned(db, foreseeing, { kind: 'series', of: fresh, selectOwned: selectRated })) +
        (await countUnowned(db, foreseeing, { kind: 'book', of: fresh, selectOwned: selectRated })),
      reviewsAsNotes: reviews.filter(({ ours }) => ours.kind === 'book' || firstOf.has(ours.id)).length,
    })
  },
  undo: async (db, { run }, { series, book, keys, notes = [] }: RatingsDone) => {
    await takeRatingsBack(db, 'series', series)
    await takeRatingsBack(db, 'book', book)
    await takeMarksBack(db, 'bookmark', notes)
    await deleteLinks(db, run.kind, keys)
  },
}

const ratingsIn = (records: readonly RatingRecord[], matched: Matched) =>
  records.flatMap(({ user, of, rating, review, at: time }) => {
    const ours = oursOf(of, matched)
    if (!ours || rating === null) return []
    const key = keyOf('rating', user, ours.kind, ours.theirs, String(rating), review ?? '')
    return [{ key, user, kind: ours.kind, itemId: ours.id, rating, notes: review, time }]
  })

const reviewsIn = (records: readonly RatingRecord[], matched: Matched) =>
  records.flatMap(({ user, of, rating, review, at: time }) => {
    const ours = oursOf(of, matched)
    if (rating !== null || review === null || !ours) return []
    const facts = [user, ours.kind, ours.theirs, review]
    return [{ user, ours, review, time, key: keyOf('review', ...facts), id: factId('review', ...facts) }]
  })

type Review = ReturnType<typeof reviewsIn>[number]

const firstBooks = (db: ReadDb, reviews: readonly Pick<Review, 'ours'>[]): Promise<ReadonlyMap<string, string>> =>
  selectFirstBooks(
    db,
    reviews.flatMap(({ ours }) => (ours.kind === 'series' ? [ours.id] : [])),
  )

interface Owned {
  readonly kind: 'series' | 'book'
  readonly of: readonly { readonly user: string; readonly kind: 'series' | 'book'; readonly itemId: string }[]
  readonly selectOwned: (db: ReadDb, kind: 'series' | 'book', of: readonly OwnedItem[]) => Promise<ReadonlySet<string>>
}

/** So many have nothing of the kind for it yet: one each, however often it is said. Who is yet to be made has nothing. */
const countUnowned = async (
  db: ReadDb,
  { users }: Pick<Foreseeing, 'users'>,
  { kind, of, selectOwned }: Owned,
): Promise<number> => {
  const ofKind = of.filter((each) => each.kind === kind)
  const owned = await selectOwned(
    db,
    kind,
    ofKind.flatMap(({ user, itemId }) => {
      const userId = users.get(user)
      return userId == null ? [] : [{ userId, itemId }]
    }),
  )
  const wanted = new Set(ofKind.map(({ user, itemId }) => `${users.get(user) ?? `new ${user}`} ${itemId}`))
  return [...wanted].filter((each) => !owned.has(each)).length
}

/** A review needs a rating here: one without becomes a note at the beginning of the book, or of the first one of the series. */
const takeReviews = async (db: WriteDb, applying: Applying, records: readonly RatingRecord[]) => {
  const reviews = reviewsIn(records, applying).flatMap((each) => {
    const userId = applying.users.get(each.user)
    return userId === undefined ? [] : [{ ...each, userId }]
  })
  const firstOf = await firstBooks(db, reviews)
  const notes = reviews.flatMap(({ userId, ours, review, time, key, id }) => {
    const bookId = ours.kind === 'book' ? ours.id : firstOf.get(ours.id)
    if (bookId === undefined) return []
    const note = { userId, bookId, locator: beginning, note: review.slice(0, noteMax), at: at(time, applying.now) }
    return [{ ...note, key, id }]
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
    const all = wantsIn(inOrder, applying).flatMap((each) => {
      const userId = users.get(each.user)
      return userId === undefined ? [] : [{ ...each, userId, at: at(each.time, now) }]
    })
    const fresh = await freshOnes(db, applying, all)
    const ids: string[] = []
    for (const [userId, own] of Map.groupBy(fresh, (each) => each.userId))
      ids.push(...(await bringWants(db, seeingAll(userId), own, now)))
    const done: ListedDone = { ids, keys: fresh.map(({ key }) => key) }
    return { ...(fresh.length > 0 && { done }), counts: countsOf({ wants: ids.length }) }
  },
  foresee: async (db, foreseeing, records) => {
    const all = wantsIn(records, foreseeing).filter(({ user }) => foreseeing.users.has(user))
    const fresh = await freshAmong(db, foreseeing.kind, all)
    return countsOf({
      wants:
        (await countUnowned(db, foreseeing, { kind: 'series', of: fresh, selectOwned: selectWanted })) +
        (await countUnowned(db, foreseeing, { kind: 'book', of: fresh, selectOwned: selectWanted })),
    })
  },
  undo: async (db, { run }, { ids, keys }: ListedDone) => {
    await takeWantsBack(db, ids)
    await deleteLinks(db, run.kind, keys)
  },
}

const wantsIn = (records: readonly WantRecord[], matched: Matched) =>
  records.flatMap(({ user, of, at: time }) => {
    const ours = oursOf(of, matched)
    if (!ours) return []
    return [{ key: keyOf('want', user, ours.kind, ours.theirs), user, kind: ours.kind, itemId: ours.id, time }]
  })

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
    const all = marksIn(records, books).flatMap(({ user, told, time, ...mark }) => {
      const userId = users.get(user)
      if (userId === undefined) return []
      const spine = needsSpine(told) ? spines.get(mark.bookId) : undefined
      return [{ ...mark, userId, locator: spine ? placedIn(spine, told) : told, at: at(time, now) }]
    })
    const fresh = await freshOnes(db, applying, all)
    const ids = await bringMarks(db, type, fresh)
    const marksPlaced = await placeMarks(
      db,
      type,
      withoutKeysOf(fresh, all).filter(({ locator }) => locator.href !== ''),
    )
    const done: ListedDone = { ids, keys: fresh.map(({ key }) => key) }
    return { ...(fresh.length > 0 && { done }), counts: countsOf({ [`${type}s`]: ids.length, marksPlaced }) }
  },
  // Whether a book tells the part in which a mark is, is seen when it is opened.
  foresee: async (db, { kind, users, books }, records) => {
    const all = marksIn(records, books).filter(({ user }) => users.has(user))
    const fresh = await freshAmong(db, kind, all)
    const ids = withoutKeysOf(fresh, all).flatMap(({ id, told }) => (needsSpine(told) ? [id] : []))
    const marksPlaced = (await selectWithoutPart(db, type, ids)).size
    return countsOf({ [`${type}s`]: fresh.length, marksPlaced })
  },
  undo: async (db, { run }, { ids, keys }: ListedDone) => {
    await takeMarksBack(db, type, ids)
    await deleteLinks(db, run.kind, keys)
  },
})

const withoutKeysOf = <Each extends { readonly key: string }>(
  those: readonly { readonly key: string }[],
  all: readonly Each[],
): readonly Each[] => {
  const keys = new Set(those.map(({ key }) => key))
  return all.filter(({ key }) => !keys.has(key))
}

/** A mark is known again by what theirs says of the place, whatever the book makes of it. */
const marksIn = (records: readonly MarkRecord[], books: ReadonlyMap<string, string>) =>
  records.flatMap((record) => {
    const { user, book, position, note, at: time, type } = record
    const [bookId, told] = [books.get(book), locatorOf(position)]
    if (bookId === undefined || !told) return []
    const words = record.type === 'annotation' ? { quote: record.quote, colour: record.colour } : {}
    const facts = [user, book, JSON.stringify(told), note ?? '', JSON.stringify(words), time ?? '']
    const key = keyOf(type, ...facts)
    return [{ key, id: factId(type, ...facts), user, bookId, told, note: note ?? '', time, ...words }]
  })

export const bookmarks = marks('bookmark')
export const annotations = marks('annotation')
