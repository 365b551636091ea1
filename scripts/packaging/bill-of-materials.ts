import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { nameLicence } from './licences.ts'
import { root } from './locked.ts'
import { builtAt } from '../built-at.ts'
import type { Shipped } from './shipped.ts'

interface Bill {
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly group?: string
  /** npm leaves out what SPDX has no name for. */
  readonly licenses?: readonly unknown[]
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

/** What npm knows of everything we have installed, less what stays here: CycloneDX, the same each time it is made of the same. */
export const writeBillOfMaterials = (shipped: readonly Shipped[], file: string): void => {
  const bill = billOfEverything()
  const licenceOf = new Map(shipped.map((each) => [`${each.name}@${each.version}`, nameLicence(each)]))
  const components = bill.components
    .filter((each) => licenceOf.has(refOf(each)))
    .map((each) => ({ ...each, licenses: each.licenses ?? [{ license: { name: licenceOf.get(refOf(each)) } }] }))
  const refs = new Set(components.map((each) => each['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  const content = {
    ...bill,
    metadata: { ...bill.metadata, timestamp: builtAt().toISOString() },
    components,
    dependencies,
  }
  const missing = [...licenceOf.keys()].filter((name) => !components.some((each) => refOf(each) === name))
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}`)
  const serialNumber = `urn:uuid:${idOf({ ...content, serialNumber: '' })}`
  writeFileSync(file, `${JSON.stringify({ ...content, serialNumber }, undefined, 2)}\n`)
}

const refOf = ({ group, name, version }: Component): string => `${group ? `${group}/` : ''}${name}@${version}`

const billOfEverything = (): Bill =>
  JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as Bill

const idOf = (content: unknown): string => {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
