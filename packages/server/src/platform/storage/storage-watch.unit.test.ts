import { expect, onTestFinished, test, vi } from 'vitest'
import { watchStorage } from './storage-watch.ts'

test('W14 storage is looked at while others read from it, and they hear when it is away', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answers = [true, true, false]
  const over = new AbortController()
  using storage = watchStorage(async () => answers.shift() ?? true, over.signal)
  await storage.check()
  await vi.advanceTimersByTimeAsync(5000)
  expect([storage.isAway(), storage.signal.aborted]).toEqual([false, false])
  await vi.advanceTimersByTimeAsync(5000)
  expect([storage.isAway(), storage.signal.aborted]).toEqual([true, true])
})

test('W14 work that is over for another reason says nothing of the storage', () => {
  const over = new AbortController()
  using storage = watchStorage(async () => true, over.signal)
  over.abort()
  expect([storage.isAway(), storage.signal.aborted]).toEqual([false, true])
  using late = watchStorage(async () => true, over.signal)
  expect(late.signal.aborted).toBe(true)
})
