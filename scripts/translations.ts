import { faultsOf, ofServer, readStrings, entriesOf, speaking } from '../packages/web/test/translations.ts'
import { languages } from '@carrel/api'

/** `npm run translations`, or `npm run translations -- fr`: what is missing, and what fits the English no longer. */
const args = process.argv.slice(2)
const chosen = args.length > 0 ? args : languages
const folders = [...speaking, ofServer]
const total = folders.reduce((count, folder) => count + entriesOf(readStrings(folder, 'en')).size, 0)

for (const language of chosen) {
  const faults = folders.flatMap((folder) => faultsOf(folder, language).map((fault) => `  ${folder}  ${fault}`))
  const standing = faults.length === 0 ? `complete, ${total} texts` : `${faults.length} of ${total} texts`
  process.stdout.write(`${[`${language}: ${standing}`, ...faults].join('\n')}\n`)
}
