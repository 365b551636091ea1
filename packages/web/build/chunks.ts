import { fileURLToPath } from 'node:url'
import { contractPrefix } from './contract.ts'

interface Modules {
  getModuleInfo(
    id: string,
  ): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null
}

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

/** All that a document may come to need. */
const reachedFrom = (entry: string, modules: Modules): ReadonlySet<string> => {
  const found = new Set<string>()
  const waiting = [entry]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const info = modules.getModuleInfo(id)
    waiting.push(...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? []))
  }
  return found
}

/** What is needed from the start is one file for both documents, and one for what only one of them has a use for. */
export const startingChunks = (): ((id: string, modules: Modules) => string | null) => {
  let reached: Readonly<Record<'app' | 'reader', ReadonlySet<string>>> | undefined
  return (id, modules) => {
    reached ??= { app: reachedFrom(source('main.tsx'), modules), reader: reachedFrom(source('read.tsx'), modules) }
    const isOfApp = reached.app.has(id)
    const isOfReader = reached.reader.has(id)
    // Parts of both may ask the same of the server: neither must come to need the other's file for it.
    if ((isOfApp && isOfReader) || id.startsWith(contractPrefix)) return 'start'
    return isOfApp ? 'app' : isOfReader ? 'reader' : null
  }
}
