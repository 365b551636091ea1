import { type ForeignRecord, recordLimits, type Subject } from '../../records.ts'
import { isObject, objectOf } from '../json-lists.ts'
import type { StoreRow } from '../sqlite.ts'
import { idText, instantOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import { bookAt, booksOf, type OpenStore } from './open-store.ts'
import {
  selectAnnotations,
  selectBookmarks,
  selectChapterRatings,
  selectOwnContents,
  selectRatings,
} from './queries.ts'
import { positionOf, pointsNowhere } from './reading.ts'

export function* ratingsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectRatings(store.db)) yield* ratingOf(store, row, { series: idText(row['subject']) })
  for (const row of selectChapterRatings(store.db))
    yield* ratingOf(store, row, { book: booksOf(store, row['subject'])[0] ?? '' })
}

/** Five stars, in halves. Without `HasBeenRated` the number says nothing, but there may be a review. */
function* ratingOf({ passed }: OpenStore, row: StoreRow, of: Subject): Generator<ForeignRecord> {
  const stars = truthOf(row['hasBeenRated']) ? numberOf(row['rating'], 0, 5) : null
  const rating = stars === null || stars === 0 ? null : Math.max(1, Math.round(stars * 20))
  const review = textOf(row['review'], recordLimits.prose)
  if (row['user'] === null || row['subject'] === null) passed.add('ratings of nobody or of nothing', 'invalid', review)
  else if (rating === null && review === null) passed.add('ratings that say nothing', 'no_such_thing')
  else yield { type: 'rating', user: idText(row['user']), of, rating, review, at: instantOf(row['modifiedAt']) }
}

export function* bookmarksIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectBookmarks(store.db)) yield* bookmarkOf(store, row)
  for (const row of selectOwnContents(store.db)) yield* bookmarkOf(store, row)
}

const placed = (store: OpenStore, row: StoreRow) => {
  const page = wholeOf(row['page'], 0, 10_000_000)
  if (page === null || pointsNowhere(row)) return undefined
  const at = bookAt(store, row['chapter'], page)
  return {
    user: idText(row['user']),
    book: at.book,
    position: positionOf(row, at.page),
    at: instantOf(row['createdAt']),
  }
}

function* bookmarkOf(store: OpenStore, row: StoreRow): Generator<ForeignRecord> {
  const location = placed(store, row)
  if (location === undefined) store.passed.add('bookmarks of nobody, in nothing, or on no page', 'invalid')
  else yield { type: 'bookmark', ...location, note: textOf(row['note'], recordLimits.prose) }
}

/** The colour is a place in a list of colours that each user has of their own. */
export function* annotationsIn(store: OpenStore): Generator<ForeignRecord> {
  for (const row of selectAnnotations(store.db)) {
    const location = placed(store, row)
    const quote = textOf(row['quote'], recordLimits.prose)
    const note = textOf(row['plainComment'], recordLimits.prose) ?? plainTextOf(row['comment'])
    if (location === undefined || (quote === null && note === null))
      store.passed.add('annotations of nobody, in nothing, or of nothing', 'invalid', quote)
    else yield { type: 'annotation', ...location, quote: quote ?? '', note, colour: null }
  }
}

/** A comment is a list of pieces of text with their looks. */
const plainTextOf = (comment: unknown): string | null => {
  const pieces = objectOf(comment)?.['ops']
  if (!Array.isArray(pieces)) return null
  const inserted = pieces.map((piece) =>
    isObject(piece) && typeof piece['insert'] === 'string' ? piece['insert'] : '',
  )
  return textOf(inserted.join(''), recordLimits.prose)
}
