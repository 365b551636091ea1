import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { watchEventLoop } from './event-loop.ts'

/** The loop turns before and after, so that the monitor sees what was between. */
const blockFor = async (milliseconds: number): Promise<void> => {
  await delay(150)
  const until = performance.now() + milliseconds
  while (performance.now() < until);
  await delay(150)
}

test('HTTP-8 who looks learns how late things came since the last look, and the first look begins it', async () => {
  const loop = watchEventLoop()
  try {
    await blockFor(300)
    expect(loop.delayMs()).toBe(0)
    await blockFor(300)
    expect(loop.delayMs()).toBeGreaterThan(150)
  } finally {
    loop.stop()
  }
})

test('HTTP-8 the event loop is watched no longer once nobody has looked for two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const loop = watchEventLoop()
  try {
    loop.delayMs()
    vi.advanceTimersByTime(119_000)
    loop.delayMs()
    vi.advanceTimersByTime(119_000)
    await blockFor(300)
    expect(loop.delayMs()).toBeGreaterThan(150)
    await blockFor(300)
    vi.advanceTimersByTime(120_000)
    expect(loop.delayMs()).toBe(0)
  } finally {
    loop.stop()
    vi.useRealTimers()
  }
})
