import { hash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MadeCover } from '../../decoders/cover.ts'
import { newId } from '../../platform/ids.ts'

export type CoverSize = 'small' | 'large'

/** The pictures of covers, each in two sizes, by what they show. */
export interface CoverStore {
  /** It returns the name that the pictures have from now on. */
  put(cover: Pick<MadeCover, 'small' | 'large'>): Promise<string>
  get(contentHash: string, size: CoverSize): Promise<Buffer | undefined>
  remove(contentHashes: Iterable<string>): Promise<void>
}

export const coverStore = (dataDir: string): CoverStore => {
  const pathOf = (name: string, size: CoverSize): string =>
    join(dataDir, 'covers', name.slice(0, 2), name.slice(2, 4), `${name}.${size}.jpg`)

  return {
    put: async ({ small, large }) => {
      const name = nameOfPicture({ large })
      await mkdir(dirname(pathOf(name, 'large')), { recursive: true, mode: 0o700 })
      // A reader who finds the small one finds the large one as well.
      await writeWhole(pathOf(name, 'large'), large)
      await writeWhole(pathOf(name, 'small'), small)
      return name
    },
    get: (name, size) => readFile(pathOf(name, size)).catch(() => undefined),
    remove: async (names) => {
      for (const name of names)
        for (const size of ['small', 'large'] as const) await rm(pathOf(name, size), { force: true })
    },
  }
}

/** What a picture shows is what it is called by. */
export const nameOfPicture = ({ large }: Pick<MadeCover, 'large'>): string => hash('sha256', large, 'hex').slice(0, 40)

const writeWhole = async (path: string, bytes: Uint8Array): Promise<void> => {
  const unfinished = `${path}.${newId()}`
  try {
    await writeFile(unfinished, bytes, { mode: 0o600 })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
