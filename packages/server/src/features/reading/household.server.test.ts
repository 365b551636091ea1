import * as api from '@carrel/api'
import { expect, test } from 'vitest'
import { expectBooks, expectExport, expectShelves, expectStats, expectTimes } from '../../../test/household/compare.ts'
import type { Question } from '../../../test/household/figures.ts'
import { type House, openHouse, type Reader } from '../../../test/household/house.ts'
import { playYear } from '../../../test/household/play.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { testDialect } from '../../../test/test-database.ts'
import { workOn } from '../../../test/work.ts'
import { checkAllReading, recountFigures } from './tasks.ts'

/** PostgreSQL answers each of some thousand small questions later. */
const usual = testDialect === 'sqlite' ? 1 : 0.4
const scale = process.env['CARREL_TORTURE'] === undefined ? usual : 10
const seed = Number(process.env['CARREL_SEED'] ?? 20261122)
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo', 'America/Havana']

/** Windows that begin and end where clocks are changed, in the midst of days, with the year, and in years of before. */
const windows = [
  ['2026-01-01', '2026-12-31'],
  ['2025-01-01', '2027-01-01'],
  ['2026-03-08', '2026-03-29'],
  ['2026-10-25', '2026-11-01'],
  ['2026-04-01', '2026-04-05'],
  ['2026-02-10T13:37:11.123Z', '2026-09-03T02:00:00.000Z'],
  ['2026-10-25T00:30:00.000Z', '2026-10-25T03:30:00.000Z'],
  ['2026-07-19', '2026-07-19'],
] as const

const questionsFor = ({ chance }: House, { zone }: Reader, all: boolean): Question[] =>
  windows.flatMap(([from, to]) =>
    (all ? [zone, chance.oneOf(zones)] : [chance.oneOf([zone, ...zones])]).map((timezone) => ({
      from,
      to,
      timezone,
      granularity: chance.oneOf(api.readingStatsGranularities),
      sort: chance.oneOf(api.readingStatsSorts),
      seriesLimit: chance.oneOf([2, 50]),
    })),
  )

test('READ-1 READ-2 READ-3 READ-4 C12 C15 a year of four readers on many devices: every figure is what an independent count of all they said comes to', async () => {
  await using house = await openHouse(seed, scale)
  await playYear(house, scale, async () => {
    for (const reader of house.readers) await expectStats(house, reader, questionsFor(house, reader, false).slice(0, 3))
  })
  for (const reader of house.readers) {
    await expectStats(house, reader, questionsFor(house, reader, true))
    await expectTimes(house, reader, [reader.zone, house.chance.oneOf(zones)])
    await expectBooks(house, reader)
    await expectShelves(house, reader)
    await expectExport(house, reader)
  }
  const lengths = house.readers.map(({ log }) => log.length)
  expect(Math.min(...lengths)).toBeGreaterThan(70 * scale)

  // A user who has moved gets sums in their new days, and the nightly check finds nothing that differs from the logs.
  await using _ = workOn(house.server, [recountFigures, checkAllReading])
  const { taskId: id } = bodyOf(await house.admin(api.startTask, { body: { taskType: 'check_reading' } }))
  await expect.poll(async () => bodyOf(await house.admin(api.readTask, { params: { id } })).status).toBe('completed')
  await expect
    .poll(
      async () =>
        bodyOf(await house.admin(api.listTasks, { query: { status: 'pending', taskType: 'recount_reading_figures' } }))
          .total,
    )
    .toBe(0)
  expect(bodyOf(await house.admin(api.listReadingRepairs, {})).data).toEqual([])
  for (const reader of house.readers.slice(-1)) {
    await expectStats(house, reader, questionsFor(house, reader, false))
    await expectTimes(house, reader, [reader.zone])
  }
}, 600_000)
