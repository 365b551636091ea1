import type { ReadDb } from '../../../database/database.ts'
import { metadataOfBook, metadataOfSeries } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { compatRole, timestamp } from '../spelling.ts'
import { dayOf, distinct } from './formatting.ts'
import { selectBookRows, selectPositions, selectSeriesRows } from './queries.ts'

/** It holds what a manifest says of a book besides how it is read. Unknown fields are left out. */
export type ManifestWords = Readonly<Record<string, unknown>>

export const readManifestMetadata = async (db: ReadDb, viewer: Viewer, bookId: string): Promise<ManifestWords> => {
  const row = (await selectBookRows(db, viewer, [bookId])).get(bookId)
  // Hidden since it was read.
  if (!row) return {}
  const series = (await selectSeriesRows(db, viewer, [row.series_id])).get(row.series_id)
  const positions = await selectPositions(db, viewer, { ids: [bookId], seriesIds: [row.series_id] })
  const metadata = metadataOfBook(row)
  const ofSeries = series && metadataOfSeries(series)
  return withoutEmpty({
    modified: timestamp(row.updated_at),
    published: dayOf(row.released),
    language: metadata.languageIso ?? ofSeries?.language,
    publisher: metadata.publisher ?? ofSeries?.publisher,
    description: row.summary,
    subject: distinct([...metadata.genres, ...metadata.tags]),
    ...contributorsIn(metadata.authors),
    belongsTo: series && {
      series: [
        {
          name: series.title,
          position: row.number_sort ?? row.chapter ?? row.volume ?? positions.get(bookId)?.position,
        },
      ],
    },
  })
}

/** Readium has these names for what people do for a book. */
const contributions: Readonly<Record<string, string>> = {
  writer: 'author',
  penciller: 'penciler',
  inker: 'inker',
  colorist: 'colorist',
  letterer: 'letterer',
  cover: 'artist',
  editor: 'editor',
  translator: 'translator',
}

interface Contributor {
  readonly name: string
  readonly role?: string | null | undefined
}

const contributorsIn = (people: readonly Contributor[]): Record<string, string[]> => {
  const grouped = Map.groupBy(people, ({ role }) => contributions[compatRole(role)] ?? 'contributor')
  return Object.fromEntries([...grouped].map(([as, each]) => [as, distinct(each.map(({ name }) => name))]))
}

const withoutEmpty = (words: Record<string, unknown>): ManifestWords =>
  Object.fromEntries(
    Object.entries(words).filter(([, value]) => value != null && !(Array.isArray(value) && value.length === 0)),
  )
