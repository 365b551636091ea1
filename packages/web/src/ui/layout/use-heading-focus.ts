import { type RefObject, useEffect, useRef } from 'react'

/** After a link within the app the focus is on the heading, as if a page had been loaded. */
export const useHeadingFocus = (): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.id === 'main') {
      heading.current?.focus({ preventScroll: true })
    }
  }, [])
  return heading
}
