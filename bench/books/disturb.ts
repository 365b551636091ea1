import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bookMaker } from '../gen/books.ts'
import type { GeneratedLibrary } from '../gen/library.ts'
import { isDamaged, planLibrary, type PlannedBook } from '../gen/plan.ts'
import { type ProfileName, profiles } from '../gen/profiles.ts'

/** Each number says how many of that kind. */
export interface Disturbance {
  readonly changed: number
  readonly removed: number
  readonly renamed: number
  readonly added: number
}

/** Books that no profile has. */
const strangeSeeds = 100_000_000

/** It changes files of a generated library while `use` runs; afterwards all are as they were, to their times. */
export const disturbed = <Result>(
  library: GeneratedLibrary,
  profile: ProfileName,
  { changed, removed, renamed, added }: Disturbance,
  use: () => Promise<Result>,
): Promise<Result> =>
  library.disturb(async () => {
    const maker = bookMaker(profiles[profile])
    const aside = `${library.root}.aside`
    const inLibrary = (path: string) => join(library.root, path)
    const chosen = spread(profile, changed + removed + renamed + added)
    await mkdir(aside)
    const undo: (() => Promise<void>)[] = []
    const putAside = async (book: PlannedBook): Promise<void> => {
      const asidePath = join(aside, String(book.seed))
      await rename(inLibrary(book.path), asidePath)
      undo.push(() => rename(asidePath, inLibrary(book.path)))
    }
    const add = async (book: PlannedBook, path: string): Promise<void> => {
      await writeFile(inLibrary(path), maker.bytesOf({ ...book, seed: strangeSeeds + book.seed }))
      undo.push(() => rm(inLibrary(path)))
    }
    try {
      for (const [at, book] of chosen.entries()) {
        const other = book.path.replace(/\.cbz$/, ' once more.cbz')
        if (at < changed + removed) await putAside(book)
        if (at < changed) await add(book, book.path)
        else if (at >= changed + removed + renamed) await add(book, other)
        else if (at >= changed + removed) {
          await rename(inLibrary(book.path), inLibrary(other))
          undo.push(() => rename(inLibrary(other), inLibrary(book.path)))
        }
      }
      return await use()
    } finally {
      for (const step of undo.toReversed()) await step()
      await rm(aside, { recursive: true })
    }
  })

/** Sound comics from all over the library. */
const spread = (profile: ProfileName, count: number): PlannedBook[] => {
  const sound = [...planLibrary(profiles[profile])]
    .flatMap(({ books }) => books)
    .filter((book) => book.path.endsWith('.cbz') && book.format === 'cbz' && !isDamaged(book))
  const step = Math.floor(sound.length / count)
  return sound.filter((_, at) => at % step === 0).slice(0, count)
}
