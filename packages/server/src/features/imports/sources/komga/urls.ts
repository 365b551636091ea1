import type { StoreDatabase } from '../sqlite.ts'
import { pathBelow, textOf } from '../values.ts'

/** Java writes one slash after `file:`, and encodes what is not ASCII, as UTF-8. Undefined: it is no path of a file. */
const pathOfUrl = (url: string): string | undefined => {
  const match = /^file:(?:\/\/)?(\/(?!\/).*)$/.exec(url)
  if (match?.[1] === undefined) return undefined
  try {
    return decodeURIComponent(match[1])
  } catch {
    return undefined
  }
}

/** Windows has a drive behind the first slash, which nobody else's path begins with. */
const withoutSlash = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path)

export const rootsIn = (db: StoreDatabase): ReadonlyMap<string, string> => {
  const roots = new Map<string, string>()
  for (const row of db.rows('select ID as id, substr(ROOT, 1, 4001) as root from LIBRARY', { most: 10_000 })) {
    const id = textOf(row['id'])
    const url = textOf(row['root'])
    const path = url === null ? undefined : pathOfUrl(url)
    if (id !== null && path !== undefined) roots.set(id, withoutSlash(path))
  }
  return roots
}

export const pathBelowRoot = (root: string | undefined, url: string | null): string | null => {
  const path = url === null ? undefined : pathOfUrl(url)
  return root === undefined || path === undefined ? null : pathBelow(root, path)
}
