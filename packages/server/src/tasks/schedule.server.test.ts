import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { day, minute, movableClock } from '../../test/movable-clock.ts'
import { times } from '../../test/smoke/torture.ts'
import { startServer, type TestServer } from '../../test/start-server.ts'
import { testTask } from '../../test/work.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { enqueue } from './queue.ts'
import { runSchedules, type Schedule } from './schedule.ts'

const tick = testTask(async () => undefined, { type: 'test_tick' })

interface Scheduler extends AsyncDisposable {
  /** A whole look, from its beginning to its end. */
  look(): Promise<void>
  pause(): void
  resume(): void
}

interface Pattern {
  readonly name: string
  readonly pattern: string
  readonly timeZone: string
}

/** Each process has its own connection to the database, and its own memory of the ticks dealt with. */
const startScheduler = async (
  { context }: TestServer,
  clock: () => Date,
  patterns: readonly Pattern[],
): Promise<Scheduler> => {
  const db = await openDatabase(context.config.database, context.log, (error) => {
    throw error
  })
  const counter = { begun: 0 }
  let isPaused = false
  const schedules = patterns.map(({ name, pattern, timeZone }): Schedule => ({
    name,
    pattern: () => pattern,
    timeZone: () => timeZone,
    fire: async (db, now) => {
      if (name === 'not made') throw new Error('A test makes no task of this one')
      await enqueue(db, tick, { name }, { now })
    },
  }))
  const countLooks: Schedule = {
    name: 'never',
    pattern: () => {
      counter.begun += 1
      return ''
    },
    timeZone: () => 'UTC',
    fire: async () => undefined,
  }
  const ticking = runSchedules({
    db,
    log: context.log,
    clock: () => {
      if (isPaused) throw new Error('This process is stopped')
      return clock()
    },
    schedules: async () => [...schedules, countLooks],
  })
  return {
    look: async () => {
      // The check under way may have begun before; the one after that is complete when the next begins.
      const expected = counter.begun + 2
      while (counter.begun < expected) {
        ticking.wake()
        await nextTurn()
      }
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    async [Symbol.asyncDispose]() {
      await ticking.stop()
      await db.close()
    },
  }
}

const firings = async ({ context }: TestServer, name?: string): Promise<string[]> => {
  const rows = await context.db.read
    .selectFrom('task')
    .select(['payload', 'created_at'])
    .where('type', '=', 'test_tick')
    .orderBy('id')
    .execute()
  return rows
    .filter(({ payload }) => name === undefined || payload === JSON.stringify({ name }))
    .map(({ created_at }) => created_at)
}

const everyFiveMinutes = [{ name: 'every five', pattern: '*/5 * * * *', timeZone: 'UTC' }]

test('TSK-1 P-11 D4 of two schedulers one fires each tick, also when either of them stood still', async () => {
  await using server = await startServer()
  const { clock, pass } = movableClock()
  await using one = await startScheduler(server, clock, everyFiveMinutes)
  await using other = await startScheduler(server, clock, everyFiveMinutes)
  await Promise.all([one.look(), other.look()])
  const count = async () => (await firings(server)).length
  const ticks = times(40, 200)

  for (let turn = 0; turn < ticks; turn += 1) {
    pass(5 * minute)
    await Promise.all([one.look(), other.look()])
  }
  expect(await count()).toBe(ticks)

  other.pause()
  for (let turn = 0; turn < 10; turn += 1) {
    pass(5 * minute)
    await one.look()
  }
  other.resume()
  await Promise.all([one.look(), other.look()])
  expect(await count()).toBe(ticks + 10)

  one.pause()
  other.pause()
  pass(50 * minute)
  one.resume()
  other.resume()
  await Promise.all([one.look(), other.look()])
  expect(await count()).toBe(ticks + 11)
  expect(new Set(await firings(server)).size).toBe(ticks + 11)
})

test('TSK-1 a schedule in a time zone that nobody knows, or whose tasks cannot be made, holds up no other', async () => {
  await using server = await startServer()
  const { clock, pass } = movableClock()
  await using scheduler = await startScheduler(server, clock, [
    { name: 'nowhere', pattern: '*/5 * * * *', timeZone: 'Foo/Bar' },
    { name: 'not made', pattern: '*/5 * * * *', timeZone: 'UTC' },
    ...everyFiveMinutes,
  ])
  await scheduler.look()

  pass(5 * minute)
  await scheduler.look()

  expect(await firings(server, 'every five')).toHaveLength(1)
  expect(await firings(server)).toHaveLength(1)
  expect(server.logLines).toContainEqual(
    expect.objectContaining({ name: 'nowhere', msg: 'The times of a schedule cannot be read' }),
  )
})

test('TSK-1 P-9 F1 a clock that leaps makes up for one tick at most, and schedules go on from where it is', async () => {
  await using server = await startServer()
  const { clock, pass } = movableClock()
  await using one = await startScheduler(server, clock, everyFiveMinutes)
  await using other = await startScheduler(server, clock, everyFiveMinutes)
  const lookBoth = async (): Promise<number> => {
    const before = (await firings(server)).length
    await Promise.all([one.look(), other.look()])
    await Promise.all([one.look(), other.look()])
    return (await firings(server)).length - before
  }
  const usually = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) {
      pass(5 * minute)
      expect(await lookBoth()).toBe(1)
    }
  }
  await lookBoth()
  await usually()

  for (const leap of [400 * day, -3650 * day, (3650 - 400) * day]) {
    pass(leap)
    expect(await lookBoth()).toBeLessThanOrEqual(1)
    await usually()
  }
})

test.each([
  ['Europe/Berlin', '2027-03-26T12:00:00.000Z'],
  ['Europe/Berlin', '2027-10-29T12:00:00.000Z'],
  // There the clock is put forward and back at midnight.
  ['America/Santiago', '2027-04-01T12:00:00.000Z'],
  ['America/Santiago', '2027-09-02T12:00:00.000Z'],
])('TSK-1 in %s, from %s on, what is to come each day comes each day once', async (timeZone, start) => {
  await using server = await startServer()
  const { clock, pass } = movableClock(start)
  const patterns = ['0 0 * * *', '30 0 * * *', '30 1 * * *', '0 2 * * *', '30 2 * * *', '0 3 * * *', '30 23 * * *'].map(
    (pattern) => ({ name: pattern, pattern, timeZone }),
  )
  await using scheduler = await startScheduler(server, clock, patterns)
  await scheduler.look()

  for (let turn = 0; turn < 4 * 24 * 6; turn += 1) {
    pass(10 * minute)
    await scheduler.look()
  }

  const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  for (const { name } of patterns) {
    const dates = (await firings(server, name)).map((at) => dateOf.format(new Date(at)))
    expect([name, dates]).toEqual([name, [...new Set(dates)]])
    expect(dates.length).toBeGreaterThanOrEqual(4)
  }
})

test('TSK-1 a schedule whose time zone is none holds up no other, and goes on when it has one', async () => {
  await using server = await startServer()
  const { clock, pass } = movableClock()
  const others = everyFiveMinutes.map((each) => ({ ...each, name: 'other' }))
  const lookTwice = async (timeZone: string): Promise<void> => {
    await using scheduler = await startScheduler(server, clock, [
      { name: 'one', pattern: '*/5 * * * *', timeZone },
      ...others,
    ])
    await scheduler.look()
    pass(5 * minute)
    await scheduler.look()
  }
  const counts = async () => [(await firings(server, 'one')).length, (await firings(server, 'other')).length]

  await lookTwice('Etc/Unknown')
  expect(await counts()).toEqual([0, 1])
  await lookTwice('Europe/Berlin')
  expect(await counts()).toEqual([1, 2])
})

test('W1 TSK-1 all schedules that a process does not know are stored in one transaction, and none where they are stored', async () => {
  await using server = await startServer()
  const { db, log, clock } = server.context
  const schedules = Array.from({ length: 50 }, (_, number): Schedule => ({
    name: `rare ${number}`,
    pattern: () => '0 4 1 1 *',
    timeZone: () => 'UTC',
    fire: async () => undefined,
  }))
  const countWrites = async (): Promise<number> => {
    let count = 0
    const counting: Database = {
      ...db,
      write: (work) => {
        count += 1
        return db.write(work)
      },
    }
    const looked = Promise.withResolvers<void>()
    let looks = 0
    const ticking = runSchedules({
      db: counting,
      log,
      clock,
      schedules: async () => {
        // When the second look begins the first is complete.
        if ((looks += 1) === 2) looked.resolve()
        return schedules
      },
    })
    ticking.wake()
    setImmediate(ticking.wake)
    await looked.promise
    await ticking.stop()
    return count
  }

  expect([await countWrites(), await countWrites()]).toEqual([1, 0])
  const stored = await db.read.selectFrom('schedule').select('name').where('name', 'like', 'rare %').execute()
  expect(stored).toHaveLength(50)
})
