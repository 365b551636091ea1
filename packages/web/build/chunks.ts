import { fileURLToPath } from 'node:url'
import { contractPrefix } from './contract.ts'

interface Modules {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[]
    readonly dynamicallyImportedIds: readonly string[]
  } | null
}

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

/** A part is what is fetched by itself, with all that it imports. */
type Reach = 'part' | 'document'

const reachedFrom = (entry: string, modules: Modules, reach: Reach): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = [entry]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const info = modules.getModuleInfo(id)
    waiting.push(...(info?.importedIds ?? []))
    if (reach === 'document') waiting.push(...(info?.dynamicallyImportedIds ?? []))
  }
  return found
}

/** What is needed from the start is one file for both documents, and one for what only one of them has a use for. */
export const startingChunks = (): ((id: string, modules: Modules) => string | null) => {
  let reached: Readonly<Record<'app' | 'reader', ReadonlySet<string>>> | undefined
  return (id, modules) => {
    reached ??= {
      app: reachedFrom(source('main.tsx'), modules, 'document'),
      reader: reachedFrom(source('read.tsx'), modules, 'document'),
    }
    const isOfApp = reached.app.has(id)
    const isOfReader = reached.reader.has(id)
    // Parts of both may ask the same of the server: neither must come to need the other's file for it.
    if ((isOfApp && isOfReader) || id.startsWith(contractPrefix)) return 'start'
    // The two kilobytes of styles that only the app needs are not worth a request.
    if (isOfApp && id.includes('.css')) return 'start'
    return isOfApp ? 'app' : isOfReader ? 'reader' : null
  }
}

/**
 * What home shares with a few other parts is in one file with it: everybody comes through there, and each file would be one
 * more request before anything is seen.
 */
export const homeChunk = (): ((id: string, modules: Modules) => string | null) => {
  let ofHome: ReadonlySet<string> | undefined
  return (id, modules) => {
    ofHome ??= reachedFrom(source('features/home/home-page.tsx'), modules, 'part')
    // Through its index a package seems to need all that is in it.
    return ofHome.has(id) && !id.includes('/node_modules/') ? 'home' : null
  }
}
