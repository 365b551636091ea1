import { fieldsOfSeries } from '@carrel/api'
import type { Selectable } from 'kysely'
import { fieldColumns } from '../../../database/field-columns.ts'
import { missingIn } from '../../../filtering/filtering.ts'
import { plainText, sortKey } from '../../../platform/text/sort-key.ts'
import { type Layer, fieldsByPeople, type SeriesShown, shownFields } from '../../metadata/metadata.ts'
import { writersOf } from '../../terms/terms.ts'
import type { SeriesTables } from '../table.ts'

export const seriesFieldColumns = fieldColumns(fieldsOfSeries)

type Row = Selectable<SeriesTables['series']>

/** A series as it is kept, with what its books are together. */
export type SeriesToDescribe = Pick<
  Row,
  | 'id'
  | 'name'
  | 'path'
  | 'metadata'
  | 'book_count'
  | 'max_volume'
  | 'max_chapter'
  | 'first_book_id'
  | 'first_released'
  | 'age_rating'
  | 'updated_at'
> & {
  readonly books: number | null
  readonly max_rating: number | null
  readonly volumes: number | null
} & RunsOfBooks

/** The numbers and volumes that its present books have. */
type RunsOfBooks = {
  readonly [Column in `${'number' | 'volume'}_${'owned' | 'first' | 'last'}`]: number | null
}

/** The columns of a series that follow from its layers and its books. */
export const shownColumns = (row: SeriesToDescribe, layers: readonly Layer<SeriesShown>[], now: Date) => {
  const shown = shownFields(layers)
  const title = shown.title ?? row.name
  const own = shown.ageRating ?? null
  const metadata = JSON.stringify(shown)
  return {
    id: row.id,
    title,
    ...seriesFieldColumns.of(shown),
    sort_key: sortKey(shown.titleSort ?? title),
    own_age_rating: own,
    said_age_rating: fieldsByPeople(layers).ageRating ?? null,
    ...textsOf({ title, path: row.path }),
    // One without books keeps the rating they gave it: nobody comes to see it by their going.
    age_rating: own ?? (row.books === null ? row.age_rating : row.max_rating),
    external_rating: averageOf(shown.externalRatings ?? []),
    metadata,
    writers: writersOf(shown.authors),
    book_count: row.books ?? 0,
    max_volume: row.max_volume,
    max_chapter: row.max_chapter,
    volumes_owned: row.volumes ?? 0,
    ...gapsOf(row, shown),
    first_book_id: row.first_book_id,
    first_released: row.first_released,
    updated_at: metadata === row.metadata && row.books === row.book_count ? row.updated_at : now.toISOString(),
  }
}

const gapsOf = (row: RunsOfBooks, shown: Partial<SeriesShown>) => {
  const numbers = { owned: row.number_owned ?? 0, first: row.number_first, last: row.number_last }
  const volumes = { owned: row.volume_owned ?? 0, first: row.volume_first, last: row.volume_last }
  const ofVolumes = shown.totalVolumeCount ?? null
  const ofNumbers = numberTotalOf(shown, volumes.owned > 0)
  return { missing_count: missingIn(numbers, ofNumbers) + missingIn(volumes, ofVolumes), number_total: ofNumbers }
}

/** ComicInfo counts issues and volumes in one field: where there are no volumes it means issues. */
export const numberTotalOf = (shown: Partial<SeriesShown>, hasVolumes: boolean): number | null => {
  const total = shown.totalChapterCount ?? (hasVolumes ? null : shown.totalVolumeCount) ?? null
  return Number.isInteger(total) ? total : null
}

/** 1 to 100. */
const averageOf = (ratings: NonNullable<SeriesShown['externalRatings']>): number | null =>
  ratings.length === 0 ? null : Math.max(1, ratings.reduce((sum, { rating }) => sum + rating, 0) / ratings.length)

export const textsOf = ({ title, path }: { readonly title: string; readonly path: string | null }) => ({
  title_text: plainText(title),
  path_text: path === null ? null : plainText(path),
})
