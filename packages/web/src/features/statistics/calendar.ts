import type { ReadingCalendar } from '@carrel/api'
import { type Day, dayOf, numberOf, weekdayOf } from './days.ts'

type CalendarDay = ReadingCalendar['days'][number]

/** It says how much of a day was spent reading; `unknown` means that there was reading, and nobody measured it. */
export type Level = 0 | 1 | 2 | 3 | 4 | 'unknown'

export interface Cell {
  readonly day: Day
  readonly week: number
  /** Monday is 0. */
  readonly weekday: number
  readonly level: Level
  readonly read: CalendarDay | undefined
}

/** Each level reaches up to this many minutes; more is the last level. */
const levelMinutes = [15, 45, 90] as const

const levelOf = (read: CalendarDay | undefined): Level => {
  if (read === undefined) return 0
  const minutes = read.duration.totalMs / 60_000
  if (minutes === 0) return 'unknown'
  const [little, some, much] = levelMinutes
  return minutes <= little ? 1 : minutes <= some ? 2 : minutes <= much ? 3 : 4
}

/** Every day of a year by its week. Monday is at the top, and the first week is the one with the first of January. */
export const cellsOf = ({ year, days }: Pick<ReadingCalendar, 'year' | 'days'>): Cell[] => {
  const byDay = new Map(days.map((each) => [each.bucket, each]))
  const first = `${String(year).padStart(4, '0')}-01-01`
  const length = numberOf(`${String(year).padStart(4, '0')}-12-31`) - numberOf(first) + 1
  const ahead = weekdayOf(first)
  return Array.from({ length }, (_, index) => {
    const day = dayOf(numberOf(first) + index)
    const read = byDay.get(day)
    return {
      day,
      week: Math.floor((index + ahead) / 7),
      weekday: (index + ahead) % 7,
      level: levelOf(read),
      read,
    }
  })
}

/** It says in which week each month begins. */
export const monthsOf = (cells: readonly Cell[]): { readonly day: Day; readonly week: number }[] =>
  cells.filter(({ day }) => day.endsWith('-01')).map(({ day, week }) => ({ day, week }))
