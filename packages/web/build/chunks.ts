import { fileURLToPath } from 'node:url'

interface Modules {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null
}

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

/** All that a document needs: from the start, or also what it fetches later. */
const reachedFrom = (entry: string, modules: Modules, isLaterToo: boolean): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = [entry]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const info = modules.getModuleInfo(id)
    waiting.push(...(info?.importedIds ?? []), ...(isLaterToo ? (info?.dynamicallyImportedIds ?? []) : []))
  }
  return found
}

/**
 * Three files of what is needed from the start: by both documents, by the app alone, by the reader alone. What the reader
 * needs at once and the app later is left to be shared as the pages of the app share theirs.
 */
export const startingChunks = (): ((id: string, modules: Modules) => string | null) => {
  let sets: Record<'app' | 'later' | 'reader', ReadonlySet<string>> | undefined
  return (id, modules) => {
    sets ??= {
      app: reachedFrom(source('main.tsx'), modules, false),
      later: reachedFrom(source('main.tsx'), modules, true),
      reader: reachedFrom(source('read.tsx'), modules, false),
    }
    if (sets.app.has(id)) return sets.reader.has(id) ? 'start' : 'app'
    return sets.reader.has(id) && !sets.later.has(id) ? 'reader' : null
  }
}
