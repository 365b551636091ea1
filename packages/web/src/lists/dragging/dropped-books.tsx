import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useMay } from '../../session/me.ts'
import { MoveWindow } from '../selection/hand-windows.ts'
import { type DroppedOnSeries, receiveBooks } from './books-in-hand.ts'

/** Here the user confirms what was dropped onto a series: it exists once, around every page. */
export const DroppedBooks = (): ReactNode => {
  const mayArrange = useMay('series:write')
  const [dropped, setDropped] = useState<DroppedOnSeries>()
  useEffect(() => (mayArrange ? receiveBooks(setDropped) : undefined), [mayArrange])
  if (dropped === undefined) return null
  const close = (): void => setDropped(undefined)
  return (
    <Suspense>
      <MoveWindow {...dropped} onDone={close} onClose={close} />
    </Suspense>
  )
}
