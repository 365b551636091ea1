import { useSyncExternalStore } from 'react'

/** These are the minimum widths of a cover, from small to large. */
export const cardWidths = [88, 104, 150, 190, 224] as const

const storageKey = 'carrel.covers'
const listeners = new Set<() => void>()

const stored = (): number => {
  try {
    const size = Number(localStorage.getItem(storageKey) ?? Number.NaN)
    if (size in cardWidths) return size
  } catch {
    // Storage may be forbidden: then it is as wide as the window suggests.
  }
  return window.innerWidth < 768 ? 1 : 2
}
let size = stored()

const setSize = (next: number): void => {
  size = next
  try {
    localStorage.setItem(storageKey, String(next))
  } catch {
    // It holds until the page is closed.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** It is the size of covers that the user chose on this device. */
export const useCardSize = (): readonly [number, (size: number) => void] => [
  useSyncExternalStore(subscribe, () => size),
  setSize,
]
