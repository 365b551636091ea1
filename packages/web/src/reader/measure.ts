import type { ReadingSession } from '@carrel/api'
import { activeMsOf, begin, counted, finish, isGlance, isIdle, sign, type Sitting, turn } from './sitting.ts'

export interface MeasureOptions {
  readonly bookId: string
  readonly pageCount: number
  readonly now: () => number
  readonly newId: () => string
  /** It stores the session where it outlives the window. */
  readonly keep: (session: ReadingSession, isOpen: boolean) => void
  readonly forget: (id: string) => void
  /** It returns the position more exactly than a page does. */
  readonly where?: () => Pick<ReadingSession, 'toPercentage' | 'r2Progression'>
}

/** It measures one book being read. Whoever uses it says what happens; it says what to keep. */
export interface Measure {
  /** A key, a touch, a scroll. */
  sign(): void
  turn(page: number): void
  /** The last page has been read. */
  finish(): void
  /** It writes down what would be lost if the window went now. */
  checkpoint(): void
  /** The page is hidden or left: what was measured is kept for sending. Whether there is anything to send. */
  leave(): boolean
  /** It is in view again. */
  comeBack(): void
}

export const measure = (startPage: number, options: MeasureOptions): Measure => {
  const { now, newId, keep, forget } = options
  let page = startPage
  let sitting: Sitting | undefined = begin(newId(), now(), page)

  const close = (at: number): boolean => {
    if (!sitting) return false
    const last = counted(sitting, at)
    sitting = undefined
    if (isGlance(last)) forget(last.id)
    else keep(sessionOf(last, options), false)
    return !isGlance(last)
  }
  const current = (at: number): Sitting => {
    if (sitting && isIdle(sitting, at)) close(at)
    return sitting ?? begin(newId(), at, page)
  }

  return {
    sign: () => {
      const at = now()
      sitting = sign(current(at), at)
    },
    turn: (to) => {
      const at = now()
      sitting = turn(current(at), at, to)
      page = to
    },
    finish: () => {
      const at = now()
      sitting = finish(current(at), at)
    },
    checkpoint: () => {
      if (!sitting) return
      const at = now()
      if (isIdle(sitting, at)) close(at)
      else {
        sitting = counted(sitting, at)
        if (!isGlance(sitting)) keep(sessionOf(sitting, options), true)
      }
    },
    leave: () => close(now()),
    comeBack: () => {
      sitting ??= begin(newId(), now(), page)
    },
  }
}

const sessionOf = (sitting: Sitting, { bookId, pageCount, where }: MeasureOptions): ReadingSession => ({
  id: sitting.id,
  bookId,
  kind: sitting.isFinished ? 'completed' : 'progress',
  clientStartedAt: new Date(sitting.startedAt).toISOString(),
  clientEndedAt: new Date(sitting.countedTo).toISOString(),
  activeDurationMs: activeMsOf(sitting),
  pagesRead: Math.min(pageCount, sitting.turned.length + (sitting.isFinished ? 1 : 0)),
  toPage: sitting.page,
  ...where?.(),
})
