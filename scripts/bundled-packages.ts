import { writeFileSync } from 'node:fs'

/** It writes the folders of the packages in a bundle that are not ours, as package-lock.json names them. */
export const writePackagesIn = (modules: readonly string[], file: string): void => {
  const folders = new Set(modules.flatMap((id) => folderIn(id) ?? []))
  writeFileSync(file, `${JSON.stringify([...folders].sort(), undefined, 2)}\n`)
}

const folderIn = (id: string): string | undefined => {
  const last = id.lastIndexOf('/node_modules/')
  if (last < 0) return undefined
  const [scope = '', name = ''] = id.slice(last + '/node_modules/'.length).split(/[/?]/)
  const first = id.indexOf('/node_modules/')
  const above = id.slice(first + 1, last + '/node_modules/'.length)
  return `${above}${scope.startsWith('@') ? `${scope}/${name}` : scope}`
}
