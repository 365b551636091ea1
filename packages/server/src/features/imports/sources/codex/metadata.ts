import { bookTypes, readingDirections, seriesStatuses } from '@carrel/api'
import { recordLimits, type SourceValue, type SourceValues } from '../../records.ts'
import { isObject, objectOf, rowsOf, textsOf } from '../json-lists.ts'
import { numberText } from '../numbers.ts'
import type { StoreRow } from '../sqlite.ts'
import { jsonOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'

type Read = (value: unknown) => unknown

const words: Read = (value) => textOf(value)
const prose: Read = (value) => textOf(value, recordLimits.prose)
const integer =
  (least: number, most: number): Read =>
  (value) =>
    wholeOf(value, least, most)
const decimal =
  (least: number, most: number): Read =>
  (value) =>
    numberOf(value, least, most)
const truth: Read = (value) => (value === null || value === undefined ? null : truthOf(value))

const oneOf =
  (choices: readonly string[]): Read =>
  (value) => {
    const text = textOf(value)
    return text !== null && choices.includes(text) ? text : null
  }

const object: Read = (value) => objectOf(value) ?? null

/** A list as JSON; one word for another, with commas between, is how older versions wrote it. */
const texts: Read = (value) => {
  const listed = textsOf(value)
  if (listed.length > 0) return listed
  return (textOf(value) ?? '')
    .split(',', recordLimits.entries)
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== '[]')
}

const objectsIn = (json: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const list = jsonOf(json)
  return Array.isArray(list) ? list.slice(0, recordLimits.entries).filter(isObject) : []
}

const authors: Read = (value) =>
  objectsIn(value).flatMap((each) => {
    const [name, role, sortName] = [
      textOf(each['name']),
      textOf(each['role']),
      textOf(each['sort_name'] ?? each['sortName']),
    ]
    return name === null ? [] : [{ name, role, ...(sortName !== null && { sortName }) }]
  })

const awards: Read = (value) =>
  objectsIn(value).flatMap((each) => {
    const name = textOf(each['name'])
    if (name === null) return []
    const { won } = each
    return [
      {
        name,
        category: textOf(each['category']),
        year: wholeOf(each['year'], 1, 9999),
        won: typeof won === 'boolean' ? won : null,
      },
    ]
  })

const year = integer(1, 9999)
const count = integer(0, 100_000)
const position = decimal(0, 1_000_000)

type Columns = Readonly<Record<string, readonly [field: string, read: Read]>>

/** The columns with a lock, the fields of ours that hold the same, and how they are read. */
const seriesColumns: Columns = {
  title: ['title', words],
  title_sort: ['titleSort', words],
  summary: ['summary', prose],
  publisher: ['publisher', words],
  imprint: ['imprint', words],
  status: ['status', oneOf(seriesStatuses)],
  age_rating: ['ageRating', integer(0, 100)],
  language: ['language', words],
  reading_direction: ['readingDirection', oneOf(readingDirections)],
  year: ['year', year],
  total_volume_count: ['totalVolumeCount', count],
  total_chapter_count: ['totalChapterCount', position],
  authors_json: ['authors', authors],
  custom_metadata: ['customMetadata', object],
}

const bookColumns: Columns = {
  title: ['title', words],
  title_sort: ['titleSort', words],
  subtitle: ['subtitle', words],
  number: ['number', (value) => numberText(numberOf(value, -1000, 1_000_000))],
  volume: ['volume', count],
  chapter: ['chapter', position],
  count: ['count', count],
  summary: ['summary', prose],
  publisher: ['publisher', words],
  imprint: ['imprint', words],
  language_iso: ['languageIso', words],
  format_detail: ['formatDetail', words],
  black_and_white: ['blackAndWhite', truth],
  manga: ['manga', truth],
  year: ['year', year],
  month: ['month', integer(1, 12)],
  day: ['day', integer(1, 31)],
  isbns: ['isbns', texts],
  book_type: ['bookType', oneOf(bookTypes)],
  authors_json: ['authors', authors],
  translator: ['translator', words],
  edition: ['edition', words],
  original_title: ['originalTitle', words],
  original_year: ['originalYear', year],
  series_position: ['seriesPosition', position],
  series_total: ['seriesTotal', count],
  subjects: ['subjects', texts],
  awards_json: ['awards', awards],
  custom_metadata: ['customMetadata', object],
  genre: ['genre', words],
}

export const columnsOfSeries = Object.keys(seriesColumns)
export const columnsOfBooks = Object.keys(bookColumns)

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** What is locked and empty, somebody has emptied. */
const withoutUnsaid = (values: readonly (readonly [string, SourceValue])[]): SourceValues =>
  Object.fromEntries(
    values.flatMap(([field, { value, locked }]) => {
      if (isEmpty(value) && !locked) return []
      return [[field, { value: isEmpty(value) ? null : value, locked }]]
    }),
  )

const valuesOf = (row: StoreRow, columns: Columns): readonly (readonly [string, SourceValue])[] =>
  Object.entries(columns).map(([column, [field, read]]) => {
    const value = read(row[column])
    // No file says anything of custom metadata: whatever is there, a person has said.
    const isPersons = field === 'customMetadata' && value !== null
    return [field, { value, locked: truthOf(row[`${column}_lock`]) || isPersons }]
  })

const listed = (row: StoreRow, field: string, lock: string): readonly [string, SourceValue] => [
  field,
  { value: textsOf(row[field]), locked: truthOf(row[lock]) },
]

/** Codex has no lock for these, and no file says them again: somebody has put them there. */
const heldFast = (values: readonly unknown[], isLocked = false): SourceValue => ({
  value: values,
  locked: isLocked || values.length > 0,
})

const linksOf = (row: StoreRow): SourceValue =>
  heldFast(
    rowsOf(row['externalLinks']).flatMap(([source, url, externalId]) => {
      const [name, address, id] = [textOf(source), textOf(url), textOf(externalId)]
      if (name === null || address === null || !/^https?:\/\//.test(address)) return []
      return [{ source: name, url: address, ...(id !== null && { externalId: id }) }]
    }),
  )

/** Codex writes which plugin an id came from before its name. */
const idsOf = (row: StoreRow): SourceValue =>
  heldFast(
    rowsOf(row['externalIds']).flatMap(([source, id, url]) => {
      const [name, text] = [textOf(source)?.replace(/^(?:plugin|api):/, '') ?? null, textOf(id)]
      return name === null || text === null ? [] : [{ source: name, id: text, url: textOf(url) }]
    }),
  )

export const alternateTitlesOf = (row: StoreRow): readonly { readonly label: string; readonly title: string }[] =>
  rowsOf(row['alternateTitles']).flatMap(([label, title]) => {
    const [name, text] = [textOf(label), textOf(title)]
    return name === null || text === null ? [] : [{ label: name, title: text }]
  })

export const metadataOfSeries = (row: StoreRow): SourceValues =>
  withoutUnsaid([
    ...valuesOf(row, seriesColumns),
    listed(row, 'genres', 'genres_lock'),
    listed(row, 'tags', 'tags_lock'),
    ['alternateTitles', heldFast(alternateTitlesOf(row), truthOf(row['alternate_titles_lock']))],
    ['externalLinks', linksOf(row)],
    ['externalIds', idsOf(row)],
    [
      'externalRatings',
      {
        value: rowsOf(row['externalRatings']).flatMap(([source, rating, votes]) => {
          const [name, number] = [textOf(source), numberOf(rating, 0, 100)]
          return name === null || number === null
            ? []
            : [{ source: name, rating: number, votes: wholeOf(votes, 0, 2_000_000_000) }]
        }),
        locked: false,
      },
    ],
  ])

export const metadataOfBook = (row: StoreRow): SourceValues => {
  const { genre, ...values } = Object.fromEntries(valuesOf(row, bookColumns))
  const genres = textsOf(row['genres'])
  const oldGenre = textOf(genre?.value)
  return withoutUnsaid([
    ...Object.entries(values),
    // The one genre of older versions is locked or not; the list that followed it has no lock of its own.
    [
      'genres',
      { value: genres.length === 0 && oldGenre !== null ? [oldGenre] : genres, locked: genre?.locked ?? false },
    ],
    ['tags', { value: textsOf(row['tags']), locked: false }],
    ['externalLinks', linksOf(row)],
    ['externalIds', idsOf(row)],
  ])
}
