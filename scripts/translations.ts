import { faultsOf, readStrings, entriesOf, speaking } from '../packages/web/test/translations.ts'
import { languages } from '../packages/web/src/text/languages.ts'

/** `npm run translations`, or `npm run translations -- fr`: what is missing, and what fits the English no longer. */
const asked = process.argv.slice(2)
const chosen = asked.length > 0 ? asked : Object.keys(languages)
const total = speaking.reduce((count, folder) => count + entriesOf(readStrings(folder, 'en')).size, 0)

for (const language of chosen) {
  const faults = speaking.flatMap((folder) => faultsOf(folder, language).map((fault) => `  ${folder}  ${fault}`))
  const standing = faults.length === 0 ? `complete, ${total} texts` : `${faults.length} of ${total} texts`
  process.stdout.write(`${[`${language}: ${standing}`, ...faults].join('\n')}\n`)
}
