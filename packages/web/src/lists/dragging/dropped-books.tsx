import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { MoveWindow } from '../selection/hand-windows.ts'
import { type BookInHand, type DroppedOnSeries, receiveBooks } from './books-in-hand.ts'

// Whoever drags a book is on a page with a list, whose strings are there.
const DropTargets = lazy(async () => ({ default: (await import('./drop-targets.tsx')).DropTargets }))

/**
 * Here those who may arrange series are offered some to drop books on, and confirm what was dropped: it exists once, around
 * every page.
 */
export const DroppedBooks = (): ReactNode => {
  const [taken, onTaken] = useState<readonly BookInHand[]>()
  const [dropped, onDropped] = useState<DroppedOnSeries>()
  useEffect(() => receiveBooks({ onTaken, onDropped }), [])
  const close = (): void => onDropped(undefined)
  return (
    <Suspense>
      {taken && <DropTargets books={taken} onEnd={() => onTaken(undefined)} />}
      {dropped && <MoveWindow {...dropped} onDone={close} onClose={close} />}
    </Suspense>
  )
}
