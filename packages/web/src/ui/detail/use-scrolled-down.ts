import { useEffect, useState } from 'react'

/** A smaller movement is a finger that trembles. */
const slack = 8
/** So near to the top nothing hides: there is where everybody begins. */
const top = 48

/** Somebody scrolls on, and has not turned back. */
export const useScrolledDown = (): boolean => {
  const [isDown, setDown] = useState(false)
  useEffect(() => {
    let before = window.scrollY
    const update = (): void => {
      const now = window.scrollY
      if (Math.abs(now - before) < slack && now > top) return
      setDown(now > before && now > top)
      before = now
    }
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  return isDown
}
