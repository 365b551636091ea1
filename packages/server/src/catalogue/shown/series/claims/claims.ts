import { type BookShown, type Layer, type SeriesShown, shownFields } from '../../../metadata/metadata.ts'

/** What one book says of its series: for each field its values, written as JSON. */
export type Claims = Readonly<Record<string, readonly string[]>>

export interface ClaimingLayer {
  readonly book?: BookShown
  readonly series?: SeriesShown
}

/** Of these one value is shown: the most frequent, the highest or the earliest. */
const singleFields = [
  'title',
  'titleSort',
  'publisher',
  'imprint',
  'language',
  'readingDirection',
  'ageRating',
  'year',
  'totalVolumeCount',
  'totalChapterCount',
] as const satisfies readonly (keyof SeriesShown)[]

/** No index holds more: what is longer says nothing of a series. */
const bytesMax = 2000

/** What files, what lies beside them and paths say: people and plugins speak of a book alone. */
export const heardOf = (layers: readonly Layer<ClaimingLayer>[]): readonly Layer<ClaimingLayer>[] =>
  layers.filter(({ source }) => /^(?:file:|sidecar:|path$)/.test(source))

/** What is heard of the book itself. */
export const heardOfBook = (heard: readonly Layer<ClaimingLayer>[]): Partial<BookShown> =>
  shownFields(heard.map(({ source, fields }) => ({ source, fields: fields.book ?? {} })))

/** Null when a book says nothing of its series. */
export const claimsOf = (layers: readonly Layer<ClaimingLayer>[]): Claims | null => {
  const heard = heardOf(layers)
  const series = shownFields(heard.map(({ source, fields }) => ({ source, fields: fields.series ?? {} })))
  const book = heardOfBook(heard)
  const claims: Record<string, readonly string[]> = {}
  const claim = (field: string, values: readonly unknown[] = []): void => {
    const texts = new Set(
      values.map((value) => JSON.stringify(value)).filter((text) => Buffer.byteLength(text) <= bytesMax),
    )
    if (texts.size > 0) claims[field] = [...texts]
  }
  const claimAll = (field: string, values: readonly unknown[] | undefined): void => {
    claim(field, values)
    // How many books say anything of the kind does not follow from how many say what.
    if (claims[field]) claim(`any:${field}`, [true])
  }
  for (const field of singleFields) if (series[field] !== undefined) claim(field, [series[field]])
  claimAll('genres', series.genres)
  claimAll('tags', [...(series.tags ?? []), ...(book.tags ?? [])])
  claimAll('authors', book.authors ?? series.authors)
  claimAll('links', series.links)
  claimAll('alternateTitles', series.alternateTitles)
  claimAll('externalIds', series.externalIds)
  if (book.summary !== undefined) claim('summary', [true])
  if (Object.keys(claims).length === 0) return null
  claim('kind', [kindOf(heard)])
  return claims
}

/** `comicinfo`, whether it lies in the file or beside it. */
const kindOf = (heard: readonly Layer<ClaimingLayer>[]): string => {
  const speaking = heard.filter(({ fields }) => Object.keys(fields.series ?? {}).length > 0)
  const [first] = (speaking.length > 0 ? speaking : heard).map(({ source }) => source).sort()
  return first?.replace(/^[^:]*:/, '') ?? 'path'
}
