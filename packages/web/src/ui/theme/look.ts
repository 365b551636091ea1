import type { MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'

export const looks = ['system', 'light', 'dark', 'oled'] as const
export type ColourScheme = (typeof looks)[number]

// The same words as in first-paint.js, which puts the look on before anything is painted.
const storageKey = 'carrel.look'
const listeners = new Set<() => void>()

export const isLook = (value: unknown): value is ColourScheme => looks.some((look) => look === value)

const stored = (): ColourScheme => {
  try {
    const value = localStorage.getItem(storageKey)
    return isLook(value) ? value : 'system'
  } catch {
    return 'system'
  }
}
let look = stored()

/** It changes the look of the app, here and at the next start. */
export const wear = (next: ColourScheme): void => {
  look = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Storage may be forbidden: then it holds until the page is closed.
  }
  document.documentElement.toggleAttribute('data-oled', next === 'oled')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLook = (): ColourScheme => useSyncExternalStore(subscribe, () => look)

const schemes = { system: 'auto', light: 'light', dark: 'dark', oled: 'dark' } as const
let unsubscribe: () => void = () => undefined

export const colorSchemeManager: MantineColorSchemeManager = {
  get: () => schemes[look],
  set: () => undefined,
  subscribe: (onUpdate) => {
    unsubscribe = subscribe(() => onUpdate(schemes[look]))
  },
  unsubscribe: () => unsubscribe(),
  clear: () => undefined,
}
