import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { typicalComicInfo } from './books/metadata.ts'
import { tinyJpeg } from './books/pictures.ts'
import { zip } from './books/zip.ts'

/** A folder of books on disk, gone with the variable. */
export interface LibraryFolder extends AsyncDisposable {
  readonly path: string
  /** A file with these bytes; as if it had been there for a while. */
  write(path: string, bytes: Buffer | string): Promise<void>
  in(path: string): string
}

export const libraryFolder = async (): Promise<LibraryFolder> => {
  const path = await mkdtemp(join(tmpdir(), 'carrel-library-'))
  return {
    path,
    in: (relative) => join(path, relative),
    write: async (relative, bytes) => {
      const file = join(path, relative)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, bytes)
      const earlier = new Date(Date.now() - 3_600_000 - Math.floor(Math.random() * 1e6))
      await utimes(file, earlier, earlier)
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

interface ComicOptions {
  /** Different seeds give different pictures. */
  readonly seed: number
  readonly pages?: number
  readonly method?: 'stored' | 'deflated'
  readonly comicInfo?: string | boolean
}

/** A comic as it comes: numbered pictures, and what it says of itself. */
export const comic = ({ seed, pages = 3, method = 'stored', comicInfo = false }: ComicOptions): Buffer =>
  zip([
    ...Array.from({ length: pages }, (_, index) => ({
      name: `page ${String(index + 1).padStart(3, '0')}.jpg`,
      bytes: tinyJpeg(seed * 1000 + index),
      method,
    })),
    ...(comicInfo === false
      ? []
      : [{ name: 'ComicInfo.xml', bytes: Buffer.from(comicInfo === true ? typicalComicInfo() : comicInfo), method }]),
  ])
