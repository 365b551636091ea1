import type { ReadiumLocator, ReadProgress } from '@carrel/api'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../../api/call.ts'
import { currentConnection, onConnectionChange } from '../../../api/connection.ts'
import { deviceId, deviceName } from '../../../api/device.ts'
import { newId } from '../../../api/new-id.ts'
import { type Measure, measure } from '../../../reader/measure.ts'
import { positionSaver } from '../../../reader/position-saver.ts'
import { forgetSessions, keepSession } from './kept-sessions.ts'
import { beforeLeaving } from '../../../reader/before-leaving.ts'
import { sendPosition, sendSessions } from './sending.ts'

interface Reading {
  readonly userId: string
  readonly bookId: string
  readonly pageCount: number
  readonly page: number
  /** The pages that are in view together, where there is a spread. */
  readonly inView?: readonly number[]
  /** In a book without pages it is the position, as a Readium locator in JSON: the server is sent that. */
  readonly locator?: string
  /** The server answers a position with the latest one it knows. */
  readonly onAnswer: (progress: ReadProgress | undefined, isLate: boolean) => void
}

/** `waiting`: nothing is lost, but it is only here for now. */
export type SendState = 'sent' | 'waiting' | 'signed-out'

const checkpointMs = 10_000

/** It measures what is read, keeps it where it outlives a crash, and sends it when it can be sent. */
export const useMeasured = (reading: Reading): SendState => {
  const { userId, bookId, pageCount, page, locator } = reading
  const [state, setState] = useState<SendState>('sent')
  const latest = useRef(reading)
  const measurer = useRef<Measurer>(undefined)
  useEffect(() => {
    latest.current = reading
  })
  useEffect(() => {
    const start = { page: latest.current.page, ...(latest.current.locator && { locator: latest.current.locator }) }
    const made = createMeasurer({ userId, bookId, pageCount, ...start }, setState, (progress, isLate) =>
      latest.current.onAnswer(progress, isLate),
    )
    measurer.current = made
    return () => {
      made.stop()
      measurer.current = undefined
    }
  }, [userId, bookId, pageCount])
  useEffect(() => measurer.current?.turn(page, locator, latest.current.inView), [page, locator])
  return state
}

type Measurer = ReturnType<typeof createMeasurer>

const createMeasurer = (
  { userId, bookId, pageCount, page, locator }: Omit<Reading, 'onAnswer'>,
  onState: (state: SendState) => void,
  onAnswer: Reading['onAnswer'],
) => {
  let here = locator
  let reachedAt = Date.now()
  // The server has been away since it last heard of a position.
  let wasAway = false
  const measured = keptMeasure({ userId, bookId, pageCount, page }, () => (here === undefined ? {} : whereIs(here)))
  const attempt = attemptFor(onState)
  const positions = positionSaver<number | string>(locator ?? page, {
    send: async (position, isLastWord) => {
      const isLate = wasAway
      const at = isLate ? new Date(reachedAt).toISOString() : undefined
      const sending = sendPosition({ bookId, position, at, isLastWord }).then((progress) => onAnswer(progress, isLate))
      const hasArrived = await attempt(sending)
      wasAway = !hasArrived
      return hasArrived
    },
    later,
    now: () => performance.now(),
  })
  const leave = (): void => {
    void positions.flush(true)
    if (measured.leave()) void attempt(sendSessions(userId, true))
  }
  const sendAgain = (): void => {
    void positions.flush(false)
    void attempt(sendSessions(userId))
  }
  const stopListening = listen(measured, leave, (isConnected) => {
    if (isConnected) sendAgain()
    else wasAway = true
  })
  const stopTelling = beforeLeaving(() => positions.flush(true))
  // These could not be sent by an earlier window, or by one whose session had ended.
  sendAgain()
  return {
    turn: (to: number, toLocator?: string, inView?: readonly number[]): void => {
      measured.turn(to, inView)
      here = toLocator
      reachedAt = Date.now()
      positions.saw(toLocator ?? to)
    },
    stop: (): void => {
      stopListening()
      stopTelling()
      leave()
      positions.stop()
    },
  }
}

const keptMeasure = (
  { userId, bookId, pageCount, page }: Pick<Reading, 'userId' | 'bookId' | 'pageCount' | 'page'>,
  where: () => Partial<ReturnType<typeof whereIs>>,
): Measure =>
  measure(page, {
    where,
    bookId,
    pageCount,
    now: Date.now,
    newId,
    keep: (session, isOpen) => {
      const sent = { ...session, deviceId: deviceId(), deviceName: deviceName() }
      keepSession(userId, { session: sent, isOpen, keptAt: Date.now() })
    },
    forget: (id) => forgetSessions(userId, [id]),
  })

/** It says whether what was sent has arrived. */
const attemptFor =
  (onState: (state: SendState) => void) =>
  (sending: Promise<unknown>): Promise<boolean> =>
    sending.then(
      () => {
        onState('sent')
        return true
      },
      (error: unknown) => {
        onState(error instanceof ApiProblem && error.code === 'not_authenticated' ? 'signed-out' : 'waiting')
        return false
      },
    )

const later = (run: () => void, afterMs: number): (() => void) => {
  const timer = setTimeout(run, afterMs)
  return () => clearTimeout(timer)
}

const whereIs = (locator: string) => {
  const { locations } = JSON.parse(locator) as ReadiumLocator
  return { toPercentage: locations?.totalProgression ?? null, r2Progression: locator }
}

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

const listen = (measured: Measure, leave: () => void, onConnection: (isConnected: boolean) => void): (() => void) => {
  const stop = new AbortController()
  const { signal } = stop
  for (const name of signs) window.addEventListener(name, () => measured.sign(), { signal, passive: true })
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'hidden' ? leave() : measured.comeBack()),
    { signal },
  )
  window.addEventListener('pagehide', leave, { signal })
  window.addEventListener('pageshow', () => measured.comeBack(), { signal })
  const timer = setInterval(() => measured.checkpoint(), checkpointMs)
  const stopConnection = onConnectionChange(() => onConnection(currentConnection().kind === 'connected'))
  return () => {
    stop.abort()
    clearInterval(timer)
    stopConnection()
  }
}
