import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Spot } from '../../ui/virtual/use-virtual-grid.ts'
import { keepSpot, type StoredSpot, readSpot } from './spots.ts'

/** It returns where this list stood, and how long it was, when this history entry was left, and a function to record the present. */
export const useSpot = (name: string) => {
  const historyKey = useRouterState({ select: ({ location }) => location.state.key ?? location.href })
  const entry = `${historyKey}.${name}`
  const [left] = useState(() => readSpot(entry))
  const latest = useRef<{ readonly entry: string; readonly spot: StoredSpot }>(undefined)
  useEffect(() => {
    const keep = (): void => {
      if (latest.current) keepSpot(latest.current.entry, latest.current.spot)
    }
    window.addEventListener('pagehide', keep)
    return () => {
      keep()
      window.removeEventListener('pagehide', keep)
    }
  }, [])
  return {
    startAt: left?.isAtTop === true ? undefined : left,
    countBefore: left?.count,
    note: (spot: Spot, count: number): void => {
      latest.current = { entry, spot: { ...spot, count, isAtTop: window.scrollY === 0 } }
    },
  }
}
