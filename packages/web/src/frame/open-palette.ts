import { useSyncExternalStore } from 'react'

/** The palette stands over the middle of the page, the drop-down below the field it was opened with. */
export type PaletteFrame = 'palette' | 'dropdown'

let frame: PaletteFrame | undefined
const listeners = new Set<() => void>()

const become = (next: PaletteFrame | undefined): void => {
  frame = next
  for (const listener of listeners) listener()
}

/** It opens the search from anywhere; on a phone both frames fill the screen. */
export const openPalette = (next: PaletteFrame = 'palette'): void => become(frame ?? next)
export const closePalette = (): void => become(undefined)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePaletteFrame = (): PaletteFrame | undefined => useSyncExternalStore(subscribe, () => frame)
