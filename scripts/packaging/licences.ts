import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './locked.ts'
import type { Shipped } from './shipped.ts'

/** Each of these may go out with a program under the Apache License 2.0; another is looked at before it is added. */
const acceptedLicences = new Set([
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
  // 7-Zip: GNU LGPL 2.1 and the condition of unRAR, told in NOTICE.
  'SEE LICENSE IN License.txt',
])

/** One text of all licences: which package is under which, and the text that came with it. */
export const writeLicences = (shipped: readonly Shipped[], file: string): void => {
  const stranger = shipped.find(({ license }) => !acceptedLicences.has(license))
  if (stranger) throw new Error(`${stranger.name} is under ${stranger.license}: see whether it may go out with Carrel`)
  const list = shipped.map(({ name, version, license, isBundled }) => {
    const where = isBundled ? 'in the bundle' : 'beside it'
    return `${name} ${version}: ${license}, ${where}`
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
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
