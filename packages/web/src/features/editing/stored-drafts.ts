import type { Draft } from './draft.ts'

/** A user who leaves a form finds what they had typed when they come back, even after closing the window. */
const keyOf = (owner: string, id: string): string => `carrel.draft.${owner}.${id}`

export const readDraft = (owner: string, id: string): Draft => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(owner, id)) ?? '{}')
    return isDraft(stored) ? stored : {}
  } catch {
    return {}
  }
}

export const keepDraft = (owner: string, id: string, draft: Draft): void => {
  try {
    if (Object.keys(draft).length === 0) localStorage.removeItem(keyOf(owner, id))
    else localStorage.setItem(keyOf(owner, id), JSON.stringify(draft))
  } catch {
    // Storage may be full or forbidden: then it lives as long as the page.
  }
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((each: unknown) => typeof each === 'object' && each !== null && 'value' in each)
