import { type FileHandle, open } from 'node:fs/promises'
import { type ObjectStore, type ObjectStoreAddress, StoreAway, type StoredObject } from '../store.ts'
import { askBucket, bucketAddress, BucketRefusal, type BucketTiming, usualTiming } from './ask.ts'
import { readListing, uploadIdIn } from './listing.ts'

/** S3 takes no smaller parts than 5 MiB, but for the last, and no more than ten thousand of them: 78 GiB. */
const partBytes = 8 * 1024 * 1024
const removedAtOnce = 8
/** A picture is smaller, and somebody may wait until it is there. */
const smallBytes = 256 * 1024

interface Asking {
  readonly ask: ReturnType<typeof askBucket>
  readonly timing: BucketTiming
  readonly prefix: string
}

/** Objects in a bucket. No more of one than a part is ever in memory. */
export const openBucket = (address: ObjectStoreAddress, timing: BucketTiming = usualTiming): ObjectStore => {
  const { prefix } = bucketAddress(address)
  const asking: Asking = { ask: askBucket(address, timing), timing, prefix }
  return {
    put: (key, bytes) => put(asking, key, bytes),
    putFile: async (key, path) => {
      const file = await open(path, 'r')
      try {
        const { size } = await file.stat()
        if (size > partBytes) await putInParts(asking, key, file, size)
        else await put(asking, key, await bytesFrom(file, 0, size))
      } finally {
        await file.close()
      }
    },
    get: (key) => get(asking, key),
    open: async (key) => {
      const size = await sizeOf(asking, key)
      return size === undefined
        ? undefined
        : { size, read: (from, to) => read(asking, key, from, to), close: () => undefined }
    },
    list: (folder) => list(asking, folder),
    remove: async (keys) => {
      const left = [...keys]
      const removeNext = async (): Promise<void> => {
        for (let key = left.pop(); key !== undefined; key = left.pop())
          await asking.ask({ method: 'DELETE', key }, timing.small)
      }
      await Promise.all(Array.from({ length: removedAtOnce }, removeNext))
    },
  }
}

const sizeOf = async (asking: Asking, key: string): Promise<number | undefined> => {
  const { status, headers } = await asking.ask({ method: 'HEAD', key }, asking.timing.small)
  if (status !== 404) return Number(headers.get('content-length'))
  // Only an answer with a text says whether it is the object that is missing.
  await get(asking, key)
  return undefined
}

const put = async ({ ask, timing }: Asking, key: string, body: Uint8Array): Promise<void> => {
  const answer = await ask({ method: 'PUT', key, body }, body.byteLength > smallBytes ? timing.large : timing.small)
  if (answer.status === 404) throw new StoreAway(new BucketRefusal(answer))
}

const putInParts = async (asking: Asking, key: string, file: FileHandle, size: number): Promise<void> => {
  const { ask, timing } = asking
  const begun = await ask({ method: 'POST', key, query: { uploads: '' } }, timing.large)
  const uploadId = uploadIdIn(begun.bytes.toString())
  if (uploadId === undefined) throw new StoreAway(new BucketRefusal(begun))
  try {
    const tags: string[] = []
    for (let from = 0; from < size; from += partBytes) {
      const body = await bytesFrom(file, from, Math.min(partBytes, size - from))
      const query = { partNumber: String(tags.length + 1), uploadId }
      const answer = await ask({ method: 'PUT', key, query, body }, timing.large)
      if (answer.status === 404) throw new StoreAway(new BucketRefusal(answer))
      tags.push(answer.headers.get('etag') ?? '')
    }
    const body = Buffer.from(completed(tags))
    const ended = await ask({ method: 'POST', key, query: { uploadId }, body }, timing.large)
    // An answer that was lost on the way may have ended it: then there is no such upload any more.
    if (ended.status === 404 && (await sizeOf(asking, key)) !== size) throw new StoreAway(new BucketRefusal(ended))
  } catch (error) {
    // What stays of it the bucket's own rules remove.
    await ask({ method: 'DELETE', key, query: { uploadId } }, timing.small).catch(() => undefined)
    throw error
  }
}

const get = async ({ ask, timing }: Asking, key: string): Promise<Buffer | undefined> => {
  const answer = await ask({ method: 'GET', key }, timing.small)
  if (answer.status !== 404) return answer.bytes
  // A web server that knows nothing of this bucket says 404 too.
  if (answer.code !== 'NoSuchKey') throw new StoreAway(new BucketRefusal(answer))
  return undefined
}

async function* read({ ask, timing }: Asking, key: string, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += partBytes) {
    const end = Math.min(at + partBytes, to)
    const answer = await ask({ method: 'GET', key, headers: { range: `bytes=${at}-${end - 1}` } }, timing.large)
    if (answer.status === 404 || answer.bytes.length !== end - at) throw new StoreAway(new BucketRefusal(answer))
    yield answer.bytes
  }
}

async function* list({ ask, timing, prefix }: Asking, folder: string): AsyncGenerator<StoredObject> {
  let next: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix: `${prefix}${folder}/`,
      ...(next !== undefined && { 'continuation-token': next }),
    }
    const answer = await ask({ method: 'GET', query }, timing.small)
    if (answer.status === 404) throw new StoreAway(new BucketRefusal(answer))
    const listing = readListing(answer.bytes.toString())
    for (const object of listing.objects) yield { ...object, key: object.key.slice(prefix.length) }
    next = listing.next
  } while (next !== undefined)
}

const bytesFrom = async (file: FileHandle, from: number, size: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(size)
  for (let done = 0; done < size;) {
    const { bytesRead } = await file.read(bytes, done, size - done, from + done)
    if (bytesRead === 0) throw new Error('The file has become shorter while it was read')
    done += bytesRead
  }
  return bytes
}

const completed = (tags: readonly string[]): string => {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
