const storageKey = 'carrel.library'

/** The library that was opened last, on this device. */
export const lastLibrary = (): string | undefined => {
  try {
    return localStorage.getItem(storageKey) ?? undefined
  } catch {
    return undefined
  }
}

const address = /^\/libraries\/([0-9a-f-]{36})(\/|$)/

/** Whoever opens a library comes back to it. */
export const noteLibrary = (pathname: string): void => {
  const [, id] = address.exec(pathname) ?? []
  if (id === undefined) return
  try {
    localStorage.setItem(storageKey, id)
  } catch {
    // Storage may be forbidden: then "Library" leads to all of them.
  }
}
