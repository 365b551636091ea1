import { useEffect } from 'react'

/** The screen stays on while a book is open and in view. Where a browser or a battery refuses, it goes off as ever. */
export const useScreenAwake = (): void => {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Navigator>
    let held: WakeLockSentinel | undefined
    let isOpen = true
    const hold = async (): Promise<void> => {
      if (!wakeLock || document.visibilityState !== 'visible' || held?.released === false) return
      const next = await wakeLock.request('screen')
      if (isOpen) held = next
      else await next.release()
    }
    const holdAgain = (): void => void hold().catch(() => undefined)
    holdAgain()
    // The browser takes it back whenever the page is hidden.
    document.addEventListener('visibilitychange', holdAgain)
    return () => {
      isOpen = false
      document.removeEventListener('visibilitychange', holdAgain)
      void held?.release().catch(() => undefined)
    }
  }, [])
}
