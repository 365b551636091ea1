import { cleanDateText, cleanLanguage, cleanSummary } from '../../../../formats/metadata/clean-text.ts'
import { identifiersOf } from '../../../../formats/metadata/identifiers.ts'
import { recordLimits, type SourceValues } from '../../records.ts'
import { elsewhere } from '../elsewhere.ts'
import { rowsOf, textsOf } from '../json-lists.ts'
import { numberText } from '../numbers.ts'
import type { StoreRow } from '../sqlite.ts'
import { instantOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import type { CustomColumn } from './queries.ts'

/** Rows without a series have a number all the same. */
export const numberOfBook = (row: StoreRow): string | null =>
  row['series'] === null ? null : numberText(numberOf(row['seriesIndex'], 0, 1_000_000))

/** A comma in a name is written as a bar, since commas stand between names elsewhere. */
const authorsOf = (row: StoreRow) =>
  textsOf(row['authors']).map((name) => ({ name: name.replaceAll('|', ','), role: 'author' }))

const languageOf = (row: StoreRow): string | null => cleanLanguage(textsOf(row['languages'])[0]) ?? null

/** An unknown date is of the year 101, which no date of a book is here. */
const dateOf = (row: StoreRow) => cleanDateText((textOf(row['published']) ?? '').slice(0, 10))

/** An address is a link, a number of a book an ISBN, and what belongs to this calibre alone says nothing. */
const identifiersIn = (row: StoreRow) =>
  identifiersOf(
    rowsOf(row['identifiers']).flatMap(([type, value]) => {
      const [scheme, text] = [textOf(type), textOf(value)]
      return scheme === null || text === null ? [] : [{ scheme, text }]
    }),
  )

/** What calibre shows is what its owner has put there: it writes to no file, so the files say something older. */
export const metadataOf = (row: StoreRow, columns: readonly CustomColumn[]): SourceValues => {
  const { year, month, day } = dateOf(row)
  const customMetadata = customValuesOf(row, columns)
  const { book, series } = identifiersIn(row)
  const values = {
    title: textOf(row['title']),
    titleSort: textOf(row['titleSort']),
    number: numberOfBook(row),
    summary: cleanSummary(textOf(row['comments'], recordLimits.prose) ?? undefined),
    publisher: textsOf(row['publishers'])[0],
    languageIso: languageOf(row),
    year,
    month,
    day,
    tags: textsOf(row['tags']),
    authors: authorsOf(row),
    isbns: book.isbns,
    customMetadata: Object.keys(customMetadata).length === 0 ? null : customMetadata,
  }
  const said = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return {
    ...Object.fromEntries(said.map(([field, value]) => [field, { value, locked: true }])),
    ...elsewhere({ externalIds: book.externalIds, links: [...book.links, ...series.links] }),
  }
}

/** Columns that a person has added, by their names. */
const customValuesOf = (row: StoreRow, columns: readonly CustomColumn[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const values = rowsOf(row[`custom${column.id}`]).flatMap(([value, extra]) => {
        const read = customValueOf(column, value, extra)
        return read === null ? [] : [read]
      })
      if (values.length === 0) return []
      return [[column.label, column.isMultiple ? values : values[0]]]
    }),
  )

const customValueOf = ({ datatype }: CustomColumn, value: unknown, extra: unknown): unknown => {
  switch (datatype) {
    case 'bool':
      return truthOf(value)
    case 'int':
    case 'rating':
      return wholeOf(value, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    case 'float':
      return numberOf(value, -Number.MAX_VALUE, Number.MAX_VALUE)
    case 'datetime':
      return instantOf(value)
    case 'comments':
      return cleanSummary(textOf(value, recordLimits.prose) ?? undefined) ?? null
    case 'series': {
      const [name, number] = [textOf(value), numberText(numberOf(extra, 0, 1_000_000))]
      return name === null || number === null ? name : `${name} [${number}]`
    }
    default:
      return textOf(value)
  }
}
