import type { ReadingSession } from '@carrel/api'
import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type Measure, measure } from './measure.ts'
import { idleAfterMs } from './measured-session.ts'
import { abandonedAfterMs, type Drawer, drawerInMemory, forget, keep, keptMax, sentAtOnce, waiting } from './unsent.ts'

const start = Date.parse('2026-11-21T20:00:00.000Z')

const reading = (pageCount = 200) => {
  const time = { at: start }
  const storage = drawerInMemory()
  let ids = 0
  const open = (page = 1): Measure =>
    measure(page, {
      bookId: 'book',
      pageCount,
      now: () => time.at,
      newId: () => `measuredSession-${(ids += 1)}`,
      keep: (session, isOpen) => void keep(storage, 'ana', { session, isOpen, keptAt: time.at }),
      forget: (id) => forget(storage, 'ana', [id]),
    })
  return { time, kept: storage, open, sent: () => waiting(storage, 'ana', time.at) }
}

const spans = (sessions: readonly ReadingSession[]) =>
  sessions.map(({ clientStartedAt, clientEndedAt, activeDurationMs }) => ({
    from: Date.parse(clientStartedAt),
    to: Date.parse(clientEndedAt),
    active: activeDurationMs ?? 0,
  }))

const happening = record({
  what: constantFrom('sign', 'turn', 'checkpoint', 'leave', 'comeBack', 'crash', 'finish'),
  after: integer({ min: -20_000, max: 8 * 60 * 1000 }),
  page: integer({ min: 1, max: 200 }),
})

test('measured time never exceeds the time that passed and no moment is counted twice, whatever happens', () => {
  assert(
    property(array(happening, { maxLength: 60 }), boolean(), (happenings, isTold) => {
      const { time, open, sent } = reading()
      let measured = open()
      let latest = time.at
      for (const { what, after, page } of happenings) {
        time.at += after
        latest = Math.max(latest, time.at)
        // A window that is gone comes back as another, which knows what the first has written down.
        if (what === 'crash') measured = open(page)
        else if (what === 'turn') measured.turn(page)
        else measured[what]()
        if (isTold) measured.checkpoint()
      }
      measured.leave()
      time.at = latest + abandonedAfterMs
      const measuredSpans = spans(sent()).toSorted((a, b) => a.from - b.from || a.to - b.to)
      expect(measuredSpans.filter(({ from, to, active }) => active > to - from)).toEqual([])
      const back = happenings.reduce((sum, { after }) => sum + Math.max(0, -after), 0)
      const active = measuredSpans.reduce((sum, each) => sum + each.active, 0)
      expect(active).toBeLessThanOrEqual(latest - start + back)
      const overlapping = measuredSpans.filter(({ from }, index) => from < (measuredSpans[index - 1]?.to ?? start))
      // A clock that is set back goes through the same hours again.
      expect(back > 0 ? [] : overlapping).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('C15 five minutes after the last sign of a reader the clock stops, and the next sign begins another session', () => {
  const { time, open, sent } = reading()
  const measured = open(7)
  time.at += 60_000
  measured.turn(8)
  time.at += 60 * 60_000
  measured.sign()
  time.at += 10_000
  measured.leave()
  expect(sent()).toMatchObject([
    { activeDurationMs: 60_000 + idleAfterMs, pagesRead: 1, toPage: 8 },
    { activeDurationMs: 10_000, pagesRead: 0, toPage: 8 },
  ])
})

test('a hidden page is not read: its session ends, and another begins when it is back', () => {
  const { time, open, sent } = reading()
  const measured = open()
  time.at += 20_000
  expect(measured.leave()).toBe(true)
  time.at += 60_000
  measured.checkpoint()
  measured.comeBack()
  time.at += 30_000
  measured.turn(2)
  measured.leave()
  expect(sent().map(({ activeDurationMs }) => activeDurationMs)).toEqual([20_000, 30_000])
})

test('a glance moves no position, a page turned at once does', () => {
  const { time, open, sent } = reading()
  time.at += 1000
  const glance = open(50)
  time.at += 4000
  glance.checkpoint()
  expect(glance.leave()).toBe(false)
  expect(sent()).toEqual([])
  const quick = open(50)
  quick.turn(51)
  expect(quick.leave()).toBe(true)
  expect(sent()).toMatchObject([{ toPage: 51, pagesRead: 1, kind: 'progress' }])
})

test('the last page read says so', () => {
  const { open, sent } = reading(3)
  const measured = open(2)
  measured.turn(3)
  measured.finish()
  measured.leave()
  expect(sent()).toMatchObject([{ kind: 'completed', toPage: 3, pagesRead: 2 }])
})

test('pages of a spread are left behind together, each once', () => {
  const { open, sent } = reading(9)
  const measured = open(1)
  measured.turn(2, [2, 3])
  measured.turn(4, [4, 5])
  measured.turn(2, [2, 3])
  measured.turn(4, [4, 5])
  measured.turn(6, [6, 7])
  measured.leave()
  expect(sent()).toMatchObject([{ toPage: 6, pagesRead: 5 }])
})

test('what a window that fell over had written down is sent once it is surely gone, and under the same id', () => {
  const { time, open, sent, kept } = reading()
  const measured = open()
  measured.turn(9)
  time.at += 30_000
  measured.checkpoint()
  expect(sent()).toEqual([])
  time.at += abandonedAfterMs
  const [abandoned] = sent()
  expect(abandoned).toMatchObject({ activeDurationMs: 30_000, toPage: 9 })
  // It was not gone after all: the same session, never a second.
  measured.leave()
  expect(sent().map(({ id }) => id)).toEqual([abandoned?.id])
  forget(kept, 'ana', [abandoned?.id ?? ''])
  expect(sent()).toEqual([])
})

const session = (id: string, endedAt: number): ReadingSession => ({
  id,
  bookId: 'book',
  kind: 'progress',
  clientStartedAt: new Date(endedAt - 1000).toISOString(),
  clientEndedAt: new Date(endedAt).toISOString(),
})

test('the drawer is sent oldest first and a part at a time, has an end, and is nobody else’s', () => {
  const storage = drawerInMemory()
  storage.setItem('other', 'of somebody else')
  storage.setItem('carrel.reading-session.ana.broken', '{"session":')
  for (let index = 0; index < keptMax + 5; index += 1)
    keep(storage, 'ana', { session: session(`${index}`, start + keptMax - index), isOpen: false, keptAt: start })
  keep(storage, 'ben', { session: session('ben', start), isOpen: false, keptAt: start })
  const first = waiting(storage, 'ana', start)
  expect(first).toHaveLength(sentAtOnce)
  expect(first.map(({ clientEndedAt }) => clientEndedAt)).toEqual(
    first.map(({ clientEndedAt }) => clientEndedAt).toSorted(),
  )
  expect(storage.length).toBeLessThanOrEqual(keptMax + 2)
  expect(waiting(storage, 'ben', start).map(({ id }) => id)).toEqual(['ben'])
  expect([storage.getItem('other'), storage.getItem('carrel.reading-session.ana.broken')]).toEqual([
    'of somebody else',
    null,
  ])
})

test('a browser that keeps nothing is no fault', () => {
  const refusing: Drawer = {
    ...drawerInMemory(),
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  expect(keep(refusing, 'ana', { session: session('1', start), isOpen: false, keptAt: start })).toBe(false)
})
