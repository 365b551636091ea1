import { type bookFields, type FieldTests, fieldsOfBooks, type StatusTest } from '@carrel/api'
import { sql } from 'kysely'
import { plainText } from '../platform/text/sort-key.ts'
import { type FilterViewer, readerOf, visibleByAge } from './filter-viewer.ts'
import { fieldTests } from './field-tests.ts'
import {
  always,
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

const id = sql`book.id`
const ofFields = fieldTests('book', fieldsOfBooks)

export const bookTests = (viewer: FilterViewer, { terms: way, texts }: EvaluationMode): Tests<typeof bookFields> => ({
  libraryId: (test) => ofColumn(sql`book.library_id`, idComparison(test)),
  seriesId: (test) => ofColumn(seriesIdFor(viewer), idComparison(test)),
  ...ofFields(way, viewer),
  titleSort: longText('title_sort_text', texts),
  summary: longText('summary_text', texts),
  format: text(sql`book.format`),
  bookType: text(sql`lower(book.book_type)`),
  path: (test) => ofAny(viewer.seesPaths ? pathOf(test, texts) : () => never, textComparison(test, plainText)),
  readStatus: ({ operator, value }) => {
    const holds = hasStatus(viewer, value)
    return operator === 'is' ? holds : not(holds)
  },
  hasError: (test) => flagged(test, sql`${id} in (select file.book_id from file where file.fault_code is not null)`),
  inReadList: (test) =>
    flagged(
      test,
      sql`${id} in (select read_list_book.book_id from read_list_book where read_list_book.book_id is not null)`,
    ),
  pageCount: (test) => ofColumn(sql`book.page_count`, numberComparison(test)),
  dateAdded: (test) => ofColumn(sql`book.created_at`, dateComparison(test)),
})

/** A series that is rated above what the viewer may see has no books, though they see some of those in it. */
const seriesIdFor = (viewer: FilterViewer): Value =>
  viewer.rule.ageCeiling === null
    ? sql`book.series_id`
    : sql`(select series.id from series where series.id = book.series_id and ${visibleByAge(viewer, 'series')})`

const text = (column: Value) => (test: FieldTests['text']) => ofColumn(column, textComparison(test, plainText))

/** It tests a value of a book, under the name the book has in the statement. */
type Has = (book: string) => (where: (value: Value) => Truth) => Truth

/** A query of its own first finds all books for which it is true. */
const apart =
  (has: Has) =>
  (where: (value: Value) => Truth): Truth =>
    sql`${id} in (select apart.id from book as apart where ${has('apart')(where)})`

const longText =
  (column: 'summary_text' | 'title_sort_text', texts: EvaluationMode['texts']) =>
  (test: FieldTests['text']): Truth => {
    const has: Has = (book) => (where) => {
      const text = sql.ref(`${book}.${column}`)
      return sql`(${text} is not null and ${where(text)})`
    }
    return ofAny(texts === 'apart' ? apart(has) : has('book'), textComparison(test, plainText))
  }

const pathOf = (test: FieldTests['text'], texts: EvaluationMode['texts']) => {
  if (mayCrossRoot(test)) return liesAt
  return texts === 'apart' ? apart(isNamed) : isNamed('book')
}

const liesAt = (where: (value: Value) => Truth): Truth =>
  sql`exists (select 1 from file inner join library_root on library_root.id = file.root_id
    where file.book_id = ${id} and ${where(sql`(library_root.path_text || book.path_text)`)})`

/** It returns whether a part of a path may begin in that of its root, which ends with a slash, and go on below it. */
export const mayCrossRoot = (test: FieldTests['text']): boolean =>
  !('value' in test) ||
  !['contains', 'doesNotContain', 'endsWith'].includes(test.operator) ||
  /^$|[/]/.test(plainText(test.value))

/** Either of the two says it, so that the file of each book need not be looked at; roots hardly ever do. */
const isNamed: Has = (book) => (where) => {
  const [ofRoot, bookId] = [where(sql`library_root.path_text`), sql.ref(`${book}.id`)]
  return sql`((${where(sql.ref(`${book}.path_text`))} and exists (select 1 from file where file.book_id = ${bookId}))
    or (exists (select 1 from library_root where ${ofRoot}) and ${bookId} in (select file.book_id
      from library_root cross join file where file.root_id = library_root.id and ${ofRoot})))`
}

const hasStatus = (viewer: FilterViewer, status: StatusTest['value']): Truth => {
  const opened = (where: Truth): Truth =>
    sql`${id} in (select read_progress.book_id from read_progress
      where read_progress.user_id = ${readerOf(viewer)} and ${where})`
  if (status === 'unread') return not(opened(always))
  return opened(sql`read_progress.completed = ${sql.lit(status === 'read' ? 1 : 0)}`)
}
