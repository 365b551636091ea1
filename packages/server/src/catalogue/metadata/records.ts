import {
  type BookMetadata,
  type EditableBookMetadata,
  type EditableSeriesMetadata,
  type ExternalIdDto,
  type ExternalLinkDto,
  fieldsOfBooks,
  fieldsOfSeries,
  lockableNames,
  lockOf,
  type MetadataField,
  type MetadataFields,
  type SeriesMetadata,
  shownNames,
} from '@carrel/api'
import { type Entity, inLayers, type Person, type SeriesShown } from './fields.ts'

/** The row of a book or a series holds what is shown of the layers, and the names of locked fields. */
export interface MetadataRow {
  readonly metadata: string
  readonly locks: string
}

/**
 * It shows rows of one kind: each of its fields, and the lock beside it. Most books have few of them: a copy of a record without any takes a
 * quarter of the time of one that is put together.
 */
const shownBy = (fields: MetadataFields) => {
  const shown = shownNames(fields).map((name) => ({ name, layer: inLayers(name), field: fields[name] }))
  const empty: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(lockableNames(fields).map((name) => [lockOf(name), false])),
    ...Object.fromEntries(shown.map(({ name, field }) => [name, emptyOf(field)])),
  }
  return ({ metadata, locks }: MetadataRow): object => {
    const values = JSON.parse(metadata) as Readonly<Record<string, unknown>>
    const record = { ...empty }
    for (const name of JSON.parse(locks) as string[]) if (lockOf(name) in record) record[lockOf(name)] = true
    for (const { name, layer, field } of shown) {
      const value = values[layer]
      if (value !== undefined && value !== null)
        record[name] = field?.kind === 'rows' ? rowsOf(field.rows, value as Rows) : value
    }
    return record
  }
}

const none: readonly unknown[] = Object.freeze([])
const emptyOf = (field: MetadataField | undefined): unknown =>
  field?.kind === 'rows' || field?.kind === 'words' ? none : null

const shownOfSeries = shownBy(fieldsOfSeries)
const shownOfBooks = shownBy(fieldsOfBooks)

type Rows = readonly object[]

/** Files say less of some rows than people do. */
const rowsOf = (name: string, rows: Rows): Rows => {
  if (name === 'authors') return authorsOf(rows as readonly Person[])
  if (name === 'externalLinks') return linksOf(rows as SeriesShown['links'])
  if (name === 'alternateTitles')
    return (rows as SeriesMetadata['alternateTitles']).map(({ label, title }) => ({ label, title }))
  return rows
}

/** All that is shown of a series; what no source says is null or empty. */
export const metadataOfSeries = (row: MetadataRow): SeriesMetadata => shownOfSeries(row) as SeriesMetadata
export const metadataOfBook = (row: MetadataRow): BookMetadata => shownOfBooks(row) as BookMetadata

/** With what is not shown beside it but can be edited with it. */
const editableSeries = (row: MetadataRow): EditableSeriesMetadata => ({
  ...metadataOfSeries(row),
  ...editableBeside(row),
})
const editableBook = (row: MetadataRow): EditableBookMetadata => ({ ...metadataOfBook(row), ...editableBeside(row) })

export const recordOf = (entity: Entity, row: MetadataRow): EditableSeriesMetadata | EditableBookMetadata =>
  entity === 'series' ? editableSeries(row) : editableBook(row)

const editableBeside = ({ metadata }: MetadataRow) => ({
  customMetadata: customMetadataIn(metadata),
  externalIds: externalIdsIn(metadata),
})

export const customMetadataIn = (metadata: string): Record<string, unknown> | null => {
  const { customMetadata } = JSON.parse(metadata) as SeriesShown
  return customMetadata === undefined ? null : { ...customMetadata }
}

export const externalIdsIn = (metadata: string): ExternalIdDto[] => {
  const { externalIds = [] } = JSON.parse(metadata) as SeriesShown
  return externalIds.map(({ source, id, url = null }) => ({ source, id, url }))
}

export const externalRatingsIn = (metadata: string): SeriesMetadata['externalRatings'] => {
  const { externalRatings = [] } = JSON.parse(metadata) as SeriesShown
  return [...externalRatings]
}

const authorsOf = (authors: readonly Person[]) =>
  authors.map(({ name, role = null, sortName = null }) => ({ name, role, sortName }))

const linksOf = (links: SeriesShown['links'] = []): ExternalLinkDto[] =>
  links
    .filter((link) => typeof link !== 'string' || URL.canParse(link))
    .map((link) =>
      typeof link === 'string' ? { source: new URL(link).hostname.replace(/^www\./, ''), url: link } : link,
    )
