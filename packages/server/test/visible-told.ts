import { refresh } from '../src/catalogue/shown/shown.ts'
import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'

const at = '2026-11-01T10:00:00.000Z'

interface ToldSeries {
  readonly id: string
  readonly rating: number
  readonly books: readonly { readonly id: string; readonly index: number; readonly rating: number }[]
}

/** Their ids are the same wherever they are told of. */
const termsOf = (index: number, termId: (number: number) => string) =>
  (['genre', 'tag', 'person'] as const).map((kind, at) => ({
    id: termId(500 + index * 10 + at),
    kind,
    name: `${kind} told ${index}`,
    key: `${kind} told ${index}`,
    sort_key: `${kind} told ${index}`,
  }))

/**
 * All that is shown of this series comes from the files of its books, each of which says something else of it; people have said how it
 * and they are rated.
 */
export const tellOf = async (db: Database, series: ToldSeries, termId: (number: number) => string): Promise<void> => {
  const terms = series.books.flatMap(({ index }) => termsOf(index, termId))
  const word = (entity_id: string, source: string, fields: object) => ({
    entity_id,
    source,
    fields: JSON.stringify(fields),
    said: null,
    at,
    by_user_id: null,
  })
  const said = [
    word(series.id, 'user', { ageRating: series.rating }),
    ...series.books.flatMap(({ id, index, rating }) => [
      word(id, 'user', { book: { ageRating: rating } }),
      word(id, 'file:comicinfo', { series: ofSeries(index), book: ofBook(index) }),
    ]),
  ]
  await db.write(async (db) => {
    await insertMany(
      db,
      'term',
      terms.map((term) => ({ ...term, created_at: at })),
      'is left as it is',
    )
    await insertMany(db, 'metadata_layer', said)
    await refresh(db, { books: series.books.map(({ id }) => id), series: [series.id] }, new Date(at))
  })
}

const ofSeries = (index: number) => ({
  publisher: `Publisher told ${index}`,
  language: index % 2 === 0 ? 'de' : 'fr',
  totalVolumeCount: 10 + index,
  year: 2010 - index,
  ...(index === 0 && { title: 'Series 9 1', externalIds: [{ source: 'told', id: 'told 0', url: null }] }),
  genres: [`genre told ${index}`, 'common'],
  links: [`https://example.org/told/${index}`],
})

const ofBook = (index: number) => ({
  summary: `Summary told ${index}`,
  tags: [`tag told ${index}`],
  authors: [{ name: `person told ${index}`, role: 'writer' }],
})
