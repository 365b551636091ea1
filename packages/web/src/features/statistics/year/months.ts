import type { ReadingYear } from '@carrel/api'
import type { Day } from '../days.ts'
import type { Figures } from '../figures.ts'

interface Month {
  /** Its first day. */
  readonly month: Day
  readonly figures: Figures | undefined
}

/** The server leaves out months without reading: here are all twelve. */
export const monthsOf = ({ year, months }: Pick<ReadingYear, 'year' | 'months'>): readonly Month[] => {
  const byBucket = new Map(months.map((each) => [each.bucket, each]))
  return Array.from({ length: 12 }, (_, index) => {
    const month = `${year}-${String(index + 1).padStart(2, '0')}-01`
    return { month, figures: byBucket.get(month) }
  })
}
