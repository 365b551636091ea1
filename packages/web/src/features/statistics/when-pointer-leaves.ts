import type { PointerEvent } from 'react'

/** A finger that is lifted leaves as well, and whoever touched something wants to read what it says. */
export const whenPointerLeaves =
  (leave: () => void) =>
  ({ pointerType }: PointerEvent): void => {
    if (pointerType !== 'touch') leave()
  }
