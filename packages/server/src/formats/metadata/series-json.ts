import { BookFault, type MetadataLayer, type SeriesFields } from '../book-format.ts'
import { bookLimits } from '../limits.ts'
import { decodeText } from '../text-decoding.ts'
import { cleanAgeRating } from './age-rating.ts'
import { cleanDate, cleanInteger, cleanLine, cleanName, cleanSummary } from './clean-text.ts'
import { withoutMissing } from './layer.ts'

/**
 * It reads the file Mylar writes into the folder of a series: `series.json` of 1.0.1 and 1.0.2, and the form before
 * them that has no `metadata` around its fields. Its issues are the books of the series, which `totalVolumeCount`
 * counts here as for ComicInfo. It throws a `BookFault`.
 */
export const seriesJsonLayer = (bytes: Buffer): MetadataLayer => {
  const field = fieldsOf(bytes)
  const comicVineId = /^(?:4050-)?(\d{1,12})$/.exec(field('comicid') ?? '')?.[1]
  return {
    source: 'sidecar:series.json',
    book: {},
    series: withoutMissing<SeriesFields>({
      title: cleanLine(field('name')),
      summary: cleanSummary(field('description_text') ?? field('description_formatted')),
      publisher: cleanName(field('publisher')),
      imprint: cleanName(field('imprint')),
      status: statuses.get(field('status')?.toLowerCase() ?? ''),
      ageRating: cleanAgeRating(field('age_rating')),
      year: cleanDate({ year: field('year') }).year,
      totalVolumeCount: cleanInteger(field('total_issues'), { min: 1, max: 100_000 }),
      externalIds:
        comicVineId === undefined
          ? []
          : [
              {
                source: 'comicvine',
                id: comicVineId,
                url: `https://comicvine.gamespot.com/volume/4050-${comicVineId}/`,
              },
            ],
    }),
  }
}

const statuses: ReadonlyMap<string, SeriesFields['status']> = new Map([
  ['continuing', 'ongoing'],
  ['ended', 'ended'],
])

/** Texts and numbers only, as text; an empty one is not there. */
const fieldsOf = (bytes: Buffer): ((field: string) => string | undefined) => {
  const document = objectIn(bytes)
  const { metadata } = document
  const fields = isObject(metadata) ? metadata : document
  return (field) => {
    const value = fields[field]
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined
  }
}

const objectIn = (bytes: Buffer): Record<string, unknown> => {
  if (bytes.length > bookLimits.jsonBytes) {
    throw new BookFault('limit', `The JSON has more than ${bookLimits.jsonBytes} bytes`)
  }
  const document = parsed(decodeText(bytes))
  if (!isObject(document)) throw new BookFault('damaged', 'The JSON is no object')
  return document
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BookFault('damaged', 'The JSON cannot be read', { cause: error })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
