import type { ReadingStatsResponse } from '@carrel/api'
import type { Measure } from './search.ts'

export type Summary = ReadingStatsResponse['summary']

/** Every line of the statistics has these figures: that of a day, a series, a device. */
export interface Figures {
  readonly booksFinished: number
  readonly duration: { readonly measuredMs: number; readonly inferredMs: number; readonly totalMs: number }
  readonly pagesRead: number
  readonly sessions: number
}

/** A bar: what is sure, what is an estimate on top of it, and whether there is something of which nobody knows how much. */
export interface Amount {
  readonly sure: number
  readonly estimated: number
  readonly isUnknown: boolean
}

export const totalOf = ({ sure, estimated }: Pick<Amount, 'sure' | 'estimated'>): number => sure + estimated

type Gaps = Pick<Summary, 'sessionsWithoutDuration' | 'sessionsWithoutPages'>

/**
 * A missing figure does not mean that nothing was read: 0 beside sessions counts as unknown wherever some sessions of
 * the window came without that figure.
 */
export const amountOf = (figures: Figures, measure: Measure, gaps: Gaps): Amount => {
  const { duration, pagesRead, booksFinished, sessions } = figures
  if (measure === 'completions') return { sure: booksFinished, estimated: 0, isUnknown: false }
  if (measure === 'pages') {
    const isUnknown = pagesRead === 0 && sessions > 0 && gaps.sessionsWithoutPages > 0
    return { sure: pagesRead, estimated: 0, isUnknown }
  }
  const isUnknown = duration.totalMs === 0 && sessions > 0 && gaps.sessionsWithoutDuration > 0
  return { sure: duration.measuredMs, estimated: duration.inferredMs, isUnknown }
}

/** It returns whether there was more than the figure says. */
export const isAtLeast = (measure: Measure, gaps: Gaps): boolean =>
  measure === 'time' ? gaps.sessionsWithoutDuration > 0 : measure === 'pages' && gaps.sessionsWithoutPages > 0
