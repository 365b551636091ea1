import { AppError } from '../errors.ts'

export interface StoredObject {
  readonly key: string
  readonly size: number
  readonly changedAt: Date
}

/** An object that is being read, in parts. */
interface OpenObject {
  readonly size: number
  /** The bytes from one place up to, not with, another. */
  read(from: number, to: number): AsyncIterable<Buffer>
  close(): void
}

export interface PutOptions {
  /** False: it can be made again, and after a power cut it may be gone or cut short. */
  readonly isLasting: boolean
}

/** Files that several machines must see, each whole or not there, by keys such as `covers/ab/cd/NAME`. */
export interface ObjectStore {
  /** It is on the disk before the call returns, unless it need not last. */
  put(key: string, bytes: Uint8Array, options?: PutOptions): Promise<void>
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

/** The store cannot be asked now, or refuses: nothing is known of what is in it. */
export class StoreAway extends AppError {
  constructor(cause?: unknown) {
    super('unavailable', 'The storage of covers and files does not answer. Try again in a moment.', {
      retryAfterSeconds: 5,
      cause,
    })
  }
}
