import { cleanInteger, cleanName } from './clean-text.ts'

/** ComicInfo and publishers of comics write them like this. */
const ages: ReadonlyMap<string, number> = new Map([
  ['adults only 18+', 18],
  ['early childhood', 3],
  ['everyone', 0],
  ['everyone 10+', 10],
  ['g', 0],
  ['all ages', 0],
  ['kids to adults', 6],
  ['m', 17],
  ['ma15+', 15],
  ['mature', 17],
  ['mature 17+', 17],
  ['pg', 8],
  ['r18+', 18],
  ['teen', 13],
  ['x18+', 18],
])

/** The age from which on it may be read; `Unknown` and `Rating Pending` say nothing. Others write the age itself: `16+`. */
export const cleanAgeRating = (text: string | undefined): number | undefined => {
  const written = cleanName(text)?.toLowerCase()
  if (written === undefined) return undefined
  return ages.get(written) ?? cleanInteger(/^(\d{1,2}) ?\+?$/.exec(written)?.[1], { min: 0, max: 21 })
}
