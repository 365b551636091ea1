import type { Happening } from './event-effects.ts'

type Listener = (happening: Happening) => void
const listeners = new Set<Listener>()

/** The few that want the event itself, such as the progress of a scan, listen here. @public */
export const onHappening = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const tellOf = (happening: Happening): void => {
  for (const listener of listeners) listener(happening)
}
