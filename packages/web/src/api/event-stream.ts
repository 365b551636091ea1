import { eventTypes, streamEvents } from '@carrel/api'
import { basePath } from './base.ts'
import { type Happening, makesOld } from './event-effects.ts'
import { tellOf } from './happenings.ts'
import { tellOtherTabs } from './other-tabs.ts'
import { invalidateWhere } from './queries.ts'

/** A tab nobody looks at gives its connection back: browsers have six for a server, and a tab may be one of many. */
const hiddenMs = 60_000
/** A scan announces thousands of books: what is shown is read again at most this often. */
const gatherMs = 500
const longestWaitMs = 30_000

let source: EventSource | undefined
let lastId = ''
let isFollowing = false
let failures = 0
let closing: ReturnType<typeof setTimeout> | undefined
let opening: ReturnType<typeof setTimeout> | undefined
let gathered: Happening[] = []
let gathering: ReturnType<typeof setTimeout> | undefined

/** It follows what happens on the server, from the sign-in until the sign-out. */
export const followEvents = (userId: string): void => {
  tellOtherTabs(userId)
  if (isFollowing) return
  isFollowing = true
  takeHandedOver()
  document.addEventListener('visibilitychange', mindVisibility)
  window.addEventListener('pagehide', handOver)
  window.addEventListener('pageshow', comeBack)
  if (document.visibilityState === 'visible') open()
}

export const stopFollowing = (): void => {
  tellOtherTabs()
  isFollowing = false
  lastId = ''
  document.removeEventListener('visibilitychange', mindVisibility)
  window.removeEventListener('pagehide', handOver)
  window.removeEventListener('pageshow', comeBack)
  clearTimeout(closing)
  close()
}

const mindVisibility = (): void => {
  clearTimeout(closing)
  if (document.visibilityState === 'hidden') closing = setTimeout(close, hiddenMs)
  else if (!source) open()
}

/**
 * The user may come back from the reader: browsers keep a page that is left, and show it again as it was. What happened
 * meanwhile is reported then.
 */
const comeBack = ({ persisted }: PageTransitionEvent): void => {
  if (persisted && !source) open()
}

const open = (): void => {
  clearTimeout(opening)
  // The browser sends Last-Event-ID when it comes back by itself, but not from a new connection.
  const since = lastId && `?since=${lastId}`
  const stream = new EventSource(`${basePath}${streamEvents.path}${since}`)
  source = stream
  for (const type of eventTypes) stream.addEventListener(type, take)
  stream.addEventListener('connected', (event) => {
    failures = 0
    note(event)
  })
  stream.addEventListener('resync', (event) => {
    note(event)
    void invalidateWhere(() => true)
  })
  stream.addEventListener('error', () => {
    // Otherwise the browser tries again itself.
    if (stream.readyState === EventSource.CLOSED && stream === source) tryLater()
  })
}

const close = (): void => {
  clearTimeout(opening)
  source?.close()
  source = undefined
}

/**
 * The app and the reader are two documents. Whichever comes next has asked for what it shows by the time it follows, and the
 * last word of the other may have come in between: it begins where that one ended.
 */
const handedOver = 'carrel.since'

const handOver = (): void => {
  close()
  try {
    sessionStorage.setItem(handedOver, lastId)
  } catch {
    // Storage may be forbidden or full: then the next one hears of what happens from then on.
  }
}

const takeHandedOver = (): void => {
  try {
    lastId = sessionStorage.getItem(handedOver) ?? ''
    sessionStorage.removeItem(handedOver)
  } catch {}
}

const tryLater = (): void => {
  close()
  failures += 1
  opening = setTimeout(open, Math.min(1000 * 2 ** failures, longestWaitMs))
}

const note = (event: MessageEvent): void => {
  if (event.lastEventId !== '') lastId = event.lastEventId
}

const take = (event: MessageEvent<string>): void => {
  note(event)
  const happening = JSON.parse(event.data) as Happening
  tellOf(happening)
  gathered.push(happening)
  gathering ??= setTimeout(apply, gatherMs)
}

const apply = (): void => {
  const happenings = gathered
  gathered = []
  gathering = undefined
  void invalidateWhere((target) => happenings.some((happening) => makesOld(happening, target)))
}
