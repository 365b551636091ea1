import { type FieldTests, fieldsOfSeries, type FlagTest, type seriesFields, type StatusTest } from '@carrel/api'
import { sql } from 'kysely'
import { plainText } from '../platform/text/sort-key.ts'
import { missingAmong, numberedUnit, volumeUnit } from './gaps.ts'
import { type FilterViewer, partsFor, readerOf, shownOfSeries, visibleByAge } from './filter-viewer.ts'
import { fieldTests } from './field-tests.ts'
import {
  always,
  both,
  dateComparison,
  flagged,
  idComparison,
  never,
  not,
  numberComparison,
  ofAny,
  ofColumn,
  textComparison,
  type Tests,
  type Truth,
  type Value,
  type EvaluationMode,
} from './tests.ts'

type SeriesTests = Tests<typeof seriesFields>

const id = sql`series.id`
const ofFields = fieldTests('series', fieldsOfSeries)

export const seriesTests = (viewer: FilterViewer, { terms: way }: EvaluationMode): SeriesTests => ({
  libraryId: (test) => ofColumn(sql`series.library_id`, idComparison(test)),
  ...ofFields(way, viewer),
  ...words(viewer),
  communityRating: (test) => ofColumn(sql`series.community_rating`, numberComparison(test)),
  dateAdded: (test) => ofColumn(sql`series.created_at`, dateComparison(test)),
  ...own(viewer),
  completion: (test) => flagged(test, isComplete(viewer)),
  hasGaps: (test) => flagged(test, hasGaps(viewer)),
  hasExternalSourceId: (test) =>
    flagged(
      test,
      both(
        sql`${id} in (select external_id.entity_id from external_id where external_id.entity = 'series')`,
        showsIds(viewer),
      ),
    ),
  // Nothing is tracked yet.
  isTracked: (test) => flagged(test, never),
  inCollection: (test) => flagged(test, sql`${id} in (select collection_series.series_id from collection_series)`),
})

const words = ({ seesPaths }: FilterViewer) => ({
  path: (test: FieldTests['text']) =>
    ofColumn(seesPaths ? sql`series.path_text` : sql`cast(null as text)`, textComparison(test, plainText)),
  sharingTag: (test: FieldTests['text']) =>
    ofAny(
      (where) =>
        seesPaths
          ? sql`${id} in (select series_sharing_tag.series_id from series_sharing_tag
              inner join sharing_tag on sharing_tag.id = series_sharing_tag.tag_id
              where ${where(sql`sharing_tag.name_text`)})`
          : never,
      textComparison(test, plainText),
    ),
})

/** These depend on who asks. */
const own = (viewer: FilterViewer) => {
  const rated = (where: (value: Value) => Truth): Truth =>
    sql`${id} in (select series_rating.series_id from series_rating
      where series_rating.user_id = ${readerOf(viewer)} and ${where(sql`series_rating.rating`)})`
  return {
    readStatus: (test: StatusTest) => {
      const holds = hasStatus(viewer, test.value)
      return test.operator === 'is' ? holds : not(holds)
    },
    userRating: (test: FieldTests['number']) => ofAny(rated, numberComparison(test)),
    hasUserRating: (test: FlagTest) =>
      flagged(
        test,
        rated(() => always),
      ),
  }
}

const hasStatus = (viewer: FilterViewer, status: StatusTest['value']): Truth => {
  const { isRead, isOpened } = viewer.rule.ageCeiling === null ? byCounts(viewer) : byBooks(viewer)
  if (status === 'unread') return not(isOpened)
  return status === 'read' ? isRead : both(isOpened, not(isRead))
}

/** A viewer who sees all books of the series they see can use the stored counts. */
const byCounts = (viewer: FilterViewer) => {
  const counted = (where: Truth): Truth =>
    sql`exists (select 1 from series_progress
      where series_progress.user_id = ${readerOf(viewer)} and series_progress.series_id = ${id} and ${where})`
  return {
    isRead: both(sql`series.book_count > 0`, counted(sql`series_progress.read_count >= series.book_count`)),
    isOpened: counted(sql`(series_progress.read_count > 0 or series_progress.in_progress_count > 0)`),
  }
}

const visibleBook = (viewer: FilterViewer, where: Truth): Truth =>
  sql`exists (select 1 from book
    where book.series_id = ${id} and book.state = 'present' and ${visibleByAge(viewer)} and ${where})`

const byBooks = (viewer: FilterViewer) => {
  const opened = (where: Truth): Truth =>
    sql`exists (select 1 from read_progress
      where read_progress.user_id = ${readerOf(viewer)} and read_progress.book_id = book.id and ${where})`
  return {
    isRead: both(visibleBook(viewer, always), not(visibleBook(viewer, not(opened(sql`read_progress.completed = 1`))))),
    isOpened: visibleBook(viewer, opened(always)),
  }
}

/**
 * There are as many books as the series is said to have volumes; it is unknown where nobody says how many those are.
 */
const isComplete = (viewer: FilterViewer): Truth => {
  const count =
    viewer.rule.ageCeiling === null
      ? sql`series.book_count`
      : sql`(select count(*) from book
          where book.series_id = ${id} and book.state = 'present' and ${visibleByAge(viewer)})`
  const total = shownOfSeries(viewer, 'total_volume_count')
  return sql`(${total} is not null and ${count} >= ${total})`
}

/** One that is seen in part may have its ids from the other books. Few are, and what is shown of them is read. */
const showsIds = ({ rule: { ageCeiling } }: FilterViewer): Truth =>
  ageCeiling === null
    ? always
    : sql`${id} not in (select part.series_id from ${partsFor(sql.lit(ageCeiling))} and part.metadata not like '%"externalIds":[{%')`

/** Numbers or volumes are missing between those that this viewer sees, or up to the total. */
const hasGaps = (viewer: FilterViewer): Truth =>
  viewer.rule.ageCeiling === null
    ? sql`series.missing_count > 0`
    : sql`(select ${missingAmong({ unit: numberedUnit, total: shownOfSeries<number | null>(viewer, 'number_total') })}
          + ${missingAmong({ unit: volumeUnit, total: shownOfSeries<number | null>(viewer, 'total_volume_count') })}
        from book where book.series_id = ${id} and book.state = 'present' and ${visibleByAge(viewer)}) > 0`
