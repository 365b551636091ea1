import { expect, test } from 'vitest'
import { inferredUntil, sessionGoingOn } from './extend.ts'
import type { SessionRow } from './queries.ts'
import type { CountedEntry } from './reading-sessions.ts'

const at = (time: string): string => `2026-11-21T${time}:00.000Z`

const session: SessionRow = {
  user_id: 'u',
  id: 's',
  book_id: 'b',
  series_id: 'x',
  series_name: 'Nemo',
  format: 'cbz',
  device_id: 'apikey:1',
  started_at: at('10:00'),
  ended_at: at('10:30'),
  is_session: 1,
  finishes: 0,
  begins: 1,
  measured_ms: null,
  inferred_ms: 0,
  claims: null,
  pages: null,
  coverage: '{}',
  completions: 0,
}

const entry: CountedEntry = {
  id: 'f',
  kind: 'progress',
  source: 'put',
  deviceId: 'apikey:1',
  startedAt: at('10:33'),
  at: at('10:33'),
  activeMs: null,
  pagesRead: null,
  page: 7,
  pageCount: 200,
  finishes: false,
  about: { seriesId: 'x', seriesName: 'Nemo', format: 'cbz' },
}

const goesOn = (
  changed: Partial<SessionRow>,
  fields: Partial<CountedEntry>,
  more: readonly SessionRow[] = [],
): boolean =>
  sessionGoingOn({ touching: [{ ...session, ...changed }, ...more], hasLater: false }, { ...entry, ...fields }) !==
  undefined

test('a session goes on with what comes up to five minutes after its end, and with nothing that might change more', () => {
  const phone = { ...session, id: 'other', device_id: 'phone', started_at: at('09:50') }
  const measured = { startedAt: at('10:31'), activeMs: 60_000 }
  expect(goesOn({}, {})).toBe(true)
  expect(goesOn({}, measured)).toBe(true)
  expect(goesOn({ measured_ms: 5 }, measured)).toBe(true)
  expect(goesOn({}, {}, [phone])).toBe(true)
  for (const wrong of [
    goesOn({}, { startedAt: at('10:36'), at: at('10:36') }),
    goesOn({}, { ...measured, startedAt: at('10:30') }),
    goesOn({}, { finishes: true }),
    goesOn({}, { kind: 'completed' }),
    goesOn({}, { source: 'restore' }),
    goesOn({}, { deviceId: 'apikey:2' }),
    goesOn({ finishes: 1 }, {}),
    goesOn({ is_session: 0 }, {}),
    goesOn({ measured_ms: 5 }, {}),
    goesOn({}, {}, [{ ...phone, started_at: at('10:20') }]),
    goesOn({}, {}, [{ ...phone, device_id: 'apikey:1' }]),
    sessionGoingOn({ touching: [session], hasLater: true }, entry) !== undefined,
    sessionGoingOn({ touching: [], hasLater: false }, entry) !== undefined,
  ])
    expect(wrong).toBe(false)
})

test('a gap is an estimate only between two positions of an application that cannot measure', () => {
  const last = { ...entry, id: 'last', startedAt: at('10:30'), at: at('10:30') }
  expect(inferredUntil(session, [last, entry], entry)).toBe(180_000)
  expect(inferredUntil(session, [entry], entry)).toBe(0)
  expect(inferredUntil(session, [{ ...last, source: 'import' }], entry)).toBe(0)
  expect(inferredUntil(session, [last], { ...entry, source: 'session' })).toBe(0)
})
