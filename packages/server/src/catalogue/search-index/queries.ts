import { foundPersonCountMax } from '@carrel/api'
import { type QueryResult, type RawBuilder, type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany, replaceIndexed } from '../../database/many.ts'
import type { Dialect, RankedIndex } from '../../database/dialects/dialect.ts'
import type { RankedMatch } from '../../filtering/filtering.ts'
import type { SearchIndexTables } from './table.ts'
import { seesTermOfSeries, showsBooks, toldSeriesId, type Viewer, visibleTo } from '../visibility/visibility.ts'

export const searchTargets = ['series', 'book', 'term', 'collection', 'read_list'] as const
export type SearchTarget = (typeof searchTargets)[number]
const namedTargets = ['term', 'collection', 'read_list'] as const
type NamedTarget = (typeof namedTargets)[number]

export interface Document {
  readonly id: string
  /** Folded. */
  readonly title: string
  readonly words: string
  /** Only books have them; `wordsOfTexts` makes them. */
  readonly textWords?: string
}

export interface StoredDocument {
  readonly found_title: string | null
  readonly found_words: string | null
  readonly found_text_words?: string | null
}

// What things are found by

export const selectSeriesTexts = (db: ReadDb, ids: readonly string[]) =>
  db
    .selectFrom('series')
    .leftJoin('series_search', 'series_search.series_id', 'series.id')
    // What all say of it who see it: by what its hidden books say those books are found.
    .leftJoin('series_in_part as part', (join) =>
      join.onRef('part.series_id', '=', 'series.id').onRef('part.from_rating', '=', 'series.age_rating'),
    )
    .select([
      'series.id',
      'series.title',
      'series.title_sort',
      'series.name',
      'series.publisher',
      'series.metadata',
      'part.metadata as part_metadata',
      'part.publisher as part_publisher',
      'part.title as part_title',
      'part.title_sort as part_title_sort',
      'series_search.title as found_title',
      'series_search.words as found_words',
    ])
    .where('series.id', 'in', ids)
    .execute()

export const selectBookTexts = (db: ReadDb, ids: readonly string[]) =>
  db
    .selectFrom('book')
    .innerJoin('series', 'series.id', 'book.series_id')
    .leftJoin('series_in_part as part', (join) =>
      join.onRef('part.series_id', '=', 'series.id').on(sql<boolean>`case when book.age_rating > series.age_rating
        then part.from_rating <= book.age_rating and part.below_rating > book.age_rating
        else part.from_rating = series.age_rating end`),
    )
    .leftJoin('file', 'file.book_id', 'book.id')
    .leftJoin('book_search', 'book_search.book_id', 'book.id')
    .select([
      'book.id',
      'book.title',
      'book.title_sort',
      'book.metadata',
      'book.title_text',
      'book.path_text',
      'book.summary_text',
      'file.name as file_name',
      'book_search.title as found_title',
      'book_search.words as found_words',
      'book_search.text_words as found_text_words',
    ])
    // What all are told of its series who see the book (decision 095).
    .select(
      sql<
        string | null
      >`case when series.age_rating > book.age_rating then null else coalesce(part.title, series.title) end`.as(
        'series_title',
      ),
    )
    .where('book.id', 'in', ids)
    .execute()

/** The only terms that are searched for are people: genres and tags are chosen from lists. */
export const selectNames = async (
  db: ReadDb,
  target: NamedTarget,
  ids: readonly string[],
): Promise<(StoredDocument & { id: string; title: string })[]> => {
  const { rows } = await sql<StoredDocument & { id: string; title: string }>`
    select ${sql.ref(`${target}.id`)} as id, name as title, found.title as found_title, found.words as found_words
    from ${sql.table(target)}
    left join ${sql.table(`${target}_search`)} as found on ${sql.ref(`found.${target}_id`)} = ${sql.ref(`${target}.id`)}
    where ${sql.ref(`${target}.id`)} in (${sql.join(ids)})
      and ${target === 'term' ? sql`term.kind = 'person'` : sql`true`}`.execute(db)
  return rows
}

export const saveDocuments = (db: WriteDb, target: SearchTarget, documents: readonly Document[]): Promise<void> => {
  const key = `${target}_id`
  const rows = documents.map(({ id, title, words, textWords }) => ({
    [key]: id,
    title,
    words,
    ...(target === 'book' && { text_words: textWords }),
  }))
  return replaceIndexed(db, `${target}_search`, rows as never, key as never)
}

export type Spelling = Selectable<SearchIndexTables['search_word']>

export const selectIndexedWords = async (db: ReadDb, words: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where('spelling', 'in', words)
    .whereRef('spelling', '=', 'word')
    .execute()
  return rows.map(({ word }) => word)
}

export const insertSpellings = (db: WriteDb, spellings: readonly Spelling[]): Promise<void> =>
  insertMany(db, 'search_word', spellings, 'is left as it is')

export const selectWordsAfter = async (db: ReadDb, after: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where('spelling', '>', after)
    .whereRef('spelling', '=', 'word')
    .orderBy('spelling')
    .limit(limit)
    .execute()
  return rows.map(({ word }) => word)
}

/** It returns the words that no document holds any more. */
export const selectUnusedWords = async (
  db: ReadDb,
  { textIndex }: Pick<Dialect, 'textIndex'>,
  words: readonly string[],
): Promise<string[]> => {
  if (words.length === 0) return []
  // Most are in books.
  const indexes = (
    ['book', 'series', 'term', 'collection', 'read_list'] as const satisfies readonly SearchTarget[]
  ).map((target) => textIndex.holds(`${target}_search`, sql.ref('search_word.word')))
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where('spelling', 'in', words)
    .whereRef('spelling', '=', 'word')
    .where(sql<boolean>`not (${sql.join(indexes, sql` or `)})`)
    .execute()
  return rows.map(({ word }) => word)
}

/** All spellings must be named: they are what the table is in order of. */
export const deleteSpellings = async (db: WriteDb, spellings: readonly Spelling[]): Promise<void> => {
  if (spellings.length === 0) return
  await db
    .deleteFrom('search_word')
    .where(
      'spelling',
      'in',
      spellings.map(({ spelling }) => spelling),
    )
    .where(
      'word',
      'in',
      spellings.map(({ word }) => word),
    )
    .execute()
}

export const selectBookIdsOfSeries = async (
  db: ReadDb,
  seriesIds: readonly string[],
  { after = '', limit }: { after?: string; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('book')
    .select('id')
    .where('series_id', 'in', seriesIds)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The books of these series that are rated lower than their series. */
export const selectIdsRatedBelow = async (
  db: ReadDb,
  seriesIds: readonly string[],
  limit: number,
): Promise<string[]> => {
  if (seriesIds.length === 0) return []
  const rows = await db
    .selectFrom('series')
    .innerJoin('book', (join) =>
      join.onRef('book.series_id', '=', 'series.id').onRef('book.age_rating', '<', 'series.age_rating'),
    )
    .select('book.id')
    .where('series.id', 'in', seriesIds)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const selectIdsAfter = async (
  db: ReadDb,
  target: SearchTarget,
  after: string,
  limit: number,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(target)} where id > ${after} order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

// Finding

/** Words that begin so, `max` of them and one more at most. */
export const selectWordsBeginning = async (db: ReadDb, beginning: string, max: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where('spelling', '>=', beginning)
    .where('spelling', '<', afterAll(beginning))
    .whereRef('spelling', '=', 'word')
    .limit(max + 1)
    .execute()
  return rows.map(({ word }) => word)
}

/** Words of which one spelling is one of these. */
export const selectWordsSpelled = async (db: ReadDb, spellings: readonly string[], max: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .distinct()
    .where('spelling', 'in', spellings)
    .limit(max)
    .execute()
  return rows.map(({ word }) => word)
}

/** Beyond every text that begins so: no character is greater. */
export const afterAll = (beginning: string): string => `${beginning}\u{10ffff}`

export interface Search {
  readonly target: SearchTarget
  /** What was asked for, folded. */
  readonly text: string
  /** Selects from the rows of the index that hold the words. */
  readonly matches: RawBuilder<unknown>
  /** These are `like` patterns of the words as they would stand in a title. */
  readonly patterns: readonly string[]
}

/** It ranks this many finds: where there are more, the words say little and the title decides. */
export const candidatesMax = { byTitle: 200, byWords: 300 }

export interface SearchQuery extends Search {
  readonly limit: number
}

export interface SearchHit {
  readonly target: SearchTarget
  readonly id: string
}

/** The best of each, the best first: of what this viewer may see; what is hidden is passed over on the way. */
export const selectMatches = async (
  db: ReadDb,
  queries: readonly SearchQuery[],
  viewer: Viewer,
): Promise<SearchHit[]> => {
  const arms = queries.map(
    (each) =>
      sql`select ${sql.lit(each.target)} as target, best.id, best.position from (${bestOf(each, viewer)}) as best`,
  )
  return inOrder(await sql<RankedHit>`${sql.join(arms, sql` union all `)}`.execute(db))
}

/** The same of all there is, and of each whether this viewer may see it. */
export const selectMatchesAnyway = async (
  db: ReadDb,
  queries: readonly SearchQuery[],
  viewer: Viewer,
): Promise<(SearchHit & { readonly isShown: boolean })[]> => {
  const arms = queries.map((each) => {
    const target = sql.table(each.target)
    return sql`select ${sql.lit(each.target)} as target, best.id, best.position,
        case when ${isShown(each.target, viewer)} then 1 else 0 end as shown
      from (${bestOf(each, undefined)}) as best cross join ${target} where ${sql.ref(`${each.target}.id`)} = best.id`
  })
  const rows = inOrder(await sql<RankedHit & { shown: number }>`${sql.join(arms, sql` union all `)}`.execute(db))
  return rows.map(({ shown, ...row }) => ({ ...row, isShown: shown === 1 }))
}

interface RankedHit extends SearchHit {
  readonly position: number
}

const inOrder = <Row extends RankedHit>({ rows }: QueryResult<Row>): Row[] =>
  rows.toSorted((one, other) => one.position - other.position)

/** Without a viewer also what nobody may see. */
const bestOf = (
  { target, text, matches, patterns, limit }: SearchQuery,
  viewer: Viewer | undefined,
): RawBuilder<unknown> => {
  const key = `${target}_id`
  const seen = (id: string) =>
    viewer
      ? sql`cross join ${sql.table(target)} where ${sql.ref(`${target}.id`)} = ${sql.ref(id)} and ${isShown(target, viewer)}`
      : sql`where true`
  return sql`
    select id, row_number() over (order by worth, length(title), title, id) as position from (
    select id, title, ${matchRank({ text, patterns }, sql.ref('title'))} as worth from (
      select * from (
        select ${sql.ref(`document.${key}`)} as id, document.title from ${sql.table(`${target}_search`)} as document
        ${seen(`document.${key}`)} and ${beginsWith(text, sql.ref('document.title'))}
        order by document.title, ${sql.ref(`document.${key}`)} limit ${candidatesMax.byTitle}) as by_title
      union
      select * from (
        select ${sql.ref(`hit_document.${key}`)} as id, hit_document.title from ${matches} as hit_document
        ${seen(`hit_document.${key}`)} limit ${candidatesMax.byWords}) as by_words
    ) as candidate
    order by worth, length(title), title, id limit ${limit}) as best_of_them`
}

const beginsWith = (text: string, column: RawBuilder<unknown>) =>
  sql<boolean>`${column} >= ${text} and ${column} < ${afterAll(text)}`

/** The title itself, what begins it, words that are all in it, words that are elsewhere. */
const matchRank = ({ text, patterns }: Pick<Search, 'text' | 'patterns'>, title: RawBuilder<unknown>) => {
  const inTitle = patterns.map((pattern) => sql`' ' || ${title} || ' ' like ${pattern} escape '\\'`)
  return sql<number>`case when ${title} = ${text} then 0 when ${beginsWith(text, title)} then 1
    when ${sql.join(inTitle, sql` and `)} then 2 else 3 end`
}

/** For other statements: that a row is among those found. */
export const isAmongMatches = ({ target, matches }: Search): RawBuilder<boolean> => {
  return sql<boolean>`${sql.ref(`${target}.id`)} in (
    select ${sql.ref(`hit_document.${target}_id`)} from ${matches} as hit_document)`
}

export const beginsIn = ({ target, text }: Pick<Search, 'target' | 'text'>): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${target}.id`)} in (select ${sql.ref(`document.${target}_id`)}
    from ${sql.table(`${target}_search`)} as document where ${beginsWith(text, sql.ref('document.title'))})`

/** It ranks by how well the title matches, and within that by the length of the title. */
export const relevanceOf = ({ target, text, patterns }: Search): RawBuilder<number> => {
  const title = sql.ref(`${target}_search.title`)
  return sql<number>`(select 1000 * ${matchRank({ text, patterns }, title)}
      + case when length(${title}) < 1000 then length(${title}) else 999 end
    from ${sql.table(`${target}_search`)}
    where ${sql.ref(`${target}_search.${target}_id`)} = ${sql.ref(`${target}.id`)})`
}

/** Whether this viewer sees any of what is found. */
export const selectIsAnyShown = async (
  db: ReadDb,
  { target, matches }: Pick<Search, 'target' | 'matches'>,
  viewer: Viewer,
): Promise<boolean> => {
  const { rows } = await sql`select 1 from ${matches} as hit_document cross join ${sql.table(target)}
    where ${sql.ref(`${target}.id`)} = ${sql.ref(`hit_document.${target}_id`)} and ${isShown(target, viewer)}
    limit 1`.execute(db)
  return rows.length > 0
}

/** What is found, as an index reads it: no further than the page goes. */
export const rankedMatch = (
  { target, text }: Pick<Search, 'text'> & { readonly target: 'series' | 'book' },
  { beginning, inTitle, elsewhere, place, numbers }: RankedIndex,
): RankedMatch => {
  const begins = beginsWith(text, sql.ref('document.title'))
  // Whose title begins with the text has its first word there and all others too: so it is in the first part.
  const inOrder = [
    sql`${beginning} cross join ${sql.table(target)} where ${begins}`,
    sql`${inTitle} cross join ${sql.table(target)} where not (${begins})`,
    sql`${elsewhere} cross join ${sql.table(target)} where true`,
  ]
  const id = sql.ref(`${target}.id`)
  const key = sql.ref(`document.${target}_id`)
  const { areFew, numbers: absentNumbers } = absentOf(target)
  const isThere = target === 'book' ? sql`book.state = 'present'` : sql`series.book_count > 0`
  const countOf = (rows: RawBuilder<unknown>) => sql`(select count(*) from (${rows}) as counted)`
  return {
    page: (holds, { offset, limit }) => {
      const read = inOrder.map(
        (rows, part) => sql`select * from (select ${id} as id, ${sql.lit(part)} as part, ${place} as place
          from ${rows} and ${id} = ${key} and ${holds} order by ${place} limit ${offset + limit}) as part_${sql.raw(String(part))}`,
      )
      return sql`(select * from (${sql.join(read, sql` union all `)}) as found limit ${limit} offset ${offset})`
    },
    count: (max) => sql<number>`case when ${areFew}
      then ${countOf(sql`select 1 from ${numbers} as found
        where found.number not in (${absentNumbers}) limit ${max}`)}
      else ${countOf(sql`select 1 from ${numbers} as found cross join ${sql.table(`${target}_search`)} as document
        cross join ${sql.table(target)} where document.number = found.number and ${id} = ${key} and ${isThere} limit ${max}`)} end`,
  }
}

/** Up to so many are gathered, so that what is found need not be looked up row by row. */
const absentMax = 1000

/** Whether so few are left out of what is found, and their numbers. */
export const absentOf = (target: 'series' | 'book') => {
  const absent = absentFrom(target)
  const areFew = absent.map(
    (rows) => sql`(select count(*) from (select 1 from ${rows} limit ${absentMax + 1}) as counted) <= ${absentMax}`,
  )
  const numbers = absent.map(
    (rows) => sql`select document.number from ${rows} cross join ${sql.table(`${target}_search`)} as document
      where ${sql.ref(`document.${target}_id`)} = ${sql.ref(`${target}.id`)}`,
  )
  return { areFew: sql.join(areFew, sql` and `), numbers: sql.join(numbers, sql` union all `) }
}

/** What even those do not see from whom nothing is hidden, by the indexes there are of it. */
const absentFrom = (target: 'series' | 'book'): RawBuilder<unknown>[] =>
  target === 'book'
    ? [
        sql`(select id from book where state = 'missing' and library_id > '') as book`,
        sql`(select id from book where state = 'hidden' and library_id > '') as book`,
      ]
    : [sql`(select id from series where book_count <= 0) as series`]

/** The match of a text that leaves nothing to look for. */
export const noMatches = { where: sql<boolean>`false`, relevance: sql`(select 0)`, begins: sql<boolean>`false` }

/** That the viewer may see it, or something of it. */
const isShown = (target: SearchTarget, viewer: Viewer): RawBuilder<boolean> => {
  switch (target) {
    case 'series':
      return seriesShown(viewer)
    case 'book':
      return bookShown(viewer)
    case 'term':
      return sql<boolean>`term.kind = 'person' and (exists (${seriesOf('series_term', 'term', viewer)})
        or exists (${booksOf('book_term', 'term', viewer)}))`
    case 'collection':
      return sql<boolean>`exists (${seriesOf('collection_series', 'collection', viewer)})`
    case 'read_list':
      return sql<boolean>`exists (${booksOf('read_list_book', 'read_list', viewer)})`
  }
}

const seriesShown = (viewer: Viewer) =>
  sql<boolean>`series.book_count > 0 and ${visibleTo(viewer, 'series')} and ${showsBooks(viewer)}`
const bookShown = (viewer: Viewer) => sql<boolean>`book.state = 'present' and ${visibleTo(viewer, 'book')}`

/** The id of a row, or the column it stands in. */
type Owner = string | RawBuilder<unknown>

/** What the viewer sees of what is linked to this row. */
const seriesOf = (link: string, owner: SearchTarget, viewer: Viewer, id: Owner = sql.ref(`${owner}.id`)) =>
  sql`select series.id from ${sql.table(link)} cross join series
    where ${sql.ref(`${link}.${owner}_id`)} = ${id} and series.id = ${sql.ref(`${link}.series_id`)}
      and ${seriesShown(viewer)}${link === 'series_term' ? sql` and ${seesTermOfSeries(viewer)}` : sql``}`
const booksOf = (link: string, owner: SearchTarget, viewer: Viewer, id: Owner = sql.ref(`${owner}.id`)) =>
  sql`select ${toldSeriesId(viewer)} as id from ${sql.table(link)} cross join book
    where ${sql.ref(`${link}.${owner}_id`)} = ${id} and book.id = ${sql.ref(`${link}.book_id`)}
      and ${bookShown(viewer)}`

export interface NameHit {
  readonly id: string
  readonly name: string
  /** What of it the viewer may see. */
  readonly count: number
  /** Its covers are those of these series: the first that came here, and the last. */
  readonly seriesIds: readonly string[]
}

export type NameHits = Readonly<Record<NamedTarget, NameHit[]>>

/** People with the series they have worked on, collections with their series, read lists with their books. */
export const selectNameHits = async (
  db: ReadDb,
  viewer: Viewer,
  ids: Readonly<Record<NamedTarget, readonly string[]>>,
): Promise<NameHits> => {
  const arms = namedTargets.flatMap((target) => ids[target].map((id) => namedWithFigures(target, viewer, id)))
  const { rows } = arms.length > 0 ? await sql<NamedRow>`${sql.join(arms, sql` union all `)}`.execute(db) : { rows: [] }
  const byId = new Map(rows.map((row) => [row.id, toNameHit(row)]))
  const named = (target: NamedTarget): NameHit[] => ids[target].flatMap((id) => byId.get(id) ?? [])
  return { term: named('term'), collection: named('collection'), read_list: named('read_list') }
}

interface NamedRow extends Pick<NameHit, 'id' | 'name' | 'count'> {
  readonly first_id: string | null
  readonly last_id: string | null
}

const toNameHit = ({ id, name, count, first_id, last_id }: NamedRow): NameHit => ({
  id,
  name,
  count,
  seriesIds: [...new Set([first_id, last_id])].filter((each) => each !== null),
})

/** Everything is counted once, for the number and for the covers. */
const namedWithFigures = (target: NamedTarget, viewer: Viewer, id: string): RawBuilder<unknown> => {
  const row = (column: string) => sql.ref(`${target}.${column}`)
  return sql`select ${row('id')} as id, ${row('name')} as name, counted.count, counted.first_id, counted.last_id
    from ${sql.table(target)} cross join (
      select count(*) as count, min(id) as first_id, max(id) as last_id
      from (${counted(target, viewer, id)}) as worked_on) as counted
    where ${row('id')} = ${id}`
}

const counted = (target: NamedTarget, viewer: Viewer, id: string): RawBuilder<unknown> => {
  if (target === 'collection') return seriesOf('collection_series', 'collection', viewer, id)
  if (target === 'read_list') return booksOf('read_list_book', 'read_list', viewer, id)
  // Some have worked on more than anybody would wait for.
  return sql`select distinct id from (
    ${seriesOf('series_term', 'term', viewer, id)}
    union all
    select * from (${booksOf('book_term', 'term', viewer, id)} limit ${booksCountedMax}) as of_books
  ) as worked_on where id is not null limit ${foundPersonCountMax}`
}

/** It bounds what is counted for one person; beyond it there may be series that are not counted. */
const booksCountedMax = 1000
