import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { rootLimiter } from './root-limiter.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

const lines: string[] = []
const makeGate = () => {
  lines.length = 0
  return rootLimiter(
    createLog({
      level: 'info',
      format: 'json',
      write: (line) => lines.push((JSON.parse(line) as { msg: string }).msg),
    }),
  )
}

/** Work that ends when the test says so, and counts how often it was begun. */
const work = () => {
  const ends: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  return {
    run: () => new Promise<string>((resolve, reject) => ends.push({ resolve, reject })),
    begun: () => ends.length,
    end: (index: number) => ends[index]?.resolve('done'),
    fail: (index: number, error: Error) => ends[index]?.reject(error),
  }
}

const codeOf = (outcome: Promise<unknown>): Promise<string> =>
  outcome.then(
    () => 'went well',
    (error: AppError) => error.code,
  )
const coded = (code: string) => Object.assign(new Error(code), { code })
const settle = () => vi.advanceTimersByTimeAsync(0)

test('W14 at most four operations of a root are in flight, the others take their turn', async () => {
  const gate = makeGate()
  const { run, begun, end } = work()
  const all = Array.from({ length: 6 }, () => gate('a', run))
  await settle()
  expect(begun()).toBe(4)

  end(0)
  await settle()
  expect(begun()).toBe(5)
  end(1)
  await settle()
  expect(begun()).toBe(6)
  for (let index = 2; index < 6; index += 1) end(index)
  expect(await Promise.all(all)).toEqual(Array.from({ length: 6 }, () => 'done'))
})

test('W14 at most forty are in flight over all roots, and who waits goes on as soon as anybody ends', async () => {
  const gate = makeGate()
  const { run, begun, end } = work()
  for (let root = 0; root < 11; root += 1) {
    for (let each = 0; each < 4; each += 1) void codeOf(gate(`root ${root}`, run))
  }
  await settle()
  expect(begun()).toBe(40)

  end(0)
  await settle()
  expect(begun()).toBe(41)
})

test('W14 who asks for too much at once is told to come back', async () => {
  const gate = makeGate()
  const { run } = work()
  const all = Array.from({ length: 4 + 2000 + 1 }, () => codeOf(gate('a', run)))

  expect(await all.at(-1)).toBe('unavailable')
})

test('W14 a root that lets the deadline pass refuses at once, those who wait too, and no other root', async () => {
  const gate = makeGate()
  const { run, begun } = work()
  const hung = Array.from({ length: 4 }, () => codeOf(gate('a', run)))
  const waiting = codeOf(gate('a', run))
  await vi.advanceTimersByTimeAsync(10_000)

  expect(await Promise.all([...hung, waiting])).toEqual(Array.from({ length: 5 }, () => 'library_unavailable'))
  expect(await codeOf(gate('a', run))).toBe('library_unavailable')
  expect(begun()).toBe(4)
  expect(await gate('b', () => Promise.resolve('fine'))).toBe('fine')
  expect(lines).toEqual(['The storage of a library does not answer'])
})

test('W14 one probe every five seconds goes through, and one that is answered opens the gate', async () => {
  const gate = makeGate()
  const hung = work()
  void codeOf(gate('a', hung.run))
  await vi.advanceTimersByTimeAsync(10_000)
  const { run, begun, end } = work()
  expect(await codeOf(gate('a', run))).toBe('library_unavailable')

  await vi.advanceTimersByTimeAsync(5000)
  const probe = gate('a', run)
  expect(await codeOf(gate('a', run))).toBe('library_unavailable')
  expect(begun()).toBe(1)
  end(0)
  expect(await probe).toBe('done')
  expect(await gate('a', () => Promise.resolve('fine'))).toBe('fine')
  expect(lines).toEqual(['The storage of a library does not answer', 'The storage of a library answers again'])
})

test('W14 probes that hang hold no more than four threads, however long it lasts', async () => {
  const gate = makeGate()
  const { run, begun, end } = work()
  for (let round = 0; round < 20; round += 1) {
    void codeOf(gate('a', run))
    await vi.advanceTimersByTimeAsync(10_000)
  }
  expect(begun()).toBe(4)

  end(0)
  await settle()
  expect(await gate('a', () => Promise.resolve('fine'))).toBe('fine')
})

test('W14 an answer that something is missing is an answer; one that the disk is gone is not', async () => {
  const gate = makeGate()
  const { run, fail } = work()
  void codeOf(gate('a', run))
  await vi.advanceTimersByTimeAsync(15_000)

  expect(await codeOf(gate('a', () => Promise.reject(coded('EIO'))))).toBe('library_unavailable')
  expect(await codeOf(gate('a', () => Promise.resolve()))).toBe('library_unavailable')
  await vi.advanceTimersByTimeAsync(5000)
  expect(await codeOf(gate('a', () => Promise.reject(coded('ENOENT'))))).toBe('ENOENT')
  expect(await codeOf(gate('a', () => Promise.resolve()))).toBe('went well')
  fail(0, new Error('late'))
  await settle()
})

test('W14 work that throws before it begins gives its place back', async () => {
  const gate = makeGate()
  const thrown = () => {
    throw coded('EACCES')
  }
  for (let each = 0; each < 10; each += 1) expect(await codeOf(gate('a', thrown))).toBe('EACCES')
})
