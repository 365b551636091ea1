import type { ImportDto } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { nameKey } from '../../../platform/text/sort-key.ts'
import type { LibraryRecord } from '../records.ts'
import { stagedRows } from '../staging.ts'
import { type OurLibrary, type PathToLookUp, selectFilesAt } from './queries.ts'

export type LibraryMatch = ImportDto['libraries'][number]

export interface LibraryChoice {
  readonly theirs: string
  readonly ours?: string | null | undefined
  readonly path?: string | undefined
}

interface MatchingLibraries {
  readonly theirs: readonly LibraryRecord[]
  readonly ours: readonly OurLibrary[]
  readonly chosen: readonly LibraryChoice[]
}

/** Which of theirs is which of ours: as somebody has said it, else where most of its paths are, else by its name. */
export const matchLibraries = async (
  db: ReadDb,
  importId: string,
  { theirs, ours, chosen }: MatchingLibraries,
): Promise<LibraryMatch[]> => {
  const { samples, unnamed } = await sampleOfPaths(db, importId)
  const matches: LibraryMatch[] = []
  for (const { id, name, roots, grouping } of theirs) {
    const sample = samples.get(id)
    const shown = {
      theirs: id,
      name,
      roots: [...roots],
      // What a store of one library does not say the library of lies in that.
      books: (sample?.books ?? 0) + (theirs.length === 1 ? unnamed : 0),
      // The contract lists the policies; a reader names one of them.
      grouping: grouping as LibraryMatch['grouping'],
    }
    const choice = chosen.find((each) => each.theirs === id) ?? chosen.find((each) => each.theirs === name)
    if (choice?.path !== undefined) matches.push({ ...shown, ours: null, path: choice.path, by: 'you' })
    else if (choice) matches.push({ ...shown, ours: choice.ours ?? null, path: null, by: 'you' })
    else matches.push({ ...shown, path: null, ...(await proposed(db, { name, paths: sample?.paths ?? [] }, ours)) })
  }
  return matches
}

const proposed = async (
  db: ReadDb,
  { name, paths }: { readonly name: string; readonly paths: readonly string[] },
  ours: readonly OurLibrary[],
): Promise<Pick<LibraryMatch, 'ours' | 'by'>> => {
  const lookUps = ours.flatMap(({ roots }) => roots.flatMap(({ id }) => paths.map((path) => lookUpIn(id, path))))
  const counts = new Map<string, number>()
  for (let from = 0; from < lookUps.length; from += lookUpsAtOnce)
    for (const { libraryId } of await selectFilesAt(db, lookUps.slice(from, from + lookUpsAtOnce)))
      counts.set(libraryId, (counts.get(libraryId) ?? 0) + 1)
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (most) return { ours: most[0], by: 'path' }
  const sameName = ours.find((each) => nameKey(each.name) === nameKey(name))
  return sameName ? { ours: sameName.id, by: 'name' } : { ours: null, by: 'none' }
}

const lookUpsAtOnce = 500
const samplePaths = 200

export const lookUpIn = (rootId: string, path: string): PathToLookUp => {
  const end = path.lastIndexOf('/') + 1
  return { rootId, folder: path.slice(0, end), name: path.slice(end) }
}

interface Sample {
  books: number
  readonly paths: string[]
}

/** Some paths of each library, spread over it, and how many books it has; and how many are said to be in none. */
const sampleOfPaths = async (
  db: ReadDb,
  importId: string,
): Promise<{ readonly samples: ReadonlyMap<string, Sample>; readonly unnamed: number }> => {
  let unnamed = 0
  const samples = new Map<string, Sample>()
  for await (const { records } of stagedRows(db, importId, 'book')) {
    for (const { library, path } of records) {
      if (library === null) {
        unnamed += 1
        continue
      }
      const sample = samples.get(library) ?? { books: 0, paths: [] }
      sample.books += 1
      if (path !== null && (sample.paths.length < samplePaths / 2 || sample.books % 97 === 0))
        if (sample.paths.length < samplePaths) sample.paths.push(path)
      samples.set(library, sample)
    }
  }
  return { samples, unnamed }
}
