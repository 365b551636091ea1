import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { outsideOfBundle } from '../outside-of-bundle.ts'
import { writeBillOfMaterials } from './bill-of-materials.ts'
import { writeLicences } from './licences.ts'
import { closureOf, type Locked, type LockedPackages, nameAt, readLock, readManifest, root } from './locked.ts'
import { shippedPackages } from './shipped.ts'

const built = join(root, 'packages/server/dist')
/**
 * What the build leaves for itself and for tests, what a start compiles (that is of one place and one Node), and maps of the sources,
 * which nobody asks for at run time.
 */
const stays = /^((web-|test-programs-)?built|(web-)?bundled\.json|compiled|.*\.map)$/

/**
 * The program as it is installed: the bundle, the web app, the plugins, and a package file that names what is native. It needs no
 * build where it goes.
 */
export const makeProgram = (folder: string): void => {
  execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--if-needed'], { stdio: 'inherit' })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'packages/server/bin'), join(folder, 'bin'), { recursive: true })
  cpSync(built, join(folder, 'dist'), {
    recursive: true,
    filter: (source) => !stays.test(basename(source)),
  })
  for (const name of ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md']) cpSync(join(root, name), join(folder, name))
  const packages = readLock()
  const manifest = manifestOfProgram(packages)
  writeJson(join(folder, 'package.json'), manifest)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrapOf(manifest, packages))
  const shipped = shippedPackages(packages)
  writeLicences(shipped, join(folder, 'THIRD-PARTY.txt'))
  writeBillOfMaterials(shipped, join(folder, 'sbom.cdx.json'))
}

const writeJson = (file: string, value: unknown): void => {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
}

const manifestOfProgram = (packages: LockedPackages) => {
  const { name, version, description, license, engines, optionalDependencies } = readManifest('package.json')
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { carrel: 'bin/carrel.cjs' },
    engines,
    dependencies: exactly(closureOf(outsideOfBundle, packages), packages),
    // Our own Node, for machines whose Node is too old.
    optionalDependencies,
  }
}

/**
 * What is needed by what we need is named too: at the target npm takes the versions that we have tested, where it has no lock file. What
 * is optional is for other systems, and its version is said by whoever names it.
 */
const exactly = (folders: readonly string[], packages: LockedPackages): Readonly<Record<string, string>> => {
  const needed = folders.filter((folder) => packages[folder]?.optional !== true)
  const nested = needed.find((folder) => folder !== `node_modules/${nameAt(folder)}`)
  if (nested !== undefined) throw new Error(`${nested} is there in two versions, and one manifest cannot name both`)
  return Object.fromEntries(needed.map((folder) => [nameAt(folder), packages[folder]?.version ?? '']))
}

/** npm ci takes the same contents too. */
const shrinkwrapOf = (manifest: ReturnType<typeof manifestOfProgram>, packages: LockedPackages) => {
  const { name, version } = manifest
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)]
  const entries = closureOf(names, packages).map((folder) => [folder, packages[folder]] as const)
  const { type: _, description: __, ...asLocked } = manifest
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': asLocked, ...Object.fromEntries(entries.map(([folder, each]) => [folder, withoutDev(each)])) },
  }
}

/** It is needed by the program, whatever else needs it. */
const withoutDev = (locked: Locked | undefined) => {
  const { dev: _, devOptional: __, ...rest } = locked ?? {}
  return rest
}

export const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version
