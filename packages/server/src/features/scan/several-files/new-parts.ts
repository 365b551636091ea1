import type { ReadDb } from '../../../database/database.ts'
import type { NamingRules } from '../../../catalogue/shown/shown.ts'
import type { Placement } from '../identity/placement.ts'
import { byWorth, fileOfRow, namesWith, stemOf } from './same-book.ts'
import { type FileNamed, selectFilesNamed } from './queries.ts'

/** A new file that is no book: it lies beside that of a book that is there, or beside one that is as new. */
export interface NewPart {
  readonly placement: Placement
  readonly of: Placement | string
}

export interface BooksAndParts {
  readonly books: readonly Placement[]
  readonly parts: readonly NewPart[]
}

interface FileStem {
  readonly rootId: string
  readonly folder: string
  readonly stem: string
}

const keyOf = ({ rootId, folder, stem }: FileStem): string => `${rootId}/${folder}/${stem}`

interface NewFiles {
  /** In the order of the walk. */
  readonly placements: readonly Placement[]
  /** Where no file was known before, only those just before the first of these may lie beside one of them. */
  readonly onlyBeside?: Placement | undefined
}

/** Which of these new files are books, and which are further files of one (C21). */
export const findNewParts = async (
  db: ReadDb,
  rules: NamingRules,
  { placements, onlyBeside }: NewFiles,
): Promise<BooksAndParts> => {
  const placeOf = new Map<Placement, FileStem>()
  for (const placement of placements) {
    const place = placeIn(rules, placement)
    if (place) placeOf.set(placement, place)
  }
  const fresh = [...placeOf].filter(([{ bookId }]) => bookId === undefined)
  if (fresh.length === 0) return { books: placements, parts: [] }
  const places = fresh.map(([, place]) => place)
  const there = await findBooksAt(db, rules, onlyBeside ? places.filter(isBeside(onlyBeside)) : places)
  const parts = new Map<Placement, Placement | string>()
  for (const [key, files] of Map.groupBy(placeOf, ([, place]) => keyOf(place))) {
    const known = there.get(key) ?? files.find(([{ bookId }]) => bookId !== undefined)?.[0].bookId
    const [first, ...others] = files
      .map(([placement]) => placement)
      .filter(({ bookId }) => bookId === undefined)
      .sort((one, other) => byWorth(fileOf(one), fileOf(other)))
    if (!first) continue
    if (known !== undefined) parts.set(first, known)
    for (const other of others) parts.set(other, known ?? first)
  }
  return {
    books: placements.filter((placement) => !parts.has(placement)),
    parts: [...parts].map(([placement, of]) => ({ placement, of })),
  }
}

/** What is called alike stands together in the order of the walk, but for names that begin with the stem and a dot. */
const isBeside =
  ({ rootId, found: [folder, name] }: Placement) =>
  (place: FileStem): boolean =>
    place.rootId === rootId && place.folder === folder && name.startsWith(`${place.stem}.`)

const fileOf = ({ found: [folder, name, , , , , , isFolder], analysed }: Placement) => ({
  folder,
  name,
  isFolder: isFolder === 1,
  isChosen: false,
  hasFault: analysed !== undefined && 'fault' in analysed,
})

const placeIn = (rules: NamingRules, placement: Placement): FileStem | undefined => {
  const file = fileOf(placement)
  const stem = stemOf(rules, file)
  return stem === undefined ? undefined : { rootId: placement.rootId, folder: file.folder, stem }
}

/** The books that have a file at one of these places, by the place. Of several the oldest, but for what is to stay by itself. */
const findBooksAt = async (
  db: ReadDb,
  rules: NamingRules,
  places: readonly FileStem[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const [key, books] of await findFilesAt(db, rules, places)) {
    const [first] = books
      .filter(({ is_apart }) => is_apart === null)
      .map(({ whole_id }) => whole_id)
      .sort()
    if (first !== undefined) found.set(key, first)
  }
  return found
}

const placesAtOnce = 200

/** All present files at these places. */
export const findFilesAt = async (
  db: ReadDb,
  rules: NamingRules,
  places: readonly FileStem[],
): Promise<ReadonlyMap<string, readonly FileNamed[]>> => {
  const wanted = [...new Map(places.map((place) => [keyOf(place), place])).values()]
  const found = new Map<string, FileNamed[]>()
  for (let from = 0; from < wanted.length; from += placesAtOnce) {
    const ranges = wanted
      .slice(from, from + placesAtOnce)
      .map(({ rootId, folder, stem }) => ({ rootId, folder, ...namesWith(stem) }))
    for (const file of await selectFilesNamed(db, ranges)) {
      const stem = stemOf(rules, fileOfRow(file))
      const isListed = file.whole_state === 'present' && file.whole_library_id === rules.id
      if (stem === undefined || !isListed) continue
      const key = keyOf({ rootId: file.root_id, folder: file.folder, stem })
      const others = found.get(key)
      if (others) others.push(file)
      else found.set(key, [file])
    }
  }
  return found
}
