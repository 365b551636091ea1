import type { MantineColorSchemeManager } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { setBarColour } from './bar-colour.ts'

export const colourSchemes = ['system', 'light', 'dark', 'oled', 'sepia', 'eink'] as const
export type ColourScheme = (typeof colourSchemes)[number]

// The same words as in first-paint.js, which sets the colour scheme before anything is painted.
const storageKey = 'carrel.look'
const listeners = new Set<() => void>()

export const isColourScheme = (value: unknown): value is ColourScheme =>
  colourSchemes.some((colourScheme) => colourScheme === value)

const stored = (): ColourScheme => {
  try {
    const value = localStorage.getItem(storageKey)
    return isColourScheme(value) ? value : 'system'
  } catch {
    return 'system'
  }
}
let colourScheme = stored()

/** It changes the colour scheme of the app, here and at the next start. */
export const setColourScheme = (next: ColourScheme): void => {
  colourScheme = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Storage may be forbidden: then it holds until the page is closed.
  }
  document.documentElement.dataset.look = next
  for (const listener of listeners) listener()
  setBarColour()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useColourScheme = (): ColourScheme => useSyncExternalStore(subscribe, () => colourScheme)

const schemes = {
  system: 'auto',
  light: 'light',
  dark: 'dark',
  oled: 'dark',
  sepia: 'light',
  eink: 'light',
} as const
let unsubscribe: () => void = () => undefined

export const colorSchemeManager: MantineColorSchemeManager = {
  get: () => schemes[colourScheme],
  set: () => undefined,
  subscribe: (onUpdate) => {
    unsubscribe = subscribe(() => onUpdate(schemes[colourScheme]))
  },
  unsubscribe: () => unsubscribe(),
  clear: () => undefined,
}
