import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { MadeCover } from '../../decoders/cover.ts'
import { fileCache } from '../../platform/files/file-cache.ts'
import type { Log } from '../../platform/log.ts'
import { objectsAt, type ObjectStore, type PutOptions, type StoredAt } from '../../platform/objects/objects.ts'
import { shareInFlight } from '../../platform/share.ts'

export type CoverSize = 'small' | 'large'

/** The pictures of covers, each in two sizes, by what they show. */
export interface CoverStore {
  /** It returns the name that the pictures have from now on. */
  put(cover: Pick<MadeCover, 'small' | 'large'>, options?: PutOptions): Promise<string>
  /** Undefined: there is none, or a power cut has left a part of it. It throws when the store cannot be asked. */
  get(contentHash: string, size: CoverSize): Promise<Buffer | undefined>
  remove(contentHashes: Iterable<string>): Promise<void>
}

const sizes = ['small', 'large'] as const
export const coverFolder = 'covers'

const keyOf = (name: string, size: CoverSize): string =>
  `${coverFolder}/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}.${size}.jpg`

/** The name of the picture whose object this is; undefined: it is none of ours. */
export const nameInKey = (key: string): string | undefined =>
  /^covers\/..\/..\/([0-9a-f]{40})\.(?:small|large)\.jpg$/.exec(key)?.[1]

export const coverStore = (storedAt: StoredAt): CoverStore => coversIn(objectsAt(storedAt))

const coversIn = (objects: ObjectStore): CoverStore => ({
  put: async ({ small, large }, options) => {
    const name = nameOfPicture({ large })
    // A reader who finds the small one finds the large one as well.
    await objects.put(keyOf(name, 'large'), large, options)
    await objects.put(keyOf(name, 'small'), small, options)
    return name
  },
  get: async (name, size) => {
    const bytes = await objects.get(keyOf(name, size))
    return bytes && isWhole(bytes) ? bytes : undefined
  },
  remove: (names) => objects.remove([...names].flatMap((name) => sizes.map((size) => keyOf(name, size)))),
})

/** All pictures are JPEG, which ends with these two bytes. */
const isWhole = (bytes: Buffer): boolean => bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9

const cachedBytesMax = 256 * 1024 * 1024

/** Pictures that lie elsewhere are asked for once, and then kept on this machine for a while: what has a name never changes. */
export const coversToShow = (storedAt: StoredAt, log: Log): CoverStore => {
  const store = coverStore(storedAt)
  if (!storedAt.objectStore) return store
  const cache = fileCache(join(storedAt.dataDir, 'cache', 'covers'), cachedBytesMax, log)
  const fetchOne = shareInFlight<Buffer | undefined>()
  return {
    ...store,
    get: async (name, size) => {
      const cachedAs = `${name}.${size}.jpg`
      const cached = await cache.get(cachedAs)
      if (cached) return cached
      return fetchOne(cachedAs, async () => {
        const bytes = await store.get(name, size)
        if (bytes) await cache.put(cachedAs, bytes)
        return bytes
      })
    },
  }
}

/** What a picture shows is what it is called by. */
export const nameOfPicture = ({ large }: Pick<MadeCover, 'large'>): string => hash('sha256', large, 'hex').slice(0, 40)
