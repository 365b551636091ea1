import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outsideOfBundle } from '../outside-of-bundle.ts'
import { closureOf, type Locked, type LockedPackages, nameAt, readManifest, root } from './locked.ts'

/** A package of somebody else's that goes out with ours. */
export interface Shipped {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
  /** It lies in a file of ours; the others are installed beside it. */
  readonly isBundled: boolean
}

/** What is in the bundles, as these have it themselves, and what is installed beside them. */
export const shippedPackages = (packages: LockedPackages): readonly Shipped[] => {
  const { optionalDependencies } = readManifest('package.json')
  const beside = closureOf([...outsideOfBundle, ...Object.keys(optionalDependencies)], packages)
  const bundled = new Set(['bundled.json', 'web-bundled.json'].flatMap(readBundled))
  const all = [...new Set([...beside, ...bundled])].sort()
  return all.map((folder) => describe(folder, packages[folder], bundled.has(folder)))
}

const describe = (folder: string, { version, license }: Locked = {}, isBundled: boolean): Shipped => {
  const name = nameAt(folder)
  if (version === undefined || license === undefined)
    throw new Error(`package-lock.json does not say the version and the licence of ${name}`)
  return { name, version, license, folder, isBundled }
}

const readBundled = (name: string): readonly string[] =>
  JSON.parse(readFileSync(join(root, 'packages/server/dist', name), 'utf8')) as readonly string[]
