import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formsOf, isCounted, type Strings } from '../build/complete-strings.ts'

export const source = fileURLToPath(new URL('../src', import.meta.url))

/** Every folder with strings of its own. */
export const speaking: readonly string[] = [
  'ui',
  'lists',
  'metadata',
  ...readdirSync(join(source, 'features')).map((name) => `features/${name}`),
  'features/reader/ebook',
  'frame/palette',
].filter((folder) => existsSync(join(source, folder, 'strings')))

/** What the server says itself, in the applications of others; seen from the folder of the app, as the others are. */
export const ofServer = '../../server/src/texts'

export const readStrings = (folder: string, language: string): Strings => {
  const file = join(source, folder, 'strings', `${language}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Strings) : {}
}

interface Entry {
  /** `other` alone, unless it is counted. */
  readonly forms: ReadonlyMap<string, string>
  readonly counted: boolean
}

const ending = /_(zero|one|two|few|many|other)$/

/** `problem.not_found`; the forms of a plural are one entry. What is counted says the English. */
export const entriesOf = (strings: Strings, english: Strings = strings, above = ''): ReadonlyMap<string, Entry> => {
  const entries = new Map<string, Entry>()
  for (const [key, value] of Object.entries(strings)) {
    const [name, form] = [key.replace(ending, ''), ending.exec(key)?.[1]]
    const same = english[key]
    if (typeof value !== 'string')
      for (const [below, entry] of entriesOf(value, typeof same === 'object' ? same : {}, `${above}${key}.`))
        entries.set(below, entry)
    else if (form !== undefined && isCounted(`${name}_other`, english)) {
      const forms = new Map(entries.get(above + name)?.forms).set(form, value)
      entries.set(above + name, { forms, counted: true })
    } else entries.set(above + key, { forms: new Map([['other', value]]), counted: false })
  }
  return entries
}

/** The forms that counts up to two hundred take: French and its sisters have one more, from a million on, which may be as the others. */
const neededForms = (language: string): readonly string[] => {
  const rules = new Intl.PluralRules(language)
  return [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))]
}

/** What the app fills in, and what it makes a link of: `{{name}}`, `<link>`. */
const gapsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)|<\/?(\w+)>/g)].map(([, gap = '', tag = '']) => gap || `<${tag}>`))].sort()

/** It lists what a folder's strings lack in a language, or have too much; empty for a language that is complete. */
export const faultsOf = (folder: string, language: string): string[] => {
  const english = readStrings(folder, 'en')
  const expected = entriesOf(english)
  const translated = entriesOf(readStrings(folder, language), english)
  const unknown = [...translated.keys()].filter((key) => !expected.has(key)).map((key) => `${key}: not in English`)
  const faults = [...expected].flatMap(([key, entry]) => {
    const own = translated.get(key)
    return own === undefined
      ? [`${key}: missing`]
      : faultsOfEntry(own, entry, language).map((each) => `${key}: ${each}`)
  })
  return [...faults, ...unknown]
}

const faultsOfEntry = (own: Entry, english: Entry, language: string): string[] => {
  const zero = english.forms.has('zero') ? ['zero'] : []
  const needed = english.counted ? new Set([...zero, ...neededForms(language)]) : ['other']
  const allowed = english.counted ? [...zero, ...formsOf(language)] : ['other']
  const gaps = gapsIn(english.forms.get('other') ?? '')
  return [
    ...[...needed].filter((form) => !own.forms.has(form)).map((form) => `the form "${form}" is missing`),
    ...[...own.forms.keys()].filter((form) => !allowed.includes(form)).map((form) => `there is no form "${form}"`),
    ...[...own.forms].flatMap(([form, text]) => {
      const has = gapsIn(text)
      // "One book" may do without its number.
      const isRight =
        english.counted && form !== 'other' ? has.every((gap) => gaps.includes(gap)) : has.join() === gaps.join()
      return isRight ? [] : [`has the gaps ${has.join(', ') || 'none'} instead of ${gaps.join(', ') || 'none'}`]
    }),
    ...[...own.forms.values()].filter((text) => text.trim() === '').map(() => 'is empty'),
  ]
}

/** The files of languages below `src`, by the name of the language. */
export const filesOf = (language: string): string[] =>
  readdirSync(source, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === `${language}.json` && entry.parentPath.endsWith('/strings'))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
