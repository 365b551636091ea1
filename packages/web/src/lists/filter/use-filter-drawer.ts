import { type RefObject, useRef, useState, useSyncExternalStore } from 'react'
import type { Scope } from '../search/sources.ts'

const storageKey = 'carrel.filter'

const readOpen = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === 'open'
  } catch {
    return false
  }
}

const keepOpen = (isOpen: boolean): void => {
  try {
    if (isOpen) localStorage.setItem(storageKey, 'open')
    else localStorage.removeItem(storageKey)
  } catch {
    // It is forgotten with the page.
  }
}

const useMedia = (condition: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const media = matchMedia(condition)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(condition).matches,
  )

export interface FilterDrawer {
  /** Beside the list where there is room for both, over it where there is less, from below on a phone. */
  readonly position: 'beside' | 'over' | 'below'
  readonly isOpen: boolean
  /** Somebody has opened it just now: it gets the focus. */
  readonly isNew: boolean
  readonly open: () => void
  readonly close: () => void
  readonly button: RefObject<HTMLButtonElement | null>
}

/** Whoever works with filters has them open on every list; those of the books of a series are asked for. */
export const useFilterDrawer = ({ seriesId }: Scope): FilterDrawer => {
  const isWide = useMedia('(width >= 69rem)')
  const isPhone = useMedia('(width < 48rem)')
  const isKept = isWide && seriesId === undefined
  const [isOpen, setOpen] = useState(() => isKept && readOpen())
  const [isNew, setNew] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const become = (next: boolean): void => {
    setOpen(next)
    setNew(next)
    if (isKept) keepOpen(next)
  }
  return {
    position: isWide ? 'beside' : isPhone ? 'below' : 'over',
    isOpen,
    isNew,
    open: () => become(true),
    close: () => {
      become(false)
      button.current?.focus()
    },
    button,
  }
}
