import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AppError } from '../platform/errors.ts'
import type { WriteDb } from './db.ts'
import { writesOfOnePerson } from './writes-of-one-person.ts'

/** Transactions that begin when they are told to, and fail at their end when they are told to. */
const transactions = () => {
  const begun: (() => void)[] = []
  let commitError: Error | undefined
  let count = 0
  const db = {} as WriteDb
  return {
    write: async <Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result> => {
      count += 1
      await new Promise<void>((resolve) => begun.push(resolve))
      const result = await work(db)
      if (commitError) throw commitError
      return result
    },
    begin: async (): Promise<void> => {
      for (let turn = 0; begun.length === 0 && turn < 100; turn += 1) await nextTurn()
      begun.shift()?.()
    },
    failAtCommit: (error: Error): void => {
      commitError = error
    },
    count: () => count,
  }
}

const answering =
  <Value>(value: Value, ran: Value[]) =>
  async (): Promise<Value> => {
    ran.push(value)
    return value
  }

test('W1 what one person writes at once runs alone first and then in one transaction, in order, and other people wait for none of it', async () => {
  const { write, begin, count } = transactions()
  const run = writesOfOnePerson(write)
  const ran: number[] = []
  const answers = [1, 2, 3, 4].map((each) => run('ana', answering(each, ran)))
  const other = run('ben', answering(5, ran))
  expect(count()).toBe(2)

  await begin()
  await begin()
  expect(await Promise.all([answers[0], other])).toEqual([1, 5])
  await begin()

  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4])
  expect(ran.filter((each) => each !== 5)).toEqual([1, 2, 3, 4])
  expect(count()).toBe(3)
})

test('W1 one that is refused takes none along: each is run alone then', async () => {
  const { write, begin, count } = transactions()
  const run = writesOfOnePerson(write)
  const ran: number[] = []
  const first = run('ana', answering(1, ran))
  const refused = run('ana', async () => {
    throw new AppError('not_found', 'There is no such book.')
  })
  const last = run('ana', answering(3, ran))
  const outcomes = Promise.allSettled([first, refused, last])

  for (let transaction = 0; transaction < 4; transaction += 1) await begin()

  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(count()).toBe(4)
})

test('P-1 where a commit of several has failed nobody knows whether it was one: none of them is made again', async () => {
  const { write, begin, failAtCommit, count } = transactions()
  const run = writesOfOnePerson(write)
  const ran: number[] = []
  const first = run('ana', answering(1, ran))
  const waiting = Promise.allSettled([2, 3].map((each) => run('ana', answering(each, ran))))
  await begin()
  await first
  failAtCommit(new Error('the connection is gone'))
  await begin()

  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(ran).toEqual([1, 2, 3])
  expect(count()).toBe(2)
})

test('P-12 without a database nobody waits for those before them: all are refused with the first', async () => {
  const away = new AppError('unavailable', 'The database does not answer.')
  let refuse: (error: Error) => void = () => undefined
  const run = writesOfOnePerson(
    () =>
      new Promise((_, reject) => {
        refuse = reject
      }),
  )
  const outcomes = Promise.allSettled(Array.from({ length: 40 }, () => run('ana', async () => undefined)))
  refuse(away)

  expect(new Set((await outcomes).map((each) => 'reason' in each && each.reason))).toEqual(new Set([away]))
})

test('W1 no more than a thousand wait', async () => {
  const { write, begin } = transactions()
  const run = writesOfOnePerson(write)
  const outcomes = Promise.allSettled(Array.from({ length: 1003 }, (_, index) => run('ana', async () => index)))
  for (let transaction = 0; transaction < 1 + Math.ceil(1000 / 6); transaction += 1) await begin()
  const refused = (await outcomes).flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  expect(refused).toEqual([1, 2].map(() => expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 1 })))
})
