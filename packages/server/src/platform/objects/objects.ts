import { folderStore } from './folder.ts'
import type { ObjectStore, ObjectStoreAddress } from './store.ts'

export { type ObjectStore, type ObjectStoreAddress, type PutOptions, StoreAway } from './store.ts'

/** An installation keeps its files in its data directory, unless an object store was named. */
export interface StoredAt {
  readonly dataDir: string
  readonly objectStore?: ObjectStoreAddress | undefined
}

/** It leaves out all of a configuration that is about something else. */
export const storedAtOf = ({ dataDir, objectStore }: StoredAt): StoredAt => ({ dataDir, objectStore })

export const objectsAt = ({ dataDir, objectStore }: StoredAt): ObjectStore => {
  const folder = folderStore(dataDir)
  return objectStore ? withLeftovers(bucketAt(objectStore), folder) : folder
}

const opened = new WeakMap<ObjectStoreAddress, Promise<ObjectStore>>()

/** The bucket alone. What speaks to it is loaded with the first question. */
export const bucketAt = (address: ObjectStoreAddress): ObjectStore => {
  const bucket = (): Promise<ObjectStore> => {
    const bucket = opened.get(address) ?? import('./s3/bucket.ts').then(({ openBucket }) => openBucket(address))
    opened.set(address, bucket)
    return bucket
  }
  return {
    put: async (key, bytes, options) => (await bucket()).put(key, bytes, options),
    putFile: async (key, path) => (await bucket()).putFile(key, path),
    get: async (key) => (await bucket()).get(key),
    open: async (key) => (await bucket()).open(key),
    async *list(folder) {
      yield* (await bucket()).list(folder)
    },
    remove: async (keys) => (await bucket()).remove(keys),
  }
}

/** What was in the data directory before there was a bucket is found there until it has been moved. */
const withLeftovers = (bucket: ObjectStore, folder: ObjectStore): ObjectStore => ({
  put: bucket.put,
  putFile: bucket.putFile,
  get: async (key) => (await bucket.get(key)) ?? folder.get(key),
  open: async (key) => (await bucket.open(key)) ?? folder.open(key),
  async *list(below) {
    yield* folder.list(below)
    yield* bucket.list(below)
  },
  remove: async (keys) => {
    const all = [...keys]
    await folder.remove(all)
    await bucket.remove(all)
  },
})
