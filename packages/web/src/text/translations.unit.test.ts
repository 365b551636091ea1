import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import i18next, { type BackendModule } from 'i18next'
import { expect, test } from 'vitest'
import { completed, type Strings } from '../../build/complete-strings.ts'
import { languages } from '@carrel/api'
import own, { initReactI18next } from './translations.ts'

const source = fileURLToPath(new URL('..', import.meta.url))
const folders = readdirSync(source, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isDirectory() && entry.name === 'strings')
  .map((entry) => join(entry.parentPath, entry.name))

const readFile = (folder: string, language: string): Strings => {
  const file = join(folder, `${language}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Strings) : {}
}

/** The strings are completed as the build completes them. */
const read = (namespace: string, language: string): Strings => {
  const folder = folders[Number(namespace)] ?? ''
  return completed(readFile(folder, language), readFile(folder, 'en'), language)
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language: string, namespace: string, done) => done(null, read(namespace, language)),
}
const options = (lng: string) => ({
  lng,
  fallbackLng: lng,
  ns: folders.map((_, index) => String(index)),
  defaultNS: '0',
  interpolation: { escapeValue: false },
})

const keysOf = (strings: object, above = ''): string[] =>
  Object.entries(strings).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${above}${key}`, `${above}${key.replace(/_(zero|one|two|few|many|other)$/, '')}`]
      : keysOf(value as object, `${above}${key}.`),
  )

test.each(languages)('every string of %s is said as i18next says it, for every count', async (language) => {
  const theirs = i18next.createInstance()
  // The keys are those of all folders, by number.
  const { t: sayTheirs } = theirs as unknown as { readonly t: (key: string, options: object) => unknown }
  await theirs.use(backend).init(options(language))
  await own.use(backend).use(initReactI18next).init(options(language))
  const values = {
    name: 'Ana & <b>',
    number: '7',
    text: '',
    q: 'a $1 b',
    when: 'now',
    page: 1234.5,
    total: 1_000_000,
  }
  const counts = [undefined, 0, 1, 2, 1234, 1_000_000, 1.5]
  const differenceOf = (key: string, count: number | undefined) => {
    const options = { ...values, ...(count !== undefined && { count }) }
    const text = own.t(key, options)
    // What is left open there is named in its brackets.
    const meant = String(sayTheirs(key, options)).replaceAll(/\{\{\s*\w+\s*(?:,\s*\w+\s*)?\}\}/g, '')
    return text === meant ? [] : [[key, count, text, meant]]
  }
  const keys = [...folders.keys()].flatMap((namespace) =>
    keysOf(read(String(namespace), language)).map((key) => `${String(namespace)}:${key}`),
  )
  const differing = keys.flatMap((key) => counts.flatMap((count) => differenceOf(key, count)))
  expect(folders.length).toBeGreaterThan(20)
  expect(differing).toEqual([])
})

test('another language is spoken once all that was said before is there in it; what fails is loaded again', async () => {
  await own.use(backend).init(options('en'))
  const told: string[] = []
  own.on('languageChanged', (language) => told.push(language))
  const failing = {
    read: (_: string, __: string, done: (error: unknown, strings: unknown) => void) => done(new Error('away'), null),
  }
  own.use(failing)
  await expect(own.changeLanguage('nl')).rejects.toThrow('away')
  expect([own.resolvedLanguage, told]).toEqual(['en', []])
  own.use(backend)
  await own.changeLanguage('de')
  expect([own.resolvedLanguage, told, own.dir(), own.dir('ar')]).toEqual(['de', ['de'], 'ltr', 'rtl'])
})
