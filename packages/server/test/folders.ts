import { dirname, join, normalize } from 'node:path/posix'

/** One file that imports another, both by their path below `src`. */
export interface Import {
  readonly from: string
  readonly to: string
}

const importing = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

export const importsIn = (file: string, text: string): Import[] =>
  [...text.matchAll(importing)].map(([, to = '']) => ({ from: file, to: normalize(join(dirname(file), to)) }))

/** Which folders import which others. `folderOf` says undefined of a file that is in none of them. */
export const folderImports = (
  imports: readonly Import[],
  folderOf: (file: string) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const folders = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [one, other] = [folderOf(from), folderOf(to)]
    if (one === undefined || other === undefined || one === other) continue
    folders.set(one, (folders.get(one) ?? new Set()).add(other))
  }
  return folders
}

/** Every folder that imports itself by way of others. */
export const foldersInCircles = (folders: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...folders.keys()].filter((start) => {
    const reached = new Set<string>()
    const waiting = [start]
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
      for (const next of folders.get(at) ?? [])
        if (!reached.has(next)) {
          reached.add(next)
          waiting.push(next)
        }
    return reached.has(start)
  })
