import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allOf, startObjectStore, type TestStore } from '../../../test/object-store.ts'
import { bucketAt, type ObjectStoreAddress } from '../../platform/objects/objects.ts'
import { examineObjectStore } from './object-store.ts'

let store: TestStore
beforeAll(async () => {
  store = await startObjectStore()
})
beforeEach(() => {
  store.mood = 'well'
  store.isPublic = false
})
afterAll(() => store[Symbol.asyncDispose]())

const examine = async (more: Partial<ObjectStoreAddress> = {}) => {
  const findings = await examineObjectStore({ objectStore: { ...store.address, ...more } })
  expect(findings).toHaveLength(1)
  const [finding] = findings
  const { host } = new URL(store.address.url)
  for (const secret of [store.address.secretKey, host]) expect(JSON.stringify(finding)).not.toContain(secret)
  return finding
}

test('CFG-6 the doctor puts something into the bucket, reads it, and takes it away again', async () => {
  expect(await examineObjectStore({ objectStore: undefined })).toEqual([])
  expect(await examine()).toMatchObject({ check: 'object store', status: 'ok' })
  expect(await allOf(bucketAt(store.address).list('doctor'))).toEqual([])
})

test('CFG-6 the doctor says that a bucket is public', async () => {
  store.isPublic = true
  expect(await examine()).toMatchObject({ status: 'failed', message: expect.stringContaining('is public') })
  expect(await allOf(bucketAt(store.address).list('doctor'))).toEqual([])
})

test('CFG-6 the doctor says that a key is wrong, a bucket is missing, or nobody answers', async () => {
  expect(await examine({ secretKey: 'of-another' })).toMatchObject({
    status: 'failed',
    message: 'The object store cannot be used (It answered 403 SignatureDoesNotMatch).',
    advice: expect.stringContaining('CARREL_OBJECT_STORE_SECRET_KEY is wrong'),
  })
  expect(await examine({ url: store.address.url.replace('/carrel/', '/others/') })).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('Make the bucket'),
  })
  store.mood = 'gone'
  expect(await examine()).toMatchObject({
    status: 'failed',
    advice: expect.stringContaining('whether this machine reaches it'),
  })
})
