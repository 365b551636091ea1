import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A package as the lock file has it. */
export interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** By the folder in which each lies: `node_modules/pg/node_modules/split2`. */
export type LockedPackages = Readonly<Record<string, Locked>>

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

export const readManifest = (path: string): Manifest => readJson(path) as Manifest

export const readLock = (): LockedPackages =>
  (readJson('package-lock.json') as { readonly packages: LockedPackages }).packages

/** The name of the package that lies in a folder of the lock file. */
export const nameAt = (folder: string): string =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The folders of these packages and of all that they need, as Node finds them from one to the next. */
export const closureOf = (names: readonly string[], packages: LockedPackages): readonly string[] => {
  const folders = new Set<string>()
  const add = (name: string, from: string, isNeeded: boolean): void => {
    const folder = folderOf(name, from, packages)
    if (folder === undefined) {
      if (isNeeded) throw new Error(`${name}, which ${from || 'the program'} needs, is not in package-lock.json`)
      return
    }
    if (folders.has(folder)) return
    folders.add(folder)
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[folder] ?? {}
    for (const each of Object.keys(dependencies)) add(each, folder, true)
    for (const each of Object.keys({ ...optionalDependencies, ...peerDependencies })) add(each, folder, false)
  }
  for (const name of names) add(name, '', true)
  return [...folders].sort()
}

const folderOf = (name: string, from: string, packages: LockedPackages): string | undefined => {
  const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages[candidate] !== undefined) return candidate
  if (from === '') return undefined
  const end = from.lastIndexOf('/node_modules/')
  return folderOf(name, end < 0 ? '' : from.slice(0, end), packages)
}
