import { type RefObject, useEffect, useRef } from 'react'

/** Whoever comes by a link within the app is at the heading, as if a page had been loaded. */
export const useHeadingFocus = (): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.id === 'main') {
      heading.current?.focus({ preventScroll: true })
    }
  }, [])
  return heading
}
