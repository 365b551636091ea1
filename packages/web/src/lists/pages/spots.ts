import type { Spot } from '../../ui/virtual/use-virtual-grid.ts'

/**
 * It is a position in a list, stored with the entry in the history of the browser: Back and a reload lead there again.
 */
export interface StoredSpot extends Spot {
  readonly count: number
  /** The window stood at its top: what is above the list may be higher by the time somebody is back, and is still what they saw. */
  readonly isAtTop: boolean
}

const prefix = 'carrel.spot.'
const keptMax = 50

export const readSpot = (entry: string): StoredSpot | undefined => {
  try {
    const text = sessionStorage.getItem(prefix + entry)
    return text === null ? undefined : (JSON.parse(text) as StoredSpot)
  } catch {
    return undefined
  }
}

export const keepSpot = (entry: string, { index, offset, keys, count, isAtTop }: StoredSpot): void => {
  try {
    const mine = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
    for (const key of mine.slice(0, Math.max(0, mine.length - keptMax))) sessionStorage.removeItem(key)
    sessionStorage.setItem(prefix + entry, JSON.stringify({ index, offset, keys, count, isAtTop }))
  } catch {
    // Storage may be full or forbidden: then Back leads to the top.
  }
}
