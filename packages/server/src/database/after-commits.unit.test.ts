import { expect, test } from 'vitest'
import { afterCommits, keptUntilCommits } from './after-commits.ts'

const counted = () => {
  let commits = 1
  let reads = 0
  let isAway = false
  const read = async (): Promise<number> => {
    reads += 1
    if (isAway) throw new Error('The database is away')
    return commits
  }
  return {
    db: { commitsSeen: () => commits },
    read,
    reads: () => reads,
    commit: () => void (commits += 1),
    isAway: (away: boolean) => void (isAway = away),
  }
}

test('what was read is kept while nobody has committed anything, and read again after that', async () => {
  const { db, read, reads, commit } = counted()
  const cached = keptUntilCommits(db, 0, read)
  expect([await cached(), await cached(), reads()]).toEqual([1, 1, 1])
  commit()
  expect([await cached(), await cached(), reads()]).toEqual([2, 2, 2])
})

test('a read that failed is tried again, though nobody has committed anything since', async () => {
  const { db, read, commit, isAway } = counted()
  const cached = keptUntilCommits(db, 0, read)
  await cached()
  commit()
  isAway(true)
  await expect(cached()).rejects.toThrow('away')
  isAway(false)
  expect(await cached()).toBe(2)
})

test('work that failed is done again, though nobody has committed anything since', async () => {
  const { db, read, reads, isAway } = counted()
  const check = afterCommits(db, read)
  isAway(true)
  await expect(check()).rejects.toThrow('away')
  isAway(false)
  await check()
  await check()
  expect(reads()).toBe(2)
})
