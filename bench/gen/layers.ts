import { randomFrom } from '../../packages/server/test/books/pictures.ts'
import type { MetadataLayer } from '../../packages/server/src/formats/book-format.ts'
import { termKey } from '../../packages/server/src/catalogue/terms/terms.ts'
import type { PlannedBook } from './plan.ts'
import { pick, type Random, sentence, title } from './words.ts'

const counts = { genres: 60, tags: 2000, people: 5000 }
const publishers = ['Picture House', 'Lantern Press', 'North Quay', 'Ninth Street Books'] as const
const languages = ['en', 'en', 'en', 'ja', 'fr'] as const
const ages = [0, 6, 10, 13, 16, 18] as const
const shares = { rated: 0.4, tagged: 0.7 }
const roles = ['writer', 'penciller'] as const

const manyTitles = (seed: number, count: number): readonly string[] => {
  const random = randomFrom(seed)
  const titles = new Map<string, string>()
  while (titles.size < count) {
    const name = title(random)
    titles.set(termKey(name), name)
  }
  return [...titles.values()]
}
const genres = manyTitles(1, counts.genres)
const tags = manyTitles(2, counts.tags)
const people = manyTitles(3, counts.people)

/** The first come up far more often than the last (Zipf), and none twice. */
const some = (names: readonly string[], most: number, random: Random): string[] => {
  const count = 1 + Math.floor(random() * most)
  return [
    ...new Set(
      Array.from({ length: count }, () => names[Math.floor((names.length + 1) ** random()) - 1] ?? names[0] ?? ''),
    ),
  ]
}

/** It gives the content of a book's ComicInfo, without the file. */
export const layersOf = ({ hasComicInfo, seed, series, number, year }: PlannedBook): MetadataLayer[] => {
  if (!hasComicInfo) return []
  const random = randomFrom(seed)
  const shared = {
    publisher: pick(publishers, random),
    language: pick(languages, random),
    ...(random() < shares.rated && { ageRating: pick(ages, random) }),
    genres: some(genres, 3, random),
  }
  const authors = roles.map((role) => ({ name: pick(people, random), role, sortName: null }))
  return [
    {
      source: 'file:comicinfo',
      book: {
        ...shared,
        number: String(number),
        title: title(random),
        summary: sentence(12, random),
        ...(random() < shares.tagged && { tags: some(tags, 4, random) }),
        year,
        month: 1 + Math.floor(random() * 12),
        authors,
      },
      series: { ...shared, title: series, authors },
    },
  ]
}
