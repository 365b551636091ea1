import { expect, test } from 'vitest'
import { writeQueue } from './write-queue.ts'

/** It runs what comes together when it is told to. */
const openQueue = () => {
  const runs: { readonly names: readonly string[]; readonly end: () => void; readonly fail: () => void }[] = []
  const queue = writeQueue((calls) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly { result: unknown; topics: [] }[]>()
    runs.push({
      names: calls.map(({ name }) => name),
      end: () => resolve(calls.map(({ input }) => ({ result: input, topics: [] }))),
      fail: () => reject(new Error('The disk is full')),
    })
    return promise
  })
  return { queue, runs, call: (name: string) => queue.run({ name, input: `done ${name}` }) }
}

const settled = () => new Promise(setImmediate)

test('W1 what comes while a commit is under way goes together into the next one', async () => {
  const { runs, call } = openQueue()
  const answers = ['a', 'b', 'c', 'd'].map(call)
  expect(runs.map(({ names }) => names)).toEqual([['a']])
  runs[0]?.end()
  await expect(answers[0]).resolves.toMatchObject({ result: 'done a' })
  await settled()
  expect(runs.map(({ names }) => names)).toEqual([['a'], ['b', 'c', 'd']])
  runs[1]?.end()
  expect(await Promise.all(answers)).toMatchObject(['a', 'b', 'c', 'd'].map((name) => ({ result: `done ${name}` })))
})

test('W1 nobody is answered by a commit that has failed, and those after it go on', async () => {
  const { runs, call } = openQueue()
  const failing = call('a')
  const waiting = call('b')
  runs[0]?.fail()
  await expect(failing).rejects.toThrow('The disk is full')
  await settled()
  runs[1]?.end()
  await expect(waiting).resolves.toMatchObject({ result: 'done b' })
})

test('W1 a transaction of its own comes when it is its turn, between those that share one', async () => {
  const { queue, runs, call } = openQueue()
  void call('a')
  let isMine = false
  const takeIt = async (): Promise<void> => {
    await queue.take()
    isMine = true
  }
  const taken = takeIt()
  void call('b')
  await settled()
  expect(isMine).toBe(false)
  runs[0]?.end()
  await taken
  expect(runs).toHaveLength(1)
  queue.end()
  await settled()
  expect(runs.map(({ names }) => names)).toEqual([['a'], ['b']])
})

test('W4 a thousand may wait, and who comes later is told to try again', async () => {
  const { queue, runs, call } = openQueue()
  void call('first')
  const waiting = Array.from({ length: 1000 }, (_, index) => call(String(index)))
  await expect(call('too many')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(queue.take()).rejects.toMatchObject({ code: 'unavailable' })
  for (let run = 0; run < runs.length; run += 1) {
    runs[run]?.end()
    await settled()
  }
  expect(await Promise.all(waiting)).toHaveLength(1000)
})
