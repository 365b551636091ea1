import type { ReadingSession } from '@carrel/api'
import {
  activeMsOf,
  begin,
  counted,
  finish,
  isGlance,
  isIdle,
  sign,
  type MeasuredSession,
  turn,
} from './measured-session.ts'

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
  /** Pages of a spread are in view together. */
  turn(page: number, inView?: readonly number[]): void
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
  let inView: readonly number[] = [startPage]
  let measuredSession: MeasuredSession | undefined = begin(newId(), now(), page)

  const close = (at: number): boolean => {
    if (!measuredSession) return false
    const last = counted(measuredSession, at)
    measuredSession = undefined
    if (isGlance(last)) forget(last.id)
    else keep(sessionOf(last, options), false)
    return !isGlance(last)
  }
  const current = (at: number): MeasuredSession => {
    if (measuredSession && isIdle(measuredSession, at)) close(at)
    return measuredSession ?? begin(newId(), at, page, inView)
  }

  return {
    sign: () => {
      const at = now()
      measuredSession = sign(current(at), at)
    },
    turn: (to, toInView = [to]) => {
      const at = now()
      measuredSession = turn(current(at), at, to, toInView)
      page = to
      inView = toInView
    },
    finish: () => {
      const at = now()
      measuredSession = finish(current(at), at)
    },
    checkpoint: () => {
      if (!measuredSession) return
      const at = now()
      if (isIdle(measuredSession, at)) close(at)
      else {
        measuredSession = counted(measuredSession, at)
        if (!isGlance(measuredSession)) keep(sessionOf(measuredSession, options), true)
      }
    },
    leave: () => close(now()),
    comeBack: () => {
      measuredSession ??= begin(newId(), now(), page, inView)
    },
  }
}

const sessionOf = (measuredSession: MeasuredSession, { bookId, pageCount, where }: MeasureOptions): ReadingSession => ({
  id: measuredSession.id,
  bookId,
  kind: measuredSession.isFinished ? 'completed' : 'progress',
  clientStartedAt: new Date(measuredSession.startedAt).toISOString(),
  clientEndedAt: new Date(measuredSession.countedTo).toISOString(),
  activeDurationMs: activeMsOf(measuredSession),
  pagesRead: Math.min(pageCount, measuredSession.turned.length + (measuredSession.isFinished ? 1 : 0)),
  toPage: measuredSession.page,
  ...where?.(),
})
