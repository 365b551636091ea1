import { randomFrom } from '../../packages/server/test/books/pictures.ts'
import type { Profile } from './profiles.ts'
import { pick, type Random, title } from './words.ts'

/** A book before its bytes are made: the same for the same profile, everywhere. */
export interface PlannedBook {
  /** The path is below the root. */
  readonly path: string
  readonly format: 'cbz' | 'pdf'
  readonly seed: number
  readonly series: string
  readonly number: number
  readonly year: number
  readonly pages: number
  readonly packing: 'stored' | 'deflated'
  readonly hasComicInfo: boolean
  readonly oddity: Oddity | undefined
}

/** `cut` and `empty` cannot be read; the others can. */
type Oddity = 'cut' | 'empty' | 'misnamed' | 'foreign names' | 'zip64'

export interface PlannedSeries {
  readonly folder: string
  readonly name: string
  readonly year: number
  readonly hasSeriesJson: boolean
  readonly books: readonly PlannedBook[]
}

const oddities: readonly Oddity[] = ['cut', 'empty', 'misnamed', 'foreign names', 'zip64']
const shares = { comicInfo: 0.6, seriesJson: 0.05, odd: 0.01, pdf: 0.07, deflated: 0.3, nested: 0.2 }
const seed = 42

export const isDamaged = ({ oddity }: PlannedBook): boolean => oddity === 'cut' || oddity === 'empty'

/** Series by series, so that no more than one is in memory. */
export function* planLibrary(profile: Profile): Generator<PlannedSeries> {
  const random = randomFrom(seed)
  const sizes = [
    ...Array.from({ length: profile.series }, () => profile.booksEach),
    ...Array.from({ length: profile.singles }, () => 1),
    ...(profile.inOneFolder > 0 ? [profile.inOneFolder] : []),
  ]
  const taken = new Set<string>()
  let firstSeed = 1
  for (const size of sizes) {
    const name = nameOfItsOwn(taken, random)
    yield planSeries(profile, { name, size, firstSeed }, random)
    firstSeed += size
  }
}

const nameOfItsOwn = (taken: Set<string>, random: Random): string => {
  for (;;) {
    const name = title(random)
    const key = name.toLowerCase()
    if (taken.has(key)) continue
    taken.add(key)
    return name
  }
}

interface SeriesOptions {
  readonly name: string
  readonly size: number
  /** Its books have this seed and those after it: no two books of a library have the same. */
  readonly firstSeed: number
}

const planSeries = (profile: Profile, { name, size, firstSeed }: SeriesOptions, random: Random): PlannedSeries => {
  const year = 1950 + Math.floor(random() * 75)
  const style = pick(styles, random)
  const isNested = size > 1 && random() < shares.nested
  const hasSeriesJson = random() < shares.seriesJson
  const folder = `${name} (${year})`
  const books = Array.from({ length: size }, (_, index) => {
    const book = planBook(profile, { index, seed: firstSeed + index }, random)
    const below = isNested ? `Volume ${String(Math.floor(index / 10) + 1).padStart(2, '0')}/` : ''
    const extension = book.oddity === 'misnamed' ? 'cbz' : book.format
    const path = `${folder}/${below}${style({ name, number: index + 1, year })}.${extension}`
    return { ...book, path, series: name, number: index + 1, year }
  })
  return { folder, name, year, hasSeriesJson, books }
}

const styles: readonly ((of: { name: string; number: number; year: number }) => string)[] = [
  ({ name, number, year }) => `${name} v${String(number).padStart(2, '0')} (${year})`,
  ({ name, number }) => `${name} c${String(number).padStart(3, '0')}${number % 12 === 0 ? '.5' : ''}`,
  ({ name, number }) => `[Lantern Scans] ${name} ${String(number).padStart(3, '0')}`,
  ({ name, number, year }) => `${name} #${number} (${year})`,
]

const planBook = (
  { name, pages: [fewest, most] }: Profile,
  { index, seed }: { index: number; seed: number },
  random: Random,
): Omit<PlannedBook, 'path' | 'series' | 'number' | 'year'> => {
  const pages = fewest + Math.floor(random() * (most - fewest + 1))
  const isPdf = random() < shares.pdf
  const isDeflated = random() < shares.deflated
  const hasComicInfo = random() < shares.comicInfo
  const isOdd = random() < shares.odd
  // The large files do not depend on chance: four are stored as they are, two are packed.
  if (name === 'BIG')
    return { format: 'cbz', seed, pages, packing: index < 4 ? 'stored' : 'deflated', hasComicInfo, oddity: undefined }
  const oddity = isOdd ? pick(oddities, random) : undefined
  const format = oddity === 'misnamed' || (isPdf && (oddity === undefined || oddity === 'empty')) ? 'pdf' : 'cbz'
  return { format, seed, pages, packing: isDeflated ? 'deflated' : 'stored', hasComicInfo, oddity }
}
