import type { ReadingStatsGranularity } from '@carrel/api'

/** Only the address parameters are here, because the start of the app loads this file. */
export interface StatisticsSearch {
  readonly window?: WindowWord | undefined
  readonly by?: ReadingStatsGranularity | undefined
  /** Absent: time. */
  readonly show?: Measure | undefined
  /** The calendar shows this year. When absent it shows the year of the window, else the present one. */
  readonly year?: number | undefined
}

export const measures = ['time', 'pages', 'completions'] as const
export type Measure = (typeof measures)[number]

export const rolling = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const
type Rolling = keyof typeof rolling
export const rollingWindows = Object.keys(rolling) as Rolling[]
const usual: Rolling = '90d'

/** The address writes a window like this: the last days, a calendar year such as `2025`, or everything. */
export type WindowWord = string

export const windowOf = (word: unknown): WindowWord =>
  typeof word === 'string' && (Object.hasOwn(rolling, word) || word === 'all' || /^(19[7-9]|[2-9]\d\d)\d$/.test(word))
    ? word
    : usual

export const isUsual = (word: WindowWord): boolean => word === usual

export const isRolling = (word: WindowWord): word is Rolling => Object.hasOwn(rolling, word)
