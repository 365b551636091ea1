import { AppError } from '../errors.ts'
import { folderStore } from './folder.ts'

export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly changedAt: Date
}

/** An object that is being read, in parts. */
export interface OpenObject {
  readonly size: number
  /** The bytes from one place up to, not with, another. */
  read(from: number, to: number): AsyncIterable<Buffer>
  close(): void
}

/** Files that several machines must see, each whole or not there, by keys such as `covers/ab/cd/NAME`. */
export interface ObjectStore {
  put(key: string, bytes: Uint8Array): Promise<void>
  /** A finished file of any size; a folder takes it away from where it was. */
  putFile(key: string, path: string): Promise<void>
  /** For objects that fit into memory; undefined: there is none. */
  get(key: string): Promise<Buffer | undefined>
  open(key: string): Promise<OpenObject | undefined>
  /** All whose keys lie below a folder such as `covers`. */
  list(folder: string): AsyncIterable<StoredObject>
  remove(keys: Iterable<string>): Promise<void>
}

/** A bucket of S3, or of what speaks its language. */
export interface ObjectStoreAddress {
  /** Everything lies below it; of its path the first part is the bucket, unless the host name says which. */
  readonly url: string
  readonly isBucketInPath: boolean
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

/** An installation keeps its files in its data directory, unless an object store was named. */
export interface StoredAt {
  readonly dataDir: string
  readonly objectStore?: ObjectStoreAddress | undefined
}

/** It leaves out all of a configuration that is about something else. */
export const placeOf = ({ dataDir, objectStore }: StoredAt): StoredAt => ({ dataDir, objectStore })

/** The store cannot be asked now, or refuses: nothing is known of what is in it. */
export class StoreAway extends AppError {
  constructor(cause?: unknown) {
    super('unavailable', 'The storage of covers and files does not answer. Try again in a moment.', {
      retryAfterSeconds: 5,
      cause,
    })
  }
}

export const objectsAt = ({ dataDir, objectStore }: StoredAt): ObjectStore => {
  const folder = folderStore(dataDir)
  return objectStore ? withLeftovers(bucketAt(objectStore), folder) : folder
}

const opened = new WeakMap<ObjectStoreAddress, Promise<ObjectStore>>()

/** The bucket alone. What speaks to it is loaded with the first question. */
export const bucketAt = (address: ObjectStoreAddress): ObjectStore => {
  const bucket = (): Promise<ObjectStore> => {
    const known = opened.get(address) ?? import('./s3/bucket.ts').then(({ openBucket }) => openBucket(address))
    opened.set(address, known)
    return known
  }
  return {
    put: async (key, bytes) => (await bucket()).put(key, bytes),
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
