import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './locked.ts'
import type { Shipped } from './shipped.ts'

/**
 * Each of these may go out with a program under the Apache License 2.0; another is looked at before it is added. Most are what SPDX
 * calls them, and one has a name here because its package only says where to read it.
 */
const acceptedLicences = new Map([
  ...[
    '0BSD',
    'Apache-2.0',
    'Apache-2.0 AND LGPL-3.0-or-later',
    'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'LGPL-3.0-or-later',
    'MIT',
  ].map((license) => [license, license] as const),
  // 7-Zip, told in NOTICE too.
  ['SEE LICENSE IN License.txt', 'LGPL-2.1-or-later with the unRAR restriction'],
])

/** It answers what a licence is called, and stops the packaging at one that nobody has looked at. */
export const nameLicence = ({ name, license }: Pick<Shipped, 'name' | 'license'>): string => {
  const called = acceptedLicences.get(license)
  if (called === undefined) throw new Error(`${name} is under ${license}: see whether it may go out with Carrel`)
  return called
}

/** One text of all licences: which package is under which, and the text that came with it. */
export const writeLicences = (shipped: readonly Shipped[], file: string): void => {
  const list = shipped.map((each) => {
    const where = each.isBundled ? 'in the bundle' : 'beside it'
    return `${each.name} ${each.version}: ${nameLicence(each)}, ${where}`
  })
  const texts = new Map<string, string[]>()
  for (const { name, version, folder } of shipped) {
    const text = textIn(join(root, folder))
    if (text !== undefined) texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  const sections = [...texts].map(([text, names]) => `${names.join(', ')}\n\n${text}`)
  const rule = `\n\n${'-'.repeat(100)}\n\n`
  writeFileSync(file, `${['Libraries that go out with Carrel', list.join('\n'), ...sections].join(rule)}\n`)
}

/** A package for another system is not installed here: its licence is named, its text comes with it. */
const textIn = (folder: string): string | undefined => {
  if (!existsSync(folder)) return undefined
  const names = readdirSync(folder).filter((name) => /^[a-z]*(licen[cs]e|copying|notice)/i.test(name))
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
