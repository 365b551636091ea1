import { type BookRecord, type ForeignRecord, recordLimits, type SeriesRecord } from '../../records.ts'
import { cut, type StoreRow } from '../sqlite.ts'
import { numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import type { KomgaStore } from './store.ts'
import { dateOf, digits, directions, valuesOf, statuses } from './words.ts'
import { pathBelowRoot } from './urls.ts'

type Lists = ReadonlyMap<string, readonly StoreRow[]>

const nothing: readonly StoreRow[] = []

/** Rows of a table that has many for each series or book, in the order of the owners, a stretch of owners at a time. */
const ownersAtOnce = 500

export const seriesIn = function* (store: KomgaStore): Generator<ForeignRecord> {
  for (const rows of stretches(store, seriesRows)) {
    const lists = {
      genres: listsOf(
        store,
        rows,
        'select SERIES_ID as owner, substr(GENRE, 1, 500) as text from SERIES_METADATA_GENRE',
      ),
      tags: listsOf(store, rows, 'select SERIES_ID as owner, substr(TAG, 1, 500) as text from SERIES_METADATA_TAG'),
      labels: listsOf(
        store,
        rows,
        'select SERIES_ID as owner, substr(LABEL, 1, 500) as text from SERIES_METADATA_SHARING',
      ),
      titles: listsOf(
        store,
        rows,
        'select SERIES_ID as owner, substr(LABEL, 1, 500) as label, substr(TITLE, 1, 4001) as text from SERIES_METADATA_ALTERNATE_TITLE',
      ),
      links: listsOf(
        store,
        rows,
        'select SERIES_ID as owner, substr(LABEL, 1, 500) as label, substr(URL, 1, 4001) as text from SERIES_METADATA_LINK',
      ),
    }
    for (const row of rows) yield toSeries(row, lists, store)
  }
}

const seriesRows = `
  select s.ID as id, s.LIBRARY_ID as library, ${cut('s.NAME')} as name, ${cut('s.URL')} as url, s.ONESHOT as isOneShot,
    ${cut('m.TITLE')} as title, m.TITLE_LOCK as titleLock, ${cut('m.TITLE_SORT')} as titleSort,
    m.TITLE_SORT_LOCK as titleSortLock, m.STATUS as status, m.STATUS_LOCK as statusLock,
    ${cut('m.PUBLISHER')} as publisher, m.PUBLISHER_LOCK as publisherLock, m.READING_DIRECTION as readingDirection,
    m.READING_DIRECTION_LOCK as readingDirectionLock, m.AGE_RATING as ageRating, m.AGE_RATING_LOCK as ageRatingLock,
    ${cut('m.SUMMARY', recordLimits.prose)} as summary, m.SUMMARY_LOCK as summaryLock, m.LANGUAGE as language,
    m.LANGUAGE_LOCK as languageLock, m.GENRES_LOCK as genresLock, m.TAGS_LOCK as tagsLock,
    m.TOTAL_BOOK_COUNT as totalBookCount, m.TOTAL_BOOK_COUNT_LOCK as totalBookCountLock, m.LINKS_LOCK as linksLock,
    m.ALTERNATE_TITLES_LOCK as alternateTitlesLock
  from SERIES s left join SERIES_METADATA m on m.SERIES_ID = s.ID`

const toSeries = (
  row: StoreRow,
  lists: Readonly<Record<'genres' | 'tags' | 'labels' | 'titles' | 'links', Lists>>,
  { roots }: KomgaStore,
): SeriesRecord => {
  const id = textOf(row['id']) ?? ''
  const library = textOf(row['library'])
  const title = textOf(row['title']) ?? textOf(row['name']) ?? ''
  const name = textOf(row['name'])
  const titles = labelled(lists.titles, id, 'label', 'title')
  const isOneShot = truthOf(row['isOneShot'])
  return {
    type: 'series',
    id,
    library,
    title,
    otherTitles: [...new Set([...(name === null ? [] : [name]), ...titles.map((each) => String(each['title']))])],
    // The address of a one-shot is that of its file.
    folder: isOneShot ? null : pathBelowRoot(roots.get(library ?? ''), textOf(row['url'])),
    isOneShot,
    labels: wordsOf(lists.labels, id),
    metadata: valuesOf({
      title: [title, row['titleLock']],
      titleSort: [textOf(row['titleSort']), row['titleSortLock']],
      status: [statuses[String(row['status'])] ?? null, row['statusLock']],
      publisher: [textOf(row['publisher'], 300), row['publisherLock']],
      readingDirection: [directions[String(row['readingDirection'])] ?? null, row['readingDirectionLock']],
      ageRating: [wholeOf(row['ageRating'], 0, 100), row['ageRatingLock']],
      summary: [textOf(row['summary'], recordLimits.prose), row['summaryLock']],
      language: [textOf(row['language'], 35), row['languageLock']],
      genres: [wordsOf(lists.genres, id), row['genresLock']],
      tags: [wordsOf(lists.tags, id), row['tagsLock']],
      totalVolumeCount: [wholeOf(row['totalBookCount'], 0, 100_000), row['totalBookCountLock']],
      externalLinks: [labelled(lists.links, id, 'source', 'url'), row['linksLock']],
      alternateTitles: [titles, row['alternateTitlesLock']],
    }),
  }
}

export const booksIn = function* (store: KomgaStore): Generator<ForeignRecord> {
  const hasKoreaderHash = store.db.has('BOOK', 'FILE_HASH_KOREADER')
  for (const rows of stretches(store, bookRows(hasKoreaderHash))) {
    const lists = {
      authors: listsOf(
        store,
        rows,
        'select BOOK_ID as owner, substr(NAME, 1, 500) as text, substr(ROLE, 1, 100) as label from BOOK_METADATA_AUTHOR',
      ),
      tags: listsOf(store, rows, 'select BOOK_ID as owner, substr(TAG, 1, 500) as text from BOOK_METADATA_TAG'),
      links: listsOf(
        store,
        rows,
        'select BOOK_ID as owner, substr(LABEL, 1, 500) as label, substr(URL, 1, 4001) as text from BOOK_METADATA_LINK',
      ),
    }
    for (const row of rows) {
      const book = toBook(row, lists, store)
      if (book.path === null)
        store.passedOver.add('paths of books that lie in no library', 'invalid', textOf(row['url']))
      yield book
    }
  }
}

const bookRows = (hasKoreaderHash: boolean): string => `
  select b.ID as id, b.SERIES_ID as series, b.LIBRARY_ID as library, ${cut('b.URL', 12_000)} as url,
    b.FILE_SIZE as size, b.FILE_HASH as hash, ${hasKoreaderHash ? 'b.FILE_HASH_KOREADER' : "''"} as koreaderHash,
    b.DELETED_DATE as deletedAt, ${cut('b.NAME')} as name, ${cut('s.TITLE')} as seriesTitle,
    case when coalesce(d.MEDIA_TYPE, '') like 'application/epub%' then null else d.PAGE_COUNT end as pages,
    ${cut('m.TITLE')} as title, m.TITLE_LOCK as titleLock, ${cut('m.NUMBER', 200)} as number,
    m.NUMBER_LOCK as numberLock, m.NUMBER_SORT as numberSort, m.NUMBER_SORT_LOCK as numberSortLock,
    m.RELEASE_DATE as released, m.RELEASE_DATE_LOCK as releasedLock, ${cut('m.SUMMARY', recordLimits.prose)} as summary,
    m.SUMMARY_LOCK as summaryLock, m.AUTHORS_LOCK as authorsLock, m.TAGS_LOCK as tagsLock, m.ISBN as isbn,
    m.ISBN_LOCK as isbnLock, m.LINKS_LOCK as linksLock
  from BOOK b
    left join BOOK_METADATA m on m.BOOK_ID = b.ID
    left join MEDIA d on d.BOOK_ID = b.ID
    left join SERIES_METADATA s on s.SERIES_ID = b.SERIES_ID`

const toBook = (
  row: StoreRow,
  lists: Readonly<Record<'authors' | 'tags' | 'links', Lists>>,
  { roots }: KomgaStore,
): BookRecord => {
  const id = textOf(row['id']) ?? ''
  const library = textOf(row['library'])
  const isbn = textOf(row['isbn'], 20)
  const authors = labelled(lists.authors, id, 'role', 'name')
  return {
    type: 'book',
    id,
    series: textOf(row['series']),
    library,
    path: pathBelowRoot(roots.get(library ?? ''), textOf(row['url'], 12_000)) || null,
    size: wholeOf(row['size'], 1, Number.MAX_SAFE_INTEGER),
    hashes: [
      { kind: 'xxh3-128' as const, value: digits(row['hash']) },
      { kind: 'koreader-komga' as const, value: digits(row['koreaderHash']) },
    ].filter(({ value }) => value !== ''),
    seriesTitle: textOf(row['seriesTitle']),
    number: textOf(row['number'], 32),
    volume: null,
    title: textOf(row['title']) ?? textOf(row['name']),
    pages: wholeOf(row['pages'], 1, 10_000_000),
    isDeleted: row['deletedAt'] !== null,
    metadata: valuesOf({
      title: [textOf(row['title']), row['titleLock']],
      number: [textOf(row['number'], 32), row['numberLock']],
      numberSort: [numberOf(row['numberSort'], 0, 1_000_000), row['numberSortLock']],
      ...dateOf(row['released'], row['releasedLock']),
      summary: [textOf(row['summary'], recordLimits.prose), row['summaryLock']],
      authors: [authors, row['authorsLock']],
      tags: [wordsOf(lists.tags, id), row['tagsLock']],
      isbns: [isbn === null ? [] : [isbn], row['isbnLock']],
      externalLinks: [labelled(lists.links, id, 'source', 'url'), row['linksLock']],
    }),
  }
}

/** All rows, as many at once as their lists are looked up for. */
const stretches = function* ({ db, passedOver }: KomgaStore, rows: string): Generator<readonly StoreRow[]> {
  let stretch: StoreRow[] = []
  for (const row of db.rows(rows, { onMore: () => passedOver.add('rows beyond five million', 'too_much') })) {
    if (textOf(row['id']) === null) continue
    stretch.push(row)
    if (stretch.length < ownersAtOnce) continue
    yield stretch
    stretch = []
  }
  yield stretch
}

const rowsMax = ownersAtOnce * recordLimits.entries

const listsOf = ({ db, passedOver }: KomgaStore, owners: readonly StoreRow[], rows: string): Lists => {
  const [, table = ''] = / from (\w+)/.exec(rows) ?? []
  if (!db.has(table)) return new Map()
  const owner = table.startsWith('SERIES') ? 'SERIES_ID' : 'BOOK_ID'
  const ids = JSON.stringify(owners.map((row) => textOf(row['id'])))
  const options = {
    parameters: { ids },
    most: rowsMax,
    onMore: () => passedOver.add('entries of long lists', 'too_much'),
  }
  const matches = db.rows(`${rows} where ${owner} in (select value from json_each(@ids))`, options)
  return Map.groupBy(matches, (row) => String(row['owner']))
}

const wordsOf = (lists: Lists, id: string): string[] => [
  ...new Set(
    (lists.get(id) ?? nothing).slice(0, recordLimits.entries).flatMap((row) => textOf(row['text'], 200) ?? []),
  ),
]

const labelled = (lists: Lists, id: string, label: string, text: string): Record<string, string>[] =>
  (lists.get(id) ?? nothing).slice(0, recordLimits.entries).flatMap((row) => {
    const [name, value] = [textOf(row['label'], 100), textOf(row['text'], 2000)]
    return name === null || value === null ? [] : [{ [label]: name, [text]: value }]
  })
