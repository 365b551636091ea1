/** How often something was done from the palette is kept in this browser, for each user. */
const keyFor = (userId: string): string => `carrel.palette.${userId}`

export const readUsed = (userId: string): ReadonlyMap<string, number> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyFor(userId)) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return new Map()
    return new Map(Object.entries(stored).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch {
    return new Map()
  }
}

export const noteUsed = (userId: string, key: string): void => {
  const used = new Map(readUsed(userId))
  used.set(key, (used.get(key) ?? 0) + 1)
  try {
    localStorage.setItem(keyFor(userId), JSON.stringify(Object.fromEntries(used)))
  } catch {
    // Storage may be forbidden: then the usual ones are offered.
  }
}
