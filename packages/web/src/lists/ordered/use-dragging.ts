import { type PointerEvent, type RefObject, useRef, useState } from 'react'

interface DraggingOptions {
  readonly element: RefObject<HTMLElement | null>
  readonly rowHeight: number
  readonly shift: number
  readonly count: number
  readonly onDrop: (from: number, to: number) => void
}

export interface Dragging {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly start: (event: PointerEvent<HTMLElement>, index: number) => void
  /** The click that ends a drag is none. */
  readonly hasMoved: () => boolean
}

/** Nearer to the edge of the window than this, it scrolls on. */
const edge = 90
const scrollStep = 24
/** A smaller movement is a click with an unsteady hand. */
const slack = 6

/** It drags rows by their handles, with a mouse, a pen or a finger. */
export const useDragging = ({ element, rowHeight, shift, count, onDrop }: DraggingOptions): Dragging => {
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number }>()
  const hasMoved = useRef(false)
  const rowAt = (y: number): number => {
    const top = element.current?.getBoundingClientRect().top ?? 0
    return Math.max(0, Math.min(count - 1, Math.floor((y - top + shift) / rowHeight)))
  }
  const start = (event: PointerEvent<HTMLElement>, from: number): void => {
    if (event.button !== 0) return
    const handle = event.currentTarget
    const begin = event.clientY
    hasMoved.current = false
    handle.setPointerCapture(event.pointerId)
    let to = from
    const move = ({ clientY }: globalThis.PointerEvent): void => {
      if (!hasMoved.current && Math.abs(clientY - begin) < slack) return
      hasMoved.current = true
      if (clientY < edge) window.scrollBy(0, -scrollStep)
      else if (clientY > window.innerHeight - edge) window.scrollBy(0, scrollStep)
      to = rowAt(clientY)
      setDragged({ from, to })
    }
    const end = ({ type }: Event): void => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      setDragged(undefined)
      if (type === 'pointerup' && hasMoved.current && to !== from) onDrop(from, to)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }
  return { from: dragged?.from, to: dragged?.to, start, hasMoved: () => hasMoved.current }
}
