import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bookMaker, seriesJsonOf } from './books.ts'
import { isDamaged, planLibrary } from './plan.ts'
import { type ProfileName, profiles } from './profiles.ts'

/** It is raised whenever the same profile makes other bytes: a stored library does not fit then. */
const version = 1

/** A server must report these counts once it has read the whole library. */
export interface Counts {
  readonly books: number
  readonly series: number
  /** It counts the pages of books that can be read. */
  readonly pages: number
  /** Books that cannot be read. */
  readonly damaged: number
  readonly sidecars: number
  readonly bytes: number
}

type ListedFile = readonly [path: string, size: number, sha256: string]

interface Manifest {
  readonly profile: ProfileName
  readonly version: number
  readonly counts: Counts
  readonly files: readonly ListedFile[]
}

export interface GeneratedLibrary {
  /** The root of the library; nothing else is in it. */
  readonly root: string
  readonly counts: Counts
  /** Books and what lies beside them, below the root. */
  readonly files: readonly string[]
  /** It changes the files, and undoes that when it ends; if undoing fails all of it is made again next time. */
  disturb<Result>(use: () => Promise<Result>): Promise<Result>
}

/** The library is made once and stays in the temporary directory as long as its manifest fits. */
export const generatedLibrary = async (name: ProfileName): Promise<GeneratedLibrary> => {
  const folder = join(tmpdir(), `carrel-bench-library-${name}`)
  const manifestFile = join(folder, 'manifest.json')
  const root = join(folder, 'library')
  const stored = await readManifest(manifestFile)
  const manifest = stored && fits(stored, name, root) ? stored : await make(name, folder, root)
  return {
    root,
    counts: manifest.counts,
    files: manifest.files.map(([path]) => path),
    disturb: async (use) => {
      await rename(manifestFile, `${manifestFile}.disturbed`)
      const result = await use()
      await rename(`${manifestFile}.disturbed`, manifestFile)
      return result
    },
  }
}

const readManifest = async (file: string): Promise<Manifest | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const fits = (manifest: Manifest, name: ProfileName, root: string): boolean =>
  manifest.profile === name &&
  manifest.version === version &&
  manifest.files.every(([path, size]) => lstatSync(join(root, path), { throwIfNoEntry: false })?.size === size)

const make = async (name: ProfileName, folder: string, root: string): Promise<Manifest> => {
  await rm(folder, { recursive: true, force: true })
  const maker = bookMaker(profiles[name])
  const files: ListedFile[] = []
  let bytes = 0
  let counts: Counts = { books: 0, series: 0, pages: 0, damaged: 0, sidecars: 0, bytes: 0 }
  const write = async (path: string, content: Buffer): Promise<void> => {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    files.push([path, content.length, hash('sha256', content)])
    bytes += content.length
  }
  for (const series of planLibrary(profiles[name])) {
    for (const book of series.books) await write(book.path, maker.bytesOf(book))
    if (series.hasSeriesJson) await write(`${series.folder}/series.json`, seriesJsonOf(series))
    const readable = series.books.filter((book) => !isDamaged(book))
    counts = {
      books: counts.books + series.books.length,
      series: counts.series + 1,
      pages: counts.pages + readable.reduce((sum, { pages }) => sum + pages, 0),
      damaged: counts.damaged + series.books.length - readable.length,
      sidecars: counts.sidecars + (series.hasSeriesJson ? 1 : 0),
      bytes,
    }
  }
  const manifest: Manifest = { profile: name, version, counts, files }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return manifest
}
