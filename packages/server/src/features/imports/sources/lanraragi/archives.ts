import { parseBookName } from '../../../../naming/book-name.ts'
import { type ForeignRecord, recordLimits, type SourceValues, type SeriesRecord } from '../../records.ts'
import { numberText } from '../numbers.ts'
import { textOf } from '../values.ts'
import { onePerson } from '../one-person.ts'
import { type Tags, tagsIn } from './tags.ts'

export interface Series {
  readonly id: string
  readonly title: string
}

/** An id is the digest of what the file begins with. */
export const archiveId = (value: unknown): string | null => {
  const id = textOf(value)?.toLowerCase() ?? ''
  return /^[0-9a-f]{40}$/.test(id) ? id : null
}

export const seriesOf = ({ id, title }: Series, summary: string | null): SeriesRecord => ({
  type: 'series',
  id,
  library: null,
  title,
  otherTitles: [],
  folder: null,
  isOneShot: false,
  labels: [],
  metadata: summary === null ? {} : { summary: { value: summary, locked: true } },
})

/** The name of the file is all there is of where it lies, and says the number that no field holds. */
export const recordsOfArchive = (
  value: Readonly<Record<string, unknown>>,
  id: string,
  tank: Series | undefined,
): { readonly series: Series | undefined; readonly records: readonly ForeignRecord[] } => {
  const title = textOf(value['title'])
  const stem = textOf(value['filename'], 1000)
  const tags = tagsIn(textOf(value['tags'], recordLimits.prose))
  const named = stem === null ? undefined : parseBookName(stem, { seriesName: tank?.title ?? tags.series ?? undefined })
  const ofTag = tags.series === null ? undefined : { id: `series ${tags.series}`, title: tags.series }
  const series = tank ?? ofTag
  const volume = numberText(named?.volume ?? null)
  const number = named?.number ?? numberText(named?.chapter ?? null) ?? volume
  const book: ForeignRecord = {
    type: 'book',
    id,
    series: series?.id ?? null,
    library: null,
    path: null,
    size: null,
    hashes: [{ kind: 'sha1-512000', value: id }],
    seriesTitle: series?.title ?? named?.seriesTitle ?? null,
    number,
    volume,
    title,
    pages: null,
    isDeleted: false,
    metadata: metadataOf(value, tags),
  }
  const rating = tags.stars === null ? [] : [ratingOf(id, tags.stars)]
  return { series, records: [book, ...rating] }
}

const ratingOf = (book: string, stars: number): ForeignRecord => ({
  type: 'rating',
  user: onePerson.id,
  of: { book },
  rating: stars * 20,
  review: null,
  at: null,
})

/** Tags are put on by people, or by programs that people have run over their archives; what kind of tag it is does not matter for that. */
const metadataOf = (value: Readonly<Record<string, unknown>>, tags: Tags): SourceValues => {
  const fields = {
    summary: textOf(value['summary'], recordLimits.prose),
    languageIso: tags.language,
    authors: tags.artists.map((name) => ({ name, role: 'artist' })),
    characters: tags.characters,
    genres: tags.genres,
    tags: tags.others,
    externalLinks: tags.sources.map((address) => ({
      source: 'source',
      url: /^https?:\/\//.test(address) ? address : `https://${address}`,
    })),
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, each]) => {
      const isSaid = each !== null && !(Array.isArray(each) && each.length === 0)
      return isSaid ? [[field, { value: each, locked: true }]] : []
    }),
  )
}
