import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allOf, startObjectStore, type TestStore } from '../../../test/object-store.ts'
import { folderStore } from './folder.ts'
import { moveObjects } from './move.ts'
import type { ObjectStore } from './store.ts'
import { openBucket } from './s3/bucket.ts'

const step = { tryMs: 10_000, triesMax: 1 }

let store: TestStore
let folder = ''
beforeAll(async () => {
  store = await startObjectStore()
  folder = await mkdtemp(join(tmpdir(), 'carrel-moving-'))
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('P-1 a move that is cut off after any of its steps loses nothing, and the next one ends it, there and back', async () => {
  const bucketNow = () => openBucket(store.address, { small: step, large: step, pauseMs: 1, restMs: 0 })
  const here = folderStore(join(folder, 'data'))
  const pictures = new Map(Array.from({ length: 2 }, (_, at) => [`covers/ab/cd/${at}.jpg`, randomBytes(500 + at)]))
  for (const [key, bytes] of pictures) await here.put(key, bytes)
  await here.put('covers/ab/cd/unfinished', randomBytes(3))
  const move = (from: ObjectStore, to: ObjectStore) =>
    moveObjects({
      from,
      to,
      folders: ['covers'],
      isOurs: (key) => key.endsWith('.jpg'),
      scratch: (name) => join(folder, name),
      onDone: () => undefined,
    })
  const placesOf = async () => {
    store.answersLeft = Number.POSITIVE_INFINITY
    for (const [key, bytes] of pictures) {
      const copies = [await here.get(key), await bucketNow().get(key)].filter((copy) => copy !== undefined)
      expect(copies.length).toBeGreaterThan(0)
      for (const copy of copies) expect(copy).toEqual(bytes)
    }
  }

  for (const way of ['there', 'back'] as const) {
    let cuts = 0
    for (let answers = 0; ; answers += 1) {
      store.answersLeft = answers
      const bucket = bucketNow()
      const [from, to] = way === 'there' ? [here, bucket] : [bucket, here]
      const end = await move(from, to).catch(() => 'cut off')
      await placesOf()
      if (end !== 'cut off') break
      cuts += 1
    }
    expect(cuts).toBeGreaterThan(3)
    const [old, present] = way === 'there' ? [here, bucketNow()] : [bucketNow(), here]
    expect((await allOf(old.list('covers'))).map(({ key }) => key)).toEqual(
      way === 'there' ? ['covers/ab/cd/unfinished'] : [],
    )
    for (const [key, bytes] of pictures) expect(await present.get(key)).toEqual(bytes)
  }
})

test('a copy that is not the same is no copy: the first one stays', async () => {
  const here = folderStore(join(folder, 'other'))
  await here.put('covers/one.jpg', Buffer.from('as it was'))
  const bucket = openBucket(store.address, { small: step, large: step, pauseMs: 1, restMs: 0 })
  const changing: ObjectStore = { ...bucket, putFile: (key) => bucket.put(key, Buffer.from('as it is')) }
  const moving = moveObjects({
    from: here,
    to: changing,
    folders: ['covers'],
    isOurs: () => true,
    scratch: (name) => join(folder, name),
    onDone: () => undefined,
  })
  await expect(moving).rejects.toThrow('covers/one.jpg is not the same where it was copied to')
  expect(await here.get('covers/one.jpg')).toEqual(Buffer.from('as it was'))
})
