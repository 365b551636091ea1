import { randomBytes } from 'node:crypto'
import { isLoopback, type Config } from '../../config.ts'
import { newId } from '../../platform/ids.ts'
import { type ObjectStore, StoreAway } from '../../platform/objects/objects.ts'
import { problemOfStore } from '../../platform/objects/problem.ts'
import { failed, type Finding, ok, warning } from './finding.ts'

const check = 'object store'
const step = { tryMs: 4000, triesMax: 2 }
const unsignedMs = 5000

/** It puts something there, reads it, asks for it as a stranger would, and takes it away again. */
export const examineObjectStore = async ({ objectStore }: Pick<Config, 'objectStore'>): Promise<Finding[]> => {
  if (!objectStore) return []
  const [{ openBucket }, { bucketAddress }] = await Promise.all([
    import('../../platform/objects/s3/bucket.ts'),
    import('../../platform/objects/s3/ask.ts'),
  ])
  const bucket = openBucket(objectStore, { small: step, large: step, pauseMs: 100, restMs: 0 })
  const { urlOf } = bucketAddress(objectStore)
  const id = newId()
  const key = `doctor/${id}`
  try {
    const bytes = randomBytes(64)
    await bucket.put(key, bytes)
    try {
      const finding = await examineContent(bucket, key, bytes)
      if (finding) return [finding]
      if ((await isOpen(urlOf(key))) || (await isOpen(urlOf(undefined, { 'list-type': '2' }))))
        return [
          failed(
            check,
            'The bucket is public: what is in it can be read without a key.',
            'Take every right of the public away from the bucket: covers are for those who may see the books.',
          ),
        ]
    } finally {
      await bucket.remove([key])
    }
    if ((await bucket.get(key)) !== undefined)
      return [failed(check, 'What was removed from the bucket is still there.', 'See to the store itself.')]
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error
    const { message, advice } = problemOfStore(error)
    return [failed(check, `The object store cannot be used (${message}).`, advice)]
  }
  const { protocol, hostname } = new URL(objectStore.url)
  if (protocol === 'http:' && !isLoopback(hostname))
    return [
      warning(
        check,
        'The bucket can be used and is not public, but is spoken to without encryption.',
        'Give an address that begins with https://, unless nobody else is on that network.',
      ),
    ]
  return [ok(check, 'The bucket can be written, read, listed and cleared, and is not public.')]
}

const examineContent = async (bucket: ObjectStore, key: string, bytes: Buffer): Promise<Finding | undefined> => {
  const stored = await bucket.get(key)
  if (!stored?.equals(bytes))
    return failed(check, 'What was put into the bucket is not what is read from it.', 'See to the store itself.')
  for await (const object of bucket.list('doctor')) if (object.key === key) return undefined
  return failed(check, 'What was put into the bucket is not in its list.', 'See to the store itself.')
}

/** Whether anybody is answered, with no key at all. */
const isOpen = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(unsignedMs) })
    await response.body?.cancel()
    return response.ok
  } catch (error) {
    throw new StoreAway(error)
  }
}
