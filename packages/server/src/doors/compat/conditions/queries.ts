import { type RawBuilder, sql } from 'kysely'
import { contains, escapedLike } from '../../../database/dialects/dialect.ts'
import { termKey } from '../../../catalogue/terms/terms.ts'
import { type Viewer, visibleTo } from '../../../catalogue/visibility/visibility.ts'
import { holds as holdsOurs } from '../../../filtering/filtering.ts'
import { fold, plainText } from '../../../platform/sort-key.ts'
import { mediaProfiles, unsupportedFaults } from '../records/in-their-words.ts'
import type { Target } from './read-condition.ts'
import type { Field, Test, CompatCondition } from './wish.ts'

/** True or false, never null: a wish and its opposite share out all rows between them. */
type Truth = RawBuilder<boolean>
type Value = RawBuilder<unknown>

const always: Truth = sql<boolean>`true`
const never: Truth = sql<boolean>`false`

interface ConditionScope {
  readonly target: Target
  readonly viewer: Viewer
  /** These are the conditions of automatic collections. */
  readonly automatic: ReadonlyMap<string, Truth>
}

/**
 * The condition refers to the table `series` or `book` under its own name. It is undefined where it would hold for all.
 */
export const holds = (wish: CompatCondition, look: ConditionScope): RawBuilder<boolean> | undefined => {
  const truth = truthOf(wish, look)
  return truth === always ? undefined : truth
}

const truthOf = (wish: CompatCondition, look: ConditionScope): Truth => {
  if ('field' in wish) return leaf(wish.field, wish.test, look)
  if ('not' in wish) return opposite(truthOf(wish.not, look))
  if ('all' in wish) return joined(wish.all, look, { neutral: always, settling: never, word: sql` and ` })
  return joined(wish.any, look, { neutral: never, settling: always, word: sql` or ` })
}

const opposite = (truth: Truth): Truth =>
  truth === always ? never : truth === never ? always : sql<boolean>`(not ${truth})`

const joined = (
  wishes: readonly CompatCondition[],
  look: ConditionScope,
  { neutral, settling, word }: { neutral: Truth; settling: Truth; word: RawBuilder<unknown> },
): Truth => {
  const parts = wishes.map((each) => truthOf(each, look)).filter((each) => each !== neutral)
  if (parts.includes(settling)) return settling
  return parts.length === 0 ? neutral : sql<boolean>`(${sql.join(parts, word)})`
}

type Leaf = (test: Test, look: ConditionScope) => Truth
type Leaves = Readonly<Partial<Record<Field, Leaf>>>

const leaf = (field: Field, test: Test, look: ConditionScope): Truth => {
  const made = (look.target === 'series' ? seriesLeaves : bookLeaves)[field] ?? sharedLeaves[field]
  if (!made) throw new Error(`There is no field ${field} of ${look.target}`)
  return made(test, look)
}

const seriesLeaves: Leaves = {
  libraryId: (test) => ofColumn(sql`series.library_id`, test),
  seriesId: (test) => ofColumn(sql`series.id`, test),
  collectionId: (test, look) => inCollection(test, look),
  readListId: (test, { viewer }) =>
    sql<boolean>`(series.id in (select book.series_id from read_list_book
      inner join book on book.id = read_list_book.book_id
      where ${ofColumn(sql`read_list_book.read_list_id`, test)}
        and book.state = 'present' and ${visibleTo(viewer, 'book')}))`,
  title: (test) => ofText(sql`series.title_text`, test),
  titleSort: (test) => ofTitleSort(test),
  publisher: (test) => ofText(sql`series.publisher_text`, test),
  language: (test) => ofText(sql`series.language_text`, test),
  genre: (test) => (test.is === 'known' ? hasTerm('series', 'genre') : hasTerm('series', 'genre', namedBy(test))),
  sharingLabel: (test, { viewer }) => (viewer.seesPaths ? sharingLabel(test) : never),
  ageRating: (test) => ofColumn(sql`series.own_age_rating`, test),
  seriesStatus: (test) => seriesStatus(test),
  releaseDate: (test, { viewer }) => ofDay(firstDay(viewer), test),
  releaseYear: (test, { viewer }) => ofColumn(sql`cast(substr(${firstDay(viewer)}, 1, 4) as integer)`, test),
  complete: (test, { viewer }) => complete(test, viewer),
  changed: () => sql<boolean>`(series.updated_at <> series.created_at)`,
}

const bookLeaves: Leaves = {
  libraryId: (test) => ofColumn(sql`book.library_id`, test),
  seriesId: (test) => ofColumn(sql`book.series_id`, test),
  collectionId: (test, look) =>
    sql<boolean>`(book.series_id in (select series.id from series where ${inCollection(test, look)}))`,
  readListId: (test) =>
    sql<boolean>`(book.id in (select read_list_book.book_id from read_list_book
      where read_list_book.book_id is not null and ${ofColumn(sql`read_list_book.read_list_id`, test)}))`,
  title: (test) => ofText(sql`book.title_text`, test),
  numberSort: (test, { viewer }) => ofColumn(numberSort(viewer), test),
  mediaStatus: (test) => mediaStatus(test),
  mediaProfile: (test) => mediaProfile(test),
  releaseDate: (test) => ofDay(dayOf(sql`book.released`), test),
}

const sharedLeaves: Leaves = {
  // A missing book is in no list.
  deleted: (test) => (test.is === 'true' ? never : always),
  oneShot: (test, look) => (test.is === 'true' ? oneshot(look) : opposite(oneshot(look))),
  readStatus: (test, look) => readStatus(test, look),
  tag: (test, look) => (test.is === 'known' ? tagged(look) : tagged(look, namedBy(test))),
  author: (test, look) => made(look, test),
  poster: (test, { target }) => poster(target, test),
}

/** It tests one value of each row, which may be null. */
const ofColumn = (column: Value, test: Test): Truth => {
  const compared = comparison(column, test)
  return sql<boolean>`(${column} is not null and ${compared})`
}

const signs = { number: '=', atLeast: '>=', atMost: '<=' } as const

const comparison = (column: Value, test: Test): Truth => {
  if (test.is === 'known') return always
  if (test.is === 'equal') return sql<boolean>`${column} = ${test.text}`
  if (!('number' in test)) throw new Error(`${test.is} is no test of a column`)
  return sql<boolean>`${column} ${sql.raw(signs[test.is])} ${numeral(test.number)}`
}

/** PostgreSQL would read the number as of the column's kind, and refuse 1.5 for a whole one. */
const numeral = (number: number): Value => sql`cast(${number} as double precision)`

const ofText = (column: Value, test: Test): Truth => {
  if (test.is === 'known') return sql<boolean>`(${column} is not null)`
  if (test.is === 'lettered')
    return sql<boolean>`(${column} is not null and substr(${column}, 1, 1) between ${test.from} and ${test.to})`
  if (!('text' in test)) throw new Error(`${test.is} is no test of text`)
  const part = plainText(test.text)
  if (part === '' && test.text !== '') return never
  const anywhere = contains(part)
  const patterns = { containing: anywhere, beginning: anywhere.slice(1), ending: anywhere.slice(0, -1) }
  const compared = test.is === 'equal' ? sql<boolean>`${column} = ${part}` : escapedLike(column, patterns[test.is])
  return sql<boolean>`(${column} is not null and ${compared})`
}

/** One letter is looked for as the letters of a list are counted: by the name as it is sorted. */
const ofTitleSort = (test: Test): Truth => {
  const letter = test.is === 'beginning' && [...test.text].length === 1 ? fold(test.text) : ''
  return /^\p{L}$/u.test(letter)
    ? sql<boolean>`(substr(series.sort_key, 1, 1) = ${letter})`
    : ofText(sql`coalesce(series.title_sort_text, series.title_text)`, test)
}

/** A year or a month begins with its first day. */
const dayOf = (released: Value): Value => sql`substr(${released} || '-01-01', 1, 10)`

const ofDay = (day: Value, test: Test): Truth => {
  if (test.is === 'known') return sql<boolean>`(${day} is not null)`
  if (test.is !== 'after' && test.is !== 'before') throw new Error(`${test.is} is no test of a day`)
  return sql<boolean>`(${day} is not null and ${day} ${sql.raw(test.is === 'after' ? '>' : '<')} ${test.day})`
}

const seenBooks = (viewer: Viewer): RawBuilder<unknown> =>
  sql`book.series_id = series.id and book.state = 'present' and ${visibleTo(viewer, 'book')}`

const firstDay = (viewer: Viewer): Value => dayOf(sql`(select min(book.released) from book where ${seenBooks(viewer)})`)

const bookCount = (viewer: Viewer): Value =>
  viewer.rule.ageCeiling === null ? sql`series.book_count` : sql`(select count(*) from book where ${seenBooks(viewer)})`

/** The answer is neither true nor false where nobody knows how many there should be. */
const complete = (test: Test, viewer: Viewer): Truth => {
  const sign = sql.raw(test.is === 'true' ? '=' : '<>')
  return sql<boolean>`(series.total_volume_count is not null and ${bookCount(viewer)} ${sign} series.total_volume_count)`
}

const numberSort = (viewer: Viewer): Value =>
  sql`coalesce(book.number_sort, book.number, book.chapter, book.volume, (select count(*) from book as other
    where other.series_id = book.series_id and other.state = 'present'
      and other.id in (select book.id from book where ${visibleTo(viewer, 'book')} and book.series_id = other.series_id)
      and (other.position_key, other.id) <= (book.position_key, book.id)))`

const inCollection = (test: Test, { automatic }: ConditionScope): Truth => {
  const known = test.is === 'equal' ? automatic.get(test.text) : undefined
  if (known) return sql<boolean>`(${known})`
  return sql<boolean>`(series.id in (select collection_series.series_id from collection_series
    where ${ofColumn(sql`collection_series.collection_id`, test)}))`
}

const sharingLabel = (test: Test): Truth =>
  sql<boolean>`(series.id in (select series_sharing_tag.series_id from series_sharing_tag
    inner join sharing_tag on sharing_tag.id = series_sharing_tag.tag_id
    where ${ofText(sql`sharing_tag.name_text`, test)}))`

const seriesStatus = (test: Test): Truth => {
  const status = test.is === 'equal' ? test.text.toLowerCase() : ''
  return status === 'ongoing'
    ? sql<boolean>`(series.status is null or series.status in ('ongoing', 'unknown'))`
    : sql<boolean>`(series.status is not null and series.status = ${status})`
}

const readStatus = (test: Test, { target, viewer }: ConditionScope): Truth => {
  const value = test.is === 'equal' ? test.text.toLowerCase() : ''
  if (value !== 'unread' && value !== 'in_progress' && value !== 'read') throw new Error(`${value} is no read status`)
  return holdsOurs({ readStatus: { operator: 'is', value } }, { target, viewer })
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

type Kind = 'genre' | 'tag' | 'person'

/** Terms of the row itself. */
const hasTerm = (of: 'series' | 'book', kind: Kind, where: Truth = always): Truth => {
  const link = sql.table(`${of}_term`)
  const owner = sql.ref(`${of}_term.${of}_id`)
  return sql<boolean>`(${sql.ref(`${of}.id`)} in (select ${owner} from term
    inner join ${link} on ${sql.ref(`${of}_term.term_id`)} = term.id
    where term.kind = ${sql.lit(kind)} and ${where}))`
}

/** A series also matches by the terms of its books. */
const inBooks = (viewer: Viewer, kind: Kind, where: Truth): Truth =>
  sql<boolean>`(series.id in (select book.series_id from term
    inner join book_term on book_term.term_id = term.id inner join book on book.id = book_term.book_id
    where term.kind = ${sql.lit(kind)} and ${where} and book.state = 'present' and ${visibleTo(viewer, 'book')}))`

const namedBy = (test: Test): Truth => {
  if (!('text' in test)) throw new Error(`${test.is} is no test of a name`)
  return sql<boolean>`term.key = ${termKey(test.text)}`
}

const tagged = ({ target, viewer }: ConditionScope, where: Truth = always): Truth =>
  target === 'books'
    ? hasTerm('book', 'tag', where)
    : sql<boolean>`(${hasTerm('series', 'tag', where)} or ${inBooks(viewer, 'tag', where)})`

/** One role of these applications stands for several of ours. */
const rolesBehind: Readonly<Record<string, readonly string[]>> = {
  writer: ['writer', 'author', 'co_author', ''],
  penciller: ['penciller', 'illustrator', 'artist'],
  cover: ['cover', 'cover_artist'],
}

const made = ({ target, viewer }: ConditionScope, test: Test): Truth => {
  if (test.is !== 'person') throw new Error(`${test.is} is no test of a person`)
  const { name, role } = test
  const where = (table: 'series_term' | 'book_term'): Truth => {
    const roles = role === undefined ? undefined : (rolesBehind[role] ?? [role])
    const parts = [
      ...(name === undefined ? [] : [sql<boolean>`term.key = ${termKey(name)}`]),
      ...(roles === undefined ? [] : [sql<boolean>`lower(${sql.ref(`${table}.role`)}) in (${sql.join(roles)})`]),
    ]
    return sql<boolean>`(${sql.join(parts, sql` and `)})`
  }
  if (target === 'books') return hasTerm('book', 'person', where('book_term'))
  return sql<boolean>`(${hasTerm('series', 'person', where('series_term'))}
    or ${inBooks(viewer, 'person', where('book_term'))})`
}

const sources: Readonly<Record<string, RawBuilder<unknown>>> = {
  GENERATED: sql`cover.source in ('file', 'page')`,
  SIDECAR: sql`cover.source = 'sidecar'`,
  USER_UPLOADED: sql`cover.source = 'upload'`,
}

const poster = (target: Target, test: Test): Truth => {
  if (test.is !== 'poster') throw new Error(`${test.is} is no test of a poster`)
  const table = target === 'series' ? 'series' : 'book'
  const isChosen = sql`cover.id = ${sql.ref(`${table}.cover_id`)}`
  const { type, selected } = test
  const parts = [
    sql`cover.entity = ${sql.lit(table)} and cover.entity_id = ${sql.ref(`${table}.id`)}`,
    ...(type === undefined ? [] : [sources[type] ?? sql`false`]),
    ...(selected === undefined ? [] : [selected ? isChosen : sql`not coalesce(${isChosen}, false)`]),
  ]
  return sql<boolean>`(exists (select 1 from cover where ${sql.join(parts, sql` and `)}))`
}

const mediaStatus = (test: Test): Truth => {
  const status = test.is === 'equal' ? test.text : ''
  const faulty = (where: Truth = always): Truth =>
    sql<boolean>`(book.id in (select file.book_id from file where file.fault_code is not null and ${where}))`
  const unsupported = sql<boolean>`file.fault_code in (${sql.join(unsupportedFaults.map((each) => sql.lit(each)))})`
  switch (status) {
    case 'READY':
      return sql<boolean>`(book.analysed = 1 and not ${faulty()})`
    case 'UNKNOWN':
      return sql<boolean>`(book.analysed = 0 and not ${faulty()})`
    case 'UNSUPPORTED':
      return faulty(unsupported)
    case 'ERROR':
      return faulty(opposite(unsupported))
    default:
      return never
  }
}

const mediaProfile = (test: Test): Truth => {
  const profile = test.is === 'equal' ? test.text : ''
  const formats = Object.entries(mediaProfiles).flatMap(([format, each]) => (each === profile ? [format] : []))
  return formats.length === 0
    ? never
    : sql<boolean>`(book.format in (${sql.join(formats.map((each) => sql.lit(each)))}))`
}
