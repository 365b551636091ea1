import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allOf, startObjectStore, type TestStore } from '../../../../test/object-store.ts'
import { expectedSignature } from '../../../../test/signed-request.ts'
import type { ObjectStore } from '../store.ts'
import { StoreAway } from '../store.ts'
import { problemOfStore } from '../problem.ts'
import { openBucket } from './bucket.ts'
import { circuitBreaker } from './circuit.ts'
import { readListing } from './listing.ts'

/** No test waits for what never comes longer than this. */
const step = { tryMs: 10_000, triesMax: 3 }
const timing = { small: step, large: step, pauseMs: 1, restMs: 0 }

let store: TestStore
let folder = ''
let bucket: ObjectStore
beforeAll(async () => {
  store = await startObjectStore()
  folder = await mkdtemp(join(tmpdir(), 'carrel-objects-'))
})
beforeEach(() => {
  store.mood = 'well'
  bucket = openBucket(store.address, timing)
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const problemOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StoreAway)
  return error instanceof StoreAway ? problemOfStore(error) : undefined
}

const readAll = async (key: string, from = 0, to?: number): Promise<Buffer> => {
  const object = await bucket.open(key)
  if (!object) throw new Error(`There is no ${key}`)
  const chunks: Buffer[] = []
  for await (const chunk of object.read(from, to ?? object.size)) chunks.push(chunk)
  object.close()
  return Buffer.concat(chunks)
}

test('the gate of the tests signs as Amazon says in its example', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41`,
  }
  const request = { method: 'GET', path: '/test.txt', headers, body: Buffer.alloc(0) }
  const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  const { given, expected } = expectedSignature(request, secretKey) ?? {}
  expect(expected).toBe(given)
})

test('an object is put, read, listed and removed', async () => {
  const bytes = randomBytes(1000)
  await bucket.put('covers/ab/cd/one.jpg', bytes)
  await bucket.put('covers/ab/cd/two.jpg', randomBytes(10))
  await bucket.put('exports/three.csv', randomBytes(10))
  expect(await bucket.get('covers/ab/cd/one.jpg')).toEqual(bytes)
  expect(await bucket.get('covers/ab/cd/none.jpg')).toBeUndefined()
  expect(await bucket.open('covers/ab/cd/none.jpg')).toBeUndefined()
  const listed = await allOf(bucket.list('covers'))
  expect(listed.map(({ key, size }) => [key, size])).toEqual([
    ['covers/ab/cd/one.jpg', 1000],
    ['covers/ab/cd/two.jpg', 10],
  ])
  await bucket.remove([...listed.map(({ key }) => key), 'covers/ab/cd/none.jpg'])
  expect(await allOf(bucket.list('covers'))).toEqual([])
  expect((await allOf(bucket.list('exports'))).map(({ key }) => key)).toEqual(['exports/three.csv'])
})

test('a list that comes in several parts comes whole', async () => {
  const keys = Array.from({ length: 10 }, (_, at) => `many/${String(at).padStart(4, '0')}`)
  await Promise.all(keys.map((key) => bucket.put(key, Buffer.from('x'))))
  expect((await allOf(bucket.list('many'))).map(({ key }) => key)).toEqual(keys)
})

test('a large file goes in parts and comes back the same, whole and in part', async () => {
  const bytes = randomBytes(20 * 1024 * 1024 + 17)
  const path = join(folder, 'large')
  await writeFile(path, bytes)
  const before = store.requests.length
  await bucket.putFile('exports/large.json', path)
  const requests = store.requests
    .slice(before)
    .map((line) => line.replace(/uploadId=[^&]+/, 'uploadId=…').split('?')[1])
  expect(requests).toEqual([
    'uploads=',
    'partNumber=1&uploadId=…',
    'partNumber=2&uploadId=…',
    'partNumber=3&uploadId=…',
    'uploadId=…',
  ])
  const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  expect(digest(await readAll('exports/large.json'))).toBe(digest(bytes))
  const [from, to] = [8 * 1024 * 1024 - 5, 8 * 1024 * 1024 + 5]
  expect(await readAll('exports/large.json', from, to)).toEqual(bytes.subarray(from, to))
})

test('a store that breaks off or is overloaded is asked three times, and is away then', async () => {
  const requestsOf = async (work: () => Promise<unknown>) => {
    const before = store.requests.length
    return { problem: await problemOf(work()), tries: store.requests.length - before }
  }
  store.mood = 'overloaded'
  expect(await requestsOf(() => bucket.get('x'))).toMatchObject({
    problem: { message: 'It answered 503 SlowDown' },
    tries: 3,
  })
  store.mood = 'gone'
  expect(await requestsOf(() => openBucket(store.address, timing).put('x', Buffer.from('x')))).toMatchObject({
    tries: 3,
  })
})

test('a wrong key is a refusal, which is not tried again; neither key is in what is said of it', async () => {
  const secretKey = 'another-secret-key-of-nobody'
  const before = store.requests.length
  const problem = await problemOf(openBucket({ ...store.address, secretKey }, timing).get('x'))
  expect(problem).toEqual({
    message: 'It answered 403 SignatureDoesNotMatch',
    advice: 'CARREL_OBJECT_STORE_ACCESS_KEY or CARREL_OBJECT_STORE_SECRET_KEY is wrong.',
  })
  expect(store.requests.length - before).toBe(1)
})

test('a bucket that is not there is no empty one', async () => {
  const elsewhere = openBucket({ ...store.address, url: store.address.url.replace('/carrel/', '/others/') }, timing)
  for (const work of [
    () => elsewhere.get('x'),
    () => elsewhere.open('x'),
    () => elsewhere.put('x', Buffer.from('x')),
    () => allOf(elsewhere.list('x')),
  ])
    expect(await problemOf(work())).toMatchObject({ message: 'It answered 404 NoSuchBucket' })
})

test('a store that never answers ends the wait', async () => {
  store.mood = 'silent'
  const small = { tryMs: 50, triesMax: 2 }
  const impatient = openBucket(store.address, { ...timing, small })
  expect(await problemOf(impatient.get('x'))).toMatchObject({ message: 'no answer in time' })
})

test('what has failed three times in a row fails at once, until one question after a rest is answered', async () => {
  let now = 0
  let requestCount = 0
  let isAway = true
  const through = circuitBreaker({ failuresMax: 3, restMs: 1000, now: () => now })
  const ask = () =>
    through(async () => {
      requestCount += 1
      if (isAway) throw new StoreAway()
      return 'here'
    }).catch(() => 'away')
  for (let at = 0; at < 5; at += 1) expect(await ask()).toBe('away')
  expect(requestCount).toBe(3)
  now = 1001
  expect(await Promise.all([ask(), ask()])).toEqual(['away', 'away'])
  expect(requestCount).toBe(4)
  isAway = false
  expect(await ask()).toBe('away')
  now = 2002
  expect(await ask()).toBe('here')
  expect(await ask()).toBe('here')
})

test('a list says where the next part of it begins, and characters stand for themselves', () => {
  const xml = `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken><Contents><Key>x/y &lt;1&gt;</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>12</Size><Owner><ID>me</ID></Owner></Contents></ListBucketResult>`
  expect(readListing(xml)).toEqual({
    objects: [{ key: 'x/y <1>', size: 12, changedAt: new Date('2026-01-02T03:04:05.000Z') }],
    next: 'a&b=',
  })
})
