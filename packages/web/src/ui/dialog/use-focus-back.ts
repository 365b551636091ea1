import { useLayoutEffect } from 'react'

/** The window of whoever closes it may fade, and what had the focus goes with it. */
const afterMs = 20

/**
 * Whoever closes a window goes on where it was opened. Mantine does that only for windows that were closed before they
 * were open, and stay in the page: ours often come and go with what they show.
 */
export const useFocusBack = (isOpen: boolean): void => {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const opener = openerOf(document.activeElement)
    return () => {
      setTimeout(() => {
        const { activeElement } = document
        const isLost = activeElement === null || activeElement === document.body
        if (isLost && opener?.isConnected === true) opener.focus({ preventScroll: true })
      }, afterMs)
    }
  }, [isOpen])
}

/** A line of a menu goes with its menu: the button of that stays. */
const openerOf = (active: Element | null): HTMLElement | undefined => {
  const menu = active?.closest('[role="menu"]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement && opener !== document.body ? opener : undefined
}
