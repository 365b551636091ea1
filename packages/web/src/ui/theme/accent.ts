import { useSyncExternalStore } from 'react'

/** `covers`: what belongs to a work has the colour of its cover; all else is verdigris. With any other accent all has that one. */
export const accents = ['covers', 'verdigris', 'blue', 'violet', 'rose', 'rust', 'moss', 'slate'] as const
export type Accent = (typeof accents)[number]

// The same words as in first-paint.js.
const storageKey = 'carrel.accent'
const listeners = new Set<() => void>()

export const isAccent = (value: unknown): value is Accent => accents.some((accent) => accent === value)

const stored = (): Accent => {
  try {
    const value = localStorage.getItem(storageKey)
    return isAccent(value) ? value : 'covers'
  } catch {
    return 'covers'
  }
}
let accent = stored()

/** It changes the accent of the app, here and at the next start. */
export const setAccent = (next: Accent): void => {
  accent = next
  try {
    localStorage.setItem(storageKey, next)
  } catch {
    // Storage may be forbidden: then it holds until the page is closed.
  }
  const { dataset } = document.documentElement
  if (next === 'covers') delete dataset.tones
  else dataset.tones = 'off'
  if (next === 'covers' || next === 'verdigris') delete dataset.accent
  else dataset.accent = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAccent = (): Accent => useSyncExternalStore(subscribe, () => accent)
