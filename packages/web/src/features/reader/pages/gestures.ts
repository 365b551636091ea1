import { type RefObject, useEffect, useRef } from 'react'
import type { Tap } from '../../../reader/taps.ts'
import type { Point } from '../../../reader/zoom.ts'

export interface Gestures {
  /** A swipe along this way turns the page, where the page itself cannot be moved that way. */
  readonly turnsAlong: 'x' | 'y'
  readonly canMove: () => { readonly x: boolean; readonly y: boolean }
  /** It returns whether anything has moved. */
  readonly onMove: (by: Point) => boolean
  readonly onPinch: (before: readonly [Point, Point], after: readonly [Point, Point]) => void
  /** 1: to the right or downwards. */
  readonly onSwipe: (towards: 1 | -1) => void
  readonly onZoom: (factor: number, point: Point) => void
  /** The wheel, where there is nothing more to move. */
  readonly onTurn: (by: 1 | -1) => void
  readonly tapAt: (point: Point) => Tap
  readonly onTap: (tap: Tap) => void
  readonly onDoubleTap: (point: Point) => void
}

const tapMovesMax = 10
const swipeMin = 40
const doubleTapMs = 260
const wheelTurn = 100
const wheelRestMs = 220

interface Touch {
  readonly from: Point
  readonly at: Point
}

/**
 * It tells apart gestures of fingers, mouse and wheel on an element. The latest handlers count, without new listeners.
 */
export const useGestures = (target: RefObject<HTMLElement | null>, gestures: Gestures): void => {
  const latest = useRef(gestures)
  useEffect(() => {
    latest.current = gestures
  })
  useEffect(() => (target.current ? listen(target.current, () => latest.current) : undefined), [target])
}

const listen = (element: HTMLElement, gestures: () => Gestures): (() => void) => {
  const stop = new AbortController()
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void => element.addEventListener(name, listener, { signal: stop.signal, passive: false })
  const fingers = trackFingers(element, gestures)
  on('pointerdown', fingers.down)
  on('pointermove', fingers.move)
  on('pointerup', fingers.up)
  on('pointercancel', fingers.cancel)
  on('wheel', wheelOf(element, gestures))
  return () => {
    stop.abort()
    fingers.stop()
  }
}

const pointIn = (element: HTMLElement, { clientX, clientY }: MouseEvent): Point => {
  const { left, top } = element.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, a, input, select') !== null

const hasSelection = (element: HTMLElement): boolean => {
  const selection = document.getSelection()
  return selection?.isCollapsed === false && element.contains(selection.anchorNode)
}

const trackFingers = (element: HTMLElement, gestures: () => Gestures) => {
  const touches = new Map<number, Touch>()
  let wasPinched = false
  const taps = tapping(gestures)

  const move = (event: PointerEvent): void => {
    const touch = touches.get(event.pointerId)
    if (!touch) return
    const before = [...touches.values()].map(({ at }) => at)
    const at = pointIn(element, event)
    touches.set(event.pointerId, { ...touch, at })
    const [first, second] = [...touches.values()].map((each) => each.at)
    const { canMove, onMove, onPinch } = gestures()
    if (first && second && before[0] && before[1]) {
      wasPinched = true
      onPinch([before[0], before[1]], [first, second])
    } else if (canMove().x || canMove().y) onMove({ x: at.x - touch.at.x, y: at.y - touch.at.y })
  }
  const up = (event: PointerEvent): void => {
    const touch = touches.get(event.pointerId)
    touches.delete(event.pointerId)
    if (!touch || touches.size > 0) return
    const pinchEnded = wasPinched
    wasPinched = false
    // Long presses select text, where there is any: lifting the finger then is no tap.
    if (pinchEnded || hasSelection(element)) return
    const by = { x: touch.at.x - touch.from.x, y: touch.at.y - touch.from.y }
    if (Math.hypot(by.x, by.y) <= tapMovesMax) taps.tap(touch.at)
    else swipe(by, gestures())
  }
  return {
    down: (event: PointerEvent): void => {
      if (event.button !== 0 || isControl(event.target)) return
      element.setPointerCapture(event.pointerId)
      const at = pointIn(element, event)
      touches.set(event.pointerId, { from: at, at })
    },
    move,
    up,
    cancel: ({ pointerId }: PointerEvent): void => {
      touches.delete(pointerId)
      wasPinched = touches.size > 0 && wasPinched
    },
    stop: taps.stop,
  }
}

/** Turning is done at once; only a tap that would bring the controls waits for whether a second follows. */
const tapping = (gestures: () => Gestures) => {
  let waiting: ReturnType<typeof setTimeout> | undefined
  return {
    tap: (point: Point): void => {
      const { tapAt, onTap, onDoubleTap } = gestures()
      const isSecond = waiting !== undefined
      clearTimeout(waiting)
      waiting = undefined
      const tap = tapAt(point)
      if (tap !== 'menu') return onTap(tap)
      if (isSecond) return onDoubleTap(point)
      waiting = setTimeout(() => {
        waiting = undefined
        gestures().onTap('menu')
      }, doubleTapMs)
      return undefined
    },
    stop: () => clearTimeout(waiting),
  }
}

const swipe = (by: Point, { turnsAlong, canMove, onSwipe }: Gestures): void => {
  const across = turnsAlong === 'x' ? 'y' : 'x'
  if (canMove()[turnsAlong] || Math.abs(by[turnsAlong]) < swipeMin) return
  if (Math.abs(by[turnsAlong]) < 1.5 * Math.abs(by[across])) return
  onSwipe(by[turnsAlong] > 0 ? 1 : -1)
}

/** The wheel zooms with Ctrl, as pinching on a touchpad does; otherwise it moves the page, and turns it at its end. */
const wheelOf = (element: HTMLElement, gestures: () => Gestures): ((event: WheelEvent) => void) => {
  let turned = 0
  let restUntil = 0
  return (event) => {
    event.preventDefault()
    const { onMove, onZoom, onTurn } = gestures()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1
    if (event.ctrlKey || event.metaKey) return onZoom(Math.exp(-event.deltaY * lines * 0.003), pointIn(element, event))
    if (onMove({ x: -event.deltaX * lines, y: -event.deltaY * lines })) {
      turned = 0
      // The rest of one push of a touchpad does not turn the page as well.
      restUntil = event.timeStamp + wheelRestMs
    }
    if (event.timeStamp < restUntil) return undefined
    turned += event.deltaY * lines
    if (Math.abs(turned) < wheelTurn) return undefined
    onTurn(turned > 0 ? 1 : -1)
    turned = 0
    restUntil = event.timeStamp + wheelRestMs
    return undefined
  }
}
