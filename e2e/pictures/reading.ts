import * as api from '@carrel/api'
import { bodyOf } from '../../packages/server/test/outcome.ts'
import type { Visitor } from '../../packages/server/test/smoke/carrel.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const days = 330
const atOnce = 50

/** What was read on which days, and for how long, is the same in every run but for the days. */
const numbersFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const titles = [
  ...Array.from({ length: 6 }, () => 'The Lantern Keeper'),
  ...Array.from({ length: 4 }, () => 'Night Parade Detectives'),
  ...Array.from({ length: 3 }, () => 'Captain Meridian'),
  'Iron Harbor',
  'Iron Harbor',
  'Tea House at the End of the World',
  'Orbit & Ash',
]

const devices = [
  { deviceId: 'tablet', deviceName: 'Tablet' },
  { deviceId: 'tablet', deviceName: 'Tablet' },
  { deviceId: 'phone', deviceName: 'Phone' },
]

/** Most evenings of a year with one of a few series, more in its summer, and some of it in an application that tells no time. */
export const readForAYear = async (
  { call }: Visitor,
  volumesOf: (title: string) => readonly string[],
): Promise<void> => {
  const number = numbersFrom(7)
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const sessions = Array.from({ length: days }, (_, index): api.ReadingSession | undefined => {
    const ago = days - index - 1
    const isOften = ago > 90 && ago < 200
    // The two weeks that stand beside each other have something to show.
    if (ago > 12 && number(10) < (isOften ? 2 : 5)) return undefined
    const volumes = volumesOf(titles[number(titles.length)] ?? '')
    const minutes = 12 + number(isOften ? 100 : 60)
    const evening = today - ago * dayMs + (19 * 60 + number(150)) * minuteMs
    const start = Math.min(evening, Date.now() - minutes * minuteMs)
    return {
      id: `019aa3b2-6c7e-7000-8000-${String(index).padStart(12, '0')}`,
      bookId: volumes[number(volumes.length)] ?? '',
      kind: number(3) === 0 ? 'completed' : 'progress',
      clientStartedAt: new Date(start).toISOString(),
      clientEndedAt: new Date(start + minutes * minuteMs).toISOString(),
      ...(number(9) > 0 && { activeDurationMs: minutes * minuteMs }),
      pagesRead: 4 + number(12),
      ...devices[number(devices.length)],
    }
  }).filter((session) => session !== undefined)
  for (let from = 0; from < sessions.length; from += atOnce)
    bodyOf(await call(api.recordReadingSessions, { body: { sessions: sessions.slice(from, from + atOnce) } }))
}
