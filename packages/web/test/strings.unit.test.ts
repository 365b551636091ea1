import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const folders = [
  join(source, 'ui'),
  join(source, 'lists'),
  join(source, 'metadata'),
  ...readdirSync(join(source, 'features')).map((name) => join(source, 'features', name)),
  join(source, 'features/reader/ebook'),
  join(source, 'frame/palette'),
]
const speaking = folders.filter((folder) => existsSync(join(folder, 'strings')))

/** `problem.not_found`; the forms of a plural count once. */
const keysOf = (strings: object, above = ''): string[] =>
  Object.entries(strings).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${above}${key.replace(/_(zero|one|two|few|many|other)$/, '')}`]
      : keysOf(value as object, `${above}${key}.`),
  )

const read = (folder: string, language: string): object =>
  JSON.parse(readFileSync(join(folder, 'strings', `${language}.json`), 'utf8')) as object

const gapsIn = (strings: object): string[] => [...new Set(JSON.stringify(strings).match(/\{\{\w+\}\}/g))].sort()

/** What a component asks for: `t('a.b')`, or `t(\`a.${b}\`)`, which may be any key that begins so. */
const askedFor = (files: readonly string[]): { keys: Set<string>; beginnings: string[] } => {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const keys = new Set(
    [...text.matchAll(/\bt\(\s*'([^']+)'/g), ...text.matchAll(/i18nKey="([^"]+)"/g)].map(([, key = '']) => key),
  )
  for (const [, one = '', other = ''] of text.matchAll(/\bt\([^`()]*?\?\s*'([^']+)'\s*:\s*'([^']+)'/g))
    keys.add(one).add(other)
  const beginnings = [...text.matchAll(/\bt\(\s*`([^$`]+)\$\{/g)].map(([, beginning = '']) => beginning)
  return { keys, beginnings }
}

const sources = filesBelow(source).filter((file) => /\.tsx?$/.test(file))

test.each(speaking)('%s: every string in both languages, with the same gaps, and somebody says it', (folder) => {
  const [english, german] = [read(folder, 'en'), read(folder, 'de')]
  expect([...new Set(keysOf(german))].sort()).toEqual([...new Set(keysOf(english))].sort())
  expect(gapsIn(german)).toEqual(gapsIn(english))

  // The common strings may be said everywhere, those of a feature in its folder.
  const speakers = ['ui', 'lists', 'metadata'].includes(basename(folder))
    ? sources
    : sources.filter((file) => file.startsWith(folder))
  const { keys, beginnings } = askedFor(speakers)
  const unused = keysOf(english).filter((key) => !keys.has(key) && !beginnings.some((each) => key.startsWith(each)))
  expect(unused).toEqual([])
})

test('a language is there as a whole or not at all', () => {
  const found = sources.length > 0 ? filesBelow(source).filter((file) => basename(dirname(file)) === 'strings') : []
  expect(new Set(found.map((file) => basename(file)))).toEqual(new Set(['en.json', 'de.json']))
  expect(found).toHaveLength(speaking.length * 2)
})
