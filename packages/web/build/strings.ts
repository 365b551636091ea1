import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { completed, type Strings } from './complete-strings.ts'

const ofFolder = /\/strings\/([\w-]+)\.json$/

/**
 * A language is loaded alone: whatever its translators have not come to yet stands in English, which is written into
 * its strings when the app is built.
 */
export const completeStrings = (): Plugin => ({
  name: 'carrel-strings',
  enforce: 'pre',
  transform: {
    filter: { id: ofFolder },
    handler(code, id) {
      const language = ofFolder.exec(id)?.[1] ?? 'en'
      if (language === 'en') return undefined
      const file = id.replace(ofFolder, '/strings/en.json')
      this.addWatchFile(file)
      const english = JSON.parse(readFileSync(file, 'utf8')) as Strings
      return { code: JSON.stringify(completed(JSON.parse(code) as Strings, english, language)), map: null }
    },
  },
})
