import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** Null where the browser cannot, as on phones of Apple. */
export const useFullScreen = (): { readonly isFull: boolean | null; readonly toggle: () => void } => {
  const isFull = useSyncExternalStore(subscribe, () =>
    document.fullscreenEnabled ? document.fullscreenElement !== null : null,
  )
  const toggle = (): void => {
    if (isFull === null) return
    const change = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()
    change.catch(() => undefined)
  }
  return { isFull, toggle }
}
