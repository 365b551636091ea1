import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sheet = fileURLToPath(new URL('../src/ui/theme/styles.css', import.meta.url))

/** Each part of Mantine has a style sheet of its own; the names of its classes are a module of this name. */
const ofPart = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/

/** These belong to no part. */
const ofAll = new Set(['baseline', 'global'])

/** All sheets of Mantine are nine times as large as those of the parts that the app is made of. A build without one of these fails. */
export const mantineSheets = (): Plugin => ({
  name: 'carrel-mantine-sheets',
  apply: 'build',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? Object.keys(each.modules) : []))
    const used = new Set(modules.flatMap((id) => ofPart.exec(id)?.[1] ?? []))
    const imported = new Set(
      [...readFileSync(sheet, 'utf8').matchAll(/core\/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name),
    )
    const missing = [...used].filter((name) => !imported.has(name))
    const unused = [...imported].filter((name) => !used.has(name) && !ofAll.has(name))
    if (missing.length > 0 || unused.length > 0) {
      this.error(`styles.css lacks the sheets of ${missing.join()}, and nothing uses those of ${unused.join()}`)
    }
  },
})
