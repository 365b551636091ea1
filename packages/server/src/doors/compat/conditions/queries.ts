import { type FieldTests, fileFormats } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import { termKey } from '../../../catalogue/terms/terms.ts'
import { seesTermOfSeries, shownOfSeries, type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import {
  always,
  type Comparison,
  flagged,
  hasTerm,
  compileCondition,
  idComparison,
  isAlwaysTrue,
  never,
  not,
  numberComparison,
  ofAny,
  ofColumn,
  textComparison,
  type Truth,
  type Value,
} from '../../../filtering/filtering.ts'
import { fold, plainText } from '../../../platform/text/sort-key.ts'
import { unsupportedFaults } from '../records/formatting.ts'
import type { Spelling } from '../spelling.ts'
import type { Target } from './read-condition.ts'
import type { CompatCondition, CompatTests, Field } from './list-options.ts'

interface ConditionScope {
  readonly target: Target
  readonly viewer: Viewer
  /** What these applications call a format; only conditions on books ask for it. */
  readonly mediaProfileOf?: Spelling['mediaProfileOf']
  /** These are the conditions of automatic collections. */
  readonly automatic: ReadonlyMap<string, Truth>
}

/**
 * The condition refers to the table `series` or `book` under its own name. It is undefined where it would hold for all.
 */
export const holds = (options: CompatCondition, scope: ConditionScope): RawBuilder<boolean> | undefined => {
  const { target, viewer } = scope
  const ours = target === 'series' ? seriesTests(scope) : bookTests(scope)
  const truth = compileCondition(options, { target, viewer, more: { ...sharedTests(scope), ...ours } })
  return isAlwaysTrue(truth) ? undefined : truth
}

type Tests = { readonly [Name in Field]?: (test: CompatTests[Name]) => Truth }

const seriesTests = ({ viewer, automatic }: ConditionScope): Tests => ({
  seriesId: (test) => ofColumn(sql`series.id`, idComparison(test)),
  collectionId: (test) => inCollection(test, automatic),
  readListId: (test) =>
    sql<boolean>`(series.id in (select book.series_id from read_list_book
      inner join book on book.id = read_list_book.book_id
      where ${ofColumn(sql`read_list_book.read_list_id`, idComparison(test))}
        and book.state = 'present' and ${visibleTo(viewer, 'book')}))`,
  titleSort: (test) => ofTitleSort(test),
  initial: ({ of, from, to }) => {
    const text = of === 'title' ? sql`series.title_text` : titleSortText
    return sql<boolean>`(${text} is not null and substr(${text}, 1, 1) between ${from} and ${to})`
  },
  genre: (test) => ofAny(hasTerm('series', 'genre', 'forAllRows', seesTermOfSeries(viewer)), named(test)),
  ageRating: (test) => ofColumn(sql`series.own_age_rating`, numberComparison(test)),
  seriesStatus: (test) => seriesStatus(test),
  releaseDate: (test) => ofDay(firstDay(viewer), test),
  releaseYear: (test) => ofColumn(sql`cast(substr(${firstDay(viewer)}, 1, 4) as integer)`, numberComparison(test)),
  complete: (test) => complete(test, viewer),
  changed: () => sql<boolean>`(series.updated_at <> series.created_at)`,
})

const bookTests = ({ viewer, automatic, mediaProfileOf }: ConditionScope): Tests => ({
  collectionId: (test) =>
    sql<boolean>`(book.series_id in (select series.id from series where ${inCollection(test, automatic)}))`,
  readListId: (test) =>
    sql<boolean>`(book.id in (select read_list_book.book_id from read_list_book
      where read_list_book.book_id is not null
        and ${ofColumn(sql`read_list_book.read_list_id`, idComparison(test))}))`,
  numberSort: (test) => ofColumn(numberSort(viewer), numberComparison(test)),
  mediaStatus: (test) => mediaStatus(test),
  mediaProfile: (test) => mediaProfile(test, mediaProfileOf),
  releaseDate: (test) => ofDay(dayOf(sql`book.released`), test),
})

const sharedTests = (scope: ConditionScope): Tests => ({
  // A missing book is in no list.
  deleted: (test) => flagged(test, never),
  oneShot: (test) => flagged(test, oneshot(scope)),
  tag: (test) => tagged(scope, named(test)),
  author: (test) => made(scope, test),
  poster: (test) => poster(scope.target, test),
})

const titleSortText = sql`coalesce(series.title_sort_text, series.title_text)`

/** One letter is looked for as the letters of a list are counted: by the name as it is sorted. */
const ofTitleSort = (test: FieldTests['text']): Truth => {
  const letter = test.operator === 'beginsWith' && [...test.value].length === 1 ? fold(test.value) : ''
  return /^\p{L}$/u.test(letter)
    ? sql<boolean>`(substr(series.sort_key, 1, 1) = ${letter})`
    : ofColumn(titleSortText, textComparison(test, plainText))
}

/** Names of signs alone are what they are, which our own conditions do not look for. */
const named = (test: FieldTests['text']): Comparison => ({
  isNegative: false,
  compare: 'value' in test ? (key) => sql<boolean>`${key} = ${termKey(test.value)}` : undefined,
})

/** A year or a month begins with its first day. */
const dayOf = (released: Value): Value => sql`substr(${released} || '-01-01', 1, 10)`

const ofDay = (day: Value, test: CompatTests['releaseDate']): Truth =>
  test.operator === 'isNotNull'
    ? sql<boolean>`(${day} is not null)`
    : sql<boolean>`(${day} is not null and ${day} ${sql.raw(test.operator === 'after' ? '>' : '<')} ${test.value})`

const seenBooks = (viewer: Viewer): RawBuilder<unknown> =>
  sql`book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')}`

const firstDay = (viewer: Viewer): Value => dayOf(sql`(select min(book.released) from book where ${seenBooks(viewer)})`)

const bookCount = (viewer: Viewer): Value =>
  viewer.rule.ageCeiling === null ? sql`series.book_count` : sql`(select count(*) from book where ${seenBooks(viewer)})`

/** The answer is neither true nor false where nobody knows how many there should be. */
const complete = ({ operator }: FieldTests['flag'], viewer: Viewer): Truth => {
  const sign = sql.raw(operator === 'isTrue' ? '=' : '<>')
  const total = shownOfSeries(viewer, 'total_volume_count')
  return sql<boolean>`(${total} is not null and ${bookCount(viewer)} ${sign} ${total})`
}

const numberSort = (viewer: Viewer): Value =>
  sql`coalesce(book.number_sort, book.number, book.chapter, book.volume, (select count(*) from book as other
    where other.series_id = book.series_id and other.state = 'present'
      and other.id in (select book.id from book where ${visibleTo(viewer, 'book')} and book.series_id = other.series_id)
      and (other.position_key, other.id) <= (book.position_key, book.id)))`

const inCollection = (test: FieldTests['id'], automatic: ConditionScope['automatic']): Truth => {
  const truth = 'value' in test ? automatic.get(test.value) : undefined
  if (truth) return sql<boolean>`(${truth})`
  return sql<boolean>`(series.id in (select collection_series.series_id from collection_series
    where ${ofColumn(sql`collection_series.collection_id`, idComparison(test))}))`
}

const wordIn = (test: FieldTests['text']): string => ('value' in test ? test.value : '')

const seriesStatus = (test: FieldTests['text']): Truth => {
  const status = wordIn(test).toLowerCase()
  return status === 'ongoing'
    ? sql<boolean>`(series.status is null or series.status in ('ongoing', 'unknown'))`
    : sql<boolean>`(series.status is not null and series.status = ${status})`
}

const oneshot = ({ target, viewer }: ConditionScope): Truth => {
  const isOneshot = sql`lower(book.book_type) = 'oneshot'`
  if (target === 'series')
    return sql<boolean>`(${bookCount(viewer)} = 1
      and exists (select 1 from book where ${seenBooks(viewer)} and ${isOneshot}))`
  return sql<boolean>`(book.book_type is not null and ${isOneshot} and not exists (
    select 1 from series inner join book as other on other.series_id = series.id
    where series.id = book.series_id and other.id <> book.id and other.state = 'present' and other.id in (
      select book.id from book where book.series_id = series.id and ${visibleTo(viewer, 'book')})))`
}

/** A series also matches by the terms of its books. */
const inBooks =
  (viewer: Viewer, kind: 'tag' | 'person') =>
  (where: (key: Value) => Truth): Truth =>
    sql<boolean>`(series.id in (select book.series_id from term
    inner join book_term on book_term.term_id = term.id inner join book on book.id = book_term.book_id
    where term.kind = ${sql.lit(kind)} and ${where(sql`term.key`)}
      and book.state = 'present' and ${visibleTo(viewer, 'book')}))`

const tagged = ({ target, viewer }: ConditionScope, comparison: Comparison): Truth => {
  if (target === 'books') return ofAny(hasTerm('book', 'tag', 'forAllRows'), comparison)
  const own = ofAny(hasTerm('series', 'tag', 'forAllRows', seesTermOfSeries(viewer)), comparison)
  return sql<boolean>`(${own} or ${ofAny(inBooks(viewer, 'tag'), comparison)})`
}

/** One role of these applications stands for several of ours. */
const rolesBehind: Readonly<Record<string, readonly string[]>> = {
  writer: ['writer', 'author', 'co_author', ''],
  penciller: ['penciller', 'illustrator', 'artist'],
  cover: ['cover', 'cover_artist'],
}

const made = ({ target, viewer }: ConditionScope, { name, role }: CompatTests['author']): Truth => {
  const roles = role === undefined ? undefined : (rolesBehind[role] ?? [role])
  const where =
    (table: 'series_term' | 'book_term') =>
    (key: Value): Truth => {
      const parts = [
        ...(name === undefined ? [] : [sql<boolean>`${key} = ${termKey(name)}`]),
        ...(roles === undefined ? [] : [sql<boolean>`lower(${sql.ref(`${table}.role`)}) in (${sql.join(roles)})`]),
      ]
      return sql<boolean>`(${sql.join(parts, sql` and `)})`
    }
  if (target === 'books') return hasTerm('book', 'person', 'forAllRows')(where('book_term'))
  return sql<boolean>`(${hasTerm('series', 'person', 'forAllRows', seesTermOfSeries(viewer))(where('series_term'))}
    or ${inBooks(viewer, 'person')(where('book_term'))})`
}

const sources: Readonly<Record<string, RawBuilder<unknown>>> = {
  GENERATED: sql`cover.source in ('file', 'page')`,
  SIDECAR: sql`cover.source = 'sidecar'`,
  USER_UPLOADED: sql`cover.source = 'upload'`,
}

const poster = (target: Target, { type, selected }: CompatTests['poster']): Truth => {
  const table = target === 'series' ? 'series' : 'book'
  const isChosen = sql`cover.id = ${sql.ref(`${table}.cover_id`)}`
  const parts = [
    sql`cover.entity = ${sql.lit(table)} and cover.entity_id = ${sql.ref(`${table}.id`)}`,
    ...(type === undefined ? [] : [sources[type] ?? sql`false`]),
    ...(selected === undefined ? [] : [selected ? isChosen : sql`not coalesce(${isChosen}, false)`]),
  ]
  return sql<boolean>`(exists (select 1 from cover where ${sql.join(parts, sql` and `)}))`
}

const mediaStatus = (test: FieldTests['text']): Truth => {
  const faulty = (where: Truth = always): Truth =>
    sql<boolean>`(book.id in (select file.book_id from file where file.fault_code is not null and ${where}))`
  const unsupported = sql<boolean>`file.fault_code in (${sql.join(unsupportedFaults.map((each) => sql.lit(each)))})`
  switch (wordIn(test)) {
    case 'READY':
      return sql<boolean>`(book.analysed = 1 and not ${faulty()})`
    case 'UNKNOWN':
      return sql<boolean>`(book.analysed = 0 and not ${faulty()})`
    case 'UNSUPPORTED':
      return faulty(unsupported)
    case 'ERROR':
      return faulty(not(unsupported))
    default:
      return never
  }
}

const mediaProfile = (test: FieldTests['text'], profileOf: ConditionScope['mediaProfileOf']): Truth => {
  const profile = wordIn(test)
  const formats = fileFormats.filter((format) => profileOf?.(format) === profile)
  return formats.length === 0
    ? never
    : sql<boolean>`(book.format in (${sql.join(formats.map((each) => sql.lit(each)))}))`
}
