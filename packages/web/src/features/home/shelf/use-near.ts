import { useCallback, useState } from 'react'

/** One screen ahead. */
const margin = '100% 0px'

/** Whether what the reference is set on has come near to the window; once it has, it stays so. */
export const useNear = (): readonly [boolean, (element: HTMLElement | null) => (() => void) | undefined] => {
  const [isNear, setNear] = useState(false)
  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: margin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [isNear, watch]
}
