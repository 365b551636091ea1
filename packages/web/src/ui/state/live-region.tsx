import { type ReactNode, useSyncExternalStore } from 'react'
import { VisuallyHidden } from '@mantine/core'

let message = ''
const listeners = new Set<() => void>()

/** It tells a screen reader what others see: how many are left after a filter, for example. @public */
export const announce = (text: string): void => {
  // The same words twice would not be read again.
  message = message === text ? `${text}\u00A0` : text
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Screen readers announce what is written here. It exists once, around everything. */
export const LiveRegion = (): ReactNode => {
  const text = useSyncExternalStore(subscribe, () => message)
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  )
}
